-- The account of memory.

-- name: memory_account
-- The account of memory of the member with the least memory to give, in KB: its limits (MEMORY_LIMIT), areas of Db2,
-- what the list takes and frees, and what is left for more changes.
--
-- SIZE_KB: memory within a limit, or of an area: configured, or its peak
-- USED_KB, FREE_KB: parts of a limit in use and free; NULL if unknown
-- RESERVE_KB: part of FREE_KB that stays free
WITH TIGHT AS (
    SELECT
        MEMBER,
        ROW_NUMBER() OVER (ORDER BY MIN(GIVES_KB) NULLS LAST, MEMBER) AS PLACE
    FROM TUNE.MEMORY_LIMIT
    GROUP BY MEMBER
),
TAKEN AS (
    SELECT
        COALESCE(SUM(CASE WHEN MEMORY_DELTA_KB > 0 THEN CAST(MEMORY_DELTA_KB AS BIGINT) END), 0) AS TAKEN_KB,
        COALESCE(-SUM(CASE WHEN MEMORY_DELTA_KB < 0 THEN CAST(MEMORY_DELTA_KB AS BIGINT) END), 0) AS FREED_KB
    FROM TUNE.ADVICE
    WHERE POSITION IS NOT NULL
),
AREA (PLACE, WHAT, SIZE_KB) AS (
    SELECT 10, 'Buffer pools', SUM(BP_CUR_BUFFSZ * CAST(PAGESIZE AS DOUBLE)) / CAST(1024 AS DOUBLE)
    FROM TUNE.BUFFERPOOL
    UNION ALL
    SELECT 11, 'Sorts, at their peak', CAST(4 * (PRIVATE_TOP + SHARED_TOP) AS DOUBLE) FROM TUNE.SORT_WORK
    UNION ALL
    SELECT
        CASE NAME WHEN 'pckcachesz' THEN 12 WHEN 'locklist' THEN 13 ELSE 14 END,
        CASE NAME WHEN 'pckcachesz' THEN 'Package cache' WHEN 'locklist' THEN 'Lock list' ELSE 'Utility heap' END,
        4 * CAST(NUM AS DOUBLE)
    FROM TUNE.SETTING
    WHERE SCOPE = 'DB' AND NAME IN ('pckcachesz', 'locklist', 'util_heap_sz')
),
ITEM (PLACE, WHAT, SIZE_KB, USED_KB, FREE_KB, RESERVE_KB) AS (
    SELECT
        CASE L.LIMIT_NAME WHEN 'host' THEN 1 WHEN 'group' THEN 2 WHEN 'computed' THEN 3 ELSE 3 + L.OWN END,
        CASE L.LIMIT_NAME
            WHEN 'host' THEN 'Host ' || L.HOST_NAME
            WHEN 'group' THEN 'Limit of the container or guest'
            WHEN 'computed' THEN 'Limit that Db2 computed'
            ELSE L.LIMIT_NAME
        END,
        L.LIMIT_KB,
        L.LIMIT_KB - L.ROOM_KB,
        L.ROOM_KB,
        L.RESERVE_KB
    FROM TUNE.MEMORY_LIMIT AS L
    INNER JOIN TIGHT AS T ON L.MEMBER = T.MEMBER AND T.PLACE = 1
    UNION ALL
    SELECT PLACE, WHAT, SIZE_KB, CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE)
    FROM AREA
    WHERE SIZE_KB > 0
    UNION ALL
    SELECT
        20, 'Freed by this list', CAST(FREED_KB AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE),
        CAST(NULL AS DOUBLE)
    FROM TAKEN
    WHERE FREED_KB > 0
    UNION ALL
    SELECT
        21, 'Taken by this list', CAST(TAKEN_KB AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE),
        CAST(NULL AS DOUBLE)
    FROM TAKEN
    WHERE TAKEN_KB > 0
    UNION ALL
    SELECT
        22,
        CASE WHEN B.WITHHELD = 1 THEN 'Left: none while the host lacks memory' ELSE 'Left for more changes' END,
        CASE
            WHEN B.WITHHELD = 1 THEN CAST(0 AS DOUBLE)
            ELSE CAST(GREATEST(0, B.BUDGET_KB + T.FREED_KB - T.TAKEN_KB) AS DOUBLE)
        END,
        CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE)
    FROM TAKEN AS T
    CROSS JOIN TUNE.MEMORY_BUDGET AS B
    WHERE B.BUDGET_KB IS NOT NULL
)
SELECT WHAT, SIZE_KB, USED_KB, FREE_KB, RESERVE_KB
FROM ITEM
WHERE EXISTS (SELECT 1 FROM TIGHT)
ORDER BY PLACE
