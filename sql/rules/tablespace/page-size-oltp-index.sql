-- rule:       tablespace.page-size-oltp-index
-- title:      Deep or splitting indexes on 4 KB pages
-- area:       tablespace
-- lane:       P
-- effect:     OB
-- risk:       medium
-- applies:    workload=oltp,mixed; not=managed,purescale
-- judged-by:  load
-- claims:     POOL_READ, PROCESSING
-- recover:    0.05, 0.4, 0.6
-- confidence: 0.3
-- exclusive:  rebuild
-- needs:      tablespace.TBSP_PAGE_SIZE, cat_bufferpool.PAGESIZE, cat_table.INDEX_TBSPACE, index.NLEVELS,
--             bufferpool.BP_CUR_BUFFSZ, workload.TOTAL_CPU_TIME
-- threshold:  min_read_part = 0.2 -- [prop] its part of the time that agents spend on reads
-- threshold:  min_levels = 4 -- [prop] one level less saves a page of every probe
-- threshold:  min_split_part = 0.01 -- [prop] splits of a page for each row inserted
-- threshold:  min_inserts = 10000 -- [prop] fewer make no rate
-- threshold:  min_index_reads = 50000 -- [prop] logical reads of an index that matters
-- threshold:  max_latch_pct = 5 -- [prop] above, larger pages make hot leaf pages hotter
-- object:     TABLESPACE {TBSP_NAME:text}
-- set:        PAGESIZE: 4096 -> {NEW_PAGE} (bytes)
-- include:    pool-of-its-own
-- set:        when MOVE_NUMBER = 1: TABLESPACE {NEW_SPACE:text} EXISTS: missing -> there
-- include:    own-containers
-- do:         when MOVE_NUMBER = 1: CREATE TABLESPACE {NEW_SPACE:name}[ IN {PARTITION_GROUP:name}] PAGESIZE
--             {NEW_PAGE}{STORAGE:text|}[ USING STOGROUP {STORAGE_GROUP:name}] EXTENTSIZE {NEW_EXTENT} PREFETCHSIZE
--             {NEW_PREFETCH|AUTOMATIC} BUFFERPOOL {NEW_POOL:name}
-- undo:       DROP TABLESPACE {NEW_SPACE:name}
-- include:    table-move
-- finding:    Indexes of up to {NLEVELS} levels, with {SPLITS} page splits for {ROWS_INSERTED} rows inserted, lie on 4
--             KB pages and take {READ_PCT} % of the time that agents read.
-- evidence:   TBSP_PAGE_SIZE, NLEVELS, page_splits=SPLITS, ROWS_INSERTED, synchronous_read_time_pct=READ_PCT:2,
--             logical_reads_pct=INDEX_PCT:2
-- source:     001_518820f6be7b57c0.txt, milestones: indexes on 8 KB pages, +11 %
-- why:        Twice the page holds twice the keys: fewer levels to walk, fewer splits, and the upper levels of the
--             index stay in less memory.
-- not-if:     The page is larger than 4 KB; data and indexes share the table space; agents wait for latches; BI; the
--             new table space exists already.
-- note:       Up to 8.2 a LARGE table space held LOBs only, and from 9.1 on it is the default: CREATE TABLESPACE says
--             neither. The pool is paid for by the present one, in proportion to the logical reads that go.
--             An index cannot change its table space in place, so the tables are moved onto themselves.
WITH KEPT AS (
    SELECT
        I.TBSP_NAME,
        MAX(CASE WHEN I.LOGICAL_READS >= O.MIN_INDEX_READS THEN I.NLEVELS ELSE 0 END) AS NLEVELS,
        SUM(I.SPLITS) AS SPLITS,
        SUM(I.ROWS_INSERTED) AS ROWS_INSERTED
    FROM TUNE.INDEX_USE AS I
    CROSS JOIN TUNE.O_TABLESPACE_PAGE_SIZE_OLTP_INDEX AS O
    GROUP BY I.TBSP_NAME
),
POOL AS (
    SELECT MIN(BPNAME) AS BPNAME FROM TUNE.D_CAT_BUFFERPOOL WHERE PAGESIZE = 8192
),
SPACE AS (
    SELECT
        T.TBSP_NAME,
        T.TBSP_PAGE_SIZE,
        T.PREFETCHSIZE,
        T.TBSP_NAME
        || CASE WHEN SUBSTR('  ' || T.TBSP_NAME, LENGTH(T.TBSP_NAME)) = '_IX' THEN '8K' ELSE '_IX8K' END AS NEW_SPACE,
        CAST(GREATEST(2, FLOOR(CAST(T.TBSP_EXTENT_SIZE AS DOUBLE) / CAST(2 AS DOUBLE))) AS BIGINT) AS NEW_EXTENT,
        100 * CAST(T.SYNC_READ_MS AS DOUBLE) / NULLIF(A.SYNC_READ_MS, 0) AS READ_PCT,
        100 * CAST(T.INDEX_LOGICAL_READS AS DOUBLE) / NULLIF(A.LOGICAL_READS, 0) AS INDEX_PCT,
        T.SHARE_PCT * T.P_OLTP AS CLAIM_POOL_READ,
        D.CPU_PCT * CAST(T.INDEX_LOGICAL_READS AS DOUBLE) / NULLIF(A.LOGICAL_READS, 0) * T.P_OLTP AS CLAIM_PROCESSING
    FROM TUNE.TABLESPACE AS T
    CROSS JOIN (
        SELECT SUM(SYNC_READ_MS) AS SYNC_READ_MS, SUM(LOGICAL_READS) AS LOGICAL_READS FROM TUNE.TABLESPACE
    ) AS A
    CROSS JOIN TUNE.DATABASE_TIME AS D
    CROSS JOIN TUNE.WORKLOAD_CLASS AS W
    CROSS JOIN TUNE.O_TABLESPACE_PAGE_SIZE_OLTP_INDEX AS O
    WHERE
        T.TBSP_PAGE_SIZE = 4096
        AND (W.CLASS = 'OLTP' OR T.CLASS = 'OLTP')
        AND T.CLASS <> 'BI'
        AND T.BUSY = 1
        AND CAST(T.SYNC_READ_MS AS DOUBLE) / NULLIF(A.SYNC_READ_MS, 0) >= O.MIN_READ_PART
        AND COALESCE(D.LATCH_PCT, 0) <= O.MAX_LATCH_PCT
)
SELECT
    S.*,
    CAST(8192 AS BIGINT) AS NEW_PAGE,
    COALESCE(P.BPNAME, 'BPIX8K') AS NEW_POOL,
    CASE WHEN P.BPNAME IS NULL THEN 1 ELSE 0 END AS CREATES_POOL,
    CASE WHEN S.PREFETCHSIZE <> -1 THEN 0 END AS NEW_PREFETCH,
    KEPT.NLEVELS,
    KEPT.SPLITS,
    KEPT.ROWS_INSERTED,
    M.BP_NAME,
    M.POOL_AUTOMATIC,
    M.POOL_SIZE,
    M.POOL_PAGES - M.POOL_PART AS POOL_REST,
    CASE
        WHEN M.POOL_AUTOMATIC = 0 THEN CAST(FLOOR(CAST(M.POOL_PART AS DOUBLE) / CAST(2 AS DOUBLE)) AS BIGINT)
    END AS NEW_POOL_PAGES,
    M.WAY,
    M.TABSCHEMA,
    M.TABNAME,
    M.DATA_SPACE,
    M.INDEX_SPACE,
    M.LONG_SPACE,
    M.PARTITION_GROUP,
    M.STORAGE,
    M.STORAGE_GROUP,
    M.MOVE_NUMBER,
    CASE WHEN M.DATA_SPACE = S.TBSP_NAME THEN S.NEW_SPACE ELSE M.DATA_SPACE END AS TO_DATA,
    CASE WHEN M.INDEX_SPACE = S.TBSP_NAME THEN S.NEW_SPACE ELSE M.INDEX_SPACE END AS TO_INDEX,
    CASE WHEN M.LONG_SPACE = S.TBSP_NAME THEN S.NEW_SPACE ELSE M.LONG_SPACE END AS TO_LONG
FROM SPACE AS S
INNER JOIN KEPT ON S.TBSP_NAME = KEPT.TBSP_NAME
INNER JOIN TUNE.TABLE_MOVE AS M ON S.TBSP_NAME = M.TBSP_NAME
CROSS JOIN POOL AS P
CROSS JOIN TUNE.O_TABLESPACE_PAGE_SIZE_OLTP_INDEX AS O
WHERE
    (
        KEPT.NLEVELS >= O.MIN_LEVELS
        OR (
            KEPT.ROWS_INSERTED >= O.MIN_INSERTS
            AND CAST(KEPT.SPLITS AS DOUBLE) / NULLIF(KEPT.ROWS_INSERTED, 0) >= O.MIN_SPLIT_PART
        )
    )
    AND M.BP_NAME IS NOT NULL
    AND (P.BPNAME IS NOT NULL OR M.POOL_AUTOMATIC = 1 OR M.POOL_PART >= 1000)
    AND NOT EXISTS (SELECT 1 FROM TUNE.TABLESPACE AS N WHERE N.TBSP_NAME = S.NEW_SPACE)
