/*---
rule: log.largest-transaction
title: Active log was nearly full at its peak
lane: safety
severity: critical
takes_effect: immediately
judged_by: config
needs: [transaction_log.TOT_LOG_USED_TOP, dbcfg.VALUE]
object: DATABASE
confidence: 0.6
defers_to:
  - {rule: log.nearly-full, within: object}
actions:
  - when: NEW_LOGSECOND > LOGSECOND
    manual: >-
      Check that the file system of {LOGPATH:path|the log} has {MORE_MB} MB free. Db2 creates the files when needed, and
      transactions fail if the path is full.
  - when: NEW_LOGSECOND > LOGSECOND
    set: {kind: DBCFG, name: LOGSECOND, from: '{LOGSECOND}', to: '{NEW_LOGSECOND}', unit: files}
  - when: NEW_LOGSECOND <= LOGSECOND
    takes_effect: database reactivation
    manual: >-
      Make the files larger (LOGFILSIZ, at the next activation), since no more are possible. Find the job that filled
      the log.
    undo: {manual: 'UPDATE DB CFG FOR {DB_NAME:alias} USING LOGFILSIZ {LOGFILSIZ}'}
finding: >-
  At its peak since activation the log had {TOP_MB} of {TOTAL_MB} MB in use ({LOGPRIMARY} primary and {LOGSECOND}
  secondary files).
evidence: [TOT_LOG_USED_TOP, total_mb=TOTAL_MB, LOGFILSIZ, LOGPRIMARY, LOGSECOND]
query: >-
  SELECT MEMBER, TOT_LOG_USED_TOP, SEC_LOG_USED_TOP, TOTAL_LOG_USED, TOTAL_LOG_AVAILABLE FROM
  TABLE(MON_GET_TRANSACTION_LOG(-2)); db2diag -g message:=ADM1823E
references:
  - IBM documentation of MON_GET_TRANSACTION_LOG (r0059253), logsecond (r0000241) and SQL0964C
why: >-
  The log must hold all uncommitted changes and everything written since the oldest transaction began. With some more
  rows the same job is rolled back, and so are other transactions at that moment.
not_if: >-
  Logging is infinite (LOGSECOND -1); less than nine tenths of the configured log were ever in use; a size is pending;
  the log is nearly full now (log.nearly-full); a standby.
note: >-
  The finding names the member with the highest peak. The peak is reset at each activation; a full log may already have
  caused rollbacks.
---*/
WITH TOP AS (
    SELECT MAX(TOT_LOG_USED_TOP) AS TOT_LOG_USED_TOP FROM TUNE.L_TRANSACTION_LOG
),
SIZE AS (
    SELECT
        T.TOT_LOG_USED_TOP,
        F.NUM AS LOGFILSIZ,
        P.NUM AS LOGPRIMARY,
        S.NUM AS LOGSECOND,
        CAST(4096 AS DOUBLE) * F.NUM AS FILE_BYTES,
        L.VALUE AS LOGPATH,
        CONST.LOG_TARGET_PART,
        LIMITED.MOST_SECOND,
        LIMITED.MOST_FILES
    FROM TOP AS T
    INNER JOIN TUNE.SETTING AS F ON F.SCOPE = 'DB' AND F.NAME = 'logfilsiz' AND F.FIXED = 1 AND F.NUM > 0
    INNER JOIN TUNE.SETTING AS P ON P.SCOPE = 'DB' AND P.NAME = 'logprimary' AND P.FIXED = 1 AND P.NUM > 0
    INNER JOIN TUNE.SETTING AS S ON S.SCOPE = 'DB' AND S.NAME = 'logsecond' AND S.FIXED = 1 AND S.NUM >= 0
    LEFT JOIN TUNE.SETTING AS L ON L.SCOPE = 'DB' AND L.NAME = 'logpath' AND L.DIFFERS = 0
    LEFT JOIN TUNE.SETTING AS R ON R.SCOPE = 'DB' AND R.NAME = 'hadr_db_role'
    LEFT JOIN TUNE.SETTING AS C ON C.SCOPE = 'DB' AND C.NAME = 'log_disk_cap'
    CROSS JOIN TUNE.CONSTANT AS CONST
    CROSS JOIN TUNE.LOG_LIMIT AS LIMITED
    WHERE
        T.TOT_LOG_USED_TOP >= CONST.NEAR_LIMIT_PART * 4096 * F.NUM * (P.NUM + S.NUM)
        AND COALESCE(R.VALUE, ' ') <> 'STANDBY'
        AND COALESCE(C.NUM, 0) = 0
),
GROWN AS (
    SELECT
        SIZE.*,
        LEAST(
            MOST_SECOND,
            LEAST(
                MOST_FILES, CEIL(ROUND(TOT_LOG_USED_TOP / CAST(NULLIF(LOG_TARGET_PART * FILE_BYTES, 0) AS DOUBLE), 6))
            ) - LOGPRIMARY
        ) AS NEW_LOGSECOND
    FROM SIZE
)
SELECT
    TOT_LOG_USED_TOP,
    LOGFILSIZ,
    LOGPRIMARY,
    LOGSECOND,
    GREATEST(NEW_LOGSECOND, LOGSECOND) AS NEW_LOGSECOND,
    LOGPATH,
    D.DB_NAME,
    FLOOR(TOT_LOG_USED_TOP / CAST(1048576 AS DOUBLE)) AS TOP_MB,
    FLOOR((LOGPRIMARY + LOGSECOND) * FILE_BYTES / CAST(1048576 AS DOUBLE)) AS TOTAL_MB,
    CEIL(GREATEST(NEW_LOGSECOND - LOGSECOND, 0) * FILE_BYTES / CAST(1048576 AS DOUBLE)) AS MORE_MB
FROM GROWN
CROSS JOIN TUNE.RUN_DATABASE AS D
