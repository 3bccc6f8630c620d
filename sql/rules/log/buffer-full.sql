/*---
rule: log.buffer-full
title: Log buffer too small
lane: performance
severity: low
takes_effect: database reactivation
judged_by: rates
needs: [transaction_log.NUM_LOG_BUFFER_FULL]
needs_timed: [workload.LOG_BUFFER_WAIT_TIME]
object: DATABASE
claims: {LOG_BUFFER: {events: WAITS, cost_ms: WAIT_MS}}
recover: [0.5, 0.8, 0.95]
confidence: 0.9
memory: GROWTH_KB
unit: 4 KB pages
thresholds:
  full_per_1000: {default: 1, from: own, why: 'one full buffer per 1,000 commits is not an accident'}
  min_full: {default: 100, from: own, why: fewer come from a single bulk change}
  disk_read_part: {default: 0.1, from: own, why: log reads by rollback and currently committed that miss the buffer}
  enough_pages:
    default: 8192
    from: vmware-netapp
    why: the largest size used; above it one bulk change fills any buffer
actions:
  - when: NEW_LOGBUFSZ IS NOT NULL
    set:
      - {kind: DBCFG, name: LOGBUFSZ, from: '{LOGBUFSZ}', to: '{NEW_LOGBUFSZ}'}
      - {kind: DBCFG, name: DBHEAP, from: '{DBHEAP}', to: '{NEW_DBHEAP:text}'}
  - when: NEW_LOGBUFSZ IS NULL
    manual: >-
      Find the sizes of the log buffer and its heap (GET DB CFG FOR {DB_NAME:alias} SHOW DETAIL). If LOGBUFSZ is below
      {ENOUGH_PAGES} pages, double it; DBHEAP must have room for it.
finding:
  - >-
    The log buffer[ of {LOGBUFSZ} pages] was full {FULL_EVENTS} times in {TOTAL_APP_COMMITS} commits[, and {DISK_READS}
    of {LOG_READS} log reads went to disk].
  - choose:
      - {when: SMALL_MEMBERS = 1, text: 'It is too small on member {SMALL_MEMBER}.'}
      - {when: SMALL_MEMBERS > 1, text: 'It is too small on {SMALL_MEMBERS} members, first {SMALL_MEMBER}.'}
  - {when: UNTIMED = 1, text: 'Its share of database time is unknown.'}
evidence: ['LOGBUFSZ?', NUM_LOG_BUFFER_FULL=FULL_EVENTS, TOTAL_APP_COMMITS,
  'LOG_BUFFER_WAIT_TIME_pct=CLAIM_LOG_BUFFER:2?', log_reads_from_disk=DISK_READS, log_reads_from_buffer=BUFFER_READS]
query: SELECT MEMBER, NUM_LOG_BUFFER_FULL, LOG_WRITES FROM TABLE(MON_GET_TRANSACTION_LOG(-2)) AS T
references:
  - vmware-netapp, appendices
  - IBM documentation of logbufsz (r0000243)
why: >-
  When the buffer is full, agents wait until part of it is on disk. Readers of older row versions and rollbacks find log
  records in the buffer, or must read the log file.
not_if: >-
  The buffer has 8,192 pages or more; members differ; a new size is pending; database time is unknown and the buffer was
  full less than once per minute.
note: >-
  The buffer is part of DBHEAP and must not exceed it. A fixed DBHEAP becomes AUTOMATIC (before 9.5 it grows by the same
  pages), so that the rest of the heap keeps its size.
---*/
WITH EACH_LOG AS (
    SELECT
        LOG.MEMBER,
        COALESCE(LOG.NUM_LOG_BUFFER_FULL, 0) AS FULL_EVENTS,
        COALESCE(LOG.NUM_LOG_READ_IO, 0) + COALESCE(LOG.CUR_COMMIT_DISK_LOG_READS, 0) AS DISK_READS,
        COALESCE(LOG.NUM_LOG_DATA_FOUND_IN_BUFFER, 0) + COALESCE(LOG.CUR_COMMIT_LOG_BUFF_LOG_READS, 0) AS BUFFER_READS,
        -- under DPF the coordinator counts the commits of all members
        CASE D.TOPOLOGY WHEN 'purescale' THEN LOG.TOTAL_APP_COMMITS ELSE T.TOTAL_APP_COMMITS END AS COMMITS,
        SPENT.LOG_BUFFER_WAIT_TIME,
        COUNT(*) OVER () AS MEMBERS
    FROM TUNE.LOG AS LOG
    CROSS JOIN TUNE.DATABASE_TIME AS T
    CROSS JOIN TUNE.RUN_DATABASE AS D
    LEFT JOIN TUNE.MEMBER_TIME AS SPENT ON LOG.MEMBER = SPENT.MEMBER
),
JUDGED_LOG AS (
    -- the log of one member counts, too: the sum over all would hide it
    SELECT
        L.*,
        CASE
            WHEN L.FULL_EVENTS >= O.MIN_FULL AND 1000 * L.FULL_EVENTS >= O.FULL_PER_1000 * COALESCE(L.COMMITS, 0) THEN 1
            WHEN 100 * L.MEMBERS * L.LOG_BUFFER_WAIT_TIME >= SITE.TRACE_PCT * T.DBT_MS THEN 1
            WHEN
                L.DISK_READS + L.BUFFER_READS >= CONST.ENOUGH_EVENTS
                AND L.DISK_READS > O.DISK_READ_PART * (L.DISK_READS + L.BUFFER_READS)
                THEN 1
            ELSE 0
        END AS SMALL
    FROM EACH_LOG AS L
    CROSS JOIN TUNE.DATABASE_TIME AS T
    CROSS JOIN TUNE.O_LOG_BUFFER_FULL AS O
    CROSS JOIN TUNE.O_SITE AS SITE
    CROSS JOIN TUNE.CONSTANT AS CONST
),
SEEN AS (
    SELECT
        SUM(FULL_EVENTS) AS FULL_EVENTS,
        SUM(DISK_READS) AS DISK_READS,
        SUM(BUFFER_READS) AS BUFFER_READS,
        MAX(SMALL) AS SMALL,
        MIN(CASE WHEN SMALL = 1 AND MEMBERS > 1 THEN MEMBER END) AS SMALL_MEMBER,
        NULLIF(SUM(CASE WHEN MEMBERS > 1 THEN SMALL END), 0) AS SMALL_MEMBERS
    FROM JUDGED_LOG
),
SIZE (LOGBUFSZ, NEW_LOGBUFSZ, DBHEAP) AS (
    SELECT
        B.NUM,
        CASE
            WHEN B.NUM * W.FACTOR <= 128 THEN 256
            WHEN B.NUM * W.FACTOR <= 512 THEN 1024
            WHEN B.NUM * W.FACTOR <= 1024 THEN 2048
            WHEN B.NUM * W.FACTOR <= 2048 THEN 4096
            ELSE 8192
        END,
        CASE WHEN H.FIXED = 1 THEN H.NUM END
    FROM TUNE.SETTING AS B
    CROSS JOIN (
        -- the doublings by the waits, of which the sizes add the last one
        SELECT
            POWER(2, LEAST(G.MOST_DOUBLINGS, GREATEST(1, COALESCE(
                CEIL((T.LOG_BUFFER_PCT - G.AIM_PCT) / CAST(NULLIF(G.PCT_PER_DOUBLING, 0) AS DOUBLE)), 1
            ))) - 1) AS FACTOR
        FROM TUNE.GROWTH AS G
        CROSS JOIN TUNE.DATABASE_TIME AS T
        WHERE G.NAME = 'logbufsz'
    ) AS W
    INNER JOIN TUNE.SETTING AS H
        ON H.SCOPE = 'DB' AND H.NAME = 'dbheap' AND H.PENDING = 0 AND (H.FIXED = 1 OR H.AUTOMATIC = 1)
    WHERE B.SCOPE = 'DB' AND B.NAME = 'logbufsz' AND B.FIXED = 1
    UNION ALL
    -- a text without these settings
    SELECT
        K.LOGBUFSZ,
        CAST(NULL AS BIGINT),
        CAST(NULL AS BIGINT)
    FROM (
        SELECT
            COUNT(*) AS SETTINGS,
            COUNT(CASE WHEN NAME = 'logbufsz' AND FIXED = 0 THEN 1 END) AS UNCLEAR,
            MAX(CASE WHEN NAME = 'logbufsz' THEN NUM END) AS LOGBUFSZ
        FROM TUNE.SETTING
        WHERE SCOPE = 'DB' AND NAME IN ('logbufsz', 'dbheap') AND VALUE IS NOT NULL
    ) AS K
    WHERE K.SETTINGS < 2 AND K.UNCLEAR = 0
)
SELECT
    Z.LOGBUFSZ,
    Z.NEW_LOGBUFSZ,
    Z.DBHEAP,
    CASE
        WHEN Z.DBHEAP > 0 AND D.DB2_LEVEL < 9050000
            THEN CAST(CAST(Z.DBHEAP + Z.NEW_LOGBUFSZ - Z.LOGBUFSZ AS BIGINT) AS VARCHAR(20))
        WHEN Z.DBHEAP > 0 THEN 'AUTOMATIC'
    END AS NEW_DBHEAP,
    4 * (Z.NEW_LOGBUFSZ - Z.LOGBUFSZ) AS GROWTH_KB,
    S.FULL_EVENTS,
    S.DISK_READS,
    S.BUFFER_READS,
    S.SMALL_MEMBER,
    S.SMALL_MEMBERS,
    NULLIF(S.DISK_READS + S.BUFFER_READS, 0) AS LOG_READS,
    COALESCE(T.TOTAL_APP_COMMITS, 0) AS TOTAL_APP_COMMITS,
    D.DB_NAME,
    O.ENOUGH_PAGES,
    CASE WHEN J.DBT_MS IS NULL THEN 1 ELSE 0 END AS UNTIMED,
    GREATEST(S.FULL_EVENTS, 1) AS WAITS,
    CAST(T.LOG_BUFFER_WAIT_TIME AS DOUBLE) / NULLIF(GREATEST(S.FULL_EVENTS, 1), 0) AS WAIT_MS
