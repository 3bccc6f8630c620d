-- The memory that a member may still get, in KB, one row. The tightest member decides. An unknown bound does not bind.
-- The bounds are
-- - its host's available memory, less a reserve of 5 % of the host's memory (15 % on a virtual machine), divided by the
--   members there. If only unused memory is known, it may exclude a file cache (HIDDEN_KB): a small step remains, a
--   tenth of the hidden memory, at most a hundredth of the host's memory;
-- - the rest of the control group's limit, likewise;
-- - the rest of INSTANCE_MEMORY without the member's committed memory sets, and of a fixed DATABASE_MEMORY without the
--   database's used memory, in force or pending. AUTOMATIC binds if it is well below the host's memory: then Db2 has
--   detected a limit, of a container or of the licence, that the facts do not contain;
-- - one step: as much again as Db2 holds, or half of the existing memory if that is more, because the next run measures
--   the effect; if free memory is unknown, at most half of the memory that Db2 does not hold.
-- Peaks of Db2 itself are in all of them: it keeps committed memory (db_mem_thresh is 100 from 10.5, r0021625).
--
-- BUDGET_KB: the least of the bounds. NULL if all are unknown: rules that need much memory then report that they need
--   the host's. It is 0 while a host has too little memory already, or a hypervisor takes memory back (MEMORY_PRESSURE)
-- MEMBER_MEMORY_KB: the whole memory for a member, by the same bounds
-- HOST_KB: MEMBER_MEMORY_KB without the two settings of Db2's own
-- INSTANCE_KB: a member's part of a fixed INSTANCE_MEMORY
-- INSTANCE_LEFT_KB: the rest of INSTANCE_KB
WITH IN_SETS AS (
    SELECT
        MEMSET.MEMBER,
        SUM(MEMSET.MEMORY_SET_COMMITTED) AS COMMITTED_KB,
        SUM(
            CASE
                WHEN MEMSET.MEMORY_SET_TYPE = 'DATABASE' AND MEMSET.DB_NAME = DB.DB_NAME THEN MEMSET.MEMORY_SET_USED
            END
        ) AS USED_KB
    FROM TUNE.D_MEMORY_SET AS MEMSET
    CROSS JOIN TUNE.RUN_DATABASE AS DB
    GROUP BY MEMSET.MEMBER
),
WAITING_OR_SET (NAME, AUTOMATIC, NUM) AS (
    SELECT NAME, AUTOMATIC, NUM
    FROM TUNE.CONFIG
    WHERE NAME IN ('instance_memory', 'database_memory')
    UNION ALL
    SELECT NAME, 0, NEXT_NUM
    FROM TUNE.CONFIG
    WHERE PENDING = 1 AND NAME IN ('instance_memory', 'database_memory')
),
SIZES AS (
    SELECT
        MIN(CASE WHEN NAME = 'instance_memory' AND AUTOMATIC = 0 THEN NUM END) AS INSTANCE_NUM,
        MIN(CASE WHEN NAME = 'instance_memory' AND AUTOMATIC = 1 THEN 4 * NUM END) AS COMPUTED_KB,
        MIN(CASE WHEN NAME = 'database_memory' AND AUTOMATIC = 0 THEN 4 * NUM END) AS DATABASE_KB
    FROM WAITING_OR_SET
),
BOUND AS (
    SELECT
        PRESSURE.BOUND_KB / CAST(NULLIF(PRESSURE.MEMBERS, 0) AS DOUBLE) AS PART_KB,
        CASE WHEN PRESSURE.IS_VIRTUAL = 0 THEN 0.05 ELSE 0.15 END AS RESERVE,
        PRESSURE.FREE_KB,
        PRESSURE.BOUND_KB,
        PRESSURE.TOTAL_KB,
        PRESSURE.LIMIT_KB,
        PRESSURE.HIDDEN_KB,
        PRESSURE.COMMITTED_KB AS HOST_COMMITTED_KB,
        PRESSURE.MEMBERS,
        PRESSURE.SWAPS,
        PRESSURE.FULL_UP,
        PRESSURE.OVER_PROMISED,
        PRESSURE.TAKEN,
        S.COMMITTED_KB,
        S.USED_KB,
        X.DATABASE_KB,
        CASE
            WHEN X.INSTANCE_NUM BETWEEN 1 AND 100
                THEN X.INSTANCE_NUM * PRESSURE.BOUND_KB / CAST(NULLIF(100 * PRESSURE.MEMBERS, 0) AS DOUBLE)
            ELSE CAST(4 * X.INSTANCE_NUM AS DOUBLE)
        END AS INSTANCE_KB,
        CASE WHEN PRESSURE.MEMBERS * X.COMPUTED_KB < 0.7 * PRESSURE.BOUND_KB THEN CAST(X.COMPUTED_KB AS DOUBLE) END
            AS COMPUTED_KB
    FROM TUNE.HOST AS HOST
    INNER JOIN TUNE.MEMORY_PRESSURE AS PRESSURE ON HOST.HOST_NAME = PRESSURE.HOST_NAME
    CROSS JOIN SIZES AS X
    LEFT JOIN IN_SETS AS S ON HOST.MEMBER = S.MEMBER
),
TIGHTEST (OWN, MEMBER_MEMORY_KB, KB) AS (
    SELECT
        0 AS OWN,
        PART_KB AS MEMBER_MEMORY_KB,
        GREATEST(
            FREE_KB - RESERVE * BOUND_KB,
            LEAST(0.1 * COALESCE(HIDDEN_KB, 0), 0.01 * TOTAL_KB)
        ) / CAST(NULLIF(MEMBERS, 0) AS DOUBLE) AS KB
    FROM BOUND
    WHERE FREE_KB IS NOT NULL AND BOUND_KB IS NOT NULL
    UNION ALL
    SELECT
        0,
        PART_KB,
        ((1 - RESERVE) * LIMIT_KB - COALESCE(HOST_COMMITTED_KB, 0)) / CAST(NULLIF(MEMBERS, 0) AS DOUBLE)
    FROM BOUND
    UNION ALL
    SELECT 0, COMPUTED_KB, COMPUTED_KB - COMMITTED_KB FROM BOUND
    UNION ALL
    SELECT 1, INSTANCE_KB, INSTANCE_KB - COMMITTED_KB FROM BOUND
    UNION ALL
    SELECT 2, CAST(NULL AS DOUBLE), DATABASE_KB - USED_KB FROM BOUND
    UNION ALL
    SELECT
        0,
        CAST(NULL AS DOUBLE),
        CASE
            WHEN FREE_KB IS NULL THEN LEAST(COMMITTED_KB, 0.5 * GREATEST(0, PART_KB - COMMITTED_KB))
            ELSE GREATEST(0.5 * PART_KB, COALESCE(COMMITTED_KB, 0))
        END
    FROM BOUND
    WHERE FREE_KB IS NOT NULL OR (COMMITTED_KB IS NOT NULL AND PART_KB IS NOT NULL)
    UNION ALL
    SELECT 0, CAST(NULL AS DOUBLE), CAST(0 AS DOUBLE)
    FROM BOUND
    WHERE SWAPS = 1 OR FULL_UP = 1 OR OVER_PROMISED = 1 OR TAKEN = 1
)
SELECT
    CASE WHEN MIN(KB) IS NOT NULL THEN CAST(FLOOR(GREATEST(0, MIN(KB))) AS BIGINT) END AS BUDGET_KB,
    CAST(FLOOR(MIN(MEMBER_MEMORY_KB)) AS BIGINT) AS MEMBER_MEMORY_KB,
    CAST(FLOOR(MIN(CASE WHEN OWN = 0 THEN CASE WHEN KB < 0 THEN 0 ELSE KB END END)) AS BIGINT) AS HOST_KB,
    CAST(FLOOR(MIN(CASE WHEN OWN = 1 THEN MEMBER_MEMORY_KB END)) AS BIGINT) AS INSTANCE_KB,
    CAST(FLOOR(MIN(CASE WHEN OWN = 1 THEN CASE WHEN KB < 0 THEN 0 ELSE KB END END)) AS BIGINT) AS INSTANCE_LEFT_KB
FROM TIGHTEST
