-- The memory sets of a member next to the memory that it may still get (MEMORY_BUDGET), in KB: as it is, and after all
-- advice of the list. The member is the one with the largest sets; LEFT_KB is NULL if no bound is known.
WITH HELD AS (
    SELECT MAX(COMMITTED_KB) AS COMMITTED_KB
    FROM (
        SELECT
            MEMBER,
            SUM(MEMORY_SET_COMMITTED) AS COMMITTED_KB
        FROM TUNE.D_MEMORY_SET
        GROUP BY MEMBER
    ) AS S
),
ADDED AS (
    SELECT COALESCE(SUM(CAST(MEMORY_DELTA_KB AS BIGINT)), 0) AS DELTA_KB
    FROM TUNE.ADVICE
    WHERE POSITION IS NOT NULL
),
STATE (PLACE, WHAT, HELD_KB, ADDED_KB, LEFT_KB) AS (
    SELECT
        1 AS PLACE,
        'Now' AS WHAT,
        H.COMMITTED_KB,
        CAST(0 AS BIGINT) AS ADDED_KB,
        B.BUDGET_KB
    FROM HELD AS H
    CROSS JOIN TUNE.MEMORY_BUDGET AS B
    UNION ALL
    SELECT
        2,
        'With all advice',
        H.COMMITTED_KB + LEAST(A.DELTA_KB, 0),
        GREATEST(A.DELTA_KB, 0),
        GREATEST(B.BUDGET_KB - A.DELTA_KB, 0)
    FROM HELD AS H
    CROSS JOIN TUNE.MEMORY_BUDGET AS B
    CROSS JOIN ADDED AS A
)
SELECT
    WHAT,
    HELD_KB,
    ADDED_KB,
    LEFT_KB
FROM STATE
WHERE HELD_KB IS NOT NULL
ORDER BY PLACE
