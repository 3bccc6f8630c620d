/*---
rule: log.commit-pattern
title: Too many small transactions, or grouped commits
lane: performance
takes_effect: immediately
applies: {workload: [oltp, mixed, bi]}
judged_by: config
needs: [workload.TOTAL_APP_COMMITS, workload.ROWS_MODIFIED, workload.LOG_DISK_WAIT_TIME,
  transaction_log.LOG_WRITE_TIME, dbcfg.VALUE]
object: DATABASE
claims: {LOG_DISK: {events: SPARED_COMMITS, cost_ms: WAIT_MS}}
recover: [0.2, 0.5, 0.8]
confidence: CONFIDENCE
thresholds:
  max_rows: {default: 2, from: own, why: 'rows changed per commit: a loop that commits row by row'}
  min_wait_part: {default: 0.2, from: own, why: part of the log waits; a workload with less is not the cause}
  loop_sessions: {default: 2, from: own, why: 'at most this many active sessions are jobs that loop, not users'}
  least_sessions: {default: 0.2, from: own, why: fewer are occasional users; a loop keeps a session busy}
  joined: {default: 100, from: system-z, why: rows that a loop can change per commit}
actions:
  - when: WORKLOAD_NAME IS NOT NULL
    manual: >-
      In the applications of workload {WORKLOAD_NAME:name}, commit every 100 to 1000 rows in loops that change rows.
    undo: {manual: Commit as often as before.}
  - when: MINCOMMIT IS NOT NULL
    set: {kind: DBCFG, name: MINCOMMIT, from: '{MINCOMMIT}', to: '1', unit: commits}
finding:
  - when: WORKLOAD_NAME IS NOT NULL
    text: >-
      Workload {WORKLOAD_NAME:text} changes {ROWS_PER_COMMIT:1} rows per commit. It waits {LOG_DISK_PCT:1} % of database
      time for the log.
  - {when: WORKLOAD_NAME IS NOT NULL AND SLOW_LOG = 0, text: The log device is fast.}
  - {when: WORKLOAD_NAME IS NOT NULL AND SLOW_LOG = 1, text: 'The log device is slow, too.'}
  - when: MINCOMMIT IS NOT NULL
    text: MINCOMMIT {MINCOMMIT} delays commits for up to a second to write them together.
evidence:
  - when: WORKLOAD_NAME IS NOT NULL
    figures: [workload=WORKLOAD_NAME:text, TOTAL_APP_COMMITS, ROWS_MODIFIED, LOG_DISK_WAIT_TIME_pct=LOG_DISK_PCT:2,
      active_sessions=SESSIONS:2]
  - MINCOMMIT?
references:
  - system-z, "Avoid many small database requests"
  - vmware-netapp, MINCOMMIT 1
  - IBM documentation of mincommit (r0000244)
why: >-
  Each commit waits for a log write. Fewer commits wait less often, whatever the device. MINCOMMIT
  above 1 delays commits for up to a second.
not_if: >-
  Writes are slow for the medium, and no workload loops; MINCOMMIT is 1 or will be. Time is claimed only for a workload
  that loops: few active sessions, in a database with at least 0.2. Users who change a row and commit are normal. For
  MINCOMMIT, time is claimed below 10.1 and not on AIX, if commits wait longer than for two writes.
note: >-
  The application is a WLM workload, the only grouping collected. With many sessions a loop looks like users, so it is
  housekeeping. Only the application knows which transactions must stay separate. MINCOMMIT is deprecated from 10.1 and
  ignored on AIX. Its cost is the commit wait beyond two writes: the write in progress and the commit's own.
---*/
WITH WORKLOAD AS (
    SELECT
        WORKLOAD_NAME,
        SUM(COALESCE(TOTAL_APP_COMMITS, 0)) AS TOTAL_APP_COMMITS,
        SUM(COALESCE(ROWS_MODIFIED, 0)) AS ROWS_MODIFIED,
        SUM(COALESCE(LOG_DISK_WAIT_TIME, 0)) AS LOG_DISK_WAIT_TIME,
        SUM(COALESCE(TOTAL_RQST_TIME, 0)) AS TOTAL_RQST_TIME
    FROM TUNE.D_WORKLOAD
    GROUP BY WORKLOAD_NAME
),
SLOW AS (
    SELECT COUNT(*) AS MEMBERS
    FROM TUNE.LOG AS G
    CROSS JOIN TUNE.O_SITE AS SITE
    WHERE
        G.MS_PER_WRITE
        > CASE G.MEDIUM
            WHEN 'array' THEN SITE.LOG_MS_ARRAY WHEN 'disk' THEN SITE.LOG_MS_DISK ELSE SITE.LOG_MS_FLASH -- fast for any
        END
),
GROUPED AS (
    SELECT
        SUM(G.WAITS) AS WAITS,
        CAST(SUM(G.WAITS * GREATEST(0, G.WAIT_MS - 2 * G.MS_PER_WRITE)) AS DOUBLE) / NULLIF(SUM(G.WAITS), 0) AS HELD_MS
    FROM TUNE.LOG AS G
    CROSS JOIN TUNE.RUN_DATABASE AS D
    CROSS JOIN TUNE.RUN_WINDOW AS W
    WHERE D.DB2_LEVEL < 10010000 AND COALESCE(D.PLATFORM, ' ') <> 'AIX' AND W.USABLE = 1
),
SMALL AS (
    SELECT
        L.*,
        L.ROWS_MODIFIED / CAST(NULLIF(L.TOTAL_APP_COMMITS, 0) AS DOUBLE) AS ROWS_PER_COMMIT,
        100 * CAST(L.LOG_DISK_WAIT_TIME AS DOUBLE) / NULLIF(T.DBT_MS, 0) AS LOG_DISK_PCT,
        CAST(L.LOG_DISK_WAIT_TIME AS DOUBLE) / NULLIF(L.TOTAL_APP_COMMITS, 0) AS WAIT_MS,
        CAST(L.TOTAL_RQST_TIME AS DOUBLE) / NULLIF(1000 * W.SECONDS, 0) AS SESSIONS,
        L.TOTAL_APP_COMMITS - L.ROWS_MODIFIED / CAST(NULLIF(O.JOINED, 0) AS DOUBLE) AS SPARED_COMMITS,
        O.LOOP_SESSIONS,
        ROW_NUMBER() OVER (ORDER BY L.LOG_DISK_WAIT_TIME DESC, L.WORKLOAD_NAME) AS PLACE
    FROM WORKLOAD AS L
    CROSS JOIN TUNE.DATABASE_TIME AS T
    CROSS JOIN TUNE.RUN_WINDOW AS W
    CROSS JOIN TUNE.O_LOG_COMMIT_PATTERN AS O
    CROSS JOIN TUNE.O_SITE AS SITE
    WHERE
        W.USABLE = 1 AND T.ACTIVE_SESSIONS >= O.LEAST_SESSIONS
        AND T.LOG_DISK_PCT >= SITE.MAJOR_PCT
        AND L.LOG_DISK_WAIT_TIME >= O.MIN_WAIT_PART * T.LOG_DISK_WAIT_TIME
        AND L.TOTAL_APP_COMMITS > 0
        AND L.ROWS_MODIFIED > 0 AND L.ROWS_MODIFIED <= O.MAX_ROWS * L.TOTAL_APP_COMMITS
)
SELECT
    L.WORKLOAD_NAME,
    CASE WHEN S.MEMBERS = 0 THEN 0 ELSE 1 END AS SLOW_LOG,
    L.TOTAL_APP_COMMITS,
    L.ROWS_MODIFIED,
    L.ROWS_PER_COMMIT,
    L.LOG_DISK_PCT,
    L.SESSIONS,
    CASE WHEN L.SESSIONS <= L.LOOP_SESSIONS THEN L.WAIT_MS ELSE P.HELD_MS END AS WAIT_MS,
    CASE WHEN L.SESSIONS <= L.LOOP_SESSIONS THEN L.SPARED_COMMITS WHEN C.NUM > 1 THEN P.WAITS END AS SPARED_COMMITS,
    C.NUM AS MINCOMMIT,
    CASE WHEN L.WORKLOAD_NAME IS NOT NULL OR P.HELD_MS > 0 THEN 0.6 ELSE 0.3 END AS CONFIDENCE
FROM SLOW AS S
CROSS JOIN GROUPED AS P
LEFT JOIN SMALL AS L ON L.PLACE = 1 AND (S.MEMBERS = 0 OR L.SESSIONS <= L.LOOP_SESSIONS)
LEFT JOIN TUNE.SETTING AS C ON C.SCOPE = 'DB' AND C.NAME = 'mincommit' AND C.FIXED = 1 AND C.NUM > 1
WHERE L.WORKLOAD_NAME IS NOT NULL OR C.NUM IS NOT NULL
