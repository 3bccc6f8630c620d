/*---
rule: log.space-sizing
title: Log files too small, or too few primary ones
lane: housekeeping
takes_effect: database reactivation
applies: {not: [purescale]}
judged_by: config
needs: [transaction_log.LOG_WRITES, transaction_log.TOT_LOG_USED_TOP, transaction_log.SEC_LOG_USED_TOP, dbcfg.VALUE]
object: DATABASE
confidence: 0.3
defers_to:
  - {rule: log.nearly-full, within: object}
thresholds:
  switch_s: {default: 60, from: own, why: a log file that fills faster is switched too often}
  short_s: {default: 10, from: own, why: 'a file that fills faster is too small, whatever the log costs'}
  file_s: {default: 600, from: own, why: a file should last ten minutes}
  used_part: {default: 0.7, from: own, why: highest part of the primary log files in use}
  max_pages: {default: 262144, from: own, why: files of more than 1 GB reach the archive too late}
actions:
  - when: MORE_MB > 0
    manual: >-
      Check that the file system of {LOGPATH:path|the log} has {MORE_MB} MB free. Files are resized at database start,
      which fails without room.
  - set:
      - {kind: DBCFG, name: LOGFILSIZ, from: '{LOGFILSIZ}', to: '{NEW_LOGFILSIZ}', unit: 4 KB pages}
      - {kind: DBCFG, name: LOGPRIMARY, from: '{LOGPRIMARY}', to: '{NEW_LOGPRIMARY}', unit: files}
  - when: NEW_LOGSECOND < LOGSECOND
    manual: >-
      Only after the next activation, since it takes effect immediately: UPDATE DB CFG FOR {DB_NAME:alias} USING
      LOGSECOND {NEW_LOGSECOND}, since the files are larger.
    undo: {manual: 'UPDATE DB CFG FOR {DB_NAME:alias} USING LOGSECOND {LOGSECOND}'}
finding:
  - {when: BUSY = 1, text: 'A log file of {LOGFILSIZ} pages fills every {FULL_AFTER_S} seconds.'}
  - {when: TIGHT = 1, text: 'At its peak {TOP_MB} MB of log were in use; the primary files hold {PRIMARY_MB} MB.'}
  - After the change all files need {NEW_MB} MB, now {OLD_MB} MB.
evidence: [LOGFILSIZ, LOGPRIMARY, LOGSECOND, LOG_WRITES, TOT_LOG_USED_TOP, SEC_LOG_USED_TOP, new_total_mb=NEW_MB]
references:
  - vmware-netapp, appendices
  - IBM documentation of MON_GET_TRANSACTION_LOG, logfilsiz and logprimary (r0000240)
why: >-
  Every log file switch closes, archives and opens a file while commits wait. Secondary files are created and formatted
  during a transaction. When they are used up too, the transaction is rolled back.
not_if: >-
  Logging is infinite (LOGSECOND -1); LOG_DISK_CAP manages the space; members differ; another size is pending. Switches
  need an interval with load: an average over bursts hides them. No time is claimed, since the cost of a switch is not
  measured.
note: >-
  Files that switch too often become larger and fewer, so the total stays; only a small total grows. An old peak from
  one bulk change counts, since it can recur. Files become larger rather than more than 256, which Db2 accepts
  only with archive logging from 11.5 on. SOFTMAX is a percentage of one log file.
---*/
WITH USED AS (
    SELECT
        MAX(COALESCE(LOG_WRITES, 0)) AS LOG_WRITES,
        MAX(COALESCE(TOT_LOG_USED_TOP, 0)) AS TOT_LOG_USED_TOP,
        MAX(COALESCE(SEC_LOG_USED_TOP, 0)) AS SEC_LOG_USED_TOP,
        MIN(LOGPATH) AS LOGPATH
    FROM TUNE.LOG
),
STATE AS (
    SELECT
        U.*,
        F.NUM AS LOGFILSIZ,
        P.NUM AS LOGPRIMARY,
        S.NUM AS LOGSECOND,
        CONST.LOG_FILES,
        O.MAX_PAGES,
        COALESCE(CAST(U.LOG_WRITES AS DOUBLE) / NULLIF(W.SECONDS, 0), 0) AS PAGES_PER_S,
        COALESCE(O.FILE_S * U.LOG_WRITES / CAST(NULLIF(1024 * W.SECONDS, 0) AS DOUBLE), 0) AS LASTING_K,
        -- the largest size of the primary files, in pages of 4 KB, a GB being 262,144; sizes are multiples of 1,024
        -- pages
        GREATEST(CAST(F.NUM AS DOUBLE) * P.NUM, SITE.SMALL_GB * 262144) AS ALLOWED_PAGES,
        COALESCE(U.TOT_LOG_USED_TOP / CAST(NULLIF(4096 * O.USED_PART, 0) AS DOUBLE), 0) AS NEEDED_PAGES,
        CASE
            WHEN
                W.USABLE = 1 AND W.SOURCE = 'DELTA' AND Z.IDLE = 0
                AND (
                    (T.LOG_DISK_PCT >= SITE.HIGH_PCT AND U.LOG_WRITES * O.SWITCH_S > F.NUM * W.SECONDS)
                    OR U.LOG_WRITES * O.SHORT_S > F.NUM * W.SECONDS
                )
                THEN 1
            ELSE 0
        END AS BUSY,
        CASE
            WHEN U.SEC_LOG_USED_TOP > 0 AND U.TOT_LOG_USED_TOP > CAST(4096 AS DOUBLE) * F.NUM * P.NUM THEN 1
            ELSE 0
        END AS TIGHT
    FROM USED AS U
    INNER JOIN TUNE.SETTING AS F ON F.SCOPE = 'DB' AND F.NAME = 'logfilsiz' AND F.FIXED = 1 AND F.NUM > 0
    INNER JOIN TUNE.SETTING AS P ON P.SCOPE = 'DB' AND P.NAME = 'logprimary' AND P.FIXED = 1 AND P.NUM > 0
    INNER JOIN TUNE.SETTING AS S ON S.SCOPE = 'DB' AND S.NAME = 'logsecond' AND S.FIXED = 1 AND S.NUM >= 0
    LEFT JOIN TUNE.SETTING AS C ON C.SCOPE = 'DB' AND C.NAME = 'log_disk_cap'
    CROSS JOIN TUNE.RUN_WINDOW AS W
    CROSS JOIN TUNE.DATABASE_TIME AS T
    CROSS JOIN TUNE.IDLE_WINDOW AS Z
    CROSS JOIN TUNE.O_LOG_SPACE_SIZING AS O
    CROSS JOIN TUNE.O_SITE AS SITE
    CROSS JOIN TUNE.CONSTANT AS CONST
    WHERE COALESCE(C.NUM, 0) = 0
),
LASTING AS (
    SELECT
        STATE.*,
        CASE
            WHEN BUSY = 0 THEN LOGFILSIZ
            ELSE GREATEST(LOGFILSIZ, LEAST(
                MAX_PAGES,
                1024 * FLOOR(ALLOWED_PAGES / CAST(NULLIF(1024 * CAST(LOG_FILES AS BIGINT), 0) AS DOUBLE)),
                1024 * CEIL(ROUND(LASTING_K, 6))
            ))
        END AS FILE_PAGES
    FROM STATE
    WHERE BUSY = 1 OR TIGHT = 1
),
ENOUGH AS (
    SELECT
        LASTING.*,
        GREATEST(
            LEAST(LOGPRIMARY, FLOOR(ALLOWED_PAGES / CAST(NULLIF(FILE_PAGES, 0) AS DOUBLE))),
            CASE
                WHEN TIGHT = 1 THEN CEIL(ROUND(NEEDED_PAGES / CAST(NULLIF(FILE_PAGES, 0) AS DOUBLE), 6))
                ELSE LEAST(LOGPRIMARY, LOG_FILES)
            END
        ) AS FILES,
        -- larger secondary files are fewer in proportion, but not a handful
        GREATEST(
            LEAST(LOGSECOND, LOG_FILES), CEIL(ROUND(CAST(LOGSECOND AS DOUBLE) * LOGFILSIZ / NULLIF(FILE_PAGES, 0), 6))
        ) AS SECOND_FILES
    FROM LASTING
),
SIZED AS (
    SELECT
        ENOUGH.*,
        SECOND_FILES AS NEW_LOGSECOND,
        CASE WHEN FILES + SECOND_FILES > 256 THEN LOGPRIMARY ELSE FILES END AS NEW_LOGPRIMARY,
        CASE
            WHEN FILES + SECOND_FILES <= 256 THEN FILE_PAGES
            ELSE LEAST(MAX_PAGES, 1024 * CEIL(ROUND(NEEDED_PAGES / CAST(NULLIF(1024 * LOGPRIMARY, 0) AS DOUBLE), 6)))
        END AS NEW_LOGFILSIZ
    FROM ENOUGH
),
TOTALS AS (
    SELECT
        SIZED.*,
        CEIL((LOGPRIMARY + LOGSECOND) * (LOGFILSIZ + 2) / CAST(256 AS DOUBLE)) AS OLD_MB,
        CEIL((NEW_LOGPRIMARY + NEW_LOGSECOND) * (NEW_LOGFILSIZ + 2) / CAST(256 AS DOUBLE)) AS NEW_MB,
        -- until LOGSECOND is lowered
        CEIL((NEW_LOGPRIMARY + LOGSECOND) * (NEW_LOGFILSIZ + 2) / CAST(256 AS DOUBLE)) AS MOST_MB
    FROM SIZED
    WHERE NEW_LOGFILSIZ >= LOGFILSIZ AND (NEW_LOGFILSIZ <> LOGFILSIZ OR NEW_LOGPRIMARY <> LOGPRIMARY)
)
SELECT
    TOTALS.*,
    D.DB_NAME,
    FLOOR(TOT_LOG_USED_TOP / CAST(1048576 AS DOUBLE)) AS TOP_MB,
    FLOOR(LOGPRIMARY * LOGFILSIZ / CAST(256 AS DOUBLE)) AS PRIMARY_MB,
    FLOOR(LOGFILSIZ / CAST(NULLIF(PAGES_PER_S, 0) AS DOUBLE)) AS FULL_AFTER_S,
    CASE WHEN MOST_MB > 1.1 * OLD_MB THEN MOST_MB - OLD_MB ELSE 0 END AS MORE_MB
FROM TOTALS
CROSS JOIN TUNE.RUN_DATABASE AS D
