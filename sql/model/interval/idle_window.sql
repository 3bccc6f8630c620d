-- Whether the interval has too little work to judge, in one row: few active sessions on average, and less than an hour
-- for all of them together. NULL if the time is unknown.
SELECT
    CASE
        WHEN DBTIME.DBT_MS < 1000 * SITE.IDLE_SESSIONS * SPAN.SECONDS AND DBTIME.DBT_MS < 1000 * SITE.ENOUGH_S THEN 1
        WHEN DBTIME.DBT_MS IS NOT NULL AND SPAN.SECONDS > 0 THEN 0
    END AS IDLE
FROM TUNE.DATABASE_TIME AS DBTIME
CROSS JOIN TUNE.RUN_WINDOW AS SPAN
CROSS JOIN TUNE.O_SITE AS SITE
