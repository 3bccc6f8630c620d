-- What DB2_PARALLEL_IO says, one row: whether it is set or waits for a restart, and DISKS, the disks that
-- Db2 takes each container to have: 1 when it is not set, 6 for '*', n for '*:n' (up to 99). NULL for a
-- list of table spaces: those that it leaves out have 1, and which they are is not worked out here.
SELECT
    CASE WHEN VALUE IS NULL THEN 0 ELSE 1 END AS IS_SET,
    PENDING,
    VALUE,
    CASE
        WHEN VALUE IS NULL THEN 1
        WHEN VALUE IN ('*', 'ON') THEN 6
        WHEN VALUE LIKE '*:_' AND SUBSTR(VALUE, 3, 1) BETWEEN '1' AND '9' THEN CAST(SUBSTR(VALUE, 3, 1) AS INTEGER)
        WHEN
            VALUE LIKE '*:__' AND SUBSTR(VALUE, 3, 1) BETWEEN '1' AND '9' AND SUBSTR(VALUE, 4, 1) BETWEEN '0' AND '9'
            THEN CAST(SUBSTR(VALUE, 3, 2) AS INTEGER)
    END AS DISKS
FROM (
    SELECT
        MAX(VALUE) AS VALUE,
        COALESCE(MAX(PENDING), 0) AS PENDING
    FROM TUNE.CONFIG
    WHERE SCOPE = 'REG' AND NAME = 'DB2_PARALLEL_IO'
) AS R
