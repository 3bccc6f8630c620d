-- Why a rule is not evaluated, in one row per reason. KIND 'not applicable' is silent: the rule is about another
-- topology, level or platform. KIND 'could not run' is reported for every other rule: data is missing or switched off,
-- or the interval is not enough to judge load. Only texts contain some sources: without them, their rules do not apply.
SELECT
    HEADER.RULE,
    'not applicable' AS KIND,
    'only for ' || HEADER.TOPOLOGY AS REASON
FROM TUNE.RULE AS HEADER
CROSS JOIN TUNE.RUN_DATABASE AS DB
WHERE HEADER.TOPOLOGY IS NOT NULL AND HEADER.TOPOLOGY <> DB.TOPOLOGY
UNION ALL
SELECT
    HEADER.RULE,
    'not applicable',
    'not on pureScale'
FROM TUNE.RULE AS HEADER
CROSS JOIN TUNE.RUN_DATABASE AS DB
WHERE HEADER.ON_PURESCALE = 0 AND DB.TOPOLOGY = 'purescale'
UNION ALL
SELECT
    HEADER.RULE,
    'not applicable',
    'not at this level of Db2'
FROM TUNE.RULE AS HEADER
CROSS JOIN TUNE.RUN_DATABASE AS DB
WHERE DB.DB2_LEVEL < COALESCE(HEADER.MIN_LEVEL, 0) OR DB.DB2_LEVEL > COALESCE(HEADER.MAX_LEVEL, 99999999)
UNION ALL
-- a text that contains this has the data that the rule needs, whatever its level
SELECT
    HEADER.RULE,
    'could not run',
    'the level of Db2 is not known'
FROM TUNE.RULE AS HEADER
CROSS JOIN TUNE.RUN_DATABASE AS DB
LEFT JOIN (
    SELECT DISTINCT RULE
    FROM TUNE.RULE_NEED
    WHERE SOURCE = 'hadr' OR ITEM IN ('BACKED_UP', 'METHOD1_NEXT_LOG_TO_ARCHIVE', 'WAITERS')
) AS N ON HEADER.RULE = N.RULE
CROSS JOIN TUNE.LEAST_LEVEL AS LEVELS
WHERE
    DB.DB2_LEVEL IS NULL
    AND (HEADER.MAX_LEVEL IS NOT NULL OR (HEADER.MIN_LEVEL > LEVELS.LEVEL_NUMBER AND N.RULE IS NULL))
UNION ALL
SELECT
    HEADER.RULE,
    'could not run',
    'the platform is not known'
FROM TUNE.RULE AS HEADER
CROSS JOIN TUNE.RUN_DATABASE AS DB
WHERE DB.PLATFORM IS NULL AND HEADER.PLATFORM IS NOT NULL
UNION ALL
SELECT
    HEADER.RULE,
    'not applicable',
    'only on ' || HEADER.PLATFORM
FROM TUNE.RULE AS HEADER
CROSS JOIN TUNE.RUN_DATABASE AS DB
WHERE
    HEADER.PLATFORM IS NOT NULL -- || leaves NULL out on a database with varchar2_compat
    AND REPLACE(',' || HEADER.PLATFORM || ',', ',' || DB.PLATFORM || ',', '') = ',' || HEADER.PLATFORM || ','
UNION ALL
-- a machine may be virtual unless the host facts deny it
SELECT
    HEADER.RULE,
    'not applicable',
    'only in a virtual machine'
FROM TUNE.RULE AS HEADER
CROSS JOIN (
    SELECT
        COUNT(*) AS HOSTS,
        SUM(CASE WHEN VALUE IN ('none', 'docker', 'zone', 'powervm') THEN 0 ELSE 1 END) AS GUESTS
    FROM TUNE.HOST_FACT
    WHERE FACT_KEY = 'virtual' AND ITEM = 'type'
) AS V
WHERE HEADER.ON_GUEST = 1 AND V.HOSTS > 0 AND V.GUESTS = 0
UNION ALL
SELECT
    HEADER.RULE,
    'could not run',
    'the database is an HADR standby: what it replays is changed on the primary'
FROM TUNE.RULE AS HEADER
INNER JOIN TUNE.SETTING AS SETTING ON SETTING.SCOPE = 'DB' AND SETTING.NAME = 'hadr_db_role'
WHERE HEADER.ON_STANDBY = 0 AND SETTING.VALUE = 'STANDBY'
UNION ALL
SELECT
    N.RULE,
    CASE
        WHEN N.SOURCE IN ('event', 'index_advice', 'reorg_check', 'plan_operator') THEN 'not applicable'
        ELSE 'could not run'
    END,
    'source ' || N.SOURCE || ' was not collected: ' || MISSING.REASON
