-- rule:      bufferpool.block-based-scan
-- title:     Scan-only buffer pool has no block area
-- area:      bufferpool
-- lane:      P
-- effect:    RA
-- applies:   workload=bi; not=purescale
-- evidence:  load
-- claims:    PREFETCH_WAIT
-- yields:    bufferpool.system-pool-in-use@any
-- needs:     cat_bufferpool.NUMBLOCKPAGES, tablespace.TBSP_EXTENT_SIZE, tablespace.VECTORED_IOS,
--            tablespace.PAGES_FROM_VECTORED_IOS, tablespace.BLOCK_IOS, workload.PREFETCH_WAIT_TIME
-- threshold: min_async_part = 0.8 -- [prop] only a pool that does nothing but scan can spare the pages
-- threshold: min_wait_pct = 5 -- [prop] without waits for prefetchers there is nothing to gain
-- threshold: block_part = 0.3 -- [prop] part of the pool that becomes the block area
-- threshold: min_vectored = 1000 -- [prop] fewer vectored reads do not show how many pages one takes
-- threshold: min_pages = 10000 -- [prop] a smaller pool has nothing to set apart
-- source:    IBM documentation of block-based buffer pools for improved sequential prefetching
-- why:       A prefetcher reads contiguous pages into scattered buffers. Where the platform does that badly, one
--            read takes fewer pages than an extent; blocks of the size of the extent take a whole one.
-- not-if:    The pool is AUTOMATIC or has a block area; vectored reads take whole extents already; the table
--            spaces have different extent sizes; transaction processing or column-organized data.
-- note:      The vectored reads must have been measured: where a level has no such counters, nothing is advised.
WITH SPACES AS (
    SELECT
        BPNAME,
        SUM(PREFETCH_WAIT_PCT) AS PREFETCH_WAIT_PCT,
        SUM(COALESCE(VECTORED_IOS, 0)) AS VECTORED_IOS,
        SUM(COALESCE(PAGES_FROM_VECTORED_IOS, 0)) AS VECTORED_PAGES,
        SUM(COALESCE(BLOCK_IOS, 0)) AS BLOCK_IOS
    FROM TUNE.TABLESPACE
    GROUP BY BPNAME
),
POOL AS (
    SELECT
        B.*,
        S.PREFETCH_WAIT_PCT,
        S.VECTORED_IOS,
        S.VECTORED_PAGES,
        B.MAX_EXTENT AS E,
        S.VECTORED_PAGES / CAST(NULLIF(S.VECTORED_IOS, 0) AS DOUBLE) AS PAGES_PER_READ,
        CAST(FLOOR(O.BLOCK_PART * B.BP_CUR_BUFFSZ / CAST(NULLIF(B.MAX_EXTENT, 0) AS DOUBLE)) AS BIGINT)
        * B.MAX_EXTENT AS N
    FROM TUNE.SIZED_POOL AS B
    CROSS JOIN TUNE.O_BUFFERPOOL_BLOCK_BASED_SCAN AS O
    INNER JOIN SPACES AS S ON B.BP_NAME = S.BPNAME
    WHERE
        B.SIZEABLE = 1
        AND B.ANALYTICS = 0
        AND B.CLASS = 'BI'
        AND B.BUSY = 1
        AND COALESCE(B.NUMBLOCKPAGES, 0) = 0
        AND B.BP_CUR_BUFFSZ >= O.MIN_PAGES
        AND B.ASYNC_PART >= O.MIN_ASYNC_PART
        AND B.MIN_EXTENT = B.MAX_EXTENT AND B.MAX_EXTENT BETWEEN 2 AND 256
        AND B.DATA_LOGICAL_READS + B.INDEX_LOGICAL_READS >= 0.5 * B.LOGICAL_READS
        AND S.PREFETCH_WAIT_PCT >= O.MIN_WAIT_PCT
        AND S.BLOCK_IOS = 0
        AND S.VECTORED_IOS >= O.MIN_VECTORED
)
SELECT
    'BUFFERPOOL' AS OBJECT_TYPE,
    P.BP_NAME AS OBJECT_NAME,
    CAST(NULL AS SMALLINT) AS MEMBER,
    P.PREFETCH_WAIT_PCT * P.P_BI AS CLAIMED_PCT,
    CAST(0.02 AS DOUBLE) AS RECOVER_LOW,
    CAST(0.05 AS DOUBLE) AS RECOVER_EXPECTED,
    CAST(0.1 AS DOUBLE) AS RECOVER_HIGH,
    CAST(0.3 AS DOUBLE) AS CONFIDENCE,
    'BUFFERPOOL:' || P.BP_NAME || ':NUMBLOCKPAGES' AS TARGET,
    '0' AS CURRENT_VALUE,
    CAST(P.N AS VARCHAR(20)) AS PROPOSED_VALUE,
    'pages' AS UNIT,
    CAST(0 AS BIGINT) AS MEMORY_DELTA_KB,
    'ALTER BUFFERPOOL ' || P.QUOTED || ' NUMBLOCKPAGES ' || CAST(P.N AS VARCHAR(20))
    || ' BLOCKSIZE ' || CAST(P.E AS VARCHAR(20)) AS ACTION_TEXT,
    'ALTER BUFFERPOOL ' || P.QUOTED || ' NUMBLOCKPAGES 0' AS UNDO_TEXT,
    'BP_CUR_BUFFSZ=' || CAST(P.BP_CUR_BUFFSZ AS VARCHAR(20))
    || '; TBSP_EXTENT_SIZE=' || CAST(P.E AS VARCHAR(20))
    || '; VECTORED_IOS=' || CAST(P.VECTORED_IOS AS VARCHAR(20))
    || '; PAGES_FROM_VECTORED_IOS=' || CAST(P.VECTORED_PAGES AS VARCHAR(20))
    || '; BLOCK_IOS=0'
    || '; prefetched_pct=' || CAST(CAST(ROUND(100 * P.ASYNC_PART, 2) AS DECIMAL(9, 2)) AS VARCHAR(20))
    || '; PREFETCH_WAIT_TIME_pct=' || CAST(CAST(ROUND(P.PREFETCH_WAIT_PCT, 2) AS DECIMAL(9, 2)) AS VARCHAR(20))
        AS EVIDENCE,
    'Prefetchers read ' || CAST(CAST(ROUND(P.PAGES_PER_READ, 1) AS DECIMAL(9, 1)) AS VARCHAR(20))
    || ' pages at a time into ' || P.BP_NAME || ', less than an extent of ' || CAST(P.E AS VARCHAR(20))
    || ', and agents wait for them ' || CAST(CAST(ROUND(P.PREFETCH_WAIT_PCT, 1) AS DECIMAL(9, 1)) AS VARCHAR(20))
    || ' % of database time.' AS FINDING,
    CAST(0 AS DOUBLE) AS CLAIM_2_PCT,
    CAST(0 AS DOUBLE) AS CLAIM_3_PCT
FROM POOL AS P
WHERE P.PAGES_PER_READ < P.E AND P.N > 0