FROM SIZE AS Z
CROSS JOIN SEEN AS S
CROSS JOIN TUNE.DATABASE_TIME AS T
CROSS JOIN TUNE.JUDGED_TIME AS J
CROSS JOIN TUNE.RUN_DATABASE AS D
CROSS JOIN TUNE.O_LOG_BUFFER_FULL AS O
CROSS JOIN TUNE.O_SITE AS SITE
CROSS JOIN TUNE.CONSTANT AS CONST
WHERE
    J.RULE = 'log.buffer-full'
    AND COALESCE(Z.LOGBUFSZ, 0) < O.ENOUGH_PAGES
    AND (J.DBT_MS > 0 OR 3600 * (S.FULL_EVENTS + S.DISK_READS) >= SITE.EVENTS_PER_HOUR * T.SECONDS)
    AND (
        S.SMALL = 1
        OR (S.FULL_EVENTS >= O.MIN_FULL AND 1000 * S.FULL_EVENTS >= O.FULL_PER_1000 * COALESCE(T.TOTAL_APP_COMMITS, 0))
        OR T.LOG_BUFFER_PCT >= SITE.TRACE_PCT
        OR (
            S.DISK_READS + S.BUFFER_READS >= CONST.ENOUGH_EVENTS
            AND S.DISK_READS > O.DISK_READ_PART * (S.DISK_READS + S.BUFFER_READS)
        )
    )
