-- The kind of work of the database, one row. A class that the site declared is final. Otherwise the applications'
-- requests decide, and nothing that a missing index, a small pool or a slow disk changes: a shop with scanning
-- transactions has a problem and is not a warehouse. Each feature votes between 0 (as in transaction processing) and 1
-- (as in analysis), on a logarithmic scale between two values, and the weighted mean counts. CHANGE_PART and
-- ROWS_PER_SELECT count half, since catalogues are only read and aggregates are small. If the package cache contains
-- statements of a second and more, they are left out of the mean of the others; rare ones count as analysis, by their
-- time. Column-organized tables and partitions are a vote for analysis; their absence is not a vote. If long statements
-- that sort take 30 % of the activities' time, or rare long ones half of it, the database is at least mixed.
--
-- STATEMENTS_PER_S: statements per second
-- OPERATORS: sorts and hash joins per statement
-- ROWS_PER_SELECT: rows returned per SELECT
-- MS_PER_ACTIVITY: milliseconds per activity
-- CHANGE_PART: part of statements that change data; a statement that changes more than 100 rows is not a transaction
-- ASYNC_PART: part of pages that prefetchers read; it has no vote
-- COLUMN_ORGANIZED: 1 if DB2_WORKLOAD is ANALYTICS or half of all pages are column-organized, otherwise NULL
-- DECLARED: class that the site declared
-- MEASURED_P_BI: probability of analysis by the votes
-- WINDOWS_DISAGREE: 1 if one window of the interval by itself is OLTP and another one BI; the class is then mixed, half
--   and half
-- P_BI: probability of analysis
-- P_OLTP: probability of transaction processing
-- CLASS: BI, OLTP, or mixed if P_BI is between 0.2 and 0.8
WITH COLUMNAR AS (
    SELECT
        MAX(CASE WHEN CONFIG.VALUE = 'ANALYTICS' THEN 1 ELSE 0 END) AS ANALYTICS,
        MAX(T.COLUMN_PAGES) AS COLUMN_PAGES,
        MAX(T.PAGES) AS PAGES
    FROM (
        SELECT
            SUM(CASE WHEN TABLEORG = 'C' THEN NPAGES ELSE 0 END) AS COLUMN_PAGES,
            SUM(NPAGES) AS PAGES
        FROM TUNE.D_CAT_TABLE
        WHERE NPAGES > 0
    ) AS T
    LEFT JOIN TUNE.CONFIG AS CONFIG ON CONFIG.SCOPE = 'REG' AND CONFIG.NAME = 'DB2_WORKLOAD'
),
LONG_STATEMENT AS (
    SELECT
        SUM(EXECUTIONS) AS EXECUTIONS,
        SUM(EXEC_MS) AS EXEC_MS,
        SUM(CASE WHEN SORTS >= EXECUTIONS THEN EXEC_MS END) AS SORTING_MS,
        -- a transaction that lacks an index is long, too, but frequent
        SUM(CASE WHEN 60 * EXECUTIONS < CONST.PER_MINUTE * PERIOD.SECONDS THEN EXEC_MS END) AS RARE_MS
    FROM (
        SELECT
            SUM(NUM_EXECUTIONS) AS EXECUTIONS,
            SUM(STMT_EXEC_TIME) AS EXEC_MS,
            SUM(TOTAL_SORTS) AS SORTS
        FROM TUNE.D_STATEMENT
        WHERE NUM_EXECUTIONS > 0
        GROUP BY EXECUTABLE_ID
    ) AS S
    CROSS JOIN TUNE.CONSTANT AS CONST
    INNER JOIN TUNE.WORKLOAD_WINDOW AS PERIOD ON PERIOD.WINDOW_NO = 0
    WHERE EXEC_MS >= CONST.LONG_STATEMENT_MS * EXECUTIONS
),
FEATURE AS (
    SELECT
        PERIOD.WINDOW_NO,
        CAST(PERIOD.SELECT_SQL_STMTS + PERIOD.UID_SQL_STMTS AS DOUBLE) / NULLIF(PERIOD.SECONDS, 0) AS STATEMENTS_PER_S,
        -- none at all: probably not counted
        CAST(NULLIF(PERIOD.OPERATORS, 0) AS DOUBLE)
        / NULLIF(PERIOD.SELECT_SQL_STMTS + PERIOD.UID_SQL_STMTS, 0) AS OPERATORS,
        CAST(PERIOD.ROWS_RETURNED AS DOUBLE) / NULLIF(PERIOD.SELECT_SQL_STMTS, 0) AS ROWS_PER_SELECT,
        CAST(PERIOD.TOTAL_ACT_TIME AS DOUBLE) / NULLIF(PERIOD.ACT_COMPLETED_TOTAL, 0) AS MS_PER_ACTIVITY,
        CAST(PERIOD.TOTAL_ACT_TIME - COALESCE(L.EXEC_MS, 0) AS DOUBLE)
        / NULLIF(PERIOD.ACT_COMPLETED_TOTAL - COALESCE(L.EXECUTIONS, 0), 0) AS OTHERS_MS,
        COALESCE(CAST(L.RARE_MS AS DOUBLE) / NULLIF(PERIOD.TOTAL_ACT_TIME, 0), 0) AS LONG_PART,
        COALESCE(CAST(L.SORTING_MS AS DOUBLE) / NULLIF(PERIOD.TOTAL_ACT_TIME, 0), 0) AS LONG_SORT_PART,
        CAST(PERIOD.UID_SQL_STMTS AS DOUBLE) / NULLIF(PERIOD.SELECT_SQL_STMTS + PERIOD.UID_SQL_STMTS, 0)
        * LEAST(
            1,
            COALESCE(CONST.TRANSACTION_ROWS * CAST(PERIOD.UID_SQL_STMTS AS DOUBLE) / NULLIF(PERIOD.ROWS_MODIFIED, 0), 1)
        ) AS CHANGE_PART,
        CASE WHEN C.ANALYTICS = 1 OR C.COLUMN_PAGES >= CONST.COLUMN_PAGES_PART * C.PAGES THEN 1 END AS COLUMN_ORGANIZED,
        CASE WHEN DB.TOPOLOGY = 'dpf' THEN 1 END AS PARTITIONED,
        CONST.*
    FROM TUNE.WORKLOAD_WINDOW AS PERIOD
    CROSS JOIN COLUMNAR AS C
    CROSS JOIN TUNE.CONSTANT AS CONST
    CROSS JOIN TUNE.RUN_DATABASE AS DB
    -- more of them than activities in the window: they belong to another time
    LEFT JOIN LONG_STATEMENT AS L
        ON PERIOD.WINDOW_NO = 0 AND PERIOD.ACT_COMPLETED_TOTAL > L.EXECUTIONS AND PERIOD.TOTAL_ACT_TIME > L.EXEC_MS
),
VOTE (WINDOW_NO, FEATURE_VALUE, OLTP_VALUE, BI_VALUE, WEIGHT) AS (
    SELECT
        WINDOW_NO,
        STATEMENTS_PER_S,
        CAST(OLTP_STATEMENTS_PER_S AS DOUBLE),
        CAST(BI_STATEMENTS_PER_S AS DOUBLE),
        CAST(1 AS DOUBLE)
    FROM FEATURE
    UNION ALL SELECT WINDOW_NO, OPERATORS, OLTP_OPERATORS, BI_OPERATORS, 1 FROM FEATURE
    UNION ALL SELECT WINDOW_NO, OTHERS_MS, OLTP_ACTIVITY_MS, BI_ACTIVITY_MS, 1 - LONG_PART FROM FEATURE
    UNION ALL SELECT WINDOW_NO, 1, 0.1, 1, LONG_PART FROM FEATURE
    UNION ALL SELECT WINDOW_NO, CHANGE_PART, OLTP_CHANGE_PART, BI_CHANGE_PART, MINOR_WEIGHT FROM FEATURE
    UNION ALL SELECT WINDOW_NO, ROWS_PER_SELECT, OLTP_SELECT_ROWS, BI_SELECT_ROWS, MINOR_WEIGHT FROM FEATURE
    UNION ALL SELECT WINDOW_NO, COLUMN_ORGANIZED, 0.1, 1, 1 FROM FEATURE
    UNION ALL SELECT WINDOW_NO, PARTITIONED, 0.1, 1, 1 FROM FEATURE
),
MEASURED AS (
    SELECT
        WINDOW_NO,
        CAST(SUM(WEIGHT * GREATEST(0, LEAST(1, LEAN))) AS DOUBLE) / NULLIF(SUM(WEIGHT), 0) AS MEASURED_P_BI
    FROM (
        SELECT
            WINDOW_NO,
            WEIGHT,
            CAST(LN(CASE WHEN FEATURE_VALUE > 0.000001 THEN FEATURE_VALUE ELSE 0.000001 END) - LN(OLTP_VALUE) AS DOUBLE)
            / NULLIF(LN(BI_VALUE) - LN(OLTP_VALUE), 0) AS LEAN
        FROM VOTE
        WHERE FEATURE_VALUE IS NOT NULL
    ) AS V
    GROUP BY WINDOW_NO
),
SPREAD AS (
    SELECT
        CASE
            WHEN MIN(M.MEASURED_P_BI) <= MIN(CONST.OLTP_P_BI) AND MAX(M.MEASURED_P_BI) >= MIN(CONST.BI_P_BI) THEN 1
            ELSE 0
        END AS WINDOWS_DISAGREE
    FROM MEASURED AS M
    CROSS JOIN TUNE.CONSTANT AS CONST
    WHERE M.WINDOW_NO > 0
),
CHANCE AS (
    SELECT
        F.*,
        CASE
            WHEN
                (F.LONG_SORT_PART >= F.SORTING_PART OR F.LONG_PART >= F.MAIN_PART)
                AND M.MEASURED_P_BI < F.SORTING_P_BI
                THEN F.SORTING_P_BI
            ELSE M.MEASURED_P_BI
        END AS MEASURED_P_BI,
        SITE.WORKLOAD AS DECLARED,
        SPREAD.WINDOWS_DISAGREE
    FROM FEATURE AS F
    CROSS JOIN SPREAD
    CROSS JOIN TUNE.O_SITE AS SITE
    LEFT JOIN MEASURED AS M ON F.WINDOW_NO = M.WINDOW_NO
    WHERE F.WINDOW_NO = 0
),
SETTLED AS (
    SELECT
        C.*,
        CASE
            WHEN DECLARED = 'BI' THEN CAST(1 AS DOUBLE)
            WHEN DECLARED = 'OLTP' THEN CAST(0 AS DOUBLE)
            WHEN DECLARED = 'MIXED' OR WINDOWS_DISAGREE = 1 THEN CAST(0.5 AS DOUBLE)
            ELSE COALESCE(MEASURED_P_BI, 0.5)
        END AS P_BI
    FROM CHANCE AS C
)
SELECT
    STATEMENTS_PER_S,
    OPERATORS,
    ROWS_PER_SELECT,
    MS_PER_ACTIVITY,
    CHANGE_PART,
    ASYNC_PART,
    COLUMN_ORGANIZED,
    DECLARED,
    MEASURED_P_BI,
    WINDOWS_DISAGREE,
    P_BI,
    1 - P_BI AS P_OLTP,
    CASE WHEN P_BI >= BI_P_BI THEN 'BI' WHEN P_BI <= OLTP_P_BI THEN 'OLTP' ELSE 'mixed' END AS CLASS
FROM SETTLED
CROSS JOIN (
    SELECT CAST(SUM(ASYNC_READS) AS DOUBLE) / NULLIF(SUM(PHYSICAL_READS), 0) AS ASYNC_PART
    FROM TUNE.TABLESPACE_READS
) AS R
