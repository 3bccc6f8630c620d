-- Why a rule is not evaluated, in one row per reason. KIND 'not applicable' is silent: the rule is about another
-- topology, level or platform. KIND 'could not run' is reported for every other rule: data is missing or switched off,
-- or the interval is not enough to judge load.
SELECT
    R.RULE,
    'not applicable' AS KIND,
    'only for ' || R.TOPOLOGY AS REASON
FROM TUNE.RULE AS R
CROSS JOIN TUNE.RUN_DATABASE AS D
WHERE R.TOPOLOGY IS NOT NULL AND R.TOPOLOGY <> D.TOPOLOGY
UNION ALL
SELECT
    R.RULE,
    'not applicable',
    'not on a managed platform'
FROM TUNE.RULE AS R
CROSS JOIN TUNE.RUN_DATABASE AS D
CROSS JOIN TUNE.O_SITE AS S
WHERE R.ON_MANAGED = 0 AND (D.MANAGED = 1 OR COALESCE(S.MANAGED, 'OFF') = 'ON')
UNION ALL
SELECT
    R.RULE,
    'not applicable',
    'not on pureScale'
FROM TUNE.RULE AS R
CROSS JOIN TUNE.RUN_DATABASE AS D
WHERE R.ON_PURESCALE = 0 AND D.TOPOLOGY = 'purescale'
UNION ALL
SELECT
    R.RULE,
    'not applicable',
    'not at this level of Db2'
FROM TUNE.RULE AS R
CROSS JOIN TUNE.RUN_DATABASE AS D
WHERE D.DB2_LEVEL < COALESCE(R.MIN_LEVEL, 0) OR D.DB2_LEVEL > COALESCE(R.MAX_LEVEL, 99999999)
UNION ALL
-- a text that contains this has the data that the rule needs, whatever its level
SELECT
    R.RULE,
    'could not run',
    'the level of Db2 is not known'
FROM TUNE.RULE AS R
CROSS JOIN TUNE.RUN_DATABASE AS D
LEFT JOIN (
    SELECT DISTINCT RULE
    FROM TUNE.RULE_NEED
    WHERE SOURCE = 'hadr' OR ITEM IN ('BACKED_UP', 'METHOD1_NEXT_LOG_TO_ARCHIVE')
) AS N ON R.RULE = N.RULE
WHERE D.DB2_LEVEL IS NULL AND (R.MAX_LEVEL IS NOT NULL OR (R.MIN_LEVEL IS NOT NULL AND N.RULE IS NULL))
UNION ALL
SELECT
    R.RULE,
    'could not run',
    'the platform is not known'
FROM TUNE.RULE AS R
CROSS JOIN TUNE.RUN_DATABASE AS D
WHERE D.PLATFORM IS NULL AND R.PLATFORM IS NOT NULL
UNION ALL
SELECT
    R.RULE,
    'not applicable',
    'only on ' || R.PLATFORM
FROM TUNE.RULE AS R
CROSS JOIN TUNE.RUN_DATABASE AS D
WHERE
    R.PLATFORM IS NOT NULL -- || leaves NULL out on a database with varchar2_compat
    AND REPLACE(',' || R.PLATFORM || ',', ',' || D.PLATFORM || ',', '') = ',' || R.PLATFORM || ','
UNION ALL
-- a machine may be virtual unless the host facts deny it
SELECT
    R.RULE,
    'not applicable',
    'only in a virtual machine'
FROM TUNE.RULE AS R
CROSS JOIN (
    SELECT
        COUNT(*) AS HOSTS,
        SUM(CASE WHEN VALUE IN ('none', 'docker', 'zone', 'powervm') THEN 0 ELSE 1 END) AS GUESTS
    FROM TUNE.HOST_FACT
    WHERE FACT_KEY = 'virtual' AND ITEM = 'type'
) AS V
WHERE R.ON_GUEST = 1 AND V.HOSTS > 0 AND V.GUESTS = 0
UNION ALL
SELECT
    R.RULE,
    'could not run',
    'the database is an HADR standby: what it replays is changed on the primary'
