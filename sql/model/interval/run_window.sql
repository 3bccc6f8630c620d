-- The measured interval, in seconds, and whether it is usable. It is not if a counter fell, a member was activated
-- again, the clock went back, or the interval is too short. With one snapshot it is the time since activation.
-- Confidence is then limited to 0.6, because peaks are averaged out, and to 0.3 below an hour or above 30 days.
WITH MEMBERS AS (
    SELECT
        COUNT(*) AS MEMBERS,
        MIN(UPTIME_S) AS UPTIME_S,
        SUM(REACTIVATED) AS REACTIVATED,
        SUM(COMPARABLE) AS COMPARABLE
    FROM TUNE.RUN_MEMBER
),
FALLEN AS (
    SELECT MIN(SOURCE) AS SOURCE FROM TUNE.COUNTER_CHECK WHERE WORST < 0
),
SPAN AS (
    SELECT
        RUN.BEGIN_ID,
        RUN.END_ID,
        M.MEMBERS,
        M.COMPARABLE,
        M.REACTIVATED,
        F.SOURCE AS FALLEN,
        CASE WHEN RUN.BEGIN_ID IS NULL THEN 'ACTIVATION' ELSE 'DELTA' END AS SOURCE,
        CASE
            WHEN RUN.BEGIN_ID IS NULL THEN CAST(M.UPTIME_S AS DOUBLE)
            ELSE RUN.END_EPOCH - RUN.BEGIN_EPOCH
        END AS SECONDS
    FROM TUNE.RUN_SNAPSHOT AS RUN
    CROSS JOIN MEMBERS AS M
    CROSS JOIN FALLEN AS F
)
SELECT
    BEGIN_ID,
    END_ID,
    SOURCE,
    SECONDS,
    MEMBERS,
    CASE
        WHEN
            SECONDS >= 60 AND COMPARABLE > 0 AND REACTIVATED = 0 AND FALLEN IS NULL
            THEN 1
        ELSE 0
    END AS USABLE,
    CASE
        WHEN SECONDS = 0 THEN 'interval discarded: both snapshots have the same time'
        WHEN SECONDS < 0 THEN 'interval discarded: the clock of the server went back between the snapshots'
        WHEN REACTIVATED > 0 THEN 'interval discarded: the database was activated again between the snapshots'
        WHEN FALLEN IS NOT NULL THEN 'interval discarded: counters of ' || FALLEN || ' were reset between the snapshots'
        WHEN SECONDS IS NULL THEN 'no interval: when the database was activated is not known'
        WHEN COALESCE(COMPARABLE, 0) = 0 THEN 'interval discarded: no member is in both snapshots'
        WHEN SECONDS < 60 THEN 'interval discarded: shorter than 60 seconds'
    END AS REASON,
    CASE
        WHEN SOURCE = 'DELTA' THEN CAST(1 AS DOUBLE)
        WHEN SECONDS BETWEEN 3600 AND 2592000 THEN CAST(0.6 AS DOUBLE)
        ELSE CAST(0.3 AS DOUBLE)
    END AS CONFIDENCE_CAP
FROM SPAN
