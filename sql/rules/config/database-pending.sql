/*---
rule: config.database-pending
title: Database is pending or its writes are suspended
lane: safety
severity: critical
takes_effect: immediately
risk: high
judged_by: config
needs: [dbcfg.VALUE]
object: DATABASE
confidence: 0.9
actions:
  - when: RESTORING = 1
    manual: >-
      Find why the restore did not complete (db2 list history backup all for {DB_NAME:shell}), and run it again: RESTORE
      DATABASE {DB_NAME:alias} FROM /path/of/backups. Continue a redirected restore with RESTORE DATABASE
      {DB_NAME:alias} CONTINUE
  - when: ROLLING = 1
    manual: >-
      Run ROLLFORWARD DATABASE {DB_NAME:alias} QUERY STATUS to see which log it needs; then ROLLFORWARD DATABASE
      {DB_NAME:alias} TO END OF LOGS AND STOP. Start a new HADR standby instead: START HADR ON DATABASE {DB_NAME:alias}
      AS STANDBY
    undo: {manual: 'Cannot be undone: only a restore reverses a rollforward.'}
  - when: BACKING = 1
    manual: BACKUP DATABASE {DB_NAME:alias} TO /path/of/backups
  - when: SUSPENDED = 1
    manual: >-
      After the disk copy, resume writes from the session that suspended them: SET WRITE RESUME FOR DATABASE
    undo: {manual: SET WRITE SUSPEND FOR DATABASE}
finding:
  - {when: RESTORING = 1, text: 'Restore pending: a restore did not complete, and connections fail with SQL1119N.'}
  - when: ROLLING = 1
    text: >-
      Rollforward pending ({ROLLFORWARD:text}): the restored data cannot be used until its log records are applied
      (SQL1117N).
  - {when: BACKING = 1, text: 'Backup pending: connections fail with SQL1116N until a full backup completes.'}
  - {when: SUSPENDED = 1, text: 'Writes are suspended: every change of data waits.'}
evidence: [BACKUP_PENDING=BACKING, RESTORE_PENDING=RESTORING, ROLLFWD_PENDING=ROLLING, SUSPEND_IO=SUSPENDED]
query: db2 get db cfg for <database> | grep -i -E "pending|suspend"
references:
  - IBM documentation of backup_pending, restore_pending, rollfwd_pending (r0000255), suspend_io (r0058585)
why: >-
  A restored database, or one that has just begun to archive its logs, refuses connections until the next recovery step.
  While writes are suspended, nothing is written to the log or the table spaces.
not_if: >-
  No pending state and no suspended writes; it is an HADR standby, which rolls forward all the time; a backup, restore
  or rollforward is running; tablespace.state reports the table spaces to roll forward.
note: database_consistent NO (not all committed transactions are on disk) is normal for a database in use.
---*/
WITH STATE AS (
    SELECT
        MAX(CASE WHEN NAME = 'restore_pending' AND VALUE = 'YES' THEN 1 ELSE 0 END) AS RESTORING,
        MAX(CASE WHEN NAME = 'backup_pending' AND VALUE = 'YES' THEN 1 ELSE 0 END) AS BACKING,
        MAX(CASE WHEN NAME = 'suspend_io' AND VALUE = 'YES' THEN 1 ELSE 0 END) AS SUSPENDED,
        MAX(CASE WHEN NAME = 'rollfwd_pending' AND VALUE IN ('DATABASE', 'TABLESPACE') THEN 1 ELSE 0 END) AS ROLLING,
        MIN(CASE WHEN NAME = 'rollfwd_pending' AND VALUE IN ('DATABASE', 'TABLESPACE') THEN VALUE END) AS ROLLFORWARD,
        MAX(CASE WHEN NAME = 'hadr_db_role' AND VALUE = 'STANDBY' THEN 1 ELSE 0 END) AS STANDBY
    FROM TUNE.CONFIG
    WHERE SCOPE = 'DB'
),
TOLD AS (
    SELECT COUNT(*) AS SPACES
    FROM TUNE.WAITING_STATE
)
SELECT
    S.RESTORING,
    S.BACKING,
    S.SUSPENDED,
    CASE WHEN S.ROLLFORWARD = 'TABLESPACE' AND T.SPACES > 0 THEN 0 ELSE S.ROLLING END AS ROLLING,
    S.ROLLFORWARD,
    D.DB_NAME
FROM STATE AS S
CROSS JOIN TOLD AS T
CROSS JOIN TUNE.RUN_DATABASE AS D
WHERE
    S.STANDBY = 0
    AND (
        S.RESTORING + S.BACKING + S.SUSPENDED > 0
        OR S.ROLLFORWARD = 'DATABASE'
        OR (S.ROLLFORWARD = 'TABLESPACE' AND T.SPACES = 0)
    )
    AND NOT EXISTS (
        SELECT 1
        FROM TUNE.D_UTILITY AS U
        WHERE U.UTILITY_TYPE IN ('BACKUP', 'RESTORE', 'ROLLFORWARD_RECOVERY')
    )
