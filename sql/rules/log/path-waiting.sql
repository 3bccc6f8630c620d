/*---
rule: log.path-waiting
title: Log has not moved to its new path yet
lane: condition
severity: low
takes_effect: database reactivation
steps_need: logpath
judged_by: config
needs: [dbcfg.VALUE]
object: DATABASE
confidence: 0.6
defers_to:
  - {rule: config.deferred-pending, within: object}
actions:
  - manual: >-
      Check that {NEWLOGPATH:path} exists, belongs to the instance owner[ and has room for {TOTAL_MB} MB]. Then run
      DEACTIVATE DATABASE {DB_NAME:alias} and ACTIVATE DATABASE {DB_NAME:alias} in a maintenance window.
    undo:
      manual: Before that, cancel the move with UPDATE DB CFG FOR {DB_NAME:alias} USING NEWLOGPATH {BACK_PATH:path}.
finding: >-
  NEWLOGPATH is {NEWLOGPATH:text}, but the log is still in {LOGPATH:text}. It moves at the next activation, after all
  applications have disconnected.
evidence: [NEWLOGPATH:text, LOGPATH:text]
query: db2 get db cfg for <database> | grep -i "log files"; ls -ld <NEWLOGPATH>; df -h <NEWLOGPATH>
references:
  - IBM documentation of newlogpath (r0000237)
why: >-
  Until then the log stays on the disks that it was meant to leave. Db2 clears NEWLOGPATH after the move. If it stays
  set after an activation, Db2 could not use the path; the diagnostic log contains the reason.
not_if: >-
  NEWLOGPATH is empty, or the log is already there; the active path is not known; config.deferred-pending lists it among
  all pending settings.
note: The DBA decides when to deactivate.
---*/
SELECT
    N.VALUE AS NEWLOGPATH,
    L.VALUE AS LOGPATH,
    K.BACK_PATH,
    CEIL(F.NUM * (P.NUM + S.NUM) / CAST(256 AS DOUBLE)) AS TOTAL_MB,
    D.DB_NAME
FROM TUNE.SETTING AS N
INNER JOIN TUNE.SETTING AS L ON L.SCOPE = 'DB' AND L.NAME = 'logpath' AND L.FIXED = 1
LEFT JOIN (
    SELECT MIN(BACK_PATH) AS BACK_PATH FROM TUNE.LOG_PATH WHERE NAME = 'logpath'
) AS K ON 1 = 1
LEFT JOIN TUNE.SETTING AS F ON F.SCOPE = 'DB' AND F.NAME = 'logfilsiz'
LEFT JOIN TUNE.SETTING AS P ON P.SCOPE = 'DB' AND P.NAME = 'logprimary'
LEFT JOIN TUNE.SETTING AS S ON S.SCOPE = 'DB' AND S.NAME = 'logsecond' AND S.NUM >= 0
CROSS JOIN TUNE.RUN_DATABASE AS D
WHERE
    N.SCOPE = 'DB' AND N.NAME = 'newlogpath' AND N.FIXED = 1
    AND LENGTH(N.VALUE) > 1
    -- below it with a separator: /log1 is not below /log
    AND REPLACE(
        REPLACE('|' || L.VALUE || '/', '\', '/'),
        REPLACE(REPLACE('|' || N.VALUE || '/', '\', '/'), '//', '/'), ''
    ) = REPLACE('|' || L.VALUE || '/', '\', '/')
