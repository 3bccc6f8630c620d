-- rule:       log.space-sizing
-- title:      Log files too small, or the active log nearly full
-- area:       log
-- lane:       P/S
-- severity:   high
-- effect:     RA
-- applies:    not=purescale,managed
-- judged-by:  config
-- claims:     LOG_DISK
-- recover:    0.01, 0.03, 0.06
-- confidence: 0.3
-- needs:      transaction_log.LOG_WRITES, transaction_log.TOT_LOG_USED_TOP, transaction_log.TOTAL_LOG_USED,
--             transaction_log.SEC_LOG_USED_TOP, dbcfg.VALUE
-- threshold:  switch_s = 120 -- [prop] a log file that is full in less time is switched too often
-- threshold:  file_s = 600 -- [prop] a file should last ten minutes
-- threshold:  fill_part = 0.8 -- [prop] beyond it the next long transaction fails with SQL0964C
-- threshold:  used_part = 0.7 -- [prop] the most of the primary log files that should ever be in use
-- threshold:  max_files = 256 -- [doc] the most that LOGPRIMARY and LOGSECOND may add up to
-- threshold:  max_pages = 1048572 -- [doc] the largest LOGFILSIZ that every release from 10.5 takes
-- threshold:  max_total_gb = 64 -- [prop] what all log files of a member may take for fewer switches
-- object:     DATABASE
-- set:        DBCFG LOGFILSIZ: {LOGFILSIZ} -> {NEW_LOGFILSIZ} (4 KB pages); LOGPRIMARY: {LOGPRIMARY} ->
--             {NEW_LOGPRIMARY} (files)
-- finding:    when TIGHT = 1: The active log is {FILL_PCT:2} % full, and at its peak {TOP_MB} MB were in use where the
--             primary files hold {PRIMARY_MB} MB.
-- finding:    when TIGHT = 1 AND OLDEST > 0: Application {OLDEST} holds the oldest transaction.
-- finding:    when TIGHT = 0: A log file of {LOGFILSIZ} pages is full every {FULL_AFTER_S} seconds.
-- finding:    The new files need {NEW_MB} MB at the log path.
-- evidence:   LOGFILSIZ, LOGPRIMARY, LOGSECOND, LOG_WRITES, TOT_LOG_USED_TOP, SEC_LOG_USED_TOP, fill_pct=FILL_PCT:2,
--             APPLID_HOLDING_OLDEST_XACT=OLDEST
-- source:     002_e991ec30bbd9209f.txt, appendices; IBM documentation of MON_GET_TRANSACTION_LOG and logfilsiz
-- why:        Every switch of log files closes, archives and opens one while commits wait. Secondary files are
--             created and formatted in the middle of a transaction; when they are used up too, it is rolled back.
-- not-if:     Logging is infinite (LOGSECOND -1); members differ; another size waits already; the database was
--             idle, or only one snapshot is there: switches come in bursts, which an average hides.
-- note:       Needs (c) a full log now, or (b) more in use than the primary files hold: a high-water mark from one
--             bulk change long ago counts as well, since it can come again. More than 256 files need archive
--             logging, so the files are made larger instead. SOFTMAX is a percent of one log file. Free space at
--             the log path, and what HADR and the archive can take, are not looked at: hence the bound.
WITH USED AS (
    SELECT
        MAX(COALESCE(LOG_WRITES, 0)) AS LOG_WRITES,
        MAX(COALESCE(TOT_LOG_USED_TOP, 0)) AS TOT_LOG_USED_TOP,
        MAX(COALESCE(SEC_LOG_USED_TOP, 0)) AS SEC_LOG_USED_TOP,
        MAX(COALESCE(FILL, 0)) AS FILL,
        MAX(COALESCE(APPLID_HOLDING_OLDEST_XACT, 0)) AS OLDEST
    FROM TUNE.LOG
),
STATE AS (
    SELECT
        U.*,
        F.NUM AS LOGFILSIZ,
        P.NUM AS LOGPRIMARY,
        S.NUM AS LOGSECOND,
        T.LOG_DISK_PCT,
        O.MAX_FILES,
        O.MAX_PAGES,
        COALESCE(CAST(U.LOG_WRITES AS DOUBLE) / NULLIF(W.SECONDS, 0), 0) AS PAGES_PER_S,
        COALESCE(O.FILE_S * U.LOG_WRITES / CAST(NULLIF(1024 * W.SECONDS, 0) AS DOUBLE), 0) AS LASTING_K,
        -- a GB is 262,144 pages of 4 KB; sizes are multiples of 1,024 pages
        COALESCE(O.MAX_TOTAL_GB * 256 / CAST(NULLIF(P.NUM + S.NUM, 0) AS DOUBLE), 0) AS ROOM_K,
        COALESCE(U.TOT_LOG_USED_TOP / CAST(NULLIF(4096 * O.USED_PART, 0) AS DOUBLE), 0) AS NEEDED_PAGES,
        CASE
            WHEN
                W.USABLE = 1 AND W.SOURCE = 'DELTA' AND T.ACTIVE_SESSIONS >= I.IDLE_SESSIONS AND T.LOG_DISK_PCT > 0
                AND U.LOG_WRITES * O.SWITCH_S > F.NUM * W.SECONDS
                THEN 1
            ELSE 0
        END AS BUSY,
        CASE
            WHEN
                U.FILL > O.FILL_PART
                OR (U.SEC_LOG_USED_TOP > 0 AND U.TOT_LOG_USED_TOP > CAST(4096 AS DOUBLE) * F.NUM * P.NUM)
                THEN 1
            ELSE 0
        END AS TIGHT
    FROM USED AS U
    INNER JOIN TUNE.SETTING AS F ON F.SCOPE = 'DB' AND F.NAME = 'logfilsiz' AND F.FIXED = 1 AND F.NUM > 0
    INNER JOIN TUNE.SETTING AS P ON P.SCOPE = 'DB' AND P.NAME = 'logprimary' AND P.FIXED = 1 AND P.NUM > 0
    INNER JOIN TUNE.SETTING AS S ON S.SCOPE = 'DB' AND S.NAME = 'logsecond' AND S.FIXED = 1 AND S.NUM >= 0
    CROSS JOIN TUNE.RUN_WINDOW AS W
    CROSS JOIN TUNE.DATABASE_TIME AS T
    CROSS JOIN TUNE.O_SITE AS I
    CROSS JOIN TUNE.O_LOG_SPACE_SIZING AS O
),
LASTING AS (
    SELECT
        STATE.*,
        CASE
            WHEN BUSY = 0 THEN LOGFILSIZ
            ELSE GREATEST(LOGFILSIZ, LEAST(MAX_PAGES, 1024 * FLOOR(ROOM_K), 1024 * CEIL(ROUND(LASTING_K, 6))))
        END AS FILE_PAGES
    FROM STATE
    WHERE BUSY = 1 OR TIGHT = 1
),
ENOUGH AS (
    SELECT
        LASTING.*,
        CASE
            WHEN TIGHT = 0 THEN LOGPRIMARY
            ELSE GREATEST(LOGPRIMARY, CEIL(ROUND(NEEDED_PAGES / CAST(NULLIF(FILE_PAGES, 0) AS DOUBLE), 6)))
        END AS FILES
    FROM LASTING
),
SIZED AS (
    SELECT
        ENOUGH.*,
        CASE WHEN FILES + LOGSECOND > MAX_FILES THEN LOGPRIMARY ELSE FILES END AS NEW_LOGPRIMARY,
        CASE
            WHEN FILES + LOGSECOND <= MAX_FILES THEN FILE_PAGES
            ELSE LEAST(MAX_PAGES, 1024 * CEIL(ROUND(NEEDED_PAGES / CAST(NULLIF(1024 * LOGPRIMARY, 0) AS DOUBLE), 6)))
        END AS NEW_LOGFILSIZ
    FROM ENOUGH
)
SELECT
    LOGFILSIZ,
    NEW_LOGFILSIZ,
    LOGPRIMARY,
    NEW_LOGPRIMARY,
    LOGSECOND,
    LOG_WRITES,
    TOT_LOG_USED_TOP,
    SEC_LOG_USED_TOP,
    OLDEST,
    TIGHT,
    100 * FILL AS FILL_PCT,
    FLOOR(TOT_LOG_USED_TOP / CAST(1048576 AS DOUBLE)) AS TOP_MB,
    FLOOR(LOGPRIMARY * LOGFILSIZ / CAST(256 AS DOUBLE)) AS PRIMARY_MB,
    FLOOR(LOGFILSIZ / CAST(NULLIF(PAGES_PER_S, 0) AS DOUBLE)) AS FULL_AFTER_S,
    CEIL((NEW_LOGPRIMARY + LOGSECOND) * (NEW_LOGFILSIZ + 2) / CAST(256 AS DOUBLE)) AS NEW_MB,
    CASE WHEN TIGHT = 0 THEN LOG_DISK_PCT END AS CLAIM_LOG_DISK
FROM SIZED
WHERE NEW_LOGFILSIZ >= LOGFILSIZ AND (NEW_LOGFILSIZ <> LOGFILSIZ OR NEW_LOGPRIMARY <> LOGPRIMARY)