FROM TUNE.RULE AS R
INNER JOIN TUNE.SETTING AS S ON S.SCOPE = 'DB' AND S.NAME = 'hadr_db_role'
WHERE R.ON_STANDBY = 0 AND S.VALUE = 'STANDBY'
UNION ALL
SELECT
    N.RULE,
    'could not run',
    'source ' || N.SOURCE || ' was not collected: ' || X.REASON
FROM (SELECT DISTINCT RULE, SOURCE FROM TUNE.RULE_NEED WHERE SOURCE <> 'host') AS N
INNER JOIN TUNE.NOT_COLLECTED AS X ON N.SOURCE = X.SOURCE
UNION ALL
SELECT
    N.RULE,
    'could not run',
    'column ' || N.ITEM || ' of ' || N.SOURCE || ' was not collected'
FROM TUNE.RULE_NEED AS N
LEFT JOIN TUNE.SOURCE_COLUMN AS C ON N.SOURCE = C.SOURCE AND N.ITEM = C.COLUMN_NAME
LEFT JOIN TUNE.NOT_COLLECTED AS X ON N.SOURCE = X.SOURCE
WHERE N.SOURCE <> 'host' AND C.SOURCE IS NULL AND X.SOURCE IS NULL
UNION ALL
SELECT
    N.RULE,
    'could not run',
    'host fact ' || N.ITEM || ' is not known'
FROM TUNE.RULE_NEED AS N
LEFT JOIN (SELECT DISTINCT ITEM FROM TUNE.HOST_FACT) AS F ON N.ITEM = F.ITEM
WHERE N.SOURCE = 'host' AND F.ITEM IS NULL
UNION ALL
SELECT
    R.RULE,
    'could not run',
    L.REASON
FROM TUNE.RULE AS R
CROSS JOIN TUNE.NO_LOAD AS L
WHERE R.JUDGED_BY = 'load'
UNION ALL
SELECT DISTINCT
    N.RULE,
    'could not run',
    'metrics are switched off: ' || M.NAME || ' is NONE'
FROM TUNE.RULE_NEED AS N
CROSS JOIN (
    SELECT MIN(NAME) AS NAME FROM TUNE.CONFIG WHERE SCOPE = 'DB' AND VALUE = 'NONE' AND NAME = 'mon_act_metrics'
) AS M
WHERE N.SOURCE = 'statement' AND M.NAME IS NOT NULL
UNION ALL
SELECT
    R.RULE,
    'could not run',
    'utility ' || U.UTILITY_TYPE || ' ran at the time and falsifies the rates'
FROM TUNE.RULE AS R
CROSS JOIN (
    -- utilities that ran when a snapshot was taken, and utilities that began and ended in between
    SELECT MIN(A.UTILITY_TYPE) AS UTILITY_TYPE
    FROM (
        SELECT S.UTILITY_TYPE
        FROM TUNE.S_UTILITY AS S
        INNER JOIN TUNE.RUN_SNAPSHOT AS W ON S.SNAP_ID BETWEEN COALESCE(W.BEGIN_ID, W.END_ID) AND W.END_ID
        UNION ALL
        SELECT CAST('LOAD' AS VARCHAR(16)) FROM TUNE.DATABASE_TIME WHERE TOTAL_LOADS > 0
        UNION ALL
        SELECT CAST('REORG' AS VARCHAR(16)) FROM TUNE.DATABASE_TIME WHERE TOTAL_REORGS > 0
        UNION ALL
        SELECT CAST('BACKUP' AS VARCHAR(16)) FROM TUNE.DATABASE_TIME WHERE TOTAL_BACKUPS > 0
    ) AS A (UTILITY_TYPE)
) AS U
WHERE R.QUIET = 1 AND U.UTILITY_TYPE IS NOT NULL
UNION ALL
SELECT
    RULE,
    'could not run',
    REASON
FROM TUNE.TOO_FEW
