-- Whether the interval has too little work to judge, in one row: few active sessions on average, and less than an hour
-- for all of them together. NULL if the time is unknown.
SELECT
    CASE
        WHEN T.DBT_MS < 1000 * O.IDLE_SESSIONS * W.SECONDS AND T.DBT_MS < 1000 * O.ENOUGH_S THEN 1
        WHEN T.DBT_MS IS NOT NULL AND W.SECONDS > 0 THEN 0
    END AS IDLE
FROM TUNE.DATABASE_TIME AS T
CROSS JOIN TUNE.RUN_WINDOW AS W
CROSS JOIN TUNE.O_SITE AS O
