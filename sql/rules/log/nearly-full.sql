/*---
rule: log.nearly-full
title: Active log is nearly full
lane: safety
severity: high
takes_effect: immediately
judged_by: config
needs: [transaction_log.TOTAL_LOG_USED, transaction_log.TOTAL_LOG_AVAILABLE]
object: DATABASE
confidence: 0.9
thresholds:
  fill_part: {default: 0.8, from: own, why: above it the next long transaction fails with SQL0964C}
actions:
  - when: OLDEST > 0
    manual: >-
      Find the user and start of the oldest transaction, in application {OLDEST}: SELECT SESSION_AUTH_ID,
      CLIENT_APPLNAME, UOW_START_TIME, WORKLOAD_OCCURRENCE_STATE, UOW_LOG_SPACE_USED FROM
      TABLE(MON_GET_UNIT_OF_WORK({OLDEST}, -2)). Commit in that application. FORCE APPLICATION ({OLDEST}) rolls it back,
      which also takes time and log.
    undo: {manual: 'Cannot be undone: run the forced work again.'}
  - when: NEW_LOGSECOND > LOGSECOND
    manual: >-
      Check that the file system of {LOGPATH:path|the log} has {MORE_MB} MB free. Db2 creates the files when needed, and
      transactions fail if the path is full.
  - when: SIZED = 0
    manual: >-
      Check with GET DB CFG (LOGFILSIZ, LOGPRIMARY, LOGSECOND) whether more secondary files are possible.
  - when: NEW_LOGSECOND > LOGSECOND
    set: {kind: DBCFG, name: LOGSECOND, from: '{LOGSECOND}', to: '{NEW_LOGSECOND}', unit: files}
finding:
  - 'The active log is {FILL_PCT} % full: {USED_MB} MB of {CAPACITY_MB} MB.'
  - {when: OLDEST > 0, text: 'Application {OLDEST} holds the oldest transaction.'}
evidence: [TOTAL_LOG_USED, TOTAL_LOG_AVAILABLE, fill_pct=FILL_PCT:2, APPLID_HOLDING_OLDEST_XACT=OLDEST, LOGPRIMARY,
  LOGSECOND]
references:
  - IBM documentation of logsecond (r0000241), MON_GET_TRANSACTION_LOG and SQL0964C
why: >-
  A log file can be reused only after every transaction that wrote to it, or began earlier, has ended. If all primary
  and secondary files are used, transactions are rolled back. More secondary files are available immediately, but the
  oldest transaction keeps filling them until it ends.
not_if: Logging is infinite (LOGSECOND -1); the configured log is now larger than the log that was measured.
note: >-
  If the log size is not known, the finding names the oldest transaction but no number of files. It names the member
  with the fullest log. Free space at the log path is not collected.
---*/
WITH FULLEST AS (
    SELECT
        L.MEMBER,
        L.LOGPATH,
        COALESCE(L.APPLID_HOLDING_OLDEST_XACT, 0) AS OLDEST,
        D.TOTAL_LOG_USED,
        D.TOTAL_LOG_AVAILABLE,
        L.FILL,
        ROW_NUMBER() OVER (ORDER BY L.FILL DESC, L.MEMBER) AS PLACE
    FROM TUNE.LOG AS L
    INNER JOIN TUNE.D_TRANSACTION_LOG AS D ON L.MEMBER = D.MEMBER
    WHERE L.FILL IS NOT NULL
),
SIZE AS (
    SELECT
        F.*,
        P.NUM AS LOGPRIMARY,
        S.NUM AS LOGSECOND,
        CAST(4096 AS DOUBLE) * Z.NUM AS FILE_BYTES,
        O.FILL_PART,
        CONST.LOG_TARGET_PART,
        LIMITED.MOST_SECOND,
        LIMITED.MOST_FILES,
        CASE WHEN Z.NUM > 0 AND P.NUM > 0 AND S.NUM >= 0 THEN 1 ELSE 0 END AS SIZED
    FROM FULLEST AS F
    LEFT JOIN TUNE.SETTING AS Z ON Z.SCOPE = 'DB' AND Z.NAME = 'logfilsiz'
    LEFT JOIN TUNE.SETTING AS P ON P.SCOPE = 'DB' AND P.NAME = 'logprimary'
    LEFT JOIN TUNE.SETTING AS S ON S.SCOPE = 'DB' AND S.NAME = 'logsecond'
    CROSS JOIN TUNE.O_LOG_NEARLY_FULL AS O
    CROSS JOIN TUNE.CONSTANT AS CONST
    CROSS JOIN TUNE.LOG_LIMIT AS LIMITED
    WHERE
        F.PLACE = 1 AND F.FILL > O.FILL_PART
        AND (S.VALUE IS NULL OR (S.NUM >= 0 AND S.PENDING = 0))
),
GROWN AS (
    SELECT
        SIZE.*,
        LEAST(
            MOST_SECOND,
            LEAST(
                MOST_FILES, CEIL(ROUND(TOTAL_LOG_USED / CAST(NULLIF(LOG_TARGET_PART * FILE_BYTES, 0) AS DOUBLE), 6))
            ) - LOGPRIMARY
        ) AS NEW_LOGSECOND
    FROM SIZE
    WHERE SIZED = 0 OR TOTAL_LOG_USED > FILL_PART * (LOGPRIMARY + LOGSECOND) * FILE_BYTES
)
SELECT
    LOGPATH,
    OLDEST,
    SIZED,
    TOTAL_LOG_USED,
    TOTAL_LOG_AVAILABLE,
    100 * FILL AS FILL_PCT,
    TOTAL_LOG_USED / CAST(1048576 AS DOUBLE) AS USED_MB,
    (TOTAL_LOG_USED + TOTAL_LOG_AVAILABLE) / CAST(1048576 AS DOUBLE) AS CAPACITY_MB,
    LOGPRIMARY,
    LOGSECOND,
    GREATEST(NEW_LOGSECOND, LOGSECOND) AS NEW_LOGSECOND,
    CEIL(GREATEST(NEW_LOGSECOND - LOGSECOND, 0) * FILE_BYTES / CAST(1048576 AS DOUBLE)) AS MORE_MB
FROM GROWN
