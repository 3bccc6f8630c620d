-- The buffer pool for the contents of a table space on larger pages, a row for each table space and page size
-- (NEW_PAGE, in bytes). PRESENT_POOL is the largest of that page size, where Db2 sizes it or it takes half of what
-- they take of their pool now, at least; NULL where one has to be made. That one gets NEW_POOL_PAGES in the end, and
-- POOL_REST stays with the present pool, which gives them up when the tables have moved: not before, for until then
-- their pages are read there. FIRST_POOL_PAGES is what the new pool begins with: all of it where memory is there for
-- both (FIRST_POOL_KB); the least that a pool has where a single table is moved offline, so that nobody reads it
-- before memory has followed. Otherwise it is not POSSIBLE: tables would be read through a pool that is too small.
-- Sizes are NULL where Db2 sizes the pools.
WITH SIZED AS (
    SELECT
        M.TBSP_NAME,
        N.NEW_PAGE,
        M.POOL_AUTOMATIC,
        M.POOL_PAGES,
        M.POOL_PART,
        M.MOVES,
        M.WAY,
        CAST(M.POOL_PART AS DOUBLE) * M.TBSP_PAGE_SIZE AS PART_BYTES,
        CAST(FLOOR(CAST(M.POOL_PART * M.TBSP_PAGE_SIZE AS DOUBLE) / NULLIF(N.NEW_PAGE, 0)) AS BIGINT) AS NEW_POOL_PAGES
    FROM TUNE.TABLE_MOVE AS M
    CROSS JOIN (VALUES (8192), (16384), (32768)) AS N (NEW_PAGE)
    WHERE M.MOVE_NUMBER = 1 AND M.BP_NAME IS NOT NULL AND M.TBSP_PAGE_SIZE < N.NEW_PAGE
),
PRESENT AS (
    SELECT
        Z.TBSP_NAME,
        Z.NEW_PAGE,
        B.BP_NAME,
        ROW_NUMBER() OVER (PARTITION BY Z.TBSP_NAME, Z.NEW_PAGE ORDER BY B.BP_CUR_BUFFSZ DESC, B.BP_NAME) AS PLACE
    FROM SIZED AS Z
    INNER JOIN TUNE.BUFFERPOOL AS B ON Z.NEW_PAGE = B.PAGESIZE
    WHERE B.AUTOMATIC = 1 OR 2 * CAST(B.BP_CUR_BUFFSZ AS DOUBLE) * B.PAGESIZE >= Z.PART_BYTES
)
SELECT
    Z.TBSP_NAME,
    Z.NEW_PAGE,
    P.BP_NAME AS PRESENT_POOL,
    CASE WHEN Z.POOL_AUTOMATIC = 0 THEN Z.NEW_POOL_PAGES END AS NEW_POOL_PAGES,
    CASE WHEN Z.POOL_AUTOMATIC = 0 THEN Z.POOL_PAGES - Z.POOL_PART END AS POOL_REST,
    CASE
        WHEN Z.POOL_AUTOMATIC = 1 OR Z.NEW_POOL_PAGES < 1000 THEN NULL
        WHEN 1024 * B.BUDGET_KB >= Z.PART_BYTES THEN Z.NEW_POOL_PAGES
        WHEN Z.MOVES = 1 AND Z.WAY = 'offline' THEN 1000
    END AS FIRST_POOL_PAGES,
    CASE
        WHEN P.BP_NAME IS NULL AND Z.POOL_AUTOMATIC = 0 AND 1024 * B.BUDGET_KB >= Z.PART_BYTES
            THEN CAST(CEIL(Z.PART_BYTES / CAST(1024 AS DOUBLE)) AS BIGINT)
        ELSE 0
    END AS FIRST_POOL_KB,
    CASE
        WHEN P.BP_NAME IS NOT NULL OR Z.POOL_AUTOMATIC = 1 THEN 1
        WHEN Z.NEW_POOL_PAGES < 1000 THEN 0
        WHEN 1024 * B.BUDGET_KB >= Z.PART_BYTES OR (Z.MOVES = 1 AND Z.WAY = 'offline') THEN 1
        ELSE 0
    END AS POSSIBLE
FROM SIZED AS Z
CROSS JOIN TUNE.MEMORY_BUDGET AS B
LEFT JOIN PRESENT AS P ON Z.TBSP_NAME = P.TBSP_NAME AND Z.NEW_PAGE = P.NEW_PAGE AND P.PLACE = 1