FROM (
    SELECT DISTINCT
        NEED.RULE,
        NEED.SOURCE
    FROM TUNE.RULE_NEED AS NEED
    WHERE NEED.SOURCE <> 'host' AND NEED.TIMED = 0
) AS N
INNER JOIN TUNE.NOT_COLLECTED AS MISSING ON N.SOURCE = MISSING.SOURCE
UNION ALL
SELECT
    NEED.RULE,
    CASE
        WHEN NEED.SOURCE IN ('event', 'index_advice', 'reorg_check', 'plan_operator') THEN 'not applicable'
        ELSE 'could not run'
    END,
    'column ' || NEED.ITEM || ' of ' || NEED.SOURCE || ' was not collected'
FROM TUNE.RULE_NEED AS NEED
LEFT JOIN TUNE.SOURCE_COLUMN AS COL ON NEED.SOURCE = COL.SOURCE AND NEED.ITEM = COL.COLUMN_NAME
LEFT JOIN TUNE.NOT_COLLECTED AS MISSING ON NEED.SOURCE = MISSING.SOURCE
WHERE NEED.SOURCE <> 'host' AND NEED.TIMED = 0 AND COL.SOURCE IS NULL AND MISSING.SOURCE IS NULL
UNION ALL
SELECT
    NEED.RULE,
    'could not run',
    'host fact ' || NEED.ITEM || ' is not known'
FROM TUNE.RULE_NEED AS NEED
LEFT JOIN (SELECT DISTINCT ITEM FROM TUNE.HOST_FACT) AS F ON NEED.ITEM = F.ITEM
WHERE NEED.SOURCE = 'host' AND NEED.TIMED = 0 AND F.ITEM IS NULL
UNION ALL
SELECT
    HEADER.RULE,
    'could not run',
    UNLOADED.REASON
FROM TUNE.RULE AS HEADER
CROSS JOIN TUNE.NO_LOAD AS UNLOADED
WHERE HEADER.JUDGED_BY = 'load' OR (HEADER.JUDGED_BY = 'rates' AND UNLOADED.UNTIMED = 0)
UNION ALL
SELECT DISTINCT
    NEED.RULE,
    'could not run',
    'metrics are switched off: ' || M.NAME || ' is NONE'
FROM TUNE.RULE_NEED AS NEED
CROSS JOIN (
    SELECT MIN(NAME) AS NAME FROM TUNE.CONFIG WHERE SCOPE = 'DB' AND VALUE = 'NONE' AND NAME = 'mon_act_metrics'
) AS M
WHERE NEED.SOURCE = 'statement' AND M.NAME IS NOT NULL
UNION ALL
SELECT
    HEADER.RULE,
    'could not run',
    'utility ' || U.UTILITY_TYPE || ' ran at the time and falsifies the rates'
FROM TUNE.RULE AS HEADER
CROSS JOIN (
    -- utilities that ran when a snapshot was taken, and utilities that began and ended in between
    SELECT MIN(A.UTILITY_TYPE) AS UTILITY_TYPE
    FROM (
        SELECT UTILITY.UTILITY_TYPE
        FROM TUNE.S_UTILITY AS UTILITY
        INNER JOIN TUNE.RUN_SNAPSHOT AS RUN ON UTILITY.SNAP_ID BETWEEN COALESCE(RUN.BEGIN_ID, RUN.END_ID) AND RUN.END_ID
        UNION ALL
        SELECT CAST('LOAD' AS VARCHAR(16)) FROM TUNE.DATABASE_TIME WHERE TOTAL_LOADS > 0
        UNION ALL
        SELECT CAST('REORG' AS VARCHAR(16)) FROM TUNE.DATABASE_TIME WHERE TOTAL_REORGS > 0
        UNION ALL
        SELECT CAST('BACKUP' AS VARCHAR(16)) FROM TUNE.DATABASE_TIME WHERE TOTAL_BACKUPS > 0
    ) AS A (UTILITY_TYPE)
) AS U
WHERE HEADER.QUIET = 1 AND U.UTILITY_TYPE IS NOT NULL
UNION ALL
SELECT
    RULE,
    'could not run',
    REASON
FROM TUNE.TOO_FEW
