/*---
rule: log.archive-no-fallback
title: Archiving depends on another server, and has nowhere else to go
lane: condition
severity: low
takes_effect: immediately
applies: {not: [managed]}
judged_by: config
needs: [dbcfg.VALUE]
object: DATABASE
confidence: 0.6
defers_to:
  - {rule: log.archive-behind, within: object}
actions:
  - manual: >-
      Name a directory on other disks than the log, with room for some hours of log files: UPDATE DB CFG FOR
      {DB_NAME:text} USING FAILARCHPATH /path/for/failures
    undo: {manual: 'UPDATE DB CFG FOR {DB_NAME:text} USING FAILARCHPATH NULL, when no log file is left in it'}
finding: >-
  Logs are archived to {LOGARCHMETH1:text} alone: while its server does not answer they fill {LOGPATH:text|the log
  path}, and FAILARCHPATH names no other place.
evidence: [LOGARCHMETH1:text]
query: db2 get db cfg for <database> | grep -i -e LOGARCHMETH -e FAILARCHPATH; df -h <log path>
references:
  - IBM documentation of failarchpath (failover log archive path) and logarchmeth1 (r0011448)
why: >-
  Where neither method can take a log file, Db2 puts it into FAILARCHPATH and moves it on later. Without one it stays in
  the log path, until that is full and whoever writes fails or hangs.
not_if: The archive is a directory; a second method is set; FAILARCHPATH is set, or not known; a change waits.
note: How long the log path lasts while the server is away cannot be seen from settings.
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
