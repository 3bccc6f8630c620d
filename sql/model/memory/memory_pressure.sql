-- The memory of every host with members in KB, one row per host, and whether it is already too little. While SWAPS,
-- TAKEN, FULL_UP or OVER_PROMISED is 1, no rule advises to use more memory.
--
-- BOUND_KB: the memory that exists: the host's, or LIMIT_KB if that is less
-- LIMIT_KB: limit of the control group or zone, or the hypervisor's for the guest
-- AVAILABLE_KB: memory that may be used, with page cache that can be dropped; known only from the host facts
-- FREE_KB: AVAILABLE_KB, or the memory that Db2 sees unused
-- HIDDEN_KB: memory in use, but not in Db2's memory sets, if the host facts do not tell how much of it can be dropped:
--   mostly page cache (Windows counts that as unused)
-- TAKEN_KB: memory that a hypervisor has taken back
-- COMMITTED_KB: size of Db2's memory sets
-- INSTANCE_PCT: INSTANCE_MEMORY if it is a percentage of the existing memory
-- PROMISED_KB: sum that Db2's settings promise: a fixed INSTANCE_MEMORY, otherwise a fixed DATABASE_MEMORY or the
--   pools, whichever is more
-- SWAPS: 1 if it swaps, in or out, in the interval or, with one snapshot, while the host facts were collected
-- TAKEN: 1 if TAKEN_KB is a hundredth of the memory or more
-- FULL_UP, OVER_PROMISED: 1 if too little is free, or too much is promised, by the site's options
WITH FIXED AS (
    SELECT
        MAX(CASE WHEN SCOPE = 'DBM' AND NAME = 'instance_memory' AND FIXED = 1 THEN NUM END) AS INSTANCE_NUM,
        MAX(CASE WHEN SCOPE = 'DB' AND NAME = 'database_memory' AND FIXED = 1 THEN 4 * NUM END) AS DATABASE_KB
    FROM TUNE.SETTING
),
POOLS AS (
    SELECT
        LASTPOOL.MEMBER,
        CAST(SUM(LASTPOOL.BP_CUR_BUFFSZ * CAST(CATPOOL.PAGESIZE AS DOUBLE)) AS DOUBLE) / 1024 AS POOLS_KB
    FROM TUNE.L_BUFFERPOOL AS LASTPOOL
    INNER JOIN TUNE.D_CAT_BUFFERPOOL AS CATPOOL ON LASTPOOL.BP_NAME = CATPOOL.BPNAME
    GROUP BY LASTPOOL.MEMBER
),
SETS AS (
    SELECT MEMBER, SUM(MEMORY_SET_COMMITTED) AS COMMITTED_KB
    FROM TUNE.D_MEMORY_SET
    GROUP BY MEMBER
),
FACT AS (
    SELECT
        HOST,
        MAX(CASE WHEN FACT_KEY = 'memory' AND ITEM = 'available_kb' THEN NUM END) AS AVAILABLE_KB,
        MAX(CASE WHEN FACT_KEY = 'memory' AND ITEM = 'swap_out_per_s' THEN NUM END) AS SWAP_OUT_KB,
        MAX(CASE WHEN FACT_KEY = 'memory' AND ITEM = 'swap_in_per_s' THEN NUM END) AS SWAP_IN_KB,
        MAX(CASE WHEN FACT_KEY = 'sysctl' AND ITEM = 'page_kb' THEN NUM END) AS PAGE_KB,
        MIN(CASE
            WHEN (FACT_KEY = 'cgroup' AND ITEM = 'memory_limit_mb') OR (FACT_KEY = 'virtual' AND ITEM = 'limit_mb')
                THEN 1024 * NULLIF(NUM, 0)
        END) AS LIMIT_KB,
        SUM(CASE WHEN FACT_KEY = 'virtual' AND ITEM IN ('balloon_mb', 'host_swap_mb') THEN 1024 * NUM END) AS TAKEN_KB,
        MAX(CASE WHEN FACT_KEY = 'virtual' AND ITEM = 'type' AND VALUE <> 'none' THEN 1 ELSE 0 END) AS IS_VIRTUAL
    FROM TUNE.HOST_FACT
    GROUP BY HOST
),
HELD AS (
    SELECT
        HOST.HOST_NAME,
        MAX(HOST.MEMBERS) AS MEMBERS,
        1024 * CAST(MAX(HOST.MEMORY_TOTAL) AS DOUBLE) AS TOTAL_KB,
        1024 * CAST(MAX(HOST.MEMORY_FREE) AS DOUBLE) AS UNUSED_KB,
        CAST(MAX(CASE WHEN SPAN.USABLE = 1 AND SPAN.SOURCE = 'DELTA' THEN HOST.SWAP_PAGES_OUT END) AS DOUBLE)
        / NULLIF(SPAN.SECONDS, 0) AS SWAP_OUT_PER_S,
        CAST(MAX(CASE WHEN SPAN.USABLE = 1 AND SPAN.SOURCE = 'DELTA' THEN HOST.SWAP_PAGES_IN END) AS DOUBLE)
        / NULLIF(SPAN.SECONDS, 0) AS SWAP_IN_PER_S,
        MAX(P.POOLS_KB) AS POOLS_KB,
        SUM(S.COMMITTED_KB) AS COMMITTED_KB
    FROM TUNE.HOST AS HOST
    CROSS JOIN TUNE.RUN_WINDOW AS SPAN
    LEFT JOIN POOLS AS P ON HOST.MEMBER = P.MEMBER
    LEFT JOIN SETS AS S ON HOST.MEMBER = S.MEMBER
    GROUP BY HOST.HOST_NAME, SPAN.SECONDS
),
MEASURED AS (
    SELECT
        H.HOST_NAME,
        H.MEMBERS,
        H.TOTAL_KB,
        CASE WHEN F.LIMIT_KB < H.TOTAL_KB THEN F.LIMIT_KB ELSE H.TOTAL_KB END AS BOUND_KB,
        CASE WHEN F.LIMIT_KB < H.TOTAL_KB THEN F.LIMIT_KB END AS LIMIT_KB,
        F.AVAILABLE_KB,
        CASE
            WHEN F.AVAILABLE_KB > H.UNUSED_KB OR H.UNUSED_KB IS NULL THEN F.AVAILABLE_KB
            ELSE H.UNUSED_KB
        END AS FREE_KB,
        CASE
            WHEN F.AVAILABLE_KB IS NULL AND DB.PLATFORM <> 'Windows'
                THEN GREATEST(0, COALESCE(H.TOTAL_KB - H.UNUSED_KB - H.COMMITTED_KB, 0))
        END AS HIDDEN_KB,
        F.TAKEN_KB,
        COALESCE(F.IS_VIRTUAL, 0) AS IS_VIRTUAL,
        COALESCE(H.SWAP_OUT_PER_S, F.SWAP_OUT_KB / CAST(NULLIF(COALESCE(F.PAGE_KB, 4), 0) AS DOUBLE)) AS SWAP_OUT_PER_S,
        COALESCE(H.SWAP_IN_PER_S, F.SWAP_IN_KB / CAST(NULLIF(COALESCE(F.PAGE_KB, 4), 0) AS DOUBLE)) AS SWAP_IN_PER_S,
        H.COMMITTED_KB,
        H.POOLS_KB
    FROM HELD AS H
    CROSS JOIN TUNE.RUN_DATABASE AS DB
    LEFT JOIN FACT AS F ON H.HOST_NAME = F.HOST
),
LIMITED AS (
    SELECT
        M.*,
        CASE WHEN X.INSTANCE_NUM BETWEEN 1 AND 100 THEN X.INSTANCE_NUM END AS INSTANCE_PCT,
        -- an instance of that many pages would be too small: 1 to 100 is percent of the existing memory
        CASE
            WHEN X.INSTANCE_NUM BETWEEN 1 AND 100
                THEN CAST(FLOOR(X.INSTANCE_NUM * M.BOUND_KB / CAST(NULLIF(100 * M.MEMBERS, 0) AS DOUBLE)) AS BIGINT)
            ELSE 4 * X.INSTANCE_NUM
        END AS INSTANCE_KB,
        X.DATABASE_KB
    FROM MEASURED AS M
    CROSS JOIN FIXED AS X
),
PROMISED AS (
    SELECT
        L.*,
        L.MEMBERS * CASE
            WHEN L.INSTANCE_KB IS NOT NULL THEN CAST(L.INSTANCE_KB AS DOUBLE)
            WHEN L.DATABASE_KB > COALESCE(L.POOLS_KB, 0) THEN CAST(L.DATABASE_KB AS DOUBLE)
            ELSE COALESCE(L.POOLS_KB, 0)
        END AS PROMISED_KB
    FROM LIMITED AS L
)
SELECT
    P.*,
    CASE
        WHEN P.SWAP_OUT_PER_S >= SITE.SWAP_PAGES_PER_S OR P.SWAP_IN_PER_S >= SITE.SWAP_PAGES_PER_S THEN 1
        ELSE 0
    END AS SWAPS,
    CASE WHEN 100 * P.TAKEN_KB >= P.TOTAL_KB THEN 1 ELSE 0 END AS TAKEN,
    CASE WHEN 100 * P.AVAILABLE_KB < SITE.AVAILABLE_PCT * P.TOTAL_KB THEN 1 ELSE 0 END AS FULL_UP,
    CASE WHEN 100 * P.PROMISED_KB > SITE.PROMISED_PCT * P.BOUND_KB THEN 1 ELSE 0 END AS OVER_PROMISED
FROM PROMISED AS P
CROSS JOIN TUNE.O_SITE AS SITE
