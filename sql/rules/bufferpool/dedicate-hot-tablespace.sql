-- rule:      bufferpool.dedicate-hot-tablespace
-- title:     A hot table space shares its buffer pool with neighbours that evict it
-- area:      bufferpool
-- lane:      P
-- effect:    RA
-- applies:   workload=oltp,mixed; not=purescale
-- evidence:  load
-- claims:    POOL_READ
-- exclusive: bufferpool
-- yields:    bufferpool.system-pool-in-use@any
-- after:     storage.fs-caching-data
-- needs:     cat_bufferpool.NPAGES, tablespace.TBSP_CUR_POOL_ID, tablespace.TBSP_NEXT_POOL_ID,
--            tablespace.TBSP_USED_PAGES, tablespace.POOL_READ_TIME
-- threshold: min_share_pct = 3 -- [prop] below 3 % of database time a pool of its own is not worth it
-- threshold: min_reads = 50000 -- [prop] fewer logical reads in the interval are too few to judge
-- threshold: min_time_part = 0.4 -- [prop] it causes at least this part of the pool's read time
-- threshold: max_read_part = 0.3 -- [prop] with at most this part of its logical reads: it is being evicted
-- threshold: min_scan_part = 0.4 -- [prop] or its neighbours' prefetching is this part of the pool's physical reads
-- threshold: max_async_part = 0.2 -- [prop] while it is itself read at random
-- threshold: max_pools = 6 -- [prop] more pools than this are harder to size than they help
-- threshold: max_moved = 0.8 -- [prop] at least a fifth of the pool stays with the neighbours
-- threshold: min_pages = 1000 -- [doc] the default size of a pool
-- source:    001_518820f6be7b57c0.txt, "DB2 8.2 Tuning Milestones": pools for data and index of the customer table
-- why:       In one pool, pages of a table space that is read at random leave because neighbours bring in more
--            pages, mostly by scanning. A pool of its own, and one for its indexes, keeps them.
-- not-if:    The pool is AUTOMATIC, has another size pending or exceptions on members; it holds all pages of its
--            table spaces; a table space of the pool changes its pool at the next activation; there are many
--            pools already; a pool of the name exists; column-organized data; the workload is analysis.
-- note:      Memory is taken from the shared pool in proportion to read time, so the total stays. Names of
--            buffer pools have at most 18 bytes on every level: longer ones are cut. The table space changes
--            its pool at the next activation, the sizes change at once: activate soon after.
WITH MEMBERSHIP AS (
    SELECT
        T.BPNAME,
        SUM(T.LOGICAL_READS) AS LOGICAL_READS,
        SUM(T.PHYSICAL_READS) AS PHYSICAL_READS,
        SUM(T.ASYNC_READS) AS ASYNC_READS,
        SUM(T.SYNC_READ_MS) AS SYNC_READ_MS,
        SUM(CASE WHEN T.TBSP_CONTENT_TYPE IN ('SYSTEMP', 'USRTEMP') OR T.TBSP_ID = 0 THEN 0 ELSE 1 END) AS USER_SPACES,
        SUM(CASE WHEN T.TBSP_NEXT_POOL_ID = T.TBSP_CUR_POOL_ID THEN 0 ELSE 1 END) AS PENDING
    FROM TUNE.TABLESPACE AS T
    GROUP BY T.BPNAME
),
ROLE AS (
    -- where tables keep their data, and their indexes if elsewhere
    SELECT DISTINCT
        TBSPACE AS DATA_SPACE,
        INDEX_TBSPACE AS INDEX_SPACE
    FROM TUNE.D_CAT_TABLE
    WHERE TBSPACE IS NOT NULL
),
INDEX_ONLY AS (
    SELECT DISTINCT I.INDEX_SPACE
    FROM ROLE AS I
    LEFT JOIN ROLE AS D ON I.INDEX_SPACE = D.DATA_SPACE
    WHERE I.INDEX_SPACE IS NOT NULL AND D.DATA_SPACE IS NULL
),
HOT AS (
    SELECT
        T.TBSP_NAME,
        T.BPNAME,
        T.TBSP_USED_PAGES,
        T.LOGICAL_READS,
        T.SYNC_READ_MS,
        T.SHARE_PCT,
        T.P_OLTP,
        M.SYNC_READ_MS AS POOL_SYNC_READ_MS,
        M.LOGICAL_READS AS POOL_LOGICAL_READS,
        M.ASYNC_READS - T.ASYNC_READS AS NEIGHBOUR_ASYNC_READS,
        M.PHYSICAL_READS AS POOL_PHYSICAL_READS,
        O.MAX_MOVED,
        O.MIN_PAGES,
        CASE WHEN I.INDEX_SPACE IS NULL THEN '_D' ELSE '_I' END AS SUFFIX,
        ROW_NUMBER() OVER (PARTITION BY T.BPNAME ORDER BY T.SYNC_READ_MS DESC, T.TBSP_NAME) AS N
    FROM TUNE.TABLESPACE AS T
    CROSS JOIN TUNE.O_BUFFERPOOL_DEDICATE_HOT_TABLESPACE AS O
    INNER JOIN MEMBERSHIP AS M ON T.BPNAME = M.BPNAME
    LEFT JOIN INDEX_ONLY AS I ON T.TBSP_NAME = I.INDEX_SPACE
    WHERE
        M.USER_SPACES >= 2
        AND M.PENDING = 0
        AND T.TBSP_CONTENT_TYPE NOT IN ('SYSTEMP', 'USRTEMP')
        AND T.TBSP_ID <> 0
        AND T.CLASS <> 'BI'
        AND T.LOGICAL_READS >= O.MIN_READS
        AND T.SHARE_PCT >= O.MIN_SHARE_PCT
        AND (
            (T.SYNC_READ_MS >= O.MIN_TIME_PART * M.SYNC_READ_MS AND T.LOGICAL_READS <= O.MAX_READ_PART * M.LOGICAL_READS)
            OR (M.ASYNC_READS - T.ASYNC_READS >= O.MIN_SCAN_PART * M.PHYSICAL_READS AND T.ASYNC_PART <= O.MAX_ASYNC_PART)
        )
),
COMPANION AS (
    -- the busiest index table space of a hot data table space, in the same pool
    SELECT
        H.TBSP_NAME AS DATA_SPACE,
        X.TBSP_NAME,
        X.TBSP_USED_PAGES,
        X.SYNC_READ_MS,
        X.SHARE_PCT,
        X.P_OLTP,
        ROW_NUMBER() OVER (PARTITION BY H.TBSP_NAME ORDER BY X.SYNC_READ_MS DESC, X.TBSP_NAME) AS N
    FROM HOT AS H
    INNER JOIN ROLE AS R ON H.TBSP_NAME = R.DATA_SPACE AND R.INDEX_SPACE <> R.DATA_SPACE
    INNER JOIN TUNE.TABLESPACE AS X ON R.INDEX_SPACE = X.TBSP_NAME AND H.BPNAME = X.BPNAME
    WHERE H.N = 1 AND X.SYNC_READ_MS > 0
),
MOVED AS (
    SELECT
        B.*,
        H.TBSP_NAME,
        H.TBSP_USED_PAGES,
        H.SYNC_READ_MS AS HOT_SYNC_READ_MS,
        H.LOGICAL_READS AS HOT_LOGICAL_READS,
        H.SHARE_PCT AS HOT_PCT,
        H.P_OLTP AS HOT_P_OLTP,
        H.POOL_SYNC_READ_MS,
        H.POOL_LOGICAL_READS,
        H.POOL_PHYSICAL_READS,
        H.NEIGHBOUR_ASYNC_READS,
        H.MIN_PAGES,
        'BP_' || SUBSTR(H.TBSP_NAME || '             ', 1, 13) AS STEM,
        H.SUFFIX,
        X.TBSP_NAME AS INDEX_SPACE,
        X.TBSP_USED_PAGES AS INDEX_USED_PAGES,
        COALESCE(X.SHARE_PCT, 0) AS INDEX_PCT,
        COALESCE(X.P_OLTP, 0) AS INDEX_P_OLTP,
        H.SYNC_READ_MS / CAST(NULLIF(H.POOL_SYNC_READ_MS, 0) AS DOUBLE) AS TIME_PART,
        COALESCE(X.SYNC_READ_MS, 0) / CAST(NULLIF(H.POOL_SYNC_READ_MS, 0) AS DOUBLE) AS INDEX_PART,
        LEAST(1, H.MAX_MOVED * H.POOL_SYNC_READ_MS / CAST(NULLIF(H.SYNC_READ_MS + COALESCE(X.SYNC_READ_MS, 0), 0) AS DOUBLE)) AS SCALE
    FROM HOT AS H
    INNER JOIN TUNE.SIZED_POOL AS B ON H.BPNAME = B.BP_NAME
    CROSS JOIN TUNE.O_BUFFERPOOL_DEDICATE_HOT_TABLESPACE AS O
    CROSS JOIN (SELECT COUNT(*) AS POOLS FROM TUNE.D_CAT_BUFFERPOOL) AS C
    LEFT JOIN COMPANION AS X ON H.TBSP_NAME = X.DATA_SPACE AND X.N = 1 AND H.SUFFIX = '_D'
    WHERE
        H.N = 1
        AND B.SIZEABLE = 1
        AND B.ANALYTICS = 0
        AND B.USED_PAGES > B.BP_CUR_BUFFSZ
        AND C.POOLS <= O.MAX_POOLS
),
NAMED AS (
    SELECT
        M.*,
        RTRIM(M.STEM) || M.SUFFIX AS HOT_POOL,
        CASE WHEN M.INDEX_SPACE IS NOT NULL THEN RTRIM(M.STEM) || '_I' END AS INDEX_POOL,
        LEAST(M.TBSP_USED_PAGES, CAST(FLOOR(M.BP_CUR_BUFFSZ * M.TIME_PART * M.SCALE) AS BIGINT)) AS HOT_PAGES,
        CASE
            WHEN M.INDEX_SPACE IS NULL THEN 0
            ELSE LEAST(M.INDEX_USED_PAGES, CAST(FLOOR(M.BP_CUR_BUFFSZ * M.INDEX_PART * M.SCALE) AS BIGINT))
        END AS INDEX_PAGES,
        CAST(FLOOR(M.PAGESIZE / CAST(1024 AS DOUBLE)) AS BIGINT) AS PAGE_KB
    FROM MOVED AS M
),
POOL AS (
    SELECT
        N.*,
        '"' || REPLACE(N.HOT_POOL, '"', '""') || '"' AS Q_HOT_POOL,
        '"' || REPLACE(N.TBSP_NAME, '"', '""') || '"' AS Q_HOT,
        '"' || REPLACE(N.INDEX_POOL, '"', '""') || '"' AS Q_INDEX_POOL,
        '"' || REPLACE(N.INDEX_SPACE, '"', '""') || '"' AS Q_INDEX,
        N.BP_CUR_BUFFSZ - N.HOT_PAGES - N.INDEX_PAGES AS REST_PAGES
    FROM NAMED AS N
)
SELECT
    'BUFFERPOOL' AS OBJECT_TYPE,
    P.BP_NAME AS OBJECT_NAME,
    CAST(NULL AS SMALLINT) AS MEMBER,
    P.HOT_PCT * P.HOT_P_OLTP + P.INDEX_PCT * P.INDEX_P_OLTP AS CLAIMED_PCT,
    CAST(0.15 AS DOUBLE) AS RECOVER_LOW,
    CAST(0.4 AS DOUBLE) AS RECOVER_EXPECTED,
    CAST(0.6 AS DOUBLE) AS RECOVER_HIGH,
    CAST(0.6 AS DOUBLE) AS CONFIDENCE,
    'TABLESPACE:' || P.TBSP_NAME || ':BUFFERPOOL' AS TARGET,
    P.BP_NAME AS CURRENT_VALUE,
    P.HOT_POOL AS PROPOSED_VALUE,
    'buffer pool' AS UNIT,
    CAST(0 AS BIGINT) AS MEMORY_DELTA_KB,
    'ALTER BUFFERPOOL ' || P.QUOTED || ' IMMEDIATE SIZE ' || CAST(P.REST_PAGES AS VARCHAR(20)) || CHR(10)
    || 'CREATE BUFFERPOOL ' || P.Q_HOT_POOL || ' IMMEDIATE SIZE ' || CAST(P.HOT_PAGES AS VARCHAR(20))
    || ' PAGESIZE ' || CAST(P.PAGE_KB AS VARCHAR(20)) || 'K' || CHR(10)
    || 'ALTER TABLESPACE ' || P.Q_HOT || ' BUFFERPOOL ' || P.Q_HOT_POOL
    || CASE
        WHEN P.INDEX_SPACE IS NOT NULL
            THEN CHR(10) || 'CREATE BUFFERPOOL ' || P.Q_INDEX_POOL || ' IMMEDIATE SIZE '
                || CAST(P.INDEX_PAGES AS VARCHAR(20)) || ' PAGESIZE ' || CAST(P.PAGE_KB AS VARCHAR(20)) || 'K'
                || CHR(10)
                || 'ALTER TABLESPACE ' || P.Q_INDEX || ' BUFFERPOOL ' || P.Q_INDEX_POOL
        ELSE ''
    END AS ACTION_TEXT,
    CASE
        WHEN P.INDEX_SPACE IS NOT NULL
            THEN 'ALTER TABLESPACE ' || P.Q_INDEX || ' BUFFERPOOL ' || P.QUOTED || CHR(10)
                || 'DROP BUFFERPOOL ' || P.Q_INDEX_POOL || CHR(10)
        ELSE ''
    END
    || 'ALTER TABLESPACE ' || P.Q_HOT || ' BUFFERPOOL ' || P.QUOTED || CHR(10)
    || 'DROP BUFFERPOOL ' || P.Q_HOT_POOL || CHR(10)
    || 'ALTER BUFFERPOOL ' || P.QUOTED || ' IMMEDIATE SIZE ' || P.OLD_SIZE AS UNDO_TEXT,
    'TBSP_NAME=' || P.TBSP_NAME
    || '; BP_CUR_BUFFSZ=' || CAST(P.BP_CUR_BUFFSZ AS VARCHAR(20))
    || '; read_time_part_pct=' || CAST(CAST(ROUND(100 * P.TIME_PART, 2) AS DECIMAL(9, 2)) AS VARCHAR(20))
    || '; logical_reads=' || CAST(P.HOT_LOGICAL_READS AS VARCHAR(20))
    || '; pool_logical_reads=' || CAST(P.POOL_LOGICAL_READS AS VARCHAR(20))
    || '; neighbours_prefetched=' || CAST(P.NEIGHBOUR_ASYNC_READS AS VARCHAR(20))
    || '; pool_physical_reads=' || CAST(P.POOL_PHYSICAL_READS AS VARCHAR(20))
    || '; POOL_READ_TIME_pct=' || CAST(CAST(ROUND(P.HOT_PCT, 2) AS DECIMAL(9, 2)) AS VARCHAR(20)) AS EVIDENCE,
    'Table space ' || P.TBSP_NAME || ' causes '
    || CAST(CAST(ROUND(100 * P.TIME_PART, 1) AS DECIMAL(9, 1)) AS VARCHAR(20)) || ' % of the read time in '
    || P.BP_NAME || ' with '
    || CAST(CAST(ROUND(100 * P.HOT_LOGICAL_READS / CAST(NULLIF(P.POOL_LOGICAL_READS, 0) AS DOUBLE), 1) AS DECIMAL(9, 1)) AS VARCHAR(20))
    || ' % of its logical reads: neighbours push its pages out.' AS FINDING,
    CAST(0 AS DOUBLE) AS CLAIM_2_PCT,
    CAST(0 AS DOUBLE) AS CLAIM_3_PCT
FROM POOL AS P
WHERE
    P.REST_PAGES >= P.MIN_PAGES
    AND P.HOT_PAGES >= P.MIN_PAGES
    AND (P.INDEX_SPACE IS NULL OR P.INDEX_PAGES >= P.MIN_PAGES)
    AND NOT EXISTS (
        SELECT 1 FROM TUNE.D_CAT_BUFFERPOOL AS C WHERE C.BPNAME IN (P.HOT_POOL, COALESCE(P.INDEX_POOL, P.HOT_POOL))
    )
