-- The highest number of secondary log files, and of all log files, that Db2 accepts (logprimary r0000240, logsecond
-- r0000241). Archive logging raises them at level 11.5 and above. If LOGARCHMETH1 and LOGARCHMETH2 are unknown, the
-- limits of circular logging apply.
WITH WAY AS (
    SELECT DB.DB2_LEVEL, MAX(CASE WHEN SETTING.VALUE <> 'OFF' THEN 1 ELSE 0 END) AS ARCHIVED
    FROM TUNE.RUN_DATABASE AS DB
    LEFT JOIN TUNE.SETTING AS SETTING
        ON SETTING.SCOPE = 'DB' AND SETTING.NAME IN ('logarchmeth1', 'logarchmeth2') AND SETTING.DIFFERS = 0
    GROUP BY DB.DB2_LEVEL
)
SELECT
    CASE WHEN DB2_LEVEL >= 11050000 AND ARCHIVED = 1 THEN 4096 ELSE 254 END AS MOST_SECOND,
    CASE WHEN DB2_LEVEL >= 11050000 AND ARCHIVED = 1 THEN 8192 ELSE 256 END AS MOST_FILES
FROM WAY
