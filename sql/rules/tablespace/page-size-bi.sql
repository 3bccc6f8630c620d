-- rule:      tablespace.page-size-bi
-- title:     Small pages for a large table space that is scanned
-- area:      tablespace
-- lane:      P
-- effect:    OB
-- risk:      medium
-- applies:   workload=bi; not=managed,purescale; from=9.1
-- evidence:  load
-- claims:    PREFETCH_WAIT, POOL_READ
-- exclusive: rebuild
-- needs:     tablespace.TBSP_PAGE_SIZE, cat_tablespace.PREFETCHSIZE, cat_bufferpool.PAGESIZE, cat_table.TBSPACE,
--            bufferpool.BP_CUR_BUFFSZ, workload.PREFETCH_WAIT_TIME
-- threshold: max_page_kb = 8 -- [seed 000] it recommends pages of 16 KB
-- threshold: page_kb = 16 -- [seed 000] the page size of its table space
-- threshold: min_gb = 10 -- [prop] below 10 GB a move is not worth it
-- threshold: min_async_part = 0.6 -- [prop] nearly all reads are scans
-- threshold: min_share_pct = 10 -- [prop] percent of database time that its reads and prefetch waits take
-- source:    000_9a1c354496f94ea4.txt ("large page size of 16KB is recommended")
-- why:       A scan handles every page once: fewer, larger pages mean fewer reads, latches and page headers.
-- not-if:    Pages above 8 KB; transaction processing or mixed use; column-organized tables; below 10 GB; the new
--            table space exists already.
-- note:      Rows so short that 255 of them do not fill a page are no obstacle, because the new table space is a
--            large one. Where a buffer pool of the page size exists it is used; else a part of the present pool
--            becomes one, of the size that the table space takes of its pages.
WITH POOL AS (
    SELECT
        1024 * CAST(FLOOR(O.PAGE_KB) AS BIGINT) AS NEW_PAGE,
        MIN(K.BPNAME) AS BPNAME
    FROM TUNE.O_TABLESPACE_PAGE_SIZE_BI AS O
    LEFT JOIN TUNE.D_CAT_BUFFERPOOL AS K ON K.PAGESIZE = 1024 * CAST(FLOOR(O.PAGE_KB) AS BIGINT)
    GROUP BY O.PAGE_KB
),
SPACE AS (
    SELECT
        T.TBSP_NAME,
        T.TBSP_PAGE_SIZE,
        T.PREFETCHSIZE,
        T.CONTAINERS,
        T.ASYNC_READS,
        T.ASYNC_PART,
        T.P_BI,
        T.PREFETCH_WAIT_PCT,
        T.SCAN_PCT,
        T.TBSP_NAME || '_' || CAST(CAST(FLOOR(O.PAGE_KB) AS BIGINT) AS VARCHAR(20)) || 'K' AS NEW_NAME,
        POOL.NEW_PAGE,
        POOL.BPNAME AS NEW_POOL,
        'BP' || CAST(CAST(FLOOR(O.PAGE_KB) AS BIGINT) AS VARCHAR(20)) || 'K' AS CREATED_POOL,
        CASE
            WHEN T.TBSP_EXTENT_SIZE * T.TBSP_PAGE_SIZE < 2 * POOL.NEW_PAGE THEN CAST(2 AS BIGINT)
            ELSE CAST(FLOOR(CAST(T.TBSP_EXTENT_SIZE * T.TBSP_PAGE_SIZE AS DOUBLE) / NULLIF(POOL.NEW_PAGE, 0)) AS BIGINT)
        END AS NEW_EXTENT,
        CAST(CAST(ROUND(
            CAST(T.TBSP_USED_PAGES_ALL AS DOUBLE) * T.TBSP_PAGE_SIZE / CAST(1073741824 AS DOUBLE), 0) AS BIGINT)
            AS VARCHAR(20)) AS GB,
        B.BP_NAME,
        B.AUTOMATIC,
        B.NPAGES,
        B.BP_CUR_BUFFSZ,
        CAST(FLOOR(LEAST(0.5, COALESCE(CAST(T.LOGICAL_READS AS DOUBLE) / NULLIF(B.LOGICAL_READS, 0), 0)) * B.BP_CUR_BUFFSZ) AS BIGINT) AS PART
    FROM TUNE.TABLESPACE AS T
    INNER JOIN TUNE.BUFFERPOOL AS B ON T.BPNAME = B.BP_NAME
    CROSS JOIN POOL
    CROSS JOIN TUNE.WORKLOAD_CLASS AS K
    CROSS JOIN TUNE.O_TABLESPACE_PAGE_SIZE_BI AS O
    WHERE
        T.TBSP_PAGE_SIZE <= 1024 * O.MAX_PAGE_KB
        AND T.TBSP_PAGE_SIZE < POOL.NEW_PAGE
        AND K.CLASS = 'BI'
        AND T.CLASS = 'BI'
        AND T.BUSY = 1
        AND T.ASYNC_PART >= O.MIN_ASYNC_PART
        AND T.SHARE_PCT + T.PREFETCH_WAIT_PCT >= O.MIN_SHARE_PCT
        AND T.TBSP_CONTENT_TYPE NOT IN ('SYSTEMP', 'USRTEMP')
        AND T.TBSP_NAME <> 'SYSCATSPACE'
        AND CAST(T.TBSP_USED_PAGES_ALL AS DOUBLE) * T.TBSP_PAGE_SIZE >= O.MIN_GB * 1073741824
        AND NOT EXISTS (SELECT 1 FROM TUNE.D_CAT_TABLE AS C WHERE C.TBSPACE = T.TBSP_NAME AND C.TABLEORG = 'C')
),
PLAN AS (
    SELECT
        SPACE.*,
        CASE
            WHEN NEW_POOL IS NOT NULL THEN ''
            WHEN AUTOMATIC = 1
                THEN 'CREATE BUFFERPOOL "' || CREATED_POOL || '" IMMEDIATE SIZE AUTOMATIC PAGESIZE '
                || CAST(NEW_PAGE AS VARCHAR(20)) || CHR(10)
            ELSE 'ALTER BUFFERPOOL "' || REPLACE(BP_NAME, '"', '""') || '" IMMEDIATE SIZE '
                || CAST(BP_CUR_BUFFSZ - PART AS VARCHAR(20)) || CHR(10)
                || 'CREATE BUFFERPOOL "' || CREATED_POOL || '" IMMEDIATE SIZE '
                || CAST(CAST(FLOOR(CAST(PART * TBSP_PAGE_SIZE AS DOUBLE) / NULLIF(NEW_PAGE, 0)) AS BIGINT)
                    AS VARCHAR(20)) || ' PAGESIZE ' || CAST(NEW_PAGE AS VARCHAR(20)) || CHR(10)
        END AS POOL_TEXT,
        CASE
            WHEN NEW_POOL IS NOT NULL THEN ''
            WHEN AUTOMATIC = 1 THEN CHR(10) || 'DROP BUFFERPOOL "' || CREATED_POOL || '"'
            ELSE CHR(10) || 'DROP BUFFERPOOL "' || CREATED_POOL || '"' || CHR(10)
                || 'ALTER BUFFERPOOL "' || REPLACE(BP_NAME, '"', '""') || '" IMMEDIATE SIZE '
                || CAST(COALESCE(NPAGES, BP_CUR_BUFFSZ) AS VARCHAR(20))
        END AS POOL_UNDO,
        'CREATE TABLESPACE "' || REPLACE(NEW_NAME, '"', '""') || '"' AS CREATE_SPACE,
        ' PAGESIZE ' || CAST(NEW_PAGE AS VARCHAR(20)) AS PAGE_TEXT,
        ' EXTENTSIZE ' || CAST(NEW_EXTENT AS VARCHAR(20)) || ' PREFETCHSIZE '
        || CASE WHEN PREFETCHSIZE > 0 AND CONTAINERS > 0 THEN CAST(NEW_EXTENT * CONTAINERS AS VARCHAR(20)) ELSE 'AUTOMATIC' END
        || ' BUFFERPOOL "' || REPLACE(COALESCE(NEW_POOL, CREATED_POOL), '"', '""') || '"' AS SIZE_TEXT
    FROM SPACE
    WHERE NEW_POOL IS NOT NULL OR AUTOMATIC = 1 OR PART >= 1000
)
SELECT
    'TABLESPACE' AS OBJECT_TYPE,
    P.TBSP_NAME AS OBJECT_NAME,
    CAST(NULL AS SMALLINT) AS MEMBER,
    (P.PREFETCH_WAIT_PCT + P.SCAN_PCT) * P.P_BI AS CLAIMED_PCT,
    CAST(0.02 AS DOUBLE) AS RECOVER_LOW,
    CAST(0.05 AS DOUBLE) AS RECOVER_EXPECTED,
    CAST(0.1 AS DOUBLE) AS RECOVER_HIGH,
    CAST(0.3 AS DOUBLE) AS CONFIDENCE,
    'TABLESPACE:' || P.TBSP_NAME || ':PAGESIZE' AS TARGET,
    CAST(P.TBSP_PAGE_SIZE AS VARCHAR(20)) AS CURRENT_VALUE,
    CAST(P.NEW_PAGE AS VARCHAR(20)) AS PROPOSED_VALUE,
    'bytes' AS UNIT,
    CAST(0 AS BIGINT) AS MEMORY_DELTA_KB,
    P.POOL_TEXT || M.HINT_TEXT || P.CREATE_SPACE || M.IN_TEXT || P.PAGE_TEXT || M.STORAGE_TEXT || P.SIZE_TEXT
    || CHR(10) || REPLACE(M.MOVE_TEXT, '{to}', P.NEW_NAME) AS ACTION_TEXT,
    REPLACE(M.BACK_TEXT, '{to}', P.NEW_NAME)
    || CASE
        WHEN M.MOVE_NUMBER = 1
            THEN CHR(10) || 'DROP TABLESPACE "' || REPLACE(P.NEW_NAME, '"', '""') || '"' || P.POOL_UNDO
        ELSE ''
    END AS UNDO_TEXT,
    'TBSP_PAGE_SIZE=' || CAST(P.TBSP_PAGE_SIZE AS VARCHAR(20))
    || '; size_gb=' || P.GB
    || '; pages_prefetched=' || CAST(P.ASYNC_READS AS VARCHAR(20))
    || '; prefetched_part=' || CAST(CAST(ROUND(P.ASYNC_PART, 2) AS DECIMAL(9, 2)) AS VARCHAR(20)) AS EVIDENCE,
    P.GB || ' GB in pages of ' || CAST(P.TBSP_PAGE_SIZE AS VARCHAR(20)) || ' bytes are read by scans ('
    || CAST(CAST(ROUND(100 * P.ASYNC_PART, 0) AS INTEGER) AS VARCHAR(20))
    || ' % prefetched): larger pages need fewer reads.' AS FINDING,
    P.SCAN_PCT * P.P_BI AS CLAIM_2_PCT,
    CAST(0 AS DOUBLE) AS CLAIM_3_PCT
FROM PLAN AS P
INNER JOIN TUNE.TABLE_MOVE AS M ON P.TBSP_NAME = M.TBSP_NAME
WHERE NOT EXISTS (SELECT 1 FROM TUNE.TABLESPACE AS N WHERE N.TBSP_NAME = P.NEW_NAME)
