-- What kind of work the database does, one row: the probability that it is transaction processing
-- (P_OLTP) or analysis (P_BI), and the class that follows; between 0.2 and 0.8 it is mixed. A class that
-- the site declared is taken as it is. Otherwise the mean of the features that were measured decides
-- (MEASURED_P_BI), each between 0 (like OLTP) and 1 (like BI): rows returned per SELECT (10 and more is a
-- warehouse), milliseconds per activity (below 50, above 1000), the part of pages read by prefetchers
-- (below 20 %, above 60 %), and the part of statements that change data (above 20 %, none).
WITH READS AS (
    SELECT
        SUM(P) AS P,
        SUM(A) AS A
    FROM TUNE.TABLESPACE_READS
),
FEATURE AS (
    SELECT
        CAST(T.ROWS_RETURNED AS DOUBLE) / NULLIF(T.SELECT_SQL_STMTS, 0) AS ROWS_PER_SELECT,
        CAST(T.TOTAL_ACT_TIME AS DOUBLE) / NULLIF(T.ACT_COMPLETED_TOTAL, 0) AS MS_PER_ACTIVITY,
        CASE WHEN R.P >= 1000 THEN CAST(R.A AS DOUBLE) / NULLIF(R.P, 0) END AS ASYNC_PART,
        CAST(T.UID_SQL_STMTS AS DOUBLE) / NULLIF(T.SELECT_SQL_STMTS + T.UID_SQL_STMTS, 0) AS CHANGE_PART
    FROM TUNE.DATABASE_TIME AS T
    CROSS JOIN READS AS R
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
            COALESCE(VOTE.V1, 0) + COALESCE(VOTE.V2, 0) + COALESCE(VOTE.V3, 0) + COALESCE(VOTE.V4, 0) AS DOUBLE
        )
        / NULLIF(
            CASE WHEN VOTE.V1 IS NULL THEN 0 ELSE 1 END + CASE WHEN VOTE.V2 IS NULL THEN 0 ELSE 1 END
            + CASE WHEN VOTE.V3 IS NULL THEN 0 ELSE 1 END + CASE WHEN VOTE.V4 IS NULL THEN 0 ELSE 1 END, 0
        ) AS MEASURED_P_BI
    FROM VOTE
),
CHANCE AS (
    SELECT
        MEASURED.*,
        S.WORKLOAD AS DECLARED,
        CASE S.WORKLOAD
            WHEN 'BI' THEN CAST(1 AS DOUBLE)
            WHEN 'OLTP' THEN CAST(0 AS DOUBLE)
            WHEN 'MIXED' THEN CAST(0.5 AS DOUBLE)
            ELSE COALESCE(MEASURED.MEASURED_P_BI, 0.5)
        END AS P_BI
    FROM MEASURED
    CROSS JOIN TUNE.O_SITE AS S
)
SELECT
    ROWS_PER_SELECT,
    MS_PER_ACTIVITY,
    ASYNC_PART,
    CHANGE_PART,
    DECLARED,
    MEASURED_P_BI,
    P_BI,
    1 - P_BI AS P_OLTP,
    CASE WHEN P_BI >= 0.8 THEN 'BI' WHEN P_BI <= 0.2 THEN 'OLTP' ELSE 'mixed' END AS CLASS
FROM CHANCE
