-- What kind of work the database does, one row: the probability that it is transaction processing
-- (P_OLTP) or analysis (P_BI), and the class that follows; between 0.2 and 0.8 it is mixed. A class that
-- the site declared is taken as it is. Otherwise the mean of the features that were measured decides
-- (MEASURED_P_BI), each between 0 (like OLTP) and 1 (like BI): rows returned per SELECT (10 and more is a
-- warehouse), milliseconds per activity (below 50, above 1000), the part of pages read by prefetchers
-- (below 20 %, above 60 %), the part of statements that change data (above 20 %, none), and, only for BI,
-- that DB2_WORKLOAD is ANALYTICS or column-organized tables hold half of the pages. WINDOWS_DISAGREE is 1 where
-- one window of the interval is OLTP by itself and another one BI: then the database is mixed, half and half.
WITH COLUMNAR AS (
    SELECT
        MAX(CASE WHEN S.VALUE = 'ANALYTICS' THEN 1 ELSE 0 END) AS ANALYTICS,
        MAX(T.COLUMN_PAGES) AS COLUMN_PAGES,
        MAX(T.PAGES) AS PAGES
    FROM (
        SELECT
            SUM(CASE WHEN TABLEORG = 'C' THEN NPAGES ELSE 0 END) AS COLUMN_PAGES,
            SUM(NPAGES) AS PAGES
        FROM TUNE.D_CAT_TABLE
        WHERE NPAGES > 0
    ) AS T
    LEFT JOIN TUNE.CONFIG AS S ON S.SCOPE = 'REG' AND S.NAME = 'DB2_WORKLOAD'
),
FEATURE AS (
    SELECT
        W.WINDOW_NO,
        CAST(W.ROWS_RETURNED AS DOUBLE) / NULLIF(W.SELECT_SQL_STMTS, 0) AS ROWS_PER_SELECT,
        CAST(W.TOTAL_ACT_TIME AS DOUBLE) / NULLIF(W.ACT_COMPLETED_TOTAL, 0) AS MS_PER_ACTIVITY,
        CASE WHEN W.PHYSICAL_READS >= 1000 THEN CAST(W.ASYNC_READS AS DOUBLE) / NULLIF(W.PHYSICAL_READS, 0) END
            AS ASYNC_PART,
        CAST(W.UID_SQL_STMTS AS DOUBLE) / NULLIF(W.SELECT_SQL_STMTS + W.UID_SQL_STMTS, 0) AS CHANGE_PART,
        CASE WHEN C.ANALYTICS = 1 OR 2 * C.COLUMN_PAGES >= C.PAGES THEN 1 END AS COLUMN_ORGANIZED
    FROM TUNE.WORKLOAD_WINDOW AS W
    CROSS JOIN COLUMNAR AS C
),
VOTE AS (
    SELECT
        FEATURE.*,
        CASE
            WHEN ROWS_PER_SELECT >= 10 THEN 1
            WHEN ROWS_PER_SELECT IS NOT NULL THEN 0
        END AS V1,
        CASE
            WHEN MS_PER_ACTIVITY >= 1000 THEN 1
            WHEN MS_PER_ACTIVITY <= 50 THEN 0
            ELSE (MS_PER_ACTIVITY - 50) / CAST(950 AS DOUBLE)
        END AS V2,
        CASE
            WHEN ASYNC_PART >= 0.6 THEN 1
            WHEN ASYNC_PART <= 0.2 THEN 0
            ELSE (ASYNC_PART - 0.2) / CAST(0.4 AS DOUBLE)
        END AS V3,
        CASE
            WHEN CHANGE_PART >= 0.2 THEN 0
            ELSE 1 - CHANGE_PART / CAST(0.2 AS DOUBLE)
        END AS V4
    FROM FEATURE
),
MEASURED AS (
    SELECT
        VOTE.*,
        CAST(
            COALESCE(V1, 0) + COALESCE(V2, 0) + COALESCE(V3, 0) + COALESCE(V4, 0) + COALESCE(COLUMN_ORGANIZED, 0)
            AS DOUBLE
        )
        / NULLIF(
            CASE WHEN V1 IS NULL THEN 0 ELSE 1 END + CASE WHEN V2 IS NULL THEN 0 ELSE 1 END
            + CASE WHEN V3 IS NULL THEN 0 ELSE 1 END + CASE WHEN V4 IS NULL THEN 0 ELSE 1 END
            + COALESCE(COLUMN_ORGANIZED, 0), 0
        ) AS MEASURED_P_BI
    FROM VOTE
),
SPREAD AS (
    SELECT CASE WHEN MIN(MEASURED_P_BI) <= 0.2 AND MAX(MEASURED_P_BI) >= 0.8 THEN 1 ELSE 0 END AS WINDOWS_DISAGREE
    FROM MEASURED
    WHERE WINDOW_NO > 0
),
CHANCE AS (
    SELECT
        MEASURED.*,
        S.WORKLOAD AS DECLARED,
        SPREAD.WINDOWS_DISAGREE,
        CASE
            WHEN S.WORKLOAD = 'BI' THEN CAST(1 AS DOUBLE)
            WHEN S.WORKLOAD = 'OLTP' THEN CAST(0 AS DOUBLE)
            WHEN S.WORKLOAD = 'MIXED' OR SPREAD.WINDOWS_DISAGREE = 1 THEN CAST(0.5 AS DOUBLE)
            ELSE COALESCE(MEASURED.MEASURED_P_BI, 0.5)
        END AS P_BI
    FROM MEASURED
    CROSS JOIN SPREAD
    CROSS JOIN TUNE.O_SITE AS S
    WHERE MEASURED.WINDOW_NO = 0
)
SELECT
    ROWS_PER_SELECT,
    MS_PER_ACTIVITY,
    ASYNC_PART,
    CHANGE_PART,
    COLUMN_ORGANIZED,
    DECLARED,
    MEASURED_P_BI,
    WINDOWS_DISAGREE,
    P_BI,
    1 - P_BI AS P_OLTP,
    CASE WHEN P_BI >= 0.8 THEN 'BI' WHEN P_BI <= 0.2 THEN 'OLTP' ELSE 'mixed' END AS CLASS
FROM CHANCE
