/*---
rule: log.small-and-full
title: Log is small and was full
lane: safety
severity: critical
takes_effect: database reactivation
judged_by: config
needs: [dbcfg.VALUE, event.CODE]
object: DATABASE
confidence: 0.7
thresholds:
  file_pages: {default: 10240, from: own, why: '40 MB: files of this size hold 1 GB if there are 25'}
  small_mb: {default: 1024, from: own, why: 'a log above 1 GB fills up because of one transaction, not of its size'}
actions:
  - manual: >-
      Check that the file system of {LOGPATH:path|the log} has {MORE_MB} MB free. Files are resized at database start,
      which fails without room.
  - set: {kind: DBCFG, name: LOGFILSIZ, from: '{LOGFILSIZ}', to: '{NEW_LOGFILSIZ}', unit: 4 KB pages}
finding:
  - >-
    The log was full ({CODE:text}[, last at {LAST_TIME:text}]): {LOGPRIMARY} primary and {LOGSECOND} secondary files of
    {LOGFILSIZ} pages hold only {TOTAL_MB} MB.
evidence: [CODE:text, OCCURRENCES, 'LAST_TIME:text?', LOGFILSIZ, LOGPRIMARY, LOGSECOND, total_mb=TOTAL_MB,
  'LOGPATH:text?']
query: >-
  db2pd -db <database> -logs; SELECT TOTAL_LOG_USED, TOTAL_LOG_AVAILABLE, TOT_LOG_USED_TOP FROM
  TABLE(MON_GET_TRANSACTION_LOG(-2))
references:
  - IBM documentation of logfilsiz (r0000239), logprimary (r0000240), logsecond (r0000241) and SQL0964C
why: >-
  Primary and secondary files together must hold all uncommitted changes, and everything written since the oldest open
  transaction began. A log that was full once will be full again.
not_if: >-
  The text contains no message about a full log; the log holds 1 GB or its files have 40 MB; logging is infinite; a size
  is pending or members differ; a standby, which uses the primary's size.
note: >-
  The messages do not show how large the transaction was: a larger size is a start. Rule event.log-full names the
  application that held the log. LOGSECOND takes effect immediately: raise it until the reactivation.
---*/
SELECT
    A.CODE,
    A.OCCURRENCES,
    A.LAST_TIME,
    F.NUM AS LOGFILSIZ,
    GREATEST(O.FILE_PAGES, 1024 * CEIL(COALESCE(B.NUM, 0) / CAST(256 AS DOUBLE))) AS NEW_LOGFILSIZ,
    P.NUM AS LOGPRIMARY,
    S.NUM AS LOGSECOND,
    L.VALUE AS LOGPATH,
    FLOOR(F.NUM * (P.NUM + S.NUM) / CAST(256 AS DOUBLE)) AS TOTAL_MB,
    CEIL(
        (GREATEST(O.FILE_PAGES, 1024 * CEIL(COALESCE(B.NUM, 0) / CAST(256 AS DOUBLE))) - F.NUM)
        * (P.NUM + S.NUM) / CAST(256 AS DOUBLE)
    ) AS MORE_MB
FROM TUNE.EVENT_REPORT AS A
INNER JOIN TUNE.SETTING AS F ON F.SCOPE = 'DB' AND F.NAME = 'logfilsiz' AND F.FIXED = 1
INNER JOIN TUNE.SETTING AS P ON P.SCOPE = 'DB' AND P.NAME = 'logprimary' AND P.FIXED = 1
INNER JOIN TUNE.SETTING AS S ON S.SCOPE = 'DB' AND S.NAME = 'logsecond' AND S.FIXED = 1
LEFT JOIN TUNE.SETTING AS B ON B.SCOPE = 'DB' AND B.NAME = 'logbufsz' AND B.PENDING = 0
LEFT JOIN TUNE.SETTING AS L ON L.SCOPE = 'DB' AND L.NAME = 'logpath' AND L.DIFFERS = 0
LEFT JOIN TUNE.SETTING AS R ON R.SCOPE = 'DB' AND R.NAME = 'hadr_db_role'
CROSS JOIN TUNE.O_LOG_SMALL_AND_FULL AS O
WHERE
    A.CLASS = 'log' AND A.PLACE = 1
    AND F.NUM < O.FILE_PAGES
    AND S.NUM >= 0
    AND F.NUM * (P.NUM + S.NUM) < 256 * O.SMALL_MB
    AND COALESCE(R.VALUE, ' ') <> 'STANDBY'
