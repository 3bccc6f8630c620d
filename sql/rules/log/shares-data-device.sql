-- rule:      log.shares-data-device
-- title:     Log and data lie on one device
-- area:      log
-- lane:      P
-- effect:    RA
-- applies:   not=purescale,managed
-- evidence:  load
-- claims:    LOG_DISK
-- needs:     dbcfg.VALUE, transaction_log.LOG_WRITE_TIME, workload.LOG_DISK_WAIT_TIME
-- threshold: min_log_pct = 1 -- [prop] below 1 % of database time the move is housekeeping
-- threshold: flash_ms = 0.5 -- [prop] a write to flash that waits for nothing
-- threshold: array_ms = 1.5 -- [prop] a write into the cache of an array
-- threshold: disk_ms = 5 -- [prop] a write to a disk that does nothing else
-- source:    000_9a1c354496f94ea4.txt, "Isolating logs"; 001_518820f6be7b57c0.txt, "What to do with log files?"
-- why:       The log is written in sequence and every commit waits for it. Reads of data on the same disks
--            move the heads away in between, and losing the device loses data and log together.
-- not-if:    The device is a pool of many disks and writes to the log are at its target; another path waits
--            already; the log lies at the target path.
-- note:      Writes at their target gain nothing from a device of their own: then only the loss of both counts, and
--            it is housekeeping. Where the host told no device, a log under a storage path of the database is taken
--            to share it, with low confidence. A mirror log on the device of the log is not judged. NEWLOGPATH needs
--            the space of all log files at the new path; the move happens when the database is activated again.
WITH SHARED AS (
    SELECT
        M.*,
        G.DEVICE,
        G.MS_PER_WRITE,
        CASE WHEN G.DATA_TOO = 1 THEN CAST(0.6 AS DOUBLE) ELSE CAST(0.3 AS DOUBLE) END AS CONFIDENCE,
        COALESCE(T.LOG_DISK_WAIT_TIME, 0) AS LOG_DISK_WAIT_TIME,
        CASE
            WHEN
                COALESCE(G.MS_PER_WRITE, 0)
                > CASE G.MEDIUM WHEN 'flash' THEN O.FLASH_MS WHEN 'array' THEN O.ARRAY_MS ELSE O.DISK_MS END
                THEN 1
            ELSE 0
        END AS IS_SLOW,
        COALESCE(G.POOLED, '0') AS POOLED
    FROM TUNE.LOG AS G
    CROSS JOIN TUNE.O_LOG_SHARES_DATA_DEVICE AS O
    INNER JOIN TUNE.LOG_MOVE AS M ON G.MEMBER = M.MEMBER
    LEFT JOIN TUNE.MEMBER_TIME AS T ON G.MEMBER = T.MEMBER
    LEFT JOIN (
        SELECT DISTINCT L.MEMBER
        FROM TUNE.LOG_MOVE AS L
        INNER JOIN TUNE.D_STORAGE_PATH AS P
            ON
                L.MEMBER = P.DBPARTITIONNUM
                AND LENGTH(P.DB_STORAGE_PATH) > 1
                AND REPLACE('|' || L.LOGPATH, '|' || P.DB_STORAGE_PATH || '/', '') <> '|' || L.LOGPATH
    ) AS S ON G.MEMBER = S.MEMBER
    WHERE G.DATA_TOO = 1 OR (G.DEVICE IS NULL AND S.MEMBER IS NOT NULL)
),
WHOLE AS (
    SELECT
        SHARED.*,
        COALESCE(100 * CAST(SUM(SHARED.LOG_DISK_WAIT_TIME) OVER () AS DOUBLE) / NULLIF(T.DBT_MS, 0), 0) AS LOG_PCT,
        MIN(SHARED.CONFIDENCE) OVER () AS SURE,
        MAX(SHARED.IS_SLOW) OVER () AS SOME_SLOW
    FROM SHARED
    CROSS JOIN TUNE.DATABASE_TIME AS T
    WHERE SHARED.IS_SLOW = 1 OR SHARED.POOLED <> '1'
)
SELECT
    'DATABASE' AS OBJECT_TYPE,
    D.DB_NAME AS OBJECT_NAME,
    W.MEMBER,
    CASE WHEN W.LOG_PCT >= O.MIN_LOG_PCT AND W.SOME_SLOW = 1 THEN W.LOG_PCT ELSE 0 END AS CLAIMED_PCT,
    CAST(0.3 AS DOUBLE) AS RECOVER_LOW,
    CAST(0.5 AS DOUBLE) AS RECOVER_EXPECTED,
    CAST(0.8 AS DOUBLE) AS RECOVER_HIGH,
    W.SURE AS CONFIDENCE,
    'DBCFG:NEWLOGPATH:' || CAST(W.MEMBER AS VARCHAR(20)) AS TARGET,
    W.OLD_PATH AS CURRENT_VALUE,
    W.NEW_PATH AS PROPOSED_VALUE,
    'path' AS UNIT,
    CAST(0 AS BIGINT) AS MEMORY_DELTA_KB,
    W.ACTION_TEXT,
    W.UNDO_TEXT,
    'LOGPATH=' || W.LOGPATH
    || '; device=' || COALESCE(W.DEVICE, 'not known')
    || '; ms_per_write=' || COALESCE(CAST(CAST(ROUND(W.MS_PER_WRITE, 2) AS DECIMAL(9, 2)) AS VARCHAR(20)), 'no writes')
    || '; LOG_DISK_WAIT_TIME_pct=' || CAST(CAST(ROUND(W.LOG_PCT, 2) AS DECIMAL(9, 2)) AS VARCHAR(20)) AS EVIDENCE,
    'The log at ' || W.LOGPATH
    || CASE
        WHEN W.DEVICE IS NULL THEN ' lies under a storage path of the database.'
        ELSE ' lies on device ' || W.DEVICE || ', where data lies too.'
    END || ' Commits waited for log writes for ' || CAST(CAST(ROUND(W.LOG_PCT, 2) AS DECIMAL(9, 2)) AS VARCHAR(20))
    || ' % of database time.' AS FINDING,
    CAST(0 AS DOUBLE) AS CLAIM_2_PCT,
    CAST(0 AS DOUBLE) AS CLAIM_3_PCT
FROM WHOLE AS W
CROSS JOIN TUNE.RUN_DATABASE AS D
CROSS JOIN TUNE.O_LOG_SHARES_DATA_DEVICE AS O
