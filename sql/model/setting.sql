-- Every parameter of the database and the instance and every registry variable, one row over all members. FIXED is 1
-- where all members have the same value, Db2 does not set it and none waits for the next activation: what one command
-- changes, and one with VALUE puts back. AUTOMATIC is 1 where Db2 sets it on some member, PENDING where another value
-- waits on some, DIFFERS where members have different values or Db2 sets it on some only. NUM and MAX_NUM are the least
-- and the most of the values where they are whole numbers. IS_SET is 1 where a registry variable has a value on some
-- member, or one waits.
SELECT
    SCOPE,
    NAME,
    MIN(VALUE) AS VALUE,
    MIN(NUM) AS NUM,
    MAX(NUM) AS MAX_NUM,
    MAX(AUTOMATIC) AS AUTOMATIC,
    MAX(PENDING) AS PENDING,
    CASE
        WHEN COUNT(VALUE) = COUNT(*) AND MIN(VALUE) = MAX(VALUE) AND MIN(AUTOMATIC) = MAX(AUTOMATIC) THEN 0
        ELSE 1
    END AS DIFFERS,
    CASE
        WHEN MAX(AUTOMATIC) = 0 AND MAX(PENDING) = 0 AND COUNT(VALUE) = COUNT(*) AND MIN(VALUE) = MAX(VALUE) THEN 1
        ELSE 0
    END AS FIXED,
    MAX(CASE WHEN LENGTH('x' || COALESCE(VALUE, '') || COALESCE(NEXT_VALUE, '')) > 1 THEN 1 ELSE 0 END) AS IS_SET
FROM TUNE.CONFIG
GROUP BY SCOPE, NAME
