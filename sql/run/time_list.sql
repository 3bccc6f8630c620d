-- The time of every run by bucket for people: shares in percent of database time, the largest first. A large share that
-- no recommendation claims has its usual causes and a query that shows more. Shares are converted to decimals from
-- whole numbers: Db2 truncates a DOUBLE.
SELECT
    T.RUN_ID,
    CAST(T.POSITION AS INTEGER) AS POSITION,
    CAST(T.TITLE AS VARCHAR(40)) AS TIME_SPENT_ON,
    CAST(CAST(ROUND(10 * T.PCT, 0) AS BIGINT) * 0.1 AS DECIMAL(5, 1)) AS SHARE_PCT,
    CAST(CAST(ROUND(10 * T.CLAIMED_PCT, 0) AS BIGINT) * 0.1 AS DECIMAL(5, 1)) AS CLAIMED_PCT,
    CAST(CAST(ROUND(10 * T.UNCLAIMED_PCT, 0) AS BIGINT) * 0.1 AS DECIMAL(5, 1)) AS UNCLAIMED_PCT,
    CAST(T.CAUSES AS VARCHAR(160)) AS USUAL_CAUSES,
    CAST(T.LOOK_AT AS VARCHAR(300)) AS LOOK_AT
FROM TUNE.M_TIME_SPENT AS T
