/*---
rule: lock.wait-high
title: High lock wait time
lane: performance
severity: low
takes_effect: database reactivation
risk: medium
judged_by: rates
needs: [workload.LOCK_WAIT_TIME, workload.LOCK_WAITS]
object: DATABASE
claims: {LOCK: {events: AVOIDABLE_WAITS, cost_ms: MS_PER_WAIT}}
recover: [LOW, EXPECTED, HIGH]
confidence: CONFIDENCE
actions:
  - when: COMMITTED = 1
    set: {kind: DBCFG, name: CUR_COMMIT, from: '{CUR_COMMIT:text}', to: 'ON'}
  - when: HEAD IS NOT NULL
    takes_effect: immediately
    manual: >-
      Show the last statement of the blocking application: SELECT S.STMT_TEXT FROM TABLE(MON_GET_CONNECTION({HEAD}, -2))
      AS C, TABLE(MON_GET_PKG_CACHE_STMT(NULL, C.LAST_EXECUTABLE_ID, NULL, -2)) AS S
  - when: COMMITTED = 0
    takes_effect: immediately
    manual: >-
      During the waits, find the blockers: SELECT TABSCHEMA, TABNAME, LOCK_MODE_REQUESTED, LOCK_MODE,
      LOCK_WAIT_ELAPSED_TIME, HLD_APPLICATION_HANDLE, REQ_STMT_TEXT FROM SYSIBMADM.MON_LOCKWAITS
  - when: COMMITTED = 0
    takes_effect: immediately
    manual: >-
      Commit sooner in the blocking application. Index the predicates of the waiting statement, so that it requests
      fewer locks.
  - when: COMMITTED = 0 AND NOT_ON = 1
    takes_effect: immediately
    manual: If readers (NS) wait for writers (X), CUR_COMMIT ON prevents these waits from the next activation.
finding:
  - when: LOCK_PCT IS NOT NULL
    text: >-
      Lock waits take {LOCK_PCT:1} % of database time: {LOCK_WAITS} waits of {MS_PER_WAIT} ms on average[, most on
      {QUOTED:text} ({TABLE_PCT} %)].
  - when: LOCK_PCT IS NULL
    text: >-
      {LOCK_WAITS} lock waits of {MS_PER_WAIT} ms on average[, most on {QUOTED:text} ({TABLE_PCT} %)]: {WAITING:1}
      sessions waited on average. Their share of database time is unknown.
  - {when: COMMITTED = 1, text: '{READERS} of {WAITERS} sampled waits are readers that wait for a writer.'}
  - when: HEAD IS NOT NULL
    text: >-
      At the second snapshot, application {HEAD} of {HEAD_USER:text|an unknown user}[ ({HEAD_NAME:text})] was the
      head of the lock chain. Sessions that had waited for it: {VICTIMS}, {BEHIND} of them behind another waiter, for
      {VICTIMS_S} seconds in total. Its unit of work had been open for {HEAD_AGE_S} seconds.
  - {when: HEADS > 1, text: 'Other chains: {OTHER_HEADS}.'}
query: >-
  SELECT LOCK_WAITS, LOCK_WAIT_TIME, TOTAL_RQST_TIME FROM TABLE(MON_GET_WORKLOAD(NULL, -2)) AS T
evidence: ['LOCK_WAIT_TIME_pct=LOCK_PCT:2?', LOCK_WAITS, 'CUR_COMMIT:text?', waits_seen=WAITERS,
  readers_for_writers=READERS, most_on=QUOTED:text, 'head_of_chain=HEAD?', 'victims=VICTIMS?',
  'victims_waited_s=VICTIMS_S?']
references:
  - vmware-netapp, appendices (CUR_COMMIT ON)
  - x4470 (a load that stresses locks)
  - IBM documentation of cur_commit (r0053556) and of currently committed semantics (c0053760)
why: >-
  A session in a lock wait does no work and keeps its own locks longer. Readers with cursor stability need not wait for
  writers: with CUR_COMMIT they get the last committed version of the row from the log.
not_if: >-
  Lock waits take less than 5 % of database time (of the interval, if database time is unknown), or there are fewer
  than 5; most sampled waits involve a super
  exclusive lock (Z) of a utility or DDL; a change of CUR_COMMIT is pending.
note: >-
  The claim is the readers' part of the sampled waits, or all waits as an upper bound if the steps are manual. Blockers
  are visible only at the second snapshot. So the command needs at least three sampled waits (NS requested, X held) and
  CUR_COMMIT not ON on all members. CUR_COMMIT changes results of applications that rely on waiting for writers. It is
  configurable, but not online. With AVAILABLE, applications must request it. The head of a chain waits for no lock
  itself; if it waits for its client, lock.idle-holder reports it too.
---*/
WITH WORST AS (
    SELECT
        QUOTED,
        LOCK_WAIT_TIME,
        ROW_NUMBER() OVER (ORDER BY LOCK_WAIT_TIME DESC, QUOTED) AS PLACE
    FROM TUNE.TABLE_USE
    WHERE LOCK_WAIT_TIME > 0
),
HEAD AS (
    SELECT
        H.*,
        COUNT(*) OVER () AS HEADS
    FROM TUNE.LOCK_CHAIN AS H
),
JUDGED AS (
    SELECT
        S.*,
        S.LOCK_WAIT_TIME / CAST(NULLIF(1000 * T.SECONDS, 0) AS DOUBLE) AS WAITING,
        C.VALUE AS CUR_COMMIT,
        W.QUOTED,
        H.APPLICATION_HANDLE AS HEAD,
        H.SESSION_AUTH_ID AS HEAD_USER,
        H.CLIENT_APPLNAME AS HEAD_NAME,
        H.UOW_AGE_S AS HEAD_AGE_S,
        H.VICTIMS,
        H.VICTIMS - H.DIRECT AS BEHIND,
        H.VICTIMS_S,
        H.HEADS,
        H.HEADS - 1 AS OTHER_HEADS,
        100 * CAST(W.LOCK_WAIT_TIME AS DOUBLE) / NULLIF(S.LOCK_WAIT_TIME, 0) AS TABLE_PCT,
        CASE WHEN C.DIFFERS = 0 AND C.VALUE IN ('DISABLED', 'AVAILABLE') THEN 1 ELSE 0 END AS NOT_ON,
        CASE
            WHEN
                C.DIFFERS = 0 AND C.VALUE IN ('DISABLED', 'AVAILABLE')
                AND S.WAITERS >= CONST.INCIDENT AND S.READERS >= CONST.MAIN_PART * S.WAITERS
                THEN 1
            ELSE 0
        END AS COMMITTED
    FROM TUNE.LOCK_WORK AS S
    CROSS JOIN TUNE.DATABASE_TIME AS T
    CROSS JOIN TUNE.O_SITE AS SITE
    CROSS JOIN TUNE.CONSTANT AS CONST
    LEFT JOIN TUNE.SETTING AS C ON C.SCOPE = 'DB' AND C.NAME = 'cur_commit'
    LEFT JOIN WORST AS W ON W.PLACE = 1
    LEFT JOIN HEAD AS H ON H.PLACE = 1
    WHERE
        (S.LOCK_PCT >= SITE.HIGH_PCT OR (T.DBT_MS IS NULL AND S.LOCK_WAIT_TIME >= 10 * SITE.HIGH_PCT * T.SECONDS))
        AND S.LOCK_WAITS >= CONST.SEVERAL
        AND COALESCE(C.PENDING, 0) = 0
        AND (S.WAITERS = 0 OR 2 * S.UTILITIES < S.WAITERS)
)
SELECT
    CUR_COMMIT,
    NOT_ON,
    COMMITTED,
    WAITERS,
    READERS,
    LOCK_PCT,
    LOCK_WAITS,
    WAITING,
    WAIT_MS AS MS_PER_WAIT,
    QUOTED,
    TABLE_PCT,
    HEAD,
    HEAD_USER,
    HEAD_NAME,
    HEAD_AGE_S,
    VICTIMS,
    BEHIND,
    VICTIMS_S,
    HEADS,
    OTHER_HEADS,
    CASE WHEN COMMITTED = 1 THEN LOCK_WAITS * CAST(READERS AS DOUBLE) / NULLIF(WAITERS, 0) ELSE LOCK_WAITS END
        AS AVOIDABLE_WAITS,
    CASE WHEN COMMITTED = 1 THEN 0.6 ELSE 0.3 END AS CONFIDENCE,
    CASE WHEN COMMITTED = 1 THEN 0.3 ELSE 0.1 END AS LOW,
    CASE WHEN COMMITTED = 1 THEN 0.5 ELSE 0.3 END AS EXPECTED,
    CASE WHEN COMMITTED = 1 THEN 0.8 ELSE 0.6 END AS HIGH
FROM JUDGED
