/*---
rule: backup.overdue
title: No recent backup
lane: safety
severity: high
takes_effect: immediately
applies: {from: '10.1'}
steps_need: backup
judged_by: config
needs: [database.BACKED_UP, database.BACKUP_AGE_S]
object: DATABASE
confidence: 0.6
actions:
  - when: ARCHIVED = 1
    manual: BACKUP DATABASE {DB_NAME:alias}[ {PARTITIONS:text}] ONLINE TO /path/of/backups COMPRESS INCLUDE LOGS
  - when: ARCHIVED = 0
    manual: >-
      Circular logging allows only an offline backup. Disconnect all applications: DEACTIVATE DATABASE {DB_NAME:alias};
      BACKUP DATABASE {DB_NAME:alias}[ {PARTITIONS:text}] TO /path/of/backups COMPRESS
  - when: ARCHIVED IS NULL
    manual: >-
      BACKUP DATABASE {DB_NAME:alias}[ {PARTITIONS:text}] TO /path/of/backups COMPRESS; add ONLINE if logs are archived
finding:
  - choose:
      - {when: NEVER = 1, text: 'Db2 has no record of a backup of this database[ on member {OF_MEMBER}].'}
      - The last backup[ of member {OF_MEMBER}] completed {AGE_DAYS} days ago.
evidence: ['BACKUP_AGE_days=AGE_DAYS?', 'LOGARCHMETH1:text?']
query: SELECT MEMBER, LAST_BACKUP FROM TABLE(MON_GET_DATABASE(-2)); db2 list history backup all for <database>
references:
  - IBM documentation of last_backup (MON_GET_DATABASE) and BACKUP DATABASE
why: >-
  Recovery from a lost disk or a table dropped by mistake needs a backup. The older it is, the more log must be kept and
  replayed. Without archived logs, all later changes are lost.
not_if: >-
  The last backup is younger than the site's backup_days (7); backup_days is 0, because Db2 does not see the site's
  backups; the data can be rebuilt (reproducible=ON); a backup is running; the database is an HADR standby, which is
  backed up on its primary; the database has no backup and was activated less than a day ago.
note: >-
  Disk snapshots with SET WRITE SUSPEND leave no record here. A completed backup is not proof that it can be restored.
  The finding names the member with the oldest backup.
---*/
WITH AGE AS (
    SELECT
        B.MEMBER,
        B.BACKED_UP,
        B.BACKUP_AGE_S,
        COUNT(*) OVER () AS MEMBERS,
        ROW_NUMBER() OVER (ORDER BY B.BACKED_UP, B.BACKUP_AGE_S DESC, B.MEMBER) AS PLACE
    FROM TUNE.L_DATABASE AS B
    CROSS JOIN TUNE.O_SITE AS I
    WHERE
        I.BACKUP_DAYS > 0
        AND (
            (B.BACKED_UP = 0 AND B.UPTIME_S >= 86400)
            OR B.BACKUP_AGE_S > 86400 * I.BACKUP_DAYS
        )
)
SELECT
    CASE WHEN A.BACKED_UP = 0 THEN 1 ELSE 0 END AS NEVER,
    CASE WHEN A.MEMBERS > 1 OR D.TOPOLOGY = 'dpf' THEN A.MEMBER END AS OF_MEMBER,
    FLOOR(A.BACKUP_AGE_S / CAST(86400 AS DOUBLE)) AS AGE_DAYS,
    L.VALUE AS LOGARCHMETH1,
    CASE WHEN L.VALUE = 'OFF' THEN 0 WHEN L.VALUE IS NOT NULL THEN 1 END AS ARCHIVED,
    CASE WHEN D.TOPOLOGY = 'dpf' THEN 'ON ALL DBPARTITIONNUMS' END AS PARTITIONS,
    D.DB_NAME
FROM AGE AS A
CROSS JOIN TUNE.RUN_DATABASE AS D
CROSS JOIN TUNE.O_SITE AS I
LEFT JOIN TUNE.SETTING AS L ON L.SCOPE = 'DB' AND L.NAME = 'logarchmeth1'
LEFT JOIN TUNE.SETTING AS R ON R.SCOPE = 'DB' AND R.NAME = 'hadr_db_role'
WHERE
    A.PLACE = 1
    AND COALESCE(R.VALUE, ' ') <> 'STANDBY'
    AND COALESCE(I.REPRODUCIBLE, 'OFF') <> 'ON'
    AND NOT EXISTS (SELECT 1 FROM TUNE.D_UTILITY AS U WHERE U.UTILITY_TYPE = 'BACKUP')
