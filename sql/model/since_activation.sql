-- The average number of active sessions since the activation, up to the end of the interval, and their time together in
-- milliseconds, one row; NULL if unknown. It shows for an idle interval whether others are idle, too.
SELECT
    D.MS,
    CAST(D.MS AS DOUBLE) / NULLIF(CAST(1000 AS DOUBLE) * M.UPTIME_S, 0) AS ACTIVE_SESSIONS
FROM (
    SELECT SUM(
        WORKLOAD.TOTAL_RQST_TIME - COALESCE(WORKLOAD.FCM_RECV_WAIT_TIME, 0) - COALESCE(WORKLOAD.FCM_SEND_WAIT_TIME, 0)
    ) AS MS
    FROM TUNE.S_WORKLOAD AS WORKLOAD
    INNER JOIN TUNE.RUN_SNAPSHOT AS RUN ON WORKLOAD.SNAP_ID = RUN.END_ID
) AS D
CROSS JOIN (SELECT MIN(UPTIME_S) AS UPTIME_S FROM TUNE.RUN_MEMBER) AS M
