/*---
rule: catalog.table-unusable
title: A table waits for REORG, for the end of a load, or cannot be used at all
lane: condition
severity: critical
takes_effect: immediately
risk: medium
applies: {not: [managed]}
judged_by: config
needs: [table_size.REORG_PENDING, table_size.LOAD_STATUS, table_size.AVAILABLE]
object: TABLE {TABSCHEMA:text}.{TABNAME:text}
confidence: 0.9
actions:
  - choose:
      - when: STATE = 'gone'
        manual: >-
          Save what is left first: db2look -d {DB_NAME:shell} -e -z {TABSCHEMA:shellname} -t {TABNAME:shellname} for its
          definition. Then DROP TABLE {TABSCHEMA:name}.{TABNAME:name} and make it again, or restore its table space from
          a backup that was taken after the load.
        undo: {manual: Only a restore brings it back.}
      - when: STATE = 'load'
        manual: >-
          See in the messages of the load why it ended, and repeat the same LOAD command with TERMINATE INTO instead of
          INSERT INTO, which takes back what it had loaded (a LOAD REPLACE leaves the table empty)[; {RESTART:text}].
        undo: {manual: What was loaded can be loaded again.}
      - manual: >-
          REORG TABLE {TABSCHEMA:name}.{TABNAME:name}[ {PARTITIONS:text}], not in place: with room for a copy of the
          table and nobody who changes it meanwhile. Then RUNSTATS.
        undo: {manual: A reorganization cannot be undone.}
finding:
  - choose:
      - when: STATE = 'gone'
        text: >-
          Nobody can use it (SQL1477N): its changes were not logged, and then lost with a rollback or a rollforward.
      - when: STATE = 'load'
        text: 'A load of it failed or was interrupted, and it is load pending: whoever uses it gets SQL0668N.'
      - >-
        It was altered and is reorg pending: only scans of the whole table can still read it, all else ends with
        SQL0668N.
evidence: ['AVAILABLE:text?', 'LOAD_STATUS:text?', 'REORG_PENDING:text?', 'NUM_REORG_REC_ALTERS?']
query: >-
  SELECT TABSCHEMA, TABNAME, DBPARTITIONNUM, REORG_PENDING, LOAD_STATUS, AVAILABLE FROM
  TABLE(ADMIN_GET_TAB_INFO('<schema>', '<table>')) AS T; LOAD QUERY TABLE <schema>.<table>
references:
  - >-
    IBM documentation of ADMIN_GET_TAB_INFO (r0052897), ALTER TABLE (r0000888), table states during and after load
    (c0051300), SQL0668N and SQL1477N
why: >-
  A load that fails leaves pages that belong to nobody; a column that was dropped or has another type leaves rows of
  another shape. Until LOAD or REORG has put that right, Db2 keeps everybody away.
not_if: >-
  It is available and nothing is pending; a load or a reorganization is running; its state is not known; a managed
  database.
note: >-
  ALTER TABLE takes three units of work of that kind, and no more, before REORG. Constraints that wait to be checked are
  told by catalog.table-pending.
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
