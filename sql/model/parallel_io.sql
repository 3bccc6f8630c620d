-- The state of DB2_PARALLEL_IO, one row: whether it is set or pending until a restart. Its entries are in
-- PARALLEL_DISK.
SELECT
    CASE WHEN VALUE IS NULL THEN 0 ELSE 1 END AS IS_SET,
    PENDING,
    VALUE
FROM (
    SELECT
        MAX(VALUE) AS VALUE,
        COALESCE(MAX(PENDING), 0) AS PENDING
    FROM TUNE.CONFIG
    WHERE SCOPE = 'REG' AND NAME = 'DB2_PARALLEL_IO'
) AS R
