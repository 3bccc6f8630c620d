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
