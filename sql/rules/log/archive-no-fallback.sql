/*---
rule: log.archive-no-fallback
title: Log archiving has no failover path
lane: condition
severity: low
takes_effect: immediately
steps_need: archive
judged_by: config
needs: [dbcfg.VALUE]
object: DATABASE
confidence: 0.6
defers_to:
  - {rule: log.archive-behind, within: object}
actions:
  - manual: >-
      Set a failover directory on other disks than the log, with room for some hours of log files: UPDATE DB CFG FOR
      {DB_NAME:alias} USING FAILARCHPATH /path/for/failures
    undo: {manual: 'UPDATE DB CFG FOR {DB_NAME:alias} USING FAILARCHPATH NULL, once it contains no log file'}
finding: >-
  Logs are archived only to {LOGARCHMETH1:text}. While its server does not respond, they fill {LOGPATH:text|the log
  path}; FAILARCHPATH is not set.
evidence: [LOGARCHMETH1:text]
query: db2 get db cfg for <database> | grep -i -e LOGARCHMETH -e FAILARCHPATH
references:
  - IBM documentation of failarchpath (failover log archive path) and logarchmeth1 (r0011448)
why: >-
  If no archive method takes a log file, Db2 stores it in FAILARCHPATH and moves it later. Without that path it stays in
  the log path until it is full and transactions fail or hang.
not_if: The archive is a directory; a second method is set; FAILARCHPATH is set, or not known; a change is pending.
note: Settings do not show how long the log path lasts without the server.
---*/
SELECT
    A.VALUE AS LOGARCHMETH1,
    P.VALUE AS LOGPATH,
    D.DB_NAME
FROM TUNE.SETTING AS A
INNER JOIN TUNE.SETTING AS B ON B.SCOPE = 'DB' AND B.NAME = 'logarchmeth2' AND B.FIXED = 1 AND B.VALUE = 'OFF'
INNER JOIN TUNE.SETTING AS X ON X.SCOPE = 'DB' AND X.NAME = 'failarchpath' AND X.IS_SET = 0
LEFT JOIN TUNE.SETTING AS P ON P.SCOPE = 'DB' AND P.NAME = 'logpath' AND P.DIFFERS = 0
CROSS JOIN TUNE.RUN_DATABASE AS D
WHERE
    A.SCOPE = 'DB' AND A.NAME = 'logarchmeth1' AND A.FIXED = 1
    AND (A.VALUE LIKE 'TSM%' OR A.VALUE LIKE 'VENDOR:%' OR A.VALUE LIKE 'DB2REMOTE:%')
