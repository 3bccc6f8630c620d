/*---
rule: tablespace.page-size-oltp-index
title: Deep or splitting indexes on 4 KB pages
lane: performance
takes_effect: object rebuilt or moved
risk: medium
applies: {workload: [oltp, mixed], not: [purescale]}
judged_by: load
needs: [tablespace.TBSP_PAGE_SIZE, cat_bufferpool.PAGESIZE, cat_table.INDEX_TBSPACE, index.NLEVELS,
  bufferpool.BP_CUR_BUFFSZ, workload.TOTAL_CPU_TIME, system.MEMORY_FREE]
object: TABLESPACE {TBSP_NAME:text}
claims: {POOL_READ: {events: SAVED_READS, cost_ms: READ_MS}, PROCESSING: {events: SAVED_PAGES, cost_ms: PAGE_CPU_MS}}
recover: [0.1, 0.4, 1.0]
confidence: 0.3
memory: FIRST_POOL_KB
exclusive: rebuild
thresholds:
  min_levels: {default: 4, from: own, why: one level less saves one page per probe}
  min_split_part: {default: 0.01, from: own, why: page splits per inserted row}
actions:
  - set: {name: PAGESIZE, from: '4096', to: '{NEW_PAGE}', unit: bytes}
  - {include: larger-pages}
  - {include: table-move}
  - {include: memory-follows}
finding: >-
  Indexes on 4 KB pages have up to {NLEVELS} levels[; those of {TABLE_NAME:text} have {SPLITS} page splits for
  {ROWS_INSERTED} inserted rows]. Reading them from disk takes {SHARE_PCT:1} % of database time. The move takes {GB:1}
  GB.
evidence: [TBSP_PAGE_SIZE, NLEVELS, page_splits=SPLITS, ROWS_INSERTED, POOL_READ_TIME_pct=SHARE_PCT:2, size_gb=GB:1]
references:
  - 'system-z, milestones: indexes on 8 KB pages, +11 % (the paper does not state their depth)'
why: 'A page of twice the size holds twice the keys: fewer levels, fewer splits, and less memory for the upper levels.'
not_if: >-
  The page is larger than 4 KB; its pages are hardly read from disk; data and indexes share the table space; agents wait
  for latches; BI; no memory for both pools until the tables have moved; the new table space already exists.
note: >-
  Doubling the page saves at most one level: one of the four pages of a probe, one in four pages read from disk. About
  two in five such indexes lose a level, depending on the number of keys. Split time is not measured: for splits alone
  the finding is housekeeping. Up to 8.2 a LARGE table space held only LOBs, and since 9.1 it is the default: CREATE
  TABLESPACE specifies neither. The present pool shrinks for the new one, in proportion to the logical reads that move,
  once the tables have moved. An index cannot change its table space in place, so each table is moved within its own
  table space.
---*/
WITH INDEXES AS (
    SELECT
        TABSCHEMA,
        TABNAME,
        IID,
        MAX(NLEVELS) AS NLEVELS,
        SUM(OBJECT_INDEX_L_READS) AS LOGICAL_READS,
        SUM(
            COALESCE(INT_NODE_SPLITS, 0) + COALESCE(BOUNDARY_LEAF_NODE_SPLITS, 0)
            + COALESCE(NONBOUNDARY_LEAF_NODE_SPLITS, 0)
        ) AS SPLITS,
        ROW_NUMBER() OVER (PARTITION BY TABSCHEMA, TABNAME ORDER BY IID) AS N
    FROM TUNE.D_INDEX
    GROUP BY TABSCHEMA, TABNAME, IID
),
INSERTS AS (
    SELECT TABSCHEMA, TABNAME, SUM(ROWS_INSERTED) AS ROWS_INSERTED
    FROM TUNE.D_TABLE
    GROUP BY TABSCHEMA, TABNAME
),
INDEX_USE AS (
    -- Every index with its table space, if that holds only indexes, over all members: its levels, logical reads of
    -- pages, page splits, and the rows inserted into its table. The inserted rows are in the row of the table's first
    -- index only, so that they can be summed.
    SELECT
        CATTABLE.INDEX_TBSPACE AS TBSP_NAME,
        I.TABSCHEMA,
        I.TABNAME,
        I.IID,
        I.NLEVELS,
        I.LOGICAL_READS,
        I.SPLITS,
        CASE WHEN I.N = 1 THEN COALESCE(R.ROWS_INSERTED, 0) ELSE 0 END AS ROWS_INSERTED
    FROM TUNE.D_CAT_TABLE AS CATTABLE
    INNER JOIN INDEXES AS I ON CATTABLE.TABSCHEMA = I.TABSCHEMA AND CATTABLE.TABNAME = I.TABNAME
    LEFT JOIN INSERTS AS R ON CATTABLE.TABSCHEMA = R.TABSCHEMA AND CATTABLE.TABNAME = R.TABNAME
    WHERE CATTABLE.INDEX_TBSPACE IS NOT NULL AND CATTABLE.INDEX_TBSPACE <> CATTABLE.TBSPACE
),
SPLIT AS (
    -- the table whose indexes split most for its inserted rows: those of others would hide it
    SELECT
        TBSP_NAME,
        TABSCHEMA || '.' || TABNAME AS TABLE_NAME,
        SPLITS,
        ROWS_INSERTED,
        ROW_NUMBER() OVER (
            PARTITION BY TBSP_NAME
            ORDER BY CAST(SPLITS AS DOUBLE) / NULLIF(ROWS_INSERTED, 0) DESC, TABSCHEMA, TABNAME
        ) AS PLACE
    FROM (
        SELECT
            TBSP_NAME,
            TABSCHEMA,
            TABNAME,
            SUM(SPLITS) AS SPLITS,
            SUM(ROWS_INSERTED) AS ROWS_INSERTED,
            SUM(LOGICAL_READS) AS LOGICAL_READS
        FROM INDEX_USE
        GROUP BY TBSP_NAME, TABSCHEMA, TABNAME
    ) AS T
    CROSS JOIN TUNE.CONSTANT AS CONST
    WHERE T.ROWS_INSERTED >= CONST.ENOUGH_PAGES AND T.LOGICAL_READS >= CONST.BUSY_LEAST_READS
),
KEPT AS (
    SELECT
        I.TBSP_NAME,
        MAX(CASE WHEN I.LOGICAL_READS >= CONST.BUSY_LEAST_READS THEN I.NLEVELS ELSE 0 END) AS NLEVELS,
        SUM(CASE
            WHEN I.LOGICAL_READS >= CONST.BUSY_LEAST_READS AND I.NLEVELS >= O.MIN_LEVELS
                THEN CAST(I.LOGICAL_READS AS DOUBLE) / NULLIF(I.NLEVELS, 0)
        END) AS SAVED_PAGES,
        SUM(I.LOGICAL_READS) AS LOGICAL_READS
    FROM INDEX_USE AS I
    CROSS JOIN TUNE.O_TABLESPACE_PAGE_SIZE_OLTP_INDEX AS O
    CROSS JOIN TUNE.CONSTANT AS CONST
    GROUP BY I.TBSP_NAME
),
SPACE AS (
    SELECT
        T.TBSP_NAME AS SPACE_NAME,
        T.PREFETCHSIZE,
        T.TBSP_NAME
        || CASE WHEN SUBSTR('  ' || T.TBSP_NAME, LENGTH(T.TBSP_NAME)) = '_IX' THEN '8K' ELSE '_IX8K' END AS NEW_SPACE,
        CAST(GREATEST(2, FLOOR(CAST(T.TBSP_EXTENT_SIZE AS DOUBLE) / CAST(2 AS DOUBLE))) AS BIGINT) AS NEW_EXTENT,
        T.SHARE_PCT,
        T.SYNC_READS,
        T.READ_MS,
        T.P_OLTP,
        CAST(T.TBSP_USED_PAGES_ALL AS DOUBLE) * T.TBSP_PAGE_SIZE / CAST(1073741824 AS DOUBLE) AS GB,
        CONST.PAGE_CPU_MS
    FROM TUNE.TABLESPACE AS T
    CROSS JOIN TUNE.DATABASE_TIME AS D
    CROSS JOIN TUNE.WORKLOAD_CLASS AS W
    CROSS JOIN TUNE.O_SITE AS SITE
    CROSS JOIN TUNE.CONSTANT AS CONST
    WHERE
        T.TBSP_PAGE_SIZE = 4096
        AND (W.CLASS = 'OLTP' OR T.CLASS = 'OLTP')
        AND T.CLASS <> 'BI'
        AND T.BUSY = 1
        AND T.SHARE_PCT >= SITE.HIGH_PCT
        AND COALESCE(D.LATCH_PCT, 0) <= SITE.HIGH_PCT
)
SELECT
    S.*,
    P.NEW_PAGE,
    COALESCE(P.PRESENT_POOL, 'BPIX8K') AS NEW_POOL,
    CASE WHEN P.PRESENT_POOL IS NULL THEN 1 ELSE 0 END AS CREATES_POOL,
    P.NEW_POOL_PAGES,
    P.FIRST_POOL_PAGES,
    P.FIRST_POOL_KB,
    P.POOL_REST,
    CASE WHEN S.PREFETCHSIZE <> -1 THEN 0 END AS NEW_PREFETCH,
    KEPT.NLEVELS,
    COALESCE(W.SPLITS, 0) AS SPLITS,
    COALESCE(W.ROWS_INSERTED, 0) AS ROWS_INSERTED,
    W.TABLE_NAME,
    M.*,
    CASE WHEN M.DATA_SPACE = S.SPACE_NAME THEN S.NEW_SPACE ELSE M.DATA_SPACE END AS TO_DATA,
    CASE WHEN M.INDEX_SPACE = S.SPACE_NAME THEN S.NEW_SPACE ELSE M.INDEX_SPACE END AS TO_INDEX,
    CASE WHEN M.LONG_SPACE = S.SPACE_NAME THEN S.NEW_SPACE ELSE M.LONG_SPACE END AS TO_LONG,
    CAST(ROUND(KEPT.SAVED_PAGES * S.P_OLTP, 0) AS BIGINT) AS SAVED_PAGES,
    CAST(ROUND(
        S.SYNC_READS * S.P_OLTP * COALESCE(CAST(KEPT.SAVED_PAGES AS DOUBLE) / NULLIF(KEPT.LOGICAL_READS, 0), 0), 0
    ) AS BIGINT) AS SAVED_READS
