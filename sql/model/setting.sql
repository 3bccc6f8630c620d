-- Every parameter of the database and the instance and every registry variable, one row over all members. FIXED is 1 if
-- all members have the same value, Db2 does not set it and no value is pending: one command changes it, and one with
-- VALUE undoes the change. AUTOMATIC is 1 if Db2 sets it on a member, PENDING if another value is pending on a member,
-- DIFFERS if members have different values or Db2 sets it only on some. NUM and MAX_NUM are the least and the most of
-- the values if they are whole numbers. IS_SET is 1 if a registry variable has a value on a member, or a pending one.
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
