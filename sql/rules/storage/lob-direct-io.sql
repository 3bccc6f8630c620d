/*---
rule: storage.lob-direct-io
title: LOBs bypass the buffer pool (direct I/O)
lane: performance
takes_effect: object rebuilt or moved
risk: medium
applies: {from: '9.7', quiet: true}
judged_by: load
needs: [tablespace.DIRECT_READ_TIME, tablespace.DIRECT_WRITE_TIME, workload.DIRECT_READ_TIME, lob_column.COLNAME,
  cat_table.LONG_TBSPACE]
object: TABLESPACE {TBSP_NAME:text}
claims: {DIRECT_READ: {events: LOB_READS, cost_ms: READ_MS}, DIRECT_WRITE: {events: LOB_WRITES, cost_ms: WRITE_MS}}
recover: [0.1, 0.3, 0.6]
confidence: 0.6
actions:
  - when: LONG_ONES = 0
    undo:
      manual: >-
        Cannot be undone by ALTER: an inline length cannot be reduced; only a new copy of the table has the old one.
  - when: UNCACHED = 1
    undo: {manual: 'If it was off by default, there is no command to return to the default.'}
  - when: UNCACHED = 1
    takes_effect: database reactivation
    set: {name: FS_CACHING, from: NO FILE SYSTEM CACHING, to: FILE SYSTEM CACHING}
  - when: LONG_ONES = 0
    manual: >-
      Determine the inline length that would keep the LOBs in their rows: SELECT COUNT(*),
      AVG(ADMIN_EST_INLINE_LENGTH({COLNAME:name})), MAX(ADMIN_EST_INLINE_LENGTH({COLNAME:name})) FROM
      {TABSCHEMA:name}.{TABNAME:name}
  - when: LONG_ONES = 0
    manual: >-
      If most are short, choose N, the bytes that hold most of them: ALTER TABLE {TABSCHEMA:name}.{TABNAME:name} ALTER
      COLUMN {COLNAME:name} SET INLINE LENGTH N, then REORG TABLE {TABSCHEMA:name}.{TABNAME:name} LONGLOBDATA
  - choose:
      - when: UNCACHED = 0 AND FS_CACHED = 0 AND LONG_ONES = 0
        manual: If they are too long for their rows, move the LOBs to a separate table space with FILE SYSTEM CACHING.
      - when: UNCACHED = 0 AND FS_CACHED = 0
        manual: >-
          Move the LOBs to a separate table space with FILE SYSTEM CACHING: at {REQUEST_KB} KB per request they are too
          long for rows.
    undo: {manual: Move the LOBs back.}
finding:
  - choose:
      - when: TABLES = 1
        text: >-
          Direct I/O of its LOBs takes {DIRECT_PCT:2} % of database time. One table has LOBs there:
          {TABSCHEMA:name}.{TABNAME:name}.
      - >-
        Direct I/O of its LOBs takes {DIRECT_PCT:2} % of database time. {TABLES} tables have LOBs there;
        {TABSCHEMA:name}.{TABNAME:name} is used most.
evidence: [DIRECT_READ_TIME_pct=CLAIM_DIRECT_READ:2, DIRECT_WRITE_TIME_pct=CLAIM_DIRECT_WRITE:2, FS_CACHING,
  tables_with_LOBs=TABLES, 'kb_per_request=REQUEST_KB:1?']
references:
  - >-
    IBM documentation: inline LOBs improve performance (c0053761), direct I/O of table space containers (c0052534),
    ADMIN_EST_INLINE_LENGTH (r0054083)
why: >-
  LOBs outside the row are not in the buffer pool: each access goes to the file. A short LOB fits in the row and is
  cached, logged and compressed with it. A long one is buffered by the file system if the table space allows it.
not_if: >-
  The table space contains no LOB of a user table, or all are inline; direct I/O takes little time; LOBs are longer than
  a page and already buffered by the file system; a utility ran (backup and load also use direct I/O).
note: >-
  Only the data shows the length of LOBs: the step contains the SELECT, but no length. If the average request is longer
  than a page, no row can hold them and inlining is not advised. Inlining helps statements that read the LOB; for others
  the rows become longer. REORG with LONGLOBDATA is not online: run it at a quiet time. LOB reads are not counted by
  table: the text names the most-used table. The claim is all direct I/O of the table space, an upper bound.
---*/
WITH DIRECT AS (
    SELECT
        TBSP_NAME,
        GREATEST(1, SUM(COALESCE(DIRECT_READ_REQS, 0))) AS LOB_READS,
        GREATEST(1, SUM(COALESCE(DIRECT_WRITE_REQS, 0))) AS LOB_WRITES,
        SUM(COALESCE(DIRECT_READ_TIME, 0)) AS LOB_READ_TIME,
        SUM(COALESCE(DIRECT_WRITE_TIME, 0)) AS LOB_WRITE_TIME,
        CAST(SUM(COALESCE(DIRECT_READS, 0)) + SUM(COALESCE(DIRECT_WRITES, 0)) AS DOUBLE)
        / NULLIF(2 * (SUM(COALESCE(DIRECT_READ_REQS, 0)) + SUM(COALESCE(DIRECT_WRITE_REQS, 0))), 0) AS REQUEST_KB
    FROM TUNE.D_TABLESPACE
    GROUP BY TBSP_NAME
),
JUDGED AS (
    SELECT
        D.*,
        L.TABSCHEMA,
        L.TABNAME,
        L.COLNAME,
        L.TABLES,
        T.FS_CACHING,
        CASE WHEN T.FS_CACHING = 0 THEN 1 ELSE 0 END AS FS_CACHED,
        CAST(D.LOB_READ_TIME AS DOUBLE) / NULLIF(D.LOB_READS, 0) AS READ_MS,
        CAST(D.LOB_WRITE_TIME AS DOUBLE) / NULLIF(D.LOB_WRITES, 0) AS WRITE_MS,
        LEAST(
            A.DIRECT_PCT, 100 * CAST(D.LOB_READ_TIME + D.LOB_WRITE_TIME AS DOUBLE) / NULLIF(A.DBT_MS, 0)
        ) AS DIRECT_PCT,
        CASE WHEN T.TBSP_TYPE = 'DMS' AND T.FS_CACHING > 0 AND L.ROWS_TOO = 0 THEN 1 ELSE 0 END AS UNCACHED,
        CASE WHEN 1024 * D.REQUEST_KB > T.TBSP_PAGE_SIZE THEN 1 ELSE 0 END AS LONG_ONES
    FROM DIRECT AS D
    INNER JOIN TUNE.LOB_SPACE AS L ON D.TBSP_NAME = L.TBSP_NAME
    INNER JOIN TUNE.TABLESPACE AS T ON D.TBSP_NAME = T.TBSP_NAME
    CROSS JOIN TUNE.DATABASE_TIME AS A
    WHERE L.TABLES > 0
)
SELECT J.*
FROM JUDGED AS J
CROSS JOIN TUNE.O_SITE AS SITE
WHERE J.DIRECT_PCT >= SITE.HIGH_PCT AND (J.LONG_ONES = 0 OR J.FS_CACHED = 0)