FROM SPACE AS S
INNER JOIN KEPT ON S.SPACE_NAME = KEPT.TBSP_NAME
LEFT JOIN SPLIT AS W ON S.SPACE_NAME = W.TBSP_NAME AND W.PLACE = 1
INNER JOIN TUNE.TABLE_MOVE AS M ON S.SPACE_NAME = M.TBSP_NAME
INNER JOIN TUNE.MOVE_POOL AS P ON S.SPACE_NAME = P.TBSP_NAME AND P.NEW_PAGE = 8192 AND P.POSSIBLE = 1
CROSS JOIN TUNE.O_TABLESPACE_PAGE_SIZE_OLTP_INDEX AS O
WHERE
    (
        KEPT.NLEVELS >= O.MIN_LEVELS
        OR CAST(W.SPLITS AS DOUBLE) / NULLIF(W.ROWS_INSERTED, 0) >= O.MIN_SPLIT_PART
    )
    AND NOT EXISTS (SELECT 1 FROM TUNE.TABLESPACE AS N WHERE N.TBSP_NAME = S.NEW_SPACE)
    AND (P.PRESENT_POOL IS NOT NULL OR NOT EXISTS (SELECT 1 FROM TUNE.D_CAT_BUFFERPOOL AS N WHERE N.BPNAME = 'BPIX8K'))
