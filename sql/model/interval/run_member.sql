-- The members that can be compared: those in both snapshots with the same activation time. With one snapshot only, the
-- counters since activation are the interval, and every member counts. If activation times are unknown, members that
-- other sources report in both snapshots count: a counter that fell then shows a new activation.
WITH REPORTED (SNAP_ID, MEMBER, DB_CONN_TIME, UPTIME_S) AS (
    SELECT SNAP_ID, MEMBER, DB_CONN_TIME, UPTIME_S FROM TUNE.S_DATABASE
    UNION ALL
    SELECT DISTINCT O.SNAP_ID, O.MEMBER, CAST(NULL AS TIMESTAMP), CAST(NULL AS BIGINT)
    FROM (
        SELECT SNAP_ID, MEMBER FROM TUNE.S_WORKLOAD
        UNION ALL
        SELECT SNAP_ID, MEMBER FROM TUNE.S_BUFFERPOOL
        UNION ALL
        SELECT SNAP_ID, MEMBER FROM TUNE.S_TRANSACTION_LOG
    ) AS O
    WHERE NOT EXISTS (
        SELECT 1 FROM TUNE.S_DATABASE AS D
        INNER JOIN TUNE.RUN_SNAPSHOT AS RUN ON D.SNAP_ID IN (RUN.BEGIN_ID, RUN.END_ID)
    )
)
SELECT
    E.MEMBER,
    E.UPTIME_S,
    CASE
        WHEN
            RUN.BEGIN_ID IS NULL OR B.DB_CONN_TIME = E.DB_CONN_TIME
            OR (B.MEMBER IS NOT NULL AND B.DB_CONN_TIME IS NULL AND E.DB_CONN_TIME IS NULL)
            THEN 1
        ELSE 0
    END AS COMPARABLE,
    CASE WHEN B.DB_CONN_TIME <> E.DB_CONN_TIME THEN 1 ELSE 0 END AS REACTIVATED
FROM REPORTED AS E
INNER JOIN TUNE.RUN_SNAPSHOT AS RUN ON E.SNAP_ID = RUN.END_ID
LEFT JOIN REPORTED AS B ON RUN.BEGIN_ID = B.SNAP_ID AND E.MEMBER = B.MEMBER
