/*---
rule: log.largest-transaction
title: The log was once as good as full
lane: condition
severity: critical
takes_effect: immediately
applies: {not: [managed]}
judged_by: config
needs: [transaction_log.TOT_LOG_USED_TOP, dbcfg.VALUE]
object: DATABASE
confidence: 0.6
defers_to:
  - {rule: log.nearly-full, within: object}
thresholds:
  peak_part: {default: 0.9, from: own, why: 'of all log files: who had needed a tenth more was rolled back'}
  target_part: {default: 0.6, from: own, why: with the secondary files that are added no more of the log is in use}
  max_files:
    default: 256
    from: manuals
    why: the most that LOGPRIMARY and LOGSECOND may add up to with circular logging
actions:
  - when: NEW_LOGSECOND > LOGSECOND
    manual: >-
      See that the file system of {LOGPATH:path|the log} has {MORE_MB} MB free: the files are created when they are
      needed, and writers fail when the path is full.
  - when: NEW_LOGSECOND > LOGSECOND
    set: {kind: DBCFG, name: LOGSECOND, from: '{LOGSECOND}', to: '{NEW_LOGSECOND}', unit: files}
  - when: NEW_LOGSECOND <= LOGSECOND
    manual: >-
      No more files are possible: make them larger (LOGFILSIZ, with the next activation), and find out which job it was.
    undo: {manual: 'UPDATE DB CFG FOR {DB_NAME:text} USING LOGFILSIZ {LOGFILSIZ}'}
finding: >-
  {TOP_MB} MB of log were in use at one time since the database was activated, of the {TOTAL_MB} MB that {LOGPRIMARY}
  primary and {LOGSECOND} secondary files hold.
evidence: [TOT_LOG_USED_TOP, total_mb=TOTAL_MB, LOGFILSIZ, LOGPRIMARY, LOGSECOND]
query: >-
  SELECT MEMBER, TOT_LOG_USED_TOP, SEC_LOG_USED_TOP, TOTAL_LOG_USED, TOTAL_LOG_AVAILABLE FROM
  TABLE(MON_GET_TRANSACTION_LOG(-2)); db2diag -g message:=ADM1823E
references:
  - IBM documentation of MON_GET_TRANSACTION_LOG (r0059253), logsecond (r0000241) and SQL0964C
why: >-
  All that is not committed, and all that was written since the oldest transaction began, must fit. The same job on some
  more rows does not any more: it is rolled back, and so is everyone who writes at that moment.
not_if: >-
  Logging is infinite (LOGSECOND -1); less than nine tenths of what is configured now were ever in use; a size waits;
  the log is that full just now (log.nearly-full); a standby.
note: >-
  The member with the highest mark speaks. The mark begins anew with each activation; a log that was full may have done
  its harm then already.
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
        O.TARGET_PART,
        O.MAX_FILES
    FROM TOP AS T
    INNER JOIN TUNE.SETTING AS F ON F.SCOPE = 'DB' AND F.NAME = 'logfilsiz' AND F.FIXED = 1 AND F.NUM > 0
    INNER JOIN TUNE.SETTING AS P ON P.SCOPE = 'DB' AND P.NAME = 'logprimary' AND P.FIXED = 1 AND P.NUM > 0
    INNER JOIN TUNE.SETTING AS S ON S.SCOPE = 'DB' AND S.NAME = 'logsecond' AND S.FIXED = 1 AND S.NUM >= 0
    LEFT JOIN TUNE.SETTING AS L ON L.SCOPE = 'DB' AND L.NAME = 'logpath' AND L.DIFFERS = 0
    LEFT JOIN TUNE.SETTING AS R ON R.SCOPE = 'DB' AND R.NAME = 'hadr_db_role'
    LEFT JOIN TUNE.SETTING AS C ON C.SCOPE = 'DB' AND C.NAME = 'log_disk_cap'
    CROSS JOIN TUNE.O_LOG_LARGEST_TRANSACTION AS O
    WHERE
        T.TOT_LOG_USED_TOP >= O.PEAK_PART * 4096 * F.NUM * (P.NUM + S.NUM)
        AND COALESCE(R.VALUE, ' ') <> 'STANDBY'
        AND COALESCE(C.NUM, 0) = 0
),
GROWN AS (
    SELECT
        SIZE.*,
        LEAST(
            MAX_FILES, CEIL(ROUND(TOT_LOG_USED_TOP / CAST(NULLIF(TARGET_PART * FILE_BYTES, 0) AS DOUBLE), 6))
        ) - LOGPRIMARY AS NEW_LOGSECOND
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
