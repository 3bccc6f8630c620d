-- The memory that a member may still get, in KB, one row. The tightest member decides. An unknown bound does not bind.
-- The bounds are
-- - what each limit gives (MEMORY_LIMIT);
-- - one step: as much again as Db2 holds, or half of the existing memory if that is more, because the next run measures
--   the effect; if free memory is unknown, at most half of the memory that Db2 does not hold.
--
-- BUDGET_KB: the least of the bounds. NULL if all are unknown: rules that need much memory then report that they need
--   the host's. It is 0 while WITHHELD is 1
-- WITHHELD: 1 while a host has too little memory already, or a hypervisor takes memory back (MEMORY_PRESSURE)
-- MEMBER_MEMORY_KB: the whole memory for a member, by the same limits without DATABASE_MEMORY
-- HOST_KB: what the limits give that are not Db2's own settings
-- INSTANCE_KB: a member's part of a fixed INSTANCE_MEMORY
-- INSTANCE_LEFT_KB: what INSTANCE_KB still gives
WITH HELD AS (
    SELECT MEMBER, SUM(MEMORY_SET_COMMITTED) AS COMMITTED_KB
    FROM TUNE.D_MEMORY_SET
    GROUP BY MEMBER
),
TIGHTEST (LIMIT_NAME, OWN, LIMIT_KB, KB) AS (
    SELECT LIMIT_NAME, OWN, LIMIT_KB, GIVES_KB FROM TUNE.MEMORY_LIMIT
    UNION ALL
    SELECT
        'step',
        0,
        CAST(NULL AS DOUBLE),
        CASE
            WHEN L.ROOM_KB IS NOT NULL THEN GREATEST(0.5 * L.LIMIT_KB, COALESCE(H.COMMITTED_KB, 0))
            WHEN H.COMMITTED_KB IS NOT NULL
                THEN LEAST(H.COMMITTED_KB, 0.5 * GREATEST(0, L.LIMIT_KB - H.COMMITTED_KB))
        END
    FROM TUNE.MEMORY_LIMIT AS L
    LEFT JOIN HELD AS H ON L.MEMBER = H.MEMBER
    WHERE L.LIMIT_NAME = 'host'
    UNION ALL
    SELECT 'withheld', 0, CAST(NULL AS DOUBLE), CAST(0 AS DOUBLE)
    FROM TUNE.MEMORY_PRESSURE
    WHERE SWAPS = 1 OR FULL_UP = 1 OR OVER_PROMISED = 1 OR TAKEN = 1
)
SELECT
    CASE WHEN MIN(KB) IS NOT NULL THEN CAST(FLOOR(GREATEST(0, MIN(KB))) AS BIGINT) END AS BUDGET_KB,
    MAX(CASE WHEN LIMIT_NAME = 'withheld' THEN 1 ELSE 0 END) AS WITHHELD,
    CAST(FLOOR(MIN(CASE WHEN OWN < 2 THEN LIMIT_KB END)) AS BIGINT) AS MEMBER_MEMORY_KB,
    CAST(FLOOR(MIN(CASE WHEN OWN = 0 THEN CASE WHEN KB < 0 THEN 0 ELSE KB END END)) AS BIGINT) AS HOST_KB,
    CAST(FLOOR(MIN(CASE WHEN OWN = 1 THEN LIMIT_KB END)) AS BIGINT) AS INSTANCE_KB,
    CAST(FLOOR(MIN(CASE WHEN OWN = 1 THEN CASE WHEN KB < 0 THEN 0 ELSE KB END END)) AS BIGINT) AS INSTANCE_LEFT_KB
FROM TIGHTEST
