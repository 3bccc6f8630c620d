/*---
rule: catalog.table-unusable
title: Table is reorg pending, load pending or unavailable
lane: safety
severity: critical
takes_effect: immediately
risk: medium
judged_by: config
needs: [table_size.REORG_PENDING, table_size.LOAD_STATUS, table_size.AVAILABLE]
object: TABLE {TABSCHEMA:text}.{TABNAME:text}
confidence: 0.9
actions:
  - choose:
      - when: STATE = 'gone'
        manual: >-
          Save its definition first: db2look -d {DB_NAME:shell} -e -z {TABSCHEMA:shellname} -t {TABNAME:shellname}. Then
          DROP TABLE {TABSCHEMA:name}.{TABNAME:name} and create it again, or restore its table space from a backup taken
          after the load.
        undo: {manual: 'Cannot be undone: only a restore brings the table back.'}
      - when: STATE = 'load'
        manual: >-
          Find the cause in the messages of the load. Repeat the LOAD command with TERMINATE INTO instead of INSERT
          INTO, which removes the loaded rows (a LOAD REPLACE leaves the table empty)[; {RESTART:text}].
        undo: {manual: Load the data again.}
      - manual: >-
          Run REORG TABLE {TABSCHEMA:name}.{TABNAME:name}[ {PARTITIONS:text}], not in place, then RUNSTATS. It needs
          room for a copy of the table and blocks changes.
        undo: {manual: 'Cannot be undone: a reorganization is permanent.'}
finding:
  - choose:
      - when: STATE = 'gone'
        text: >-
          The table cannot be used (SQL1477N): its changes were not logged and were lost in a rollback or rollforward.
      - when: STATE = 'load'
        text: 'The table is load pending: a load failed or was interrupted, and every use fails with SQL0668N.'
      - >-
        The table was altered and is reorg pending: only table scans can read it; everything else fails with SQL0668N.
evidence: ['AVAILABLE:text?', 'LOAD_STATUS:text?', 'REORG_PENDING:text?', 'NUM_REORG_REC_ALTERS?']
query: >-
  SELECT TABSCHEMA, TABNAME, DBPARTITIONNUM, REORG_PENDING, LOAD_STATUS, AVAILABLE FROM
  SYSIBMADM.ADMINTABINFO WHERE REORG_PENDING = 'Y' OR LOAD_STATUS = 'PENDING' OR AVAILABLE = 'N'
references:
  - >-
    IBM documentation of ADMIN_GET_TAB_INFO (r0052897), ALTER TABLE (r0000888), table states during and after load
    (c0051300), SQL0668N and SQL1477N
why: >-
  A failed load leaves incomplete pages; a dropped column or changed type leaves rows in an old format. Db2 blocks
  access until LOAD or REORG has repaired the table.
not_if: >-
  It is available and nothing is pending; a load or a reorganization is running; its state is not known.
note: >-
  ALTER TABLE allows three such units of work before a REORG is required. catalog.table-pending reports unchecked
  constraints.
---*/
WITH STATE AS (
    SELECT
        S.TABSCHEMA,
        S.TABNAME,
        MIN(S.AVAILABLE) AS AVAILABLE,
        MAX(CASE WHEN S.LOAD_STATUS = 'PENDING' THEN S.LOAD_STATUS END) AS LOAD_STATUS,
        MAX(S.NO_LOAD_RESTART) AS NO_LOAD_RESTART,
        MAX(S.REORG_PENDING) AS REORG_PENDING,
        MAX(S.NUM_REORG_REC_ALTERS) AS NUM_REORG_REC_ALTERS,
        CASE
            WHEN MIN(S.AVAILABLE) = 'N' THEN 'gone'
            WHEN MAX(CASE WHEN S.LOAD_STATUS = 'PENDING' THEN 1 ELSE 0 END) = 1 THEN 'load'
            WHEN MAX(S.REORG_PENDING) = 'Y' THEN 'reorg'
        END AS STATE
    FROM TUNE.D_TABLE_SIZE AS S
    GROUP BY S.TABSCHEMA, S.TABNAME
)
SELECT
    S.TABSCHEMA,
    S.TABNAME,
    S.AVAILABLE,
    S.LOAD_STATUS,
    S.REORG_PENDING,
    S.NUM_REORG_REC_ALTERS,
    S.STATE,
    CASE WHEN S.NO_LOAD_RESTART = 'N' THEN 'or with RESTART INTO, which goes on with it' END AS RESTART,
    CASE WHEN D.TOPOLOGY = 'dpf' THEN 'ON ALL DBPARTITIONNUMS' END AS PARTITIONS,
    D.DB_NAME
FROM STATE AS S
CROSS JOIN TUNE.RUN_DATABASE AS D
WHERE
    S.STATE IS NOT NULL
    AND NOT EXISTS (
        SELECT 1 FROM TUNE.D_UTILITY AS U
        WHERE (U.UTILITY_TYPE = 'LOAD' AND S.STATE <> 'reorg') OR (U.UTILITY_TYPE = 'REORG' AND S.STATE = 'reorg')
    )
