/*---
rule: log.circular
title: 'Logging is circular: no backup while applications work, and no rollforward'
lane: condition
severity: high
takes_effect: database reactivation
applies: {not: [managed]}
judged_by: config
needs: [dbcfg.VALUE]
object: DATABASE
confidence: 0.6
actions:
  - manual: >-
      Choose where archived logs go, on other disks than data and log (DISK:/path, TSM, VENDOR:library), and say so:
      UPDATE DB CFG FOR {DB_NAME:text} USING LOGARCHMETH1 DISK:/path/of/the/archive
    undo:
      manual: >-
        UPDATE DB CFG FOR {DB_NAME:text} USING LOGARCHMETH1 OFF, before the backup; later it takes rollforward away
        again
  - manual: >-
      Plan the time for it: with the next activation the database is in backup pending state, and nobody can connect
      (SQL1116N) until it was backed up offline: DEACTIVATE DATABASE {DB_NAME:text}; BACKUP DATABASE {DB_NAME:text} TO
      /path/of/backups
finding: >-
  LOGARCHMETH1 is OFF, so logs are written over: a backup needs everybody disconnected, and whatever was committed after
  it is lost with the disks.
evidence: [LOGARCHMETH1:text]
query: >-
  db2 get db cfg for <database> | grep -i -e LOGARCHMETH -e "backup pending"; db2 list history backup all for <database>
references:
  - IBM documentation of logarchmeth1 (r0011448) and "Configuration parameters for database logging" (r0006082)
why: >-
  A restore brings back the state of the backup. What was done since is in the log alone, and only archived logs can be
  rolled forward. Online backups, backups of single table spaces, HADR and LOAD with COPY YES need them too.
not_if: >-
  Either archive method is set, or about to be; the site says that the data can be made again (reproducible=ON); what
  members say differs; a managed database.
note: >-
  A database that is loaded anew every night, or serves development, may do without: say so once with the option
  reproducible.
---*/
SELECT
    A.VALUE AS LOGARCHMETH1,
    D.DB_NAME
FROM TUNE.SETTING AS A
LEFT JOIN TUNE.SETTING AS B ON B.SCOPE = 'DB' AND B.NAME = 'logarchmeth2'
CROSS JOIN TUNE.RUN_DATABASE AS D
CROSS JOIN TUNE.O_SITE AS I
WHERE
    A.SCOPE = 'DB' AND A.NAME = 'logarchmeth1' AND A.FIXED = 1 AND A.VALUE = 'OFF'
    AND (B.NAME IS NULL OR (B.FIXED = 1 AND B.VALUE = 'OFF'))
    AND COALESCE(I.REPRODUCIBLE, 'OFF') <> 'ON'
