-- How much memory a member may still be given, in KB: the least of what its host has free, less a reserve of
-- 5 % of the host's memory (15 % on a virtual machine), divided over the members there; of what a fixed
-- INSTANCE_MEMORY leaves beside the committed memory sets of the member; and of what a fixed DATABASE_MEMORY
-- leaves beside what the database uses. The tightest member rules. A bound that is not known, or AUTOMATIC,
-- does not bind; NULL where none is known: rules that ask for much memory say that they need the host's.
WITH IN_SETS AS (
    SELECT
        S.MEMBER,
        SUM(S.MEMORY_SET_COMMITTED) AS COMMITTED_KB,
        SUM(CASE WHEN S.MEMORY_SET_TYPE = 'DATABASE' AND S.DB_NAME = D.DB_NAME THEN S.MEMORY_SET_USED END) AS USED_KB
    FROM TUNE.D_MEMORY_SET AS S
    CROSS JOIN TUNE.RUN_DATABASE AS D
    GROUP BY S.MEMBER
),
FIXED AS (
    SELECT
        MAX(CASE WHEN SCOPE = 'DBM' AND NAME = 'instance_memory' AND AUTOMATIC = 0 THEN 4 * NUM END) AS INSTANCE_KB,
        MIN(CASE WHEN SCOPE = 'DB' AND NAME = 'database_memory' AND AUTOMATIC = 0 THEN 4 * NUM END) AS DATABASE_KB
    FROM TUNE.CONFIG
),
BOUND AS (
    SELECT
        H.MEMBER_MEMORY_KB,
        (1024 * CAST(H.MEMORY_FREE AS DOUBLE)
        - 1024 * CAST(H.MEMORY_TOTAL AS DOUBLE) * CASE WHEN V.HOST IS NULL THEN 0.05 ELSE 0.15 END)
        / NULLIF(H.MEMBERS, 0) AS HOST_KB,
        CAST(F.INSTANCE_KB - S.COMMITTED_KB AS DOUBLE) AS INSTANCE_KB,
        CAST(F.DATABASE_KB - S.USED_KB AS DOUBLE) AS DATABASE_KB
    FROM TUNE.HOST AS H
    CROSS JOIN FIXED AS F
    LEFT JOIN IN_SETS AS S ON H.MEMBER = S.MEMBER
    LEFT JOIN (
        SELECT DISTINCT HOST FROM TUNE.D_HOSTFACT
        WHERE FACT_KEY = 'virtual' AND ITEM = 'type' AND VALUE <> 'none'
    ) AS V ON H.HOST_NAME = V.HOST
),
TIGHTEST (MEMBER_MEMORY_KB, KB) AS (
    SELECT
        MIN(MEMBER_MEMORY_KB) AS MEMBER_MEMORY_KB,
        MIN(HOST_KB) AS KB
    FROM BOUND
    UNION ALL
    SELECT CAST(NULL AS BIGINT), MIN(INSTANCE_KB) FROM BOUND
    UNION ALL
    SELECT CAST(NULL AS BIGINT), MIN(DATABASE_KB) FROM BOUND
)
SELECT
    CASE WHEN MIN(KB) IS NOT NULL THEN CAST(FLOOR(GREATEST(0, MIN(KB))) AS BIGINT) END AS BUDGET_KB,
    MAX(MEMBER_MEMORY_KB) AS MEMBER_MEMORY_KB
FROM TIGHTEST
