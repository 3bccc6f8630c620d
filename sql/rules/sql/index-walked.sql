/*---
rule: sql.index-walked
title: Index scans read most leaf pages of the index
lane: performance
takes_effect: immediately
risk: medium
applies: {workload: [oltp, mixed]}
judged_by: load
needs: [index.INDEX_SCANS, index.OBJECT_INDEX_L_READS, index.NLEAF, index.NLEVELS, index.INDCARD,
  index.NUM_EMPTY_LEAFS, index.NUMRIDS_DELETED, table.ROWS_READ, cat_table.CARD]
object: INDEX {INDSCHEMA:text}.{INDNAME:text}
claims: {PROCESSING: {events: WALKED_PAGES, cost_ms: PAGE_CPU_MS}}
recover: [0.3, 0.6, 0.9]
confidence: 0.3
defers_to:
  - {rule: sql.missing-index, within: any, only_if_larger: true}
thresholds:
  walked_part: {default: 0.5, from: own, why: 'part of the leaf pages per scan: no predicate limits it well'}
  key_cpu_ms: {default: 0.0001, from: field, why: a tenth of a microsecond to check a key}
actions:
  - manual: >-
      Find the statements: SELECT EXECUTABLE_ID, NUM_EXECUTIONS, POOL_INDEX_L_READS, ROWS_READ, VARCHAR(STMT_TEXT, 200)
      AS STMT FROM TABLE(MON_GET_PKG_CACHE_STMT(NULL, NULL, NULL, -2)) AS T ORDER BY POOL_INDEX_L_READS DESC FETCH FIRST
      5 ROWS ONLY. In their plans, this index has no start and stop key, or wide ones.
    undo: {manual: DROP INDEX if the statement does not read fewer pages.}
  - manual: >-
      Create an index with the columns of equality predicates first, then those of ranges and ORDER BY: Db2 can then
      start at the search key. Statements that only count or sum may not need one.
finding: >-
  {SCANS} scans of index {INDNAME:text} on {QUOTED:text} read {PAGES_PER_SCAN} of {NLEAF} leaf pages each: its columns
  {COLNAMES:text|} do not limit the search. Rows rejected within the index do not count as rows read.
evidence: [INDEX_SCANS=SCANS, OBJECT_INDEX_L_READS=READS, NLEAF, INDCARD, 'columns=COLNAMES:text?']
references:
  - IBM documentation of MON_GET_INDEX (r0055026), object_index_l_reads and rows_read
why: >-
  If the leading columns of an index are not in a statement's predicates, Db2 reads all its entries. The pages are in
  memory, so hit ratios are perfect, and rejected rows do not count as read: only CPU time shows the cost.
not_if: >-
  A scan reads less than half of the leaf pages; the index has less than a thousand, or no statistics; it is scanned
  less than once a minute; a fifth of it is empty or deleted (reorg.index-bloat); the workload is analytics, which reads
  whole indexes.
note: >-
  The claim is the pages beyond one per level, for each scan and each changed row of the table, with the average number
  of keys per page. If an index has both probes and full scans, the average hides the scans.
---*/
WITH EACH_INDEX AS (
    SELECT
        TABSCHEMA,
        TABNAME,
        IID,
        MAX(INDSCHEMA) AS INDSCHEMA,
        MAX(INDNAME) AS INDNAME,
        MAX(COLNAMES) AS COLNAMES,
        MAX(NLEVELS) AS NLEVELS,
        MAX(INDCARD) AS INDCARD,
        MAX(NLEAF) AS NLEAF,
        MAX(NUMRIDS_DELETED) AS NUMRIDS_DELETED,
        MAX(NUM_EMPTY_LEAFS) AS NUM_EMPTY_LEAFS,
        SUM(INDEX_SCANS) AS SCANS,
        SUM(OBJECT_INDEX_L_READS) AS READS
    FROM TUNE.D_INDEX
    GROUP BY TABSCHEMA, TABNAME, IID
),
WALKED AS (
    SELECT
        E.*,
        U.QUOTED,
        GREATEST(0, E.READS - E.NLEVELS * (E.SCANS + COALESCE(U.ROWS_CHANGED, 0))) AS WALKED_PAGES
    FROM EACH_INDEX AS E
    INNER JOIN TUNE.TABLE_USE AS U ON E.TABSCHEMA = U.TABSCHEMA AND E.TABNAME = U.TABNAME
    WHERE U.TABLEORG = 'R' AND U.RANGES = 1 AND E.INDSCHEMA IS NOT NULL AND E.INDNAME IS NOT NULL
)
SELECT
    I.INDSCHEMA,
    I.INDNAME,
    I.QUOTED,
    I.COLNAMES,
    I.SCANS,
    I.READS,
    I.NLEAF,
    I.INDCARD,
    CAST(ROUND(CAST(I.READS AS DOUBLE) / NULLIF(I.SCANS, 0), 0) AS BIGINT) AS PAGES_PER_SCAN,
    I.WALKED_PAGES,
    CONST.PAGE_CPU_MS + O.KEY_CPU_MS * CAST(I.INDCARD AS DOUBLE) / NULLIF(I.NLEAF, 0) AS PAGE_CPU_MS
FROM WALKED AS I
CROSS JOIN TUNE.RUN_WINDOW AS W
CROSS JOIN TUNE.WORKLOAD_CLASS AS K
CROSS JOIN TUNE.O_SQL_INDEX_WALKED AS O
CROSS JOIN TUNE.O_SITE AS SITE
CROSS JOIN TUNE.CONSTANT AS CONST
WHERE
    K.CLASS <> 'BI'
    AND I.NLEAF >= SITE.SMALL_INDEX
    AND I.INDCARD > 0
    AND 60 * I.SCANS >= CONST.PER_MINUTE * W.SECONDS
    AND I.WALKED_PAGES >= O.WALKED_PART * I.NLEAF * I.SCANS
    AND I.NUM_EMPTY_LEAFS < CONST.REORG_PART * I.NLEAF
    AND I.NUMRIDS_DELETED < CONST.REORG_PART * (I.NUMRIDS_DELETED + I.INDCARD)
