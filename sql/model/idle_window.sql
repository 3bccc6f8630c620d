-- Whether too little was done in the interval to judge by, in one row: few active sessions on average, and all of them
-- together for less than an hour. NULL where the time is not known.
SELECT
    CASE
        WHEN T.DBT_MS < 1000 * O.IDLE_SESSIONS * W.SECONDS AND T.DBT_MS < 1000 * O.ENOUGH_S THEN 1
        WHEN T.DBT_MS IS NOT NULL AND W.SECONDS > 0 THEN 0
    END AS IDLE
FROM TUNE.DATABASE_TIME AS T
CROSS JOIN TUNE.RUN_WINDOW AS W
CROSS JOIN TUNE.O_SITE AS O
