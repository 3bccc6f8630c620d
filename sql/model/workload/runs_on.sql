-- Where the database runs, one row: on a host of one's own, or on a platform that changes settings in its own way.
-- The option runs_on of the site or the capture states it. Otherwise the instance, the host and the paths show it:
-- users of the platforms report these signs; Db2 has no function for it.
--
-- RUNS_ON: host, rds, saas or db2u; NULL if nothing shows it
-- EVIDENCE: what shows it
-- LOG_FIXED: 1 if the platform does not offer log paths
WITH SIGN (PLACE, RUNS_ON, EVIDENCE) AS (
    SELECT 1, LOWER(RUNS_ON), 'set by the site'
    FROM TUNE.O_SITE
    WHERE RUNS_ON IS NOT NULL
    UNION ALL
    SELECT 2, RUNS_ON, 'stated in the capture'
    FROM TUNE.RUN_DATABASE
    WHERE RUNS_ON IS NOT NULL
    UNION ALL
    SELECT 3, 'rds', 'instance rdsdb'
    FROM TUNE.RUN_DATABASE
    WHERE LOWER(INSTANCE_NAME) = 'rdsdb'
    UNION ALL
    SELECT 4, 'rds', 'role MASTER_USER_ROLE'
    FROM TUNE.D_DATABASE
    WHERE RDS_GRANTS > 0
    UNION ALL
    SELECT 5, 'rds', 'path ' || VALUE
    FROM TUNE.CONFIG
    WHERE VALUE LIKE '/rdsdbdata/%'
    UNION ALL
    SELECT 6, 'saas', 'database BLUDB with user BLUADMIN'
    FROM TUNE.D_DATABASE
    CROSS JOIN TUNE.RUN_DATABASE
    WHERE BLUADMIN_GRANTS > 0 AND UPPER(DB_NAME) = 'BLUDB'
    UNION ALL
    SELECT 7, 'db2u', 'host ' || HOST_NAME
    FROM TUNE.RUN_DATABASE
    WHERE LOWER(HOST_NAME) LIKE '%-db2u-%'
    UNION ALL
    SELECT 8, 'db2u', 'path ' || VALUE
    FROM TUNE.CONFIG
    WHERE VALUE LIKE '/mnt/blumeta%' OR VALUE LIKE '/mnt/bludata%'
    UNION ALL
    SELECT 9, 'db2u', 'path ' || DB_STORAGE_PATH
    FROM TUNE.D_STORAGE_PATH
    WHERE DB_STORAGE_PATH LIKE '/mnt/bludata%'
    UNION ALL
    SELECT 10, 'db2u', NAME || ' is set'
    FROM TUNE.CONFIG
    WHERE SCOPE = 'REG' AND NAME IN ('DB2_OVERRIDE_NUM_CPUS', 'DB2_OVERRIDE_THREADING_DEGREE')
    UNION ALL
    SELECT 11, 'host', 'no sign of a managed platform in instance, host and paths'
    FROM TUNE.CONFIG
    WHERE NAME IN ('diagpath', 'dftdbpath')
),
FIRST_SIGN AS (
    SELECT RUNS_ON, EVIDENCE, ROW_NUMBER() OVER (ORDER BY PLACE, EVIDENCE) AS N
    FROM SIGN
)
SELECT
    CAST(F.RUNS_ON AS VARCHAR(10)) AS RUNS_ON,
    CAST(F.EVIDENCE AS VARCHAR(300)) AS EVIDENCE,
    CASE WHEN WAYS.WAY = 'never' THEN 1 ELSE 0 END AS LOG_FIXED
FROM TUNE.RUN_DATABASE AS DB
LEFT JOIN FIRST_SIGN AS F ON DB.DB_NAME IS NOT NULL AND F.N = 1
LEFT JOIN TUNE.WAY AS WAYS ON F.RUNS_ON = WAYS.RUNS_ON AND WAYS.NEEDS = 'logpath'
