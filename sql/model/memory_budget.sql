-- How much memory a member may still be given, in KB: the least of what its host can give out, less a reserve of
-- 5 % of the host's memory (15 % on a virtual machine), divided over the members there; of what the limit of the
-- control group leaves, likewise; of what a fixed INSTANCE_MEMORY leaves beside the committed memory sets of the
-- member; and of what a fixed DATABASE_MEMORY leaves beside what the database uses. The tightest member rules. A
-- bound that is not known, or AUTOMATIC, does not bind; NULL where none is known: rules that ask for much memory say
-- that they need the host's. While a host has too little memory already (MEMORY_PRESSURE) it is 0.
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
        CASE
            WHEN P.LIMIT_KB IS NULL THEN H.MEMBER_MEMORY_KB
            ELSE CAST(FLOOR(P.LIMIT_KB / NULLIF(P.MEMBERS, 0)) AS BIGINT)
        END AS MEMBER_MEMORY_KB,
        (P.FREE_KB - P.BOUND_KB * CASE WHEN P.IS_VIRTUAL = 0 THEN 0.05 ELSE 0.15 END) / NULLIF(P.MEMBERS, 0) AS HOST_KB,
        (P.LIMIT_KB * CASE WHEN P.IS_VIRTUAL = 0 THEN 0.95 ELSE 0.85 END - COALESCE(P.COMMITTED_KB, 0))
        / NULLIF(P.MEMBERS, 0) AS LIMIT_KB,
        CAST(F.INSTANCE_KB - S.COMMITTED_KB AS DOUBLE) AS INSTANCE_KB,
        CAST(F.DATABASE_KB - S.USED_KB AS DOUBLE) AS DATABASE_KB,
        CASE WHEN P.SWAPS = 1 OR P.FULL_UP = 1 OR P.OVER_PROMISED = 1 THEN CAST(0 AS DOUBLE) END AS VETO_KB
    FROM TUNE.HOST AS H
    INNER JOIN TUNE.MEMORY_PRESSURE AS P ON H.HOST_NAME = P.HOST_NAME
    CROSS JOIN FIXED AS F
    LEFT JOIN IN_SETS AS S ON H.MEMBER = S.MEMBER
),
TIGHTEST (MEMBER_MEMORY_KB, KB) AS (
    SELECT
        MIN(MEMBER_MEMORY_KB) AS MEMBER_MEMORY_KB,
        MIN(HOST_KB) AS KB
    FROM BOUND
    UNION ALL
    SELECT CAST(NULL AS BIGINT), MIN(LIMIT_KB) FROM BOUND
    UNION ALL
    SELECT CAST(NULL AS BIGINT), MIN(INSTANCE_KB) FROM BOUND
    UNION ALL
    SELECT CAST(NULL AS BIGINT), MIN(DATABASE_KB) FROM BOUND
    UNION ALL
    SELECT CAST(NULL AS BIGINT), MIN(VETO_KB) FROM BOUND
)
SELECT
    CASE WHEN MIN(KB) IS NOT NULL THEN CAST(FLOOR(GREATEST(0, MIN(KB))) AS BIGINT) END AS BUDGET_KB,
    MAX(MEMBER_MEMORY_KB) AS MEMBER_MEMORY_KB
FROM TIGHTEST
