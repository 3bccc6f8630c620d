-- rule:      log.disk-latency-high
-- title:     Commits wait for a slow log device
-- area:      log
-- lane:      P
-- effect:    RA
-- applies:   workload=oltp,mixed; not=purescale,managed
-- evidence:  load
-- claims:    LOG_DISK
-- needs:     dbcfg.VALUE, transaction_log.LOG_WRITE_TIME, transaction_log.NUM_LOG_WRITE_IO,
--            workload.LOG_DISK_WAIT_TIME
-- threshold: min_log_pct = 5 -- [prop] a smaller share of database time is not worth a new device
-- threshold: min_writes = 1000 -- [prop] fewer writes give no latency to judge
-- threshold: min_commits_per_s = 1 -- [prop] below one commit a second nobody waits for the log
-- threshold: flash_ms = 1 -- [prop] flash that takes longer for a write is overloaded
-- threshold: array_ms = 3 -- [prop] the write cache of an array that takes longer is overrun
-- threshold: disk_ms = 8 -- [prop] a disk that takes longer does something else as well
-- threshold: flash_target_ms = 0.5 -- [prop] what a write to flash should take
-- threshold: array_target_ms = 1.5 -- [prop] what a write into the cache of an array should take
-- threshold: disk_target_ms = 5 -- [prop] what a write to a disk of its own should take
-- threshold: hadr_part = 0.5 -- [prop] from half of the logger's time on, the standby is the cause
-- source:    001_518820f6be7b57c0.txt, "Optimizing the log I/O is key"; 002_e991ec30bbd9209f.txt, logs on SSD;
--            milliseconds per write as in IBM's db2mon
-- why:       A commit returns when its log records are on disk. What one write takes is what every
--            transaction that changes data pays.
-- not-if:    Writes are as fast as the medium allows (then it is log.commit-pattern); the standby is what the
--            logger waits for (log.hadr-wait); another path waits already; a data warehouse.
-- note:      The medium is what the host told of the device of LOGPATH: not rotating is flash, several data
--            disks an array; when nothing is known the bound of a plain disk holds. Same target as
--            log.shares-data-device: the better score is shown. The new path needs the space of
--            (LOGPRIMARY + LOGSECOND) x (LOGFILSIZ + 2) x 4 KB, and redundancy.
WITH MEDIUM AS (
    SELECT
        G.MEMBER,
        G.MEDIUM,
        G.MS_PER_WRITE,
        G.NUM_LOG_WRITE_IO,
        G.NUM_LOG_PART_PAGE_IO,
        T.LOG_DISK_WAIT_TIME,
        CASE G.MEDIUM
            WHEN 'flash' THEN O.FLASH_MS WHEN 'array' THEN O.ARRAY_MS ELSE O.DISK_MS
        END AS BOUND_MS,
        CASE G.MEDIUM
            WHEN 'flash' THEN O.FLASH_TARGET_MS WHEN 'array' THEN O.ARRAY_TARGET_MS ELSE O.DISK_TARGET_MS
        END AS TARGET_MS
    FROM TUNE.LOG AS G
    CROSS JOIN TUNE.O_LOG_DISK_LATENCY_HIGH AS O
    INNER JOIN TUNE.MEMBER_TIME AS T ON G.MEMBER = T.MEMBER
    WHERE
        G.NUM_LOG_WRITE_IO >= O.MIN_WRITES
        AND G.LOG_DISK_PCT >= O.MIN_LOG_PCT
        AND COALESCE(G.HADR_PART, 0) < O.HADR_PART
),
SLOW AS (
    SELECT
        M.*,
        SUM(M.LOG_DISK_WAIT_TIME) OVER () AS WAIT_MS,
        -- one part for all members: each weighs as much as it waited
        SUM(M.LOG_DISK_WAIT_TIME * (1 - CAST(M.TARGET_MS AS DOUBLE) / NULLIF(M.MS_PER_WRITE, 0))) OVER () AS SPARED_MS
    FROM MEDIUM AS M
    WHERE M.MS_PER_WRITE > M.BOUND_MS
)
SELECT
    'DATABASE' AS OBJECT_TYPE,
    D.DB_NAME AS OBJECT_NAME,
    S.MEMBER,
    100 * CAST(S.WAIT_MS AS DOUBLE) / NULLIF(T.DBT_MS, 0) * K.P_OLTP AS CLAIMED_PCT,
    CAST(S.SPARED_MS AS DOUBLE) / NULLIF(2 * S.WAIT_MS, 0) AS RECOVER_LOW,
    CAST(S.SPARED_MS AS DOUBLE) / NULLIF(S.WAIT_MS, 0) AS RECOVER_EXPECTED,
    CAST(S.SPARED_MS AS DOUBLE) / NULLIF(S.WAIT_MS, 0) AS RECOVER_HIGH,
    CAST(0.9 AS DOUBLE) AS CONFIDENCE,
    'DBCFG:NEWLOGPATH:' || CAST(S.MEMBER AS VARCHAR(20)) AS TARGET,
    M.OLD_PATH AS CURRENT_VALUE,
    M.NEW_PATH AS PROPOSED_VALUE,
    'path' AS UNIT,
    CAST(0 AS BIGINT) AS MEMORY_DELTA_KB,
    M.ACTION_TEXT,
    M.UNDO_TEXT,
    'LOGPATH=' || M.LOGPATH
    || '; medium=' || S.MEDIUM
    || '; ms_per_write=' || CAST(CAST(ROUND(S.MS_PER_WRITE, 2) AS DECIMAL(9, 2)) AS VARCHAR(20))
    || '; bound_ms=' || CAST(CAST(ROUND(S.BOUND_MS, 2) AS DECIMAL(9, 2)) AS VARCHAR(20))
    || '; NUM_LOG_WRITE_IO=' || CAST(S.NUM_LOG_WRITE_IO AS VARCHAR(20))
    || '; NUM_LOG_PART_PAGE_IO=' || CAST(COALESCE(S.NUM_LOG_PART_PAGE_IO, 0) AS VARCHAR(20))
    || '; LOG_DISK_WAIT_TIME_pct=' || CAST(CAST(ROUND(T.LOG_DISK_PCT, 2) AS DECIMAL(9, 2)) AS VARCHAR(20)) AS EVIDENCE,
    'A write to the log takes ' || CAST(CAST(ROUND(S.MS_PER_WRITE, 2) AS DECIMAL(9, 2)) AS VARCHAR(20))
    || ' ms where ' || CAST(CAST(ROUND(S.TARGET_MS, 2) AS DECIMAL(9, 2)) AS VARCHAR(20))
    || ' ms is usual; commits waited for it for '
    || CAST(CAST(ROUND(T.LOG_DISK_PCT, 2) AS DECIMAL(9, 2)) AS VARCHAR(20)) || ' % of database time.' AS FINDING,
    CAST(0 AS DOUBLE) AS CLAIM_2_PCT,
    CAST(0 AS DOUBLE) AS CLAIM_3_PCT
FROM SLOW AS S
INNER JOIN TUNE.LOG_MOVE AS M ON S.MEMBER = M.MEMBER
CROSS JOIN TUNE.DATABASE_TIME AS T
CROSS JOIN TUNE.WORKLOAD_CLASS AS K
CROSS JOIN TUNE.RUN_DATABASE AS D
CROSS JOIN TUNE.O_LOG_DISK_LATENCY_HIGH AS O
WHERE K.CLASS <> 'BI' AND T.COMMITS_PER_S >= O.MIN_COMMITS_PER_S
