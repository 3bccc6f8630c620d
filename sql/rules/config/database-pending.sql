/*---
rule: config.database-pending
title: The database waits for somebody and cannot be used as it is
lane: condition
severity: critical
takes_effect: immediately
risk: high
applies: {not: [managed]}
judged_by: config
needs: [dbcfg.VALUE]
object: DATABASE
confidence: 0.9
actions:
  - when: RESTORING = 1
    manual: >-
      See why the restore did not end (db2 list history backup all for {DB_NAME:shell}), and run it again: RESTORE
      DATABASE {DB_NAME:text} FROM /path/of/backups; one that was redirected goes on with RESTORE DATABASE
      {DB_NAME:text} CONTINUE
    undo: {manual: There is nothing to undo.}
  - when: ROLLING = 1
    manual: >-
      ROLLFORWARD DATABASE {DB_NAME:text} QUERY STATUS says which log it needs; then ROLLFORWARD DATABASE {DB_NAME:text}
      TO END OF LOGS AND STOP. A new HADR standby is started instead: START HADR ON DATABASE {DB_NAME:text} AS STANDBY
    undo: {manual: What was rolled forward stays so; only a restore takes it back.}
  - when: BACKING = 1
    manual: BACKUP DATABASE {DB_NAME:text} TO /path/of/backups
    undo: {manual: A backup changes nothing.}
  - when: SUSPENDED = 1
    manual: >-
      When the copy of the disks is made, from the session that suspended the writes: SET WRITE RESUME FOR DATABASE
    undo: {manual: SET WRITE SUSPEND FOR DATABASE}
finding:
  - {when: RESTORING = 1, text: 'It is restore pending: a restore has not ended, and nobody can connect (SQL1119N).'}
  - when: ROLLING = 1
    text: >-
      It is rollforward pending ({ROLLFORWARD:text}): nobody can use what was restored until its log records are applied
      (SQL1117N).
  - {when: BACKING = 1, text: 'It is backup pending: nobody can connect until a full backup is made (SQL1116N).'}
  - {when: SUSPENDED = 1, text: 'Its writes are suspended: whoever changes data waits.'}
evidence: [BACKUP_PENDING=BACKING, RESTORE_PENDING=RESTORING, ROLLFWD_PENDING=ROLLING, SUSPEND_IO=SUSPENDED]
query: db2 get db cfg for <database> | grep -i -E "pending|suspend"
references:
  - IBM documentation of backup_pending, restore_pending, rollfwd_pending (r0000255), suspend_io (r0058585)
why: >-
  A database that was restored, or whose logs are kept since a moment ago, refuses every connection until the next step
  of its recovery is done. While writes are suspended, log and table spaces stand still.
not_if: >-
  It says NO to each of them; it is an HADR standby, which is rolled forward all the time; a backup, a restore or a
  rollforward is running; tablespace.state names the table spaces to be rolled forward.
note: >-
  That not all committed transactions have been written to disk (database_consistent NO) is so in every database that
  somebody uses.
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
