/*---
rule: log.as-created
title: The log has the sizes with which a database is created
lane: condition
severity: low
takes_effect: database reactivation
applies: {not: [managed]}
judged_by: config
needs: [dbcfg.VALUE]
object: DATABASE
confidence: 0.6
defers_to:
  - {rule: log.nearly-full, within: object}
  - {rule: log.largest-transaction, within: object}
  - {rule: log.space-sizing, within: object}
thresholds:
  default_pages:
    default: 1024
    from: manuals
    why: LOGFILSIZ of a new database, 1000 or 1024 by level; older ones have 250
  default_primary: {default: 13, from: manuals, why: LOGPRIMARY of a new database; older ones have 3}
  default_second: {default: 12, from: manuals, why: LOGSECOND of a new database; older ones have 2}
  used_part: {default: 0.3, from: own, why: 'of the log: where no more was ever in use, its size hurts nobody'}
  file_pages: {default: 10240, from: own, why: '40 MB, ten times as much: what one larger import or DELETE needs'}
actions:
  - manual: >-
      See that the file system of {LOGPATH:path|the log} has {MORE_MB} MB free: files are resized when the database
      starts, which fails when there is no room.
  - set: {kind: DBCFG, name: LOGFILSIZ, from: '{LOGFILSIZ}', to: '{NEW_LOGFILSIZ}', unit: 4 KB pages}
finding:
  - >-
    {LOGPRIMARY} primary and {LOGSECOND} secondary log files of {LOGFILSIZ} pages hold {TOTAL_MB} MB, as in a new
    database: a transaction that changes more is rolled back with SQL0964C.
  - {when: IN_DIRECTORY = 1, text: 'They lie in the directory of the database, {LOGPATH:text}.'}
evidence: [LOGFILSIZ, LOGPRIMARY, LOGSECOND, total_mb=TOTAL_MB, 'LOGPATH:text?', 'TOT_LOG_USED_TOP?']
query: >-
  db2pd -db <database> -logs; SELECT TOTAL_LOG_USED, TOTAL_LOG_AVAILABLE, TOT_LOG_USED_TOP FROM
  TABLE(MON_GET_TRANSACTION_LOG(-2))
references:
  - IBM documentation of logfilsiz (r0000239), logprimary (r0000240), logsecond (r0000241) and SQL0964C
why: >-
  All that is not committed must fit into primary and secondary files together, and so must all that others write while
  the oldest transaction is open. One bulk change is enough to fill what a new database has.
not_if: >-
  A size was set; one waits; members differ; Db2 says that at most three tenths of the log were ever in use; the log is
  nearly full, or was (other rules say it); a standby, which uses the primary's size.
note: >-
  What the load will be is not known from settings: ten times the size is a beginning. SOFTMAX is a percent of one log
  file: where it is still set, a larger file means a longer recovery. NEWLOGPATH moves the log.
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
LEFT JOIN TUNE.SETTING AS R ON R.SCOPE = 'DB' AND R.NAME = 'hadr_db_role'
CROSS JOIN USED AS U
CROSS JOIN TUNE.O_LOG_AS_CREATED AS O
WHERE
    F.SCOPE = 'DB' AND F.NAME = 'logfilsiz' AND F.FIXED = 1
    AND F.NUM BETWEEN 1 AND O.DEFAULT_PAGES
    AND P.NUM BETWEEN 1 AND O.DEFAULT_PRIMARY
    AND S.NUM BETWEEN 0 AND O.DEFAULT_SECOND
    AND COALESCE(R.VALUE, ' ') <> 'STANDBY'
    AND (
        U.TOT_LOG_USED_TOP IS NULL
        OR U.TOT_LOG_USED_TOP > O.USED_PART * 4096 * F.NUM * (P.NUM + S.NUM)
    )
