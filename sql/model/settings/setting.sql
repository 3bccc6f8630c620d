-- Every parameter of the database and the instance and every registry variable, one row over all members.
--
-- NUM, MAX_NUM: least and most of the values if they are whole numbers
-- AUTOMATIC: 1 if Db2 sets it on a member
-- PENDING: 1 if another value is pending on a member
-- DIFFERS: 1 if members have different values or Db2 sets it only on some
-- FIXED: 1 if all members have the same value, Db2 does not set it and no value is pending: one command changes it, and
--   one with VALUE undoes the change
-- IS_SET: 1 if a registry variable has a value on a member, or a pending one
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
