-- rule:      config.deprecated-in-use
-- title:     Settings are in use that Db2 has given up
-- area:      config
-- lane:      H
-- effect:    IR
-- applies:   not=managed
-- evidence:  config
-- needs:     dbcfg.VALUE, dbmcfg.VALUE
-- source:    IBM documentation, deprecated and discontinued functionality (each setting in sql/schema/deprecated.csv);
--            002_e991ec30bbd9209f.txt, appendices (valid at their 9.7)
-- why:       A deprecated setting goes away with some later level; an ignored or discontinued one does nothing
--            already, while somebody may believe that it does.
-- not-if:    The running level still wants it; it has a default value; another value waits; DB2_WORKLOAD sets it; it
--            differs between members (dpf.member-asymmetry).
-- note:      Only settings whose end is documented: that of DB2PROCESSORS, DB2MEMDISCLAIM, DB2_DIRECT_IO, MAXDARI and
--            NUMSEGS was not found. LOGRETAIN and USEREXIT follow LOGARCHMETH1, so their values say nothing.
--            SOFTMAX is left to cleaning.softmax-or-pageage, HEALTH_MON to config.monitor-overhead. MINCOMMIT takes
--            effect at once, the rest with the next db2start or activation.
WITH NUMBERED AS (
    SELECT
        S.*,
        CASE S.SCOPE WHEN 'DB' THEN 'DATABASE' ELSE 'INSTANCE' END AS OBJECT_TYPE,
        UPPER(S.NAME) || '=' || S.VALUE || ' (' || S.STATE || ' since ' || S.SINCE || ')' AS SETTING_TEXT,
        ROW_NUMBER() OVER (
            PARTITION BY CASE S.SCOPE WHEN 'DB' THEN 'DATABASE' ELSE 'INSTANCE' END ORDER BY S.SCOPE, S.NAME
        ) AS N
    FROM TUNE.DEPRECATED_SETTING AS S
),
LISTED AS (
    SELECT
        OBJECT_TYPE,
        COUNT(*) AS SETTINGS,
        MAX(CASE WHEN N = 1 THEN SETTING_TEXT ELSE '' END)
        || MAX(CASE WHEN N = 2 THEN ', ' || SETTING_TEXT ELSE '' END)
        || MAX(CASE WHEN N = 3 THEN ', ' || SETTING_TEXT ELSE '' END)
        || MAX(CASE WHEN N = 4 THEN ', ' || SETTING_TEXT ELSE '' END)
        || MAX(CASE WHEN N = 5 THEN ', ' || SETTING_TEXT ELSE '' END)
        || MAX(CASE WHEN N = 6 THEN ', ' || SETTING_TEXT ELSE '' END)
        || CASE WHEN COUNT(*) > 6 THEN ' and ' || CAST(COUNT(*) - 6 AS VARCHAR(20)) || ' more' ELSE '' END
            AS SETTINGS_TEXT
    FROM NUMBERED
    GROUP BY OBJECT_TYPE
),
COMMANDED AS (
    SELECT
        N.*,
        CASE
            WHEN N.SCOPE = 'DB' THEN 'UPDATE DB CFG FOR ' || D.DB_NAME || ' USING ' || UPPER(N.NAME) || ' '
            WHEN N.SCOPE = 'DBM' THEN 'UPDATE DBM CFG USING ' || UPPER(N.NAME) || ' '
            ELSE 'db2set ' || N.NAME || '='
        END AS COMMAND,
        CASE
            WHEN N.SCOPE <> 'REG' THEN CASE WHEN N.RESET_VALUE IS NULL THEN 0 ELSE 1 END
            WHEN REPLACE(REPLACE(REPLACE(N.VALUE, ' ', ''), '"', ''), '''', '') = N.VALUE THEN 1
            ELSE 0
        END AS IS_COMMAND,
        CASE N.OBJECT_TYPE WHEN 'DATABASE' THEN D.DB_NAME ELSE D.INSTANCE_NAME END AS OBJECT_NAME
    FROM NUMBERED AS N
    CROSS JOIN TUNE.RUN_DATABASE AS D
)
SELECT
    C.OBJECT_TYPE,
    C.OBJECT_NAME,
    CAST(NULL AS SMALLINT) AS MEMBER,
    CAST(0 AS DOUBLE) AS CLAIMED_PCT,
    CAST(0 AS DOUBLE) AS RECOVER_LOW,
    CAST(0 AS DOUBLE) AS RECOVER_EXPECTED,
    CAST(0 AS DOUBLE) AS RECOVER_HIGH,
    CAST(0.9 AS DOUBLE) AS CONFIDENCE,
    CASE C.SCOPE WHEN 'REG' THEN 'REGISTRY:' WHEN 'DB' THEN 'DBCFG:' ELSE 'DBMCFG:' END || UPPER(C.NAME) AS TARGET,
    C.VALUE AS CURRENT_VALUE,
    C.RESET_VALUE AS PROPOSED_VALUE,
    CAST(NULL AS VARCHAR(40)) AS UNIT,
    CAST(0 AS BIGINT) AS MEMORY_DELTA_KB,
    CASE
        WHEN C.IS_COMMAND = 1 THEN C.COMMAND || COALESCE(C.RESET_VALUE, '')
        ELSE '-- ' || UPPER(C.NAME) || ': ' || C.REPLACEMENT
    END AS ACTION_TEXT,
    CASE
        WHEN C.IS_COMMAND = 1 THEN C.COMMAND || C.VALUE
        ELSE '-- set ' || UPPER(C.NAME) || ' to ' || C.VALUE || ' again'
    END AS UNDO_TEXT,
    'settings=' || CAST(L.SETTINGS AS VARCHAR(20)) || '; names=' || L.SETTINGS_TEXT AS EVIDENCE,
    'Given up by Db2: ' || L.SETTINGS_TEXT || '.'
    || CASE WHEN L.SETTINGS = 1 THEN ' In its place: ' || C.REPLACEMENT || '.' ELSE '' END AS FINDING,
    CAST(0 AS DOUBLE) AS CLAIM_2_PCT,
    CAST(0 AS DOUBLE) AS CLAIM_3_PCT
FROM COMMANDED AS C
INNER JOIN LISTED AS L ON C.OBJECT_TYPE = L.OBJECT_TYPE
