-- rule:      log.buffer-full
-- title:     Log buffer too small
-- area:      log
-- lane:      P
-- effect:    RA
-- applies:   not=managed
-- evidence:  load
-- claims:    LOG_BUFFER
-- needs:     transaction_log.NUM_LOG_BUFFER_FULL, dbcfg.VALUE, workload.LOG_BUFFER_WAIT_TIME
-- threshold: full_per_1000 = 1 -- [prop] a full buffer for every 1,000 commits is no accident
-- threshold: min_full = 100 -- [prop] fewer are a single bulk change
-- threshold: min_wait_pct = 1 -- [prop] waits for space in the buffer, in percent of database time
-- threshold: disk_read_part = 0.1 -- [prop] log reads by rollback and currently committed that miss the buffer
-- threshold: min_log_reads = 1000 -- [prop] fewer log reads say nothing
-- threshold: enough_pages = 8192 -- [seed 002] the largest that was used; beyond it one bulk change fills any buffer
-- source:    002_e991ec30bbd9209f.txt, appendices; IBM documentation of logbufsz (r0000243)
-- why:       When the buffer is full, agents wait until part of it is on disk. Readers that need an older
--            version of a row, and rollbacks, find it in the buffer or have to read the log file.
-- not-if:    The buffer has 8,192 pages or more; members differ; a new size waits already.
-- note:      The buffer is part of DBHEAP and must not exceed it: where DBHEAP is fixed it grows by the same
--            pages, so that the rest of the heap keeps what it has.
WITH SIZE AS (
    SELECT
        MAX(CASE WHEN NAME = 'logbufsz' THEN NUM END) AS LOGBUFSZ,
        MIN(CASE WHEN NAME = 'logbufsz' THEN NUM END) AS MIN_LOGBUFSZ,
        MAX(CASE WHEN NAME = 'dbheap' THEN NUM END) AS DBHEAP,
        MIN(CASE WHEN NAME = 'dbheap' THEN NUM END) AS MIN_DBHEAP,
        MIN(CASE WHEN NAME = 'dbheap' THEN AUTOMATIC END) AS DBHEAP_AUTOMATIC,
        MAX(CASE WHEN NAME = 'dbheap' THEN AUTOMATIC END) AS ANY_AUTOMATIC,
        MAX(PENDING) AS PENDING
    FROM TUNE.CONFIG
    WHERE SCOPE = 'DB' AND NAME IN ('logbufsz', 'dbheap')
),
USED AS (
    SELECT
        SUM(COALESCE(NUM_LOG_BUFFER_FULL, 0)) AS FULL_EVENTS,
        SUM(COALESCE(NUM_LOG_READ_IO, 0)) + SUM(COALESCE(CUR_COMMIT_DISK_LOG_READS, 0)) AS DISK_READS,
        SUM(COALESCE(NUM_LOG_DATA_FOUND_IN_BUFFER, 0)) + SUM(COALESCE(CUR_COMMIT_LOG_BUFF_LOG_READS, 0)) AS BUFFER_READS
    FROM TUNE.LOG
),
PROPOSED AS (
    SELECT
        SIZE.*,
        CASE
            WHEN LOGBUFSZ <= 128 THEN 256
            WHEN LOGBUFSZ <= 512 THEN 1024
            WHEN LOGBUFSZ <= 1024 THEN 2048
            WHEN LOGBUFSZ <= 2048 THEN 4096
            ELSE 8192
        END AS NEW_LOGBUFSZ
    FROM SIZE
    WHERE
        LOGBUFSZ = MIN_LOGBUFSZ AND PENDING = 0
        AND (DBHEAP_AUTOMATIC = 1 OR (ANY_AUTOMATIC = 0 AND DBHEAP = MIN_DBHEAP))
),
CHANGE AS (
    SELECT
        P.*,
        'UPDATE DB CFG FOR ' || D.DB_NAME || ' USING LOGBUFSZ ' AS COMMAND,
        D.DB_NAME,
        CASE
            WHEN P.DBHEAP_AUTOMATIC = 1 THEN ''
            ELSE ' DBHEAP ' || CAST(P.DBHEAP + P.NEW_LOGBUFSZ - P.LOGBUFSZ AS VARCHAR(20))
        END AS HEAP_TEXT,
        CASE WHEN P.DBHEAP_AUTOMATIC = 1 THEN '' ELSE ' DBHEAP ' || CAST(P.DBHEAP AS VARCHAR(20)) END AS HEAP_UNDO
    FROM PROPOSED AS P
    CROSS JOIN TUNE.RUN_DATABASE AS D
)
SELECT
    'DATABASE' AS OBJECT_TYPE,
    C.DB_NAME AS OBJECT_NAME,
    CAST(NULL AS SMALLINT) AS MEMBER,
    COALESCE(T.LOG_BUFFER_PCT, 0) AS CLAIMED_PCT,
    CAST(0.5 AS DOUBLE) AS RECOVER_LOW,
    CAST(0.8 AS DOUBLE) AS RECOVER_EXPECTED,
    CAST(0.95 AS DOUBLE) AS RECOVER_HIGH,
    CAST(0.9 AS DOUBLE) AS CONFIDENCE,
    'DBCFG:LOGBUFSZ' AS TARGET,
    CAST(C.LOGBUFSZ AS VARCHAR(20)) AS CURRENT_VALUE,
    CAST(C.NEW_LOGBUFSZ AS VARCHAR(20)) AS PROPOSED_VALUE,
    '4 KB pages' AS UNIT,
    CAST(4 * (C.NEW_LOGBUFSZ - C.LOGBUFSZ) AS BIGINT) AS MEMORY_DELTA_KB,
    C.COMMAND || CAST(C.NEW_LOGBUFSZ AS VARCHAR(20)) || C.HEAP_TEXT AS ACTION_TEXT,
    C.COMMAND || CAST(C.LOGBUFSZ AS VARCHAR(20)) || C.HEAP_UNDO AS UNDO_TEXT,
    'LOGBUFSZ=' || CAST(C.LOGBUFSZ AS VARCHAR(20))
    || '; NUM_LOG_BUFFER_FULL=' || CAST(U.FULL_EVENTS AS VARCHAR(20))
    || '; TOTAL_APP_COMMITS=' || CAST(COALESCE(T.TOTAL_APP_COMMITS, 0) AS VARCHAR(20))
    || '; LOG_BUFFER_WAIT_TIME_pct='
    || CAST(CAST(ROUND(COALESCE(T.LOG_BUFFER_PCT, 0), 2) AS DECIMAL(9, 2)) AS VARCHAR(20))
    || '; log_reads_from_disk=' || CAST(U.DISK_READS AS VARCHAR(20))
    || '; log_reads_from_buffer=' || CAST(U.BUFFER_READS AS VARCHAR(20)) AS EVIDENCE,
    'The log buffer of ' || CAST(C.LOGBUFSZ AS VARCHAR(20)) || ' pages was full '
    || CAST(U.FULL_EVENTS AS VARCHAR(20)) || ' times in ' || CAST(COALESCE(T.TOTAL_APP_COMMITS, 0) AS VARCHAR(20))
    || ' commits, and ' || CAST(U.DISK_READS AS VARCHAR(20)) || ' of '
    || CAST(U.DISK_READS + U.BUFFER_READS AS VARCHAR(20)) || ' reads of log data went to disk.' AS FINDING,
    CAST(0 AS DOUBLE) AS CLAIM_2_PCT,
    CAST(0 AS DOUBLE) AS CLAIM_3_PCT
FROM CHANGE AS C
CROSS JOIN USED AS U
CROSS JOIN TUNE.DATABASE_TIME AS T
CROSS JOIN TUNE.O_LOG_BUFFER_FULL AS O
WHERE
    C.LOGBUFSZ < O.ENOUGH_PAGES
    AND (
        (U.FULL_EVENTS >= O.MIN_FULL AND 1000 * U.FULL_EVENTS >= O.FULL_PER_1000 * COALESCE(T.TOTAL_APP_COMMITS, 0))
        OR COALESCE(T.LOG_BUFFER_PCT, 0) >= O.MIN_WAIT_PCT
        OR (
            U.DISK_READS + U.BUFFER_READS >= O.MIN_LOG_READS
            AND U.DISK_READS > O.DISK_READ_PART * (U.DISK_READS + U.BUFFER_READS)
        )
    )
