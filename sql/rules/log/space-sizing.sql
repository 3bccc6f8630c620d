-- rule:      log.space-sizing
-- title:     Log files too small, or the active log nearly full
-- area:      log
-- lane:      P/S
-- severity:  high
-- effect:    RA
-- applies:   not=purescale,managed
-- evidence:  config
-- claims:    LOG_DISK
-- needs:     transaction_log.LOG_WRITES, transaction_log.TOT_LOG_USED_TOP, transaction_log.TOTAL_LOG_USED,
--            transaction_log.SEC_LOG_USED_TOP, dbcfg.VALUE
-- threshold: switch_s = 120 -- [prop] a log file that is full in less time is switched too often
-- threshold: file_s = 600 -- [prop] a file should last ten minutes
-- threshold: fill_part = 0.8 -- [prop] beyond it the next long transaction fails with SQL0964C
-- threshold: used_part = 0.7 -- [prop] the most of the primary log files that should ever be in use
-- threshold: max_files = 256 -- [doc] the most that LOGPRIMARY and LOGSECOND may add up to
-- threshold: max_pages = 1048572 -- [doc] the largest LOGFILSIZ that every release from 10.5 takes
-- threshold: max_total_gb = 64 -- [prop] what all log files of a member may take for fewer switches
-- source:    002_e991ec30bbd9209f.txt, appendices; IBM documentation of MON_GET_TRANSACTION_LOG and logfilsiz
-- why:       Every switch of log files closes, archives and opens one while commits wait. Secondary files are
--            created and formatted in the middle of a transaction; when they are used up too, it is rolled back.
-- not-if:    Logging is infinite (LOGSECOND -1); members differ; another size waits already; the database was
--            idle, or only one snapshot is there: switches come in bursts, which an average hides.
-- note:      Needs (c) a full log now, or (b) more in use than the primary files hold: a high-water mark from one
--            bulk change long ago counts as well, since it can come again. More than 256 files need archive
--            logging, so the files are made larger instead. SOFTMAX is a percent of one log file. Free space at
--            the log path, and what HADR and the archive can take, are not looked at: hence the bound.
WITH SETTING AS (
    SELECT MAX(PENDING) AS PENDING
    FROM TUNE.CONFIG
    WHERE SCOPE = 'DB' AND NAME IN ('logfilsiz', 'logprimary', 'logsecond')
),
USED AS (
    SELECT
        MIN(LOGFILSIZ) AS F,
        MAX(LOGFILSIZ) AS MAX_F,
        MIN(LOGPRIMARY) AS P,
        MAX(LOGPRIMARY) AS MAX_P,
        MIN(LOGSECOND) AS S,
        MAX(LOGSECOND) AS MAX_S,
        MAX(COALESCE(LOG_WRITES, 0)) AS PAGES,
        MAX(COALESCE(TOT_LOG_USED_TOP, 0)) AS TOP_BYTES,
        MAX(COALESCE(SEC_LOG_USED_TOP, 0)) AS SECONDARY_BYTES,
        MAX(COALESCE(FILL, 0)) AS FILL,
        MAX(COALESCE(APPLID_HOLDING_OLDEST_XACT, 0)) AS OLDEST
    FROM TUNE.LOG
),
STATE AS (
    SELECT
        U.*,
        O.FILE_S,
        O.USED_PART,
        O.MAX_FILES,
        O.MAX_PAGES,
        -- 262,144 pages of 4 KB are a GB; sizes are multiples of 1,024 pages
        1024 * FLOOR(O.MAX_TOTAL_GB * 256 / CAST(NULLIF(U.P + U.S, 0) AS DOUBLE)) AS ROOM_PAGES,
        T.LOG_DISK_PCT,
        CAST(U.PAGES AS DOUBLE) / NULLIF(W.SECONDS, 0) AS PAGES_PER_S,
        CASE
            WHEN
                W.USABLE = 1 AND W.SOURCE = 'DELTA' AND T.ACTIVE_SESSIONS >= I.IDLE_SESSIONS AND T.LOG_DISK_PCT > 0
                AND U.PAGES * O.SWITCH_S > U.F * W.SECONDS
                THEN 1
            ELSE 0
        END AS BUSY,
        CASE
            WHEN
                U.FILL > O.FILL_PART
                OR (U.SECONDARY_BYTES > 0 AND U.TOP_BYTES > CAST(4096 AS DOUBLE) * U.F * U.P)
                THEN 1
            ELSE 0
        END AS TIGHT
    FROM USED AS U
    CROSS JOIN SETTING AS C
    CROSS JOIN TUNE.RUN_WINDOW AS W
    CROSS JOIN TUNE.DATABASE_TIME AS T
    CROSS JOIN TUNE.O_SITE AS I
    CROSS JOIN TUNE.O_LOG_SPACE_SIZING AS O
    WHERE U.F = U.MAX_F AND U.P = U.MAX_P AND U.S = U.MAX_S AND U.S >= 0 AND U.F > 0 AND U.P > 0 AND C.PENDING = 0
),
FILES AS (
    SELECT
        STATE.*,
        CASE
            WHEN BUSY = 1
                THEN CAST(FLOOR(
                    GREATEST(F, LEAST(
                        MAX_PAGES, ROOM_PAGES, 1024 * CEIL(COALESCE(PAGES_PER_S, 0) * FILE_S / CAST(1024 AS DOUBLE))
                    ))
                ) AS BIGINT)
            ELSE F
        END AS FILE_1
    FROM STATE
),
PRIMARIES AS (
    SELECT
        FILES.*,
        CASE
            WHEN TIGHT = 1
                THEN GREATEST(P, CAST(CEIL(TOP_BYTES / CAST(NULLIF(USED_PART * 4096 * FILE_1, 0) AS DOUBLE)) AS BIGINT))
            ELSE P
        END AS PRIMARY_1
    FROM FILES
),
SIZED AS (
    SELECT
        PRIMARIES.*,
        CASE WHEN PRIMARY_1 + S > MAX_FILES THEN P ELSE PRIMARY_1 END AS NEW_P,
        CASE
            WHEN PRIMARY_1 + S > MAX_FILES
                THEN CAST(FLOOR(
                    LEAST(MAX_PAGES, 1024 * CEIL(TOP_BYTES / CAST(NULLIF(USED_PART * 4096 * 1024 * P, 0) AS DOUBLE)))
                ) AS BIGINT)
            ELSE FILE_1
        END AS NEW_F
    FROM PRIMARIES
)
SELECT
    'DATABASE' AS OBJECT_TYPE,
    D.DB_NAME AS OBJECT_NAME,
    CAST(NULL AS SMALLINT) AS MEMBER,
    CASE WHEN S.TIGHT = 1 THEN 0 ELSE S.LOG_DISK_PCT END AS CLAIMED_PCT,
    CAST(0.01 AS DOUBLE) AS RECOVER_LOW,
    CAST(0.03 AS DOUBLE) AS RECOVER_EXPECTED,
    CAST(0.06 AS DOUBLE) AS RECOVER_HIGH,
    CAST(0.3 AS DOUBLE) AS CONFIDENCE,
    CASE WHEN S.NEW_F <> S.F THEN 'DBCFG:LOGFILSIZ' ELSE 'DBCFG:LOGPRIMARY' END AS TARGET,
    CAST(S.P AS VARCHAR(20)) || ' x ' || CAST(S.F AS VARCHAR(20)) AS CURRENT_VALUE,
    CAST(S.NEW_P AS VARCHAR(20)) || ' x ' || CAST(S.NEW_F AS VARCHAR(20)) AS PROPOSED_VALUE,
    'files x 4 KB pages' AS UNIT,
    CAST(0 AS BIGINT) AS MEMORY_DELTA_KB,
    'UPDATE DB CFG FOR ' || D.DB_NAME || ' USING'
    || CASE WHEN S.NEW_F <> S.F THEN ' LOGFILSIZ ' || CAST(S.NEW_F AS VARCHAR(20)) ELSE '' END
    || CASE WHEN S.NEW_P <> S.P THEN ' LOGPRIMARY ' || CAST(S.NEW_P AS VARCHAR(20)) ELSE '' END AS ACTION_TEXT,
    'UPDATE DB CFG FOR ' || D.DB_NAME || ' USING'
    || CASE WHEN S.NEW_F <> S.F THEN ' LOGFILSIZ ' || CAST(S.F AS VARCHAR(20)) ELSE '' END
    || CASE WHEN S.NEW_P <> S.P THEN ' LOGPRIMARY ' || CAST(S.P AS VARCHAR(20)) ELSE '' END AS UNDO_TEXT,
    'LOGFILSIZ=' || CAST(S.F AS VARCHAR(20))
    || '; LOGPRIMARY=' || CAST(S.P AS VARCHAR(20))
    || '; LOGSECOND=' || CAST(S.S AS VARCHAR(20))
    || '; LOG_WRITES=' || CAST(S.PAGES AS VARCHAR(20))
    || '; TOT_LOG_USED_TOP=' || CAST(S.TOP_BYTES AS VARCHAR(20))
    || '; SEC_LOG_USED_TOP=' || CAST(S.SECONDARY_BYTES AS VARCHAR(20))
    || '; fill_pct=' || CAST(CAST(ROUND(100 * S.FILL, 2) AS DECIMAL(9, 2)) AS VARCHAR(20))
    || '; APPLID_HOLDING_OLDEST_XACT=' || CAST(S.OLDEST AS VARCHAR(20)) AS EVIDENCE,
    CASE
        WHEN S.TIGHT = 1
            THEN 'The active log is ' || CAST(CAST(ROUND(100 * S.FILL, 2) AS DECIMAL(9, 2)) AS VARCHAR(20))
                || ' % full, and at its peak '
                || CAST(CAST(FLOOR(S.TOP_BYTES / CAST(1048576 AS DOUBLE)) AS BIGINT) AS VARCHAR(20))
                || ' MB were in use where the primary files hold '
                || CAST(CAST(FLOOR(S.P * S.F / CAST(256 AS DOUBLE)) AS BIGINT) AS VARCHAR(20)) || ' MB.'
                || CASE
                    WHEN S.OLDEST > 0
                        THEN ' Application ' || CAST(S.OLDEST AS VARCHAR(20)) || ' holds the oldest transaction.'
                    ELSE ''
                END
        ELSE 'A log file of ' || CAST(S.F AS VARCHAR(20)) || ' pages is full every '
            || CAST(CAST(FLOOR(CAST(S.F AS DOUBLE) / NULLIF(S.PAGES_PER_S, 0)) AS BIGINT) AS VARCHAR(20)) || ' seconds.'
    END || ' The new files need '
    || CAST(CAST(CEIL((S.NEW_P + S.S) * (S.NEW_F + 2) / CAST(256 AS DOUBLE)) AS BIGINT) AS VARCHAR(20))
    || ' MB at the log path.' AS FINDING,
    CAST(0 AS DOUBLE) AS CLAIM_2_PCT,
    CAST(0 AS DOUBLE) AS CLAIM_3_PCT
FROM SIZED AS S
CROSS JOIN TUNE.RUN_DATABASE AS D
WHERE
    (S.BUSY = 1 OR S.TIGHT = 1)
    AND S.NEW_F >= S.F
    AND (S.NEW_F <> S.F OR S.NEW_P <> S.P)
