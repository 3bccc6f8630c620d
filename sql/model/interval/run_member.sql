-- The members that can be compared: those in both snapshots with the same activation time. With one snapshot only, the
-- counters since activation are the interval, and every member counts.
SELECT
    E.MEMBER,
    E.UPTIME_S,
    CASE
        WHEN RUN.BEGIN_ID IS NULL OR B.DB_CONN_TIME = E.DB_CONN_TIME THEN 1
        ELSE 0
    END AS COMPARABLE,
    CASE WHEN B.DB_CONN_TIME <> E.DB_CONN_TIME THEN 1 ELSE 0 END AS REACTIVATED
FROM TUNE.S_DATABASE AS E
INNER JOIN TUNE.RUN_SNAPSHOT AS RUN ON E.SNAP_ID = RUN.END_ID
LEFT JOIN TUNE.S_DATABASE AS B ON RUN.BEGIN_ID = B.SNAP_ID AND E.MEMBER = B.MEMBER
