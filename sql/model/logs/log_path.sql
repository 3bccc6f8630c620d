-- The paths of each member's log and its mirror, and BACK_PATH: the path to set so that the files return to the same
-- disks. From 10.1 on Db2 appends the database partition and log stream (NODE0000/LOGSTREAM0000/) to a path that is
-- set, so BACK_PATH is without them. IS_DEFAULT is 1 for the log directory inside the database directory, which Db2
-- cannot return to: its BACK_PATH is above the database directory.
SELECT
    MEMBER,
    NAME,
    VALUE AS LOG_PATH,
    CASE WHEN VALUE LIKE '%_NODE_____SQL______LOGSTREAM_____' THEN 1 ELSE 0 END AS IS_DEFAULT,
    CASE
        WHEN VALUE LIKE '%_NODE_____SQL______LOGSTREAM_____' THEN SUBSTR(VALUE, 1, LENGTH(VALUE) - 32)
        WHEN VALUE LIKE '%_NODE_____LOGSTREAM_____' THEN SUBSTR(VALUE, 1, LENGTH(VALUE) - 23)
        ELSE VALUE
    END AS BACK_PATH
FROM (
    SELECT MEMBER, NAME, CAST(VALUE AS VARCHAR(255)) AS VALUE
    FROM TUNE.CONFIG
    WHERE SCOPE = 'DB' AND NAME IN ('logpath', 'mirrorlogpath') AND LENGTH(VALUE) > 0
) AS P
