-- Every parameter of the database and the instance, one row over all members. FIXED is 1 where all members have the
-- same value, Db2 does not set it and none waits for the next activation: what one command changes, and one with
-- VALUE puts back. AUTOMATIC is 1 where Db2 sets it on some member; NUM is then what it is now on the least.
SELECT
    SCOPE,
    NAME,
    MIN(VALUE) AS VALUE,
    MIN(NUM) AS NUM,
    MAX(AUTOMATIC) AS AUTOMATIC,
    MAX(PENDING) AS PENDING,
    CASE
        WHEN MAX(AUTOMATIC) = 0 AND MAX(PENDING) = 0 AND COUNT(VALUE) = COUNT(*) AND MIN(VALUE) = MAX(VALUE) THEN 1
        ELSE 0
    END AS FIXED
FROM TUNE.CONFIG
WHERE SCOPE IN ('DB', 'DBM')
GROUP BY SCOPE, NAME
