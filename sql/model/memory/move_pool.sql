-- The buffer pool for the contents of a table space on larger pages, one row per table space and page size. The present
-- pool gives its pages up after the tables have moved: until then their pages are read there. Sizes are NULL if Db2
-- sizes the pools.
--
-- NEW_PAGE: new page size, bytes
-- PRESENT_POOL: largest pool of that page size, if Db2 sizes it or it is at least half as large as their part of the
--   present pool; NULL if a pool must be created
-- NEW_POOL_PAGES: pages of the new pool in the end
-- POOL_REST: pages that stay with the present pool
-- FIRST_POOL_PAGES: first size of the new pool: all of it if memory is enough for both; the minimum of a pool if a
--   single table is moved offline, so that nothing reads it before memory has followed
-- FIRST_POOL_KB: memory of the first size, KB
-- POSSIBLE: 0 if tables would be read through a pool that is too small
WITH SIZED AS (
    SELECT
        MOVE.TBSP_NAME,
        N.NEW_PAGE,
        MOVE.POOL_AUTOMATIC,
        MOVE.POOL_PAGES,
        MOVE.POOL_PART,
        MOVE.MOVES,
        MOVE.WAY,
        CAST(MOVE.POOL_PART AS DOUBLE) * MOVE.TBSP_PAGE_SIZE AS PART_BYTES,
        CAST(FLOOR(CAST(MOVE.POOL_PART * MOVE.TBSP_PAGE_SIZE AS DOUBLE) / NULLIF(N.NEW_PAGE, 0)) AS BIGINT)
            AS NEW_POOL_PAGES
    FROM TUNE.TABLE_MOVE AS MOVE
    CROSS JOIN (VALUES (8192), (16384), (32768)) AS N (NEW_PAGE)
    WHERE MOVE.MOVE_NUMBER = 1 AND MOVE.BP_NAME IS NOT NULL AND MOVE.TBSP_PAGE_SIZE < N.NEW_PAGE
),
PRESENT AS (
    SELECT
        Z.TBSP_NAME,
        Z.NEW_PAGE,
        POOL.BP_NAME,
        ROW_NUMBER() OVER (PARTITION BY Z.TBSP_NAME, Z.NEW_PAGE ORDER BY POOL.BP_CUR_BUFFSZ DESC, POOL.BP_NAME) AS PLACE
    FROM SIZED AS Z
    INNER JOIN TUNE.BUFFERPOOL AS POOL ON Z.NEW_PAGE = POOL.PAGESIZE
    WHERE POOL.AUTOMATIC = 1 OR 2 * CAST(POOL.BP_CUR_BUFFSZ AS DOUBLE) * POOL.PAGESIZE >= Z.PART_BYTES
)
SELECT
    Z.TBSP_NAME,
    Z.NEW_PAGE,
    P.BP_NAME AS PRESENT_POOL,
    CASE WHEN Z.POOL_AUTOMATIC = 0 THEN Z.NEW_POOL_PAGES END AS NEW_POOL_PAGES,
    CASE WHEN Z.POOL_AUTOMATIC = 0 THEN Z.POOL_PAGES - Z.POOL_PART END AS POOL_REST,
    CASE
        WHEN Z.POOL_AUTOMATIC = 1 OR Z.NEW_POOL_PAGES < 1000 THEN NULL
        WHEN 1024 * BUDGET.BUDGET_KB >= Z.PART_BYTES THEN Z.NEW_POOL_PAGES
        WHEN Z.MOVES = 1 AND Z.WAY = 'offline' THEN 1000
    END AS FIRST_POOL_PAGES,
    CASE
        WHEN P.BP_NAME IS NULL AND Z.POOL_AUTOMATIC = 0 AND 1024 * BUDGET.BUDGET_KB >= Z.PART_BYTES
            THEN CAST(CEIL(Z.PART_BYTES / CAST(1024 AS DOUBLE)) AS BIGINT)
        ELSE 0
    END AS FIRST_POOL_KB,
    CASE
        WHEN P.BP_NAME IS NOT NULL OR Z.POOL_AUTOMATIC = 1 THEN 1
        WHEN Z.NEW_POOL_PAGES < 1000 THEN 0
        WHEN 1024 * BUDGET.BUDGET_KB >= Z.PART_BYTES OR (Z.MOVES = 1 AND Z.WAY = 'offline') THEN 1
        ELSE 0
    END AS POSSIBLE
FROM SIZED AS Z
CROSS JOIN TUNE.MEMORY_BUDGET AS BUDGET
LEFT JOIN PRESENT AS P ON Z.TBSP_NAME = P.TBSP_NAME AND Z.NEW_PAGE = P.NEW_PAGE AND P.PLACE = 1
