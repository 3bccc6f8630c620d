/*---
rule: log.as-created
title: Log is as small as in a new database
lane: condition
severity: low
takes_effect: database reactivation
judged_by: config
needs: [dbcfg.VALUE]
object: DATABASE
confidence: 0.6
defers_to:
  - {rule: log.nearly-full, within: object}
  - {rule: log.largest-transaction, within: object}
  - {rule: log.space-sizing, within: object}
  - {rule: log.small-and-full, within: object}
thresholds:
  file_pages: {default: 10240, from: own, why: '40 MB, ten times as much: enough for a larger import or DELETE'}
actions:
  - manual: >-
      Check that the file system of {LOGPATH:path|the log} has {MORE_MB} MB free. Files are resized at database start,
      which fails without room.
  - set: {kind: DBCFG, name: LOGFILSIZ, from: '{LOGFILSIZ}', to: '{NEW_LOGFILSIZ}', unit: 4 KB pages}
finding:
  - choose:
      - when: SET_UP = 1
        text: >-
          {LOGPRIMARY} primary and {LOGSECOND} secondary log files of {LOGFILSIZ} pages hold only {TOTAL_MB} MB.
      - >-
        {LOGPRIMARY} primary and {LOGSECOND} secondary log files of {LOGFILSIZ} pages hold only {TOTAL_MB} MB, the
        defaults.
  - A transaction that changes more is rolled back with SQL0964C.
  - {when: IN_DIRECTORY = 1, text: 'The files are in the database directory, {LOGPATH:text}.'}
evidence: [LOGFILSIZ, LOGPRIMARY, LOGSECOND, total_mb=TOTAL_MB, 'LOGPATH:text?', 'TOT_LOG_USED_TOP?']
query: >-
  db2pd -db <database> -logs; SELECT TOTAL_LOG_USED, TOTAL_LOG_AVAILABLE, TOT_LOG_USED_TOP FROM
  TABLE(MON_GET_TRANSACTION_LOG(-2))
references:
  - IBM documentation of logfilsiz (r0000239), logprimary (r0000240), logsecond (r0000241) and SQL0964C
why: >-
  Primary and secondary files together must hold all uncommitted changes, and everything written since the oldest open
  transaction began. One bulk change can fill the default log.
not_if: >-
  A size was set or is pending; members differ; at most three tenths of the log were ever in use; the log is or was
  nearly full, or a message reports that it was full (other rules report it); a standby, which uses the primary's size.
note: >-
  Settings do not show the future load: ten times the size is a start. SOFTMAX is a percentage of one log file: if it is
  set, a larger file means longer recovery. NEWLOGPATH moves the log.
---*/
WITH USED AS (
    SELECT MAX(TOT_LOG_USED_TOP) AS TOT_LOG_USED_TOP FROM TUNE.D_TRANSACTION_LOG
)
SELECT
    F.NUM AS LOGFILSIZ,
    GREATEST(O.FILE_PAGES, 1024 * CEIL(COALESCE(B.NUM, 0) / CAST(256 AS DOUBLE))) AS NEW_LOGFILSIZ,
    P.NUM AS LOGPRIMARY,
    S.NUM AS LOGSECOND,
    L.VALUE AS LOGPATH,
    U.TOT_LOG_USED_TOP,
    CASE WHEN L.VALUE LIKE '%/SQL0%/LOGSTREAM%' OR L.VALUE LIKE '%/SQL0%/SQLOGDIR%' THEN 1 ELSE 0 END AS IN_DIRECTORY,
    -- a person set up the log: its path, its mirror or its archive is not that of a new database
    CASE
        WHEN
            L.VALUE NOT LIKE '%/SQL0%/LOGSTREAM%' AND L.VALUE NOT LIKE '%/SQL0%/SQLOGDIR%' OR M.IS_SET = 1
            OR A.VALUE <> 'OFF'
            THEN 1
        ELSE 0
    END AS SET_UP,
    FLOOR(F.NUM * (P.NUM + S.NUM) / CAST(256 AS DOUBLE)) AS TOTAL_MB,
    CEIL(
        (GREATEST(O.FILE_PAGES, 1024 * CEIL(COALESCE(B.NUM, 0) / CAST(256 AS DOUBLE))) - F.NUM)
        * (P.NUM + S.NUM) / CAST(256 AS DOUBLE)
    ) AS MORE_MB
FROM TUNE.SETTING AS F
INNER JOIN TUNE.SETTING AS P ON P.SCOPE = 'DB' AND P.NAME = 'logprimary' AND P.FIXED = 1
INNER JOIN TUNE.SETTING AS S ON S.SCOPE = 'DB' AND S.NAME = 'logsecond' AND S.FIXED = 1
LEFT JOIN TUNE.SETTING AS B ON B.SCOPE = 'DB' AND B.NAME = 'logbufsz' AND B.PENDING = 0
LEFT JOIN TUNE.SETTING AS L ON L.SCOPE = 'DB' AND L.NAME = 'logpath' AND L.DIFFERS = 0
LEFT JOIN TUNE.SETTING AS M ON M.SCOPE = 'DB' AND M.NAME = 'mirrorlogpath'
LEFT JOIN TUNE.SETTING AS A ON A.SCOPE = 'DB' AND A.NAME = 'logarchmeth1'
LEFT JOIN TUNE.SETTING AS R ON R.SCOPE = 'DB' AND R.NAME = 'hadr_db_role'
CROSS JOIN USED AS U
CROSS JOIN TUNE.O_LOG_AS_CREATED AS O
CROSS JOIN TUNE.CONSTANT AS CONST
WHERE
    F.SCOPE = 'DB' AND F.NAME = 'logfilsiz' AND F.FIXED = 1
    -- the values of a new database, by level at most
    AND F.NUM BETWEEN 1 AND 1024
    AND P.NUM BETWEEN 1 AND 13
    AND S.NUM BETWEEN 0 AND 12
    AND COALESCE(R.VALUE, ' ') <> 'STANDBY'
    AND (
        U.TOT_LOG_USED_TOP IS NULL
        OR U.TOT_LOG_USED_TOP > CONST.USED_LOG_PART * 4096 * F.NUM * (P.NUM + S.NUM)
    )
