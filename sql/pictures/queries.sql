-- The rows of the pictures of the advice.

-- name: memory
-- The memory sets of a member next to the memory that it may still get (MEMORY_BUDGET), in KB: as it is, and after all
-- advice of the list. The member is the one with the largest sets; LEFT_KB is NULL if no bound is known.
WITH HELD AS (
    SELECT MAX(COMMITTED_KB) AS COMMITTED_KB
    FROM (
        SELECT MEMBER, SUM(MEMORY_SET_COMMITTED) AS COMMITTED_KB
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
    SELECT 1 AS PLACE, 'Now' AS WHAT, H.COMMITTED_KB, CAST(0 AS BIGINT) AS ADDED_KB, B.BUDGET_KB
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
SELECT WHAT, HELD_KB, ADDED_KB, LEFT_KB
FROM STATE
WHERE HELD_KB IS NOT NULL
ORDER BY PLACE

-- name: bufferpools
-- The buffer pools by the reads that agents waited for: size in KB per member, hit ratios in percent, and the number of
-- these reads that one step of more memory would save (POOL_GROWTH), with the new size.
SELECT
    B.BP_NAME,
    B.BP_CUR_BUFFSZ * CAST(B.PAGESIZE AS DOUBLE) / 1024 AS SIZE_KB,
    100 * B.DATA_HIT_RATIO AS DATA_HIT_PCT,
    100 * B.INDEX_HIT_RATIO AS INDEX_HIT_PCT,
    B.SYNC_READS,
    G.NEW_PAGES * CAST(B.PAGESIZE AS DOUBLE) / 1024 AS NEW_KB,
    G.SAVED_READS
FROM TUNE.BUFFERPOOL AS B
LEFT JOIN TUNE.POOL_GROWTH AS G ON B.BP_NAME = G.BP_NAME
WHERE B.LOGICAL_READS > 0
ORDER BY B.SYNC_READS DESC, B.BP_NAME
FETCH FIRST 20 ROWS ONLY

-- name: containers
-- The containers of the table spaces with the longest waits for reads: path, pages read, and milliseconds per page,
-- next to those of the fastest container of the table space.
WITH EACH AS (
    SELECT
        C.CONTAINER_NAME,
        C.TBSP_NAME,
        C.MEMBER,
        C.CONTAINER_ID,
        P.DEVICE,
        C.PAGES_READ,
        CAST(C.POOL_READ_TIME AS DOUBLE) / NULLIF(C.PAGES_READ, 0) AS MS_PER_PAGE,
        SUM(C.POOL_READ_TIME) OVER (PARTITION BY C.TBSP_NAME) AS SPACE_MS
    FROM TUNE.D_CONTAINER AS C
    LEFT JOIN TUNE.CONTAINER AS P
        ON C.TBSP_NAME = P.TBSP_NAME AND C.MEMBER = P.MEMBER AND C.CONTAINER_ID = P.CONTAINER_ID
    WHERE C.PAGES_READ > 0 AND C.POOL_READ_TIME IS NOT NULL
)
SELECT
    CONTAINER_NAME,
    TBSP_NAME,
    MEMBER,
    DEVICE,
    PAGES_READ,
    MS_PER_PAGE,
    MIN(MS_PER_PAGE) OVER (PARTITION BY TBSP_NAME) AS FASTEST_MS
FROM EACH
ORDER BY SPACE_MS DESC, TBSP_NAME, MEMBER, CONTAINER_ID
FETCH FIRST 40 ROWS ONLY

-- name: members
-- Database time, processor time and rows of each member, if there are several, next to the database time of the member
-- with the least: a difference is skew. Times are milliseconds; the monitor counts processor time in microseconds.
SELECT
    M.MEMBER,
    M.DBT_MS,
    M.TOTAL_CPU_TIME / CAST(1000 AS DOUBLE) AS CPU_MS,
    M.ROWS_READ,
    A.LEAST_MS
FROM TUNE.MEMBER_TIME AS M
CROSS JOIN (
    SELECT COUNT(*) AS MEMBERS, MIN(DBT_MS) AS LEAST_MS
    FROM TUNE.MEMBER_TIME
) AS A
WHERE A.MEMBERS > 1 AND M.DBT_MS > 0
ORDER BY M.MEMBER
FETCH FIRST 100 ROWS ONLY

-- name: log
-- The active log of each member against its size, in KB: the space in use, the peak since activation, primary files and
-- all files. With infinite logging (LOGSECOND -1) only the primary files are reserved.
SELECT
    L.MEMBER,
    CAST(G.TOTAL_LOG_USED AS DOUBLE) / 1024 AS USED_KB,
    CAST(L.TOT_LOG_USED_TOP AS DOUBLE) / 1024 AS TOP_KB,
    4 * CAST(L.LOGPRIMARY AS DOUBLE) * L.LOGFILSIZ AS PRIMARY_KB,
    4 * CAST(L.LOGPRIMARY + GREATEST(L.LOGSECOND, 0) AS DOUBLE) * L.LOGFILSIZ AS SIZE_KB
FROM TUNE.LOG AS L
INNER JOIN TUNE.D_TRANSACTION_LOG AS G ON L.MEMBER = G.MEMBER
WHERE
    L.LOGPRIMARY IS NOT NULL AND L.LOGSECOND IS NOT NULL AND L.LOGFILSIZ IS NOT NULL
    AND L.TOT_LOG_USED_TOP IS NOT NULL
ORDER BY L.MEMBER
FETCH FIRST 100 ROWS ONLY
