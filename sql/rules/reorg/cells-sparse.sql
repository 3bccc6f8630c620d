/*---
rule: reorg.cells-sparse
title: Clustered table (MDC) with nearly empty blocks
lane: condition
severity: low
takes_effect: object rebuilt or moved
risk: medium
judged_by: config
needs: [cat_table.ACTIVE_BLOCKS, cat_table.NPAGES, cat_table.CLUSTERED, cat_tablespace.EXTENTSIZE]
object: TABLE {TABSCHEMA:text}.{TABNAME:text}
confidence: 0.6
thresholds:
  max_filled_part: {default: 0.25, from: own, why: part of the pages with rows; the last block of a cell is half full}
actions:
  - manual: >-
      Count the cells with the query (FULLKEYCARD of the index of type BLOK, or DIM with one dimension). If there are
      far fewer cells than blocks, deletes emptied the pages: REORG TABLE {TABSCHEMA:name}.{TABNAME:name}, in a
      maintenance window.
  - manual: >-
      Otherwise choose coarser dimensions, such as a generated column with the month of a date, or fewer of them. A
      table space with smaller extents helps too. Test it on a sample.
  - choose:
      - {when: DB2_LEVEL < 9070000, manual: 'Then export the table, create it again, and load it.'}
      - manual: >-
          Then move the table online with SYSPROC.ADMIN_MOVE_TABLE; its sixth argument takes the new dimensions, its
          third the table space.
    undo: {manual: Move the table back in the same way.}
finding: >-
  Only {NPAGES} of {BLOCK_PAGES} pages in {ACTIVE_BLOCKS} occupied blocks hold rows ({FILLED_PCT:1} %):
  {ROWS_PER_BLOCK:1} rows per block of {BLOCK_KB} KB. {EMPTY_GB:1} GB are empty.
evidence: [CARD, NPAGES, ACTIVE_BLOCKS, EXTENTSIZE, PAGESIZE, empty_GB=EMPTY_GB:1, statistics_age_h=STATS_AGE_H]
query: >-
  SELECT T.CARD, T.NPAGES, T.FPAGES, T.ACTIVE_BLOCKS, X.INDEXTYPE, X.COLNAMES, X.FULLKEYCARD FROM SYSCAT.TABLES AS T
  INNER JOIN SYSCAT.INDEXES AS X ON T.TABSCHEMA = X.TABSCHEMA AND T.TABNAME = X.TABNAME WHERE T.CLUSTERED = 'Y' AND
  X.INDEXTYPE IN ('BLOK', 'DIM')
references:
  - IBM documentation of choosing MDC table dimensions (c0007238), block indexes (c0022244) and ADMIN_MOVE_TABLE
    (r0055069)
  - IBM documentation of catalog statistics (c0005087, ACTIVE_BLOCKS)
why: >-
  Each combination of dimension values has blocks of its own, of one extent. If a combination has few rows, most pages
  of its block stay empty. They take space on disk and in backups, and scans of block indexes prefetch whole blocks.
not_if: >-
  A quarter or more of the pages in occupied blocks hold rows; less than 1 GB is empty; the table is not clustered by
  dimensions, is range-partitioned, or has no statistics.
note: >-
  Blocks without rows are not counted: Db2 uses them again. The number of cells is not collected, so the query decides
  between the two causes. How many empty pages scans read is not measured.
---*/
WITH BLOCKS AS (
    SELECT
        CATTABLE.TABSCHEMA,
        CATTABLE.TABNAME,
        CATTABLE.CARD,
        CATTABLE.NPAGES,
        CATTABLE.ACTIVE_BLOCKS,
        CATTABLE.STATS_AGE_H,
        CATSPACE.EXTENTSIZE,
        CATSPACE.PAGESIZE,
        CATTABLE.ACTIVE_BLOCKS * CAST(CATSPACE.EXTENTSIZE AS BIGINT) AS BLOCK_PAGES
    FROM TUNE.D_CAT_TABLE AS CATTABLE
    INNER JOIN TUNE.D_CAT_TABLESPACE AS CATSPACE ON CATTABLE.TBSPACE = CATSPACE.TBSPACE
    WHERE CATTABLE.CLUSTERED = 'Y'
),
SPARSE AS (
    SELECT
        B.*,
        (B.BLOCK_PAGES - B.NPAGES) * CAST(B.PAGESIZE AS DOUBLE) / 1073741824 AS EMPTY_GB
    FROM BLOCKS AS B
)
SELECT
    S.TABSCHEMA,
    S.TABNAME,
    S.CARD,
    S.NPAGES,
    S.ACTIVE_BLOCKS,
    S.STATS_AGE_H,
    S.EXTENTSIZE,
    S.PAGESIZE,
    S.BLOCK_PAGES,
    S.EMPTY_GB,
    100 * CAST(S.NPAGES AS DOUBLE) / NULLIF(S.BLOCK_PAGES, 0) AS FILLED_PCT,
    CAST(S.CARD AS DOUBLE) / NULLIF(S.ACTIVE_BLOCKS, 0) AS ROWS_PER_BLOCK,
    CAST(S.EXTENTSIZE AS DOUBLE) * S.PAGESIZE / 1024 AS BLOCK_KB,
    D.DB2_LEVEL
FROM SPARSE AS S
CROSS JOIN TUNE.RUN_DATABASE AS D
CROSS JOIN TUNE.O_REORG_CELLS_SPARSE AS O
CROSS JOIN TUNE.O_SITE AS SITE
WHERE S.NPAGES < O.MAX_FILLED_PART * S.BLOCK_PAGES AND S.EMPTY_GB >= SITE.SMALL_GB
