-- Every buffer pool of the catalog with the data for rules that resize it. The other columns are those of BUFFERPOOL.
--
-- SIZEABLE: 1 if one ALTER BUFFERPOOL sets its size on all members: it has a fixed size, the same everywhere, no member
--   has an exception, and no other size is pending until the next activation (NPAGES more than 5 % off the present
--   size)
-- OLD_SIZE: size that undoes a resize
-- STMM: 1 if self-tuning memory could size it: it is on, the site does not forbid it or cap the pools, memory is not
--   pinned in a fixed layout, and the members read alike, since all of them get the sizes of one
-- ANALYTICS: 1 if the database serves column-organized tables
-- POOLS_KB: size of all pools on a member, KB
-- SPARE_PAGES: pages that it can give away: it is larger than all its table spaces, which are not temporary, by far
-- ROOM_KNOWN: 1 if a memory budget or the site's cap is known
-- GROW_PAGES: pages that it may grow on a member: what the site's cap and the memory budget still allow, and what other
--   pools can give away, unless the host lacks memory or the site protects objects or has accepted an oversized pool.
--   Without a known bound 4,000,000,000 KB
WITH POOLS AS (
    SELECT SUM(CAST(FLOOR(BP_CUR_BUFFSZ * CAST(PAGESIZE AS DOUBLE) / 1024) AS BIGINT)) AS POOLS_KB
    FROM TUNE.BUFFERPOOL
),
EXCEPTIONS AS (
    SELECT BUFFERPOOLID, COUNT(*) AS EXCEPTIONS
    FROM TUNE.D_CAT_BUFFERPOOL_EXCEPTION
    GROUP BY BUFFERPOOLID
),
ROOM AS (
    -- 4,000,000,000 KB means "no limit known"
    SELECT
        POOLS.POOLS_KB,
        BUDGET.MEMBER_MEMORY_KB,
        LEAST(
            COALESCE(CAST(BUDGET.BUDGET_KB AS DOUBLE), 4000000000),
            COALESCE(SITE.BUFFERPOOL_CAP_MB * 1024 - POOLS.POOLS_KB, 4000000000)
        ) AS GROW_KB,
        CASE WHEN BUDGET.BUDGET_KB IS NULL AND SITE.BUFFERPOOL_CAP_MB IS NULL THEN 0 ELSE 1 END AS ROOM_KNOWN,
        CASE
            WHEN
                COALESCE(SITE.STMM, 'ON') <> 'OFF' AND SITE.BUFFERPOOL_CAP_MB IS NULL
                AND C.VALUE LIKE 'ON%' AND COALESCE(L.IS_SET, 0) = 0
                THEN 1
            ELSE 0
        END AS STMM,
        CASE WHEN W.VALUE = 'ANALYTICS' THEN 1 ELSE 0 END AS ANALYTICS,
        DB.DB2_LEVEL
    FROM POOLS
    CROSS JOIN TUNE.MEMORY_BUDGET AS BUDGET
    CROSS JOIN TUNE.O_SITE AS SITE
    CROSS JOIN TUNE.RUN_DATABASE AS DB
    LEFT JOIN TUNE.SETTING AS C ON C.SCOPE = 'DB' AND C.NAME = 'self_tuning_mem'
    LEFT JOIN TUNE.SETTING AS L ON L.SCOPE = 'REG' AND L.NAME = 'DB2_LARGE_PAGE_MEM'
    LEFT JOIN TUNE.SETTING AS W ON W.SCOPE = 'REG' AND W.NAME = 'DB2_WORKLOAD'
),
POOL AS (
    SELECT
        POOL.*,
        COALESCE(E.EXCEPTIONS, 0) AS EXCEPTIONS,
        CASE
            WHEN
                POOL.AUTOMATIC = 1 OR E.EXCEPTIONS > 0 OR POOL.MIN_BUFFSZ <> POOL.BP_CUR_BUFFSZ
                OR POOL.BP_CUR_BUFFSZ <= 0
                THEN 0
            WHEN POOL.NPAGES > 0 AND POOL.BP_CUR_BUFFSZ BETWEEN 0.95 * POOL.NPAGES AND 1.05 * POOL.NPAGES THEN 1
            WHEN POOL.NPAGES = -1 AND R.DB2_LEVEL < 10010000 THEN 1
            ELSE 0
        END AS SIZEABLE,
        CAST(POOL.NPAGES AS VARCHAR(20)) AS OLD_SIZE,
        CASE WHEN POOL.UNLIKE = 0 THEN R.STMM ELSE 0 END AS STMM,
        R.ANALYTICS,
        R.POOLS_KB,
        R.MEMBER_MEMORY_KB,
        R.GROW_KB,
        R.ROOM_KNOWN,
        ROUND(GREATEST(CONST.NEW_POOL_PAGES, CONST.KEPT_PART * COALESCE(POOL.SPACE_PAGES, 0)), 0) AS KEPT_PAGES,
        CONST.OVERSIZED_PART * COALESCE(POOL.SPACE_PAGES, 0) AS SPACE_LIMIT,
        CONST.OVERSIZED_MB * CAST(1048576 AS DOUBLE) AS LEAST_BYTES
    FROM TUNE.BUFFERPOOL AS POOL
    CROSS JOIN ROOM AS R
    CROSS JOIN TUNE.CONSTANT AS CONST
    LEFT JOIN EXCEPTIONS AS E ON POOL.BUFFERPOOLID = E.BUFFERPOOLID
    WHERE POOL.PAGESIZE > 0
),
SPARING AS (
    SELECT
        POOL.*,
        CASE
            WHEN
                POOL.SIZEABLE = 1
                AND POOL.TEMPORARY_TABLESPACES = 0
                AND POOL.BP_CUR_BUFFSZ * CAST(POOL.PAGESIZE AS DOUBLE) >= POOL.LEAST_BYTES
                AND POOL.BP_CUR_BUFFSZ > POOL.SPACE_LIMIT
                AND POOL.BP_CUR_BUFFSZ > POOL.KEPT_PAGES
                AND N.POOL_ID IS NULL
                THEN POOL.BP_CUR_BUFFSZ - POOL.KEPT_PAGES
            ELSE 0
        END AS SPARE_PAGES
    FROM POOL
    LEFT JOIN (
        -- a table space changes to it at the next activation
        SELECT DISTINCT TBSP_NEXT_POOL_ID AS POOL_ID
        FROM TUNE.TABLESPACE
        WHERE TBSP_NEXT_POOL_ID <> TBSP_CUR_POOL_ID
    ) AS N ON POOL.BUFFERPOOLID = N.POOL_ID
),
GIVEN AS (
    SELECT
        CASE
            WHEN MAX(M.LACKING) > 0 OR MAX(A.ACCEPTED) > 0 OR MAX(P.PROTECTING) > 0 THEN 0
            ELSE COALESCE(SUM(S.SPARE_PAGES * CAST(S.PAGESIZE AS DOUBLE) / 1024), 0)
        END AS GIVEN_KB
    FROM SPARING AS S
    CROSS JOIN (
        SELECT COUNT(*) AS LACKING
        FROM TUNE.MEMORY_PRESSURE
        WHERE SWAPS = 1 OR FULL_UP = 1 OR OVER_PROMISED = 1 OR TAKEN = 1
    ) AS M
    CROSS JOIN (
        SELECT COUNT(*) AS ACCEPTED
        FROM TUNE.ACCEPTED
        WHERE RULE IN ('bufferpool.oversized-idle', 'bufferpool.unused')
    ) AS A
    CROSS JOIN (SELECT COUNT(*) AS PROTECTING FROM TUNE.OPTION WHERE NAME = 'protected' AND VALUE IS NOT NULL) AS P
)
SELECT
    S.*,
    CAST(FLOOR(
        GREATEST(0, S.GROW_KB + CASE WHEN S.SPARE_PAGES > 0 THEN 0 ELSE G.GIVEN_KB END)
        * 1024 / CAST(NULLIF(S.PAGESIZE, 0) AS DOUBLE)
    ) AS BIGINT) AS GROW_PAGES
FROM SPARING AS S
CROSS JOIN GIVEN AS G
