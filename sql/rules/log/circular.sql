/*---
rule: log.circular
title: 'Circular logging: no online backup, no rollforward'
lane: safety
severity: high
takes_effect: database reactivation
steps_need: archive
judged_by: config
needs: [dbcfg.VALUE]
object: DATABASE
confidence: 0.6
actions:
  - manual: >-
      Choose an archive on other disks than data and log (DISK:/path, TSM, VENDOR:library): UPDATE DB CFG FOR
      {DB_NAME:alias} USING LOGARCHMETH1 DISK:/path/of/the/archive
    undo:
      manual: >-
        UPDATE DB CFG FOR {DB_NAME:alias} USING LOGARCHMETH1 OFF, before the backup; later it disables rollforward again
  - manual: >-
      Plan an outage. After the next activation the database is in backup pending state, and connections fail (SQL1116N)
      until an offline backup completes: DEACTIVATE DATABASE {DB_NAME:alias}; BACKUP DATABASE {DB_NAME:alias} TO
      /path/of/backups
finding: >-
  LOGARCHMETH1 is OFF, so logs are overwritten. A backup needs all applications disconnected, and all commits after it
  are lost with the disks.
evidence: [LOGARCHMETH1:text]
query: >-
  db2 get db cfg for <database> | grep -i -e LOGARCHMETH -e "backup pending"; db2 list history backup all for <database>
references:
  - IBM documentation of logarchmeth1 (r0011448) and "Configuration parameters for database logging" (r0006082)
why: >-
  A restore returns the state of the backup. Later changes exist only in the log, and only archived logs can be rolled
  forward. Online backups, table space backups, HADR and LOAD with COPY YES also need them.
not_if: >-
  An archive method is set, or will be; the site declares that the data can be rebuilt (reproducible=ON); members
  differ.
note: >-
  A database that is reloaded every night, or used for development, may not need it: set the site option reproducible.
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
