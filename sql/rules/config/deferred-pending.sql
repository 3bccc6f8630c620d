-- rule:      config.deferred-pending
-- title:     Changed settings are not in force yet
-- area:      config
-- lane:      H
-- effect:    RA
-- evidence:  config
-- needs:     dbcfg.DEFERRED_VALUE
-- source:    IBM's db2mon (configuration with deferred values); 002_e991ec30bbd9209f.txt, section 5.4
-- why:       Some settings take effect only when the database is activated, or the instance started, again.
--            Until then the old value works, and what is measured is the old value's.
-- not-if:    Every value on disk is the one in memory.
-- note:      When to deactivate or stop is the DBA's decision: text for a person. The list of names ends after
--            the eighth. Parameters that are fixed at a default while others are AUTOMATIC are not reported:
--            defaults differ between levels and are changed by the Configuration Advisor.
WITH WAITING AS (
    SELECT DISTINCT
        CASE WHEN C.SCOPE = 'DB' THEN 'DATABASE' ELSE 'INSTANCE' END AS OBJECT_TYPE,
        CASE WHEN C.SCOPE = 'DB' THEN D.DB_NAME ELSE D.INSTANCE_NAME END AS OBJECT_NAME,
        UPPER(C.NAME) AS NAME
    FROM TUNE.CONFIG AS C
    CROSS JOIN TUNE.RUN_DATABASE AS D
    WHERE C.PENDING = 1
),
NUMBERED AS (
    SELECT
        WAITING.*,
        ROW_NUMBER() OVER (PARTITION BY OBJECT_TYPE ORDER BY NAME) AS N
    FROM WAITING
),
LISTED AS (
    SELECT
        OBJECT_TYPE,
        OBJECT_NAME,
        COUNT(*) AS SETTINGS,
        MAX(CASE WHEN N = 1 THEN NAME ELSE '' END)
        || MAX(CASE WHEN N = 2 THEN ', ' || NAME ELSE '' END)
        || MAX(CASE WHEN N = 3 THEN ', ' || NAME ELSE '' END)
        || MAX(CASE WHEN N = 4 THEN ', ' || NAME ELSE '' END)
        || MAX(CASE WHEN N = 5 THEN ', ' || NAME ELSE '' END)
        || MAX(CASE WHEN N = 6 THEN ', ' || NAME ELSE '' END)
        || MAX(CASE WHEN N = 7 THEN ', ' || NAME ELSE '' END)
        || MAX(CASE WHEN N = 8 THEN ', ' || NAME ELSE '' END)
        || CASE WHEN COUNT(*) > 8 THEN ' and ' || CAST(COUNT(*) - 8 AS VARCHAR(20)) || ' more' ELSE '' END AS NAMES
    FROM NUMBERED
    GROUP BY OBJECT_TYPE, OBJECT_NAME
)
SELECT
    L.OBJECT_TYPE,
    L.OBJECT_NAME,
    CAST(NULL AS SMALLINT) AS MEMBER,
    CAST(0 AS DOUBLE) AS CLAIMED_PCT,
    CAST(0 AS DOUBLE) AS RECOVER_LOW,
    CAST(0 AS DOUBLE) AS RECOVER_EXPECTED,
    CAST(0 AS DOUBLE) AS RECOVER_HIGH,
    CAST(0.9 AS DOUBLE) AS CONFIDENCE,
    CAST(NULL AS VARCHAR(400)) AS TARGET,
    CAST(NULL AS VARCHAR(1024)) AS CURRENT_VALUE,
    CAST(NULL AS VARCHAR(1024)) AS PROPOSED_VALUE,
    CAST(NULL AS VARCHAR(40)) AS UNIT,
    CAST(0 AS BIGINT) AS MEMORY_DELTA_KB,
    CASE L.OBJECT_TYPE
        WHEN 'DATABASE'
            THEN '-- deactivate and activate database ' || L.OBJECT_NAME || ' to put into force: ' || L.NAMES
        ELSE '-- db2stop and db2start instance ' || L.OBJECT_NAME || ' to put into force: ' || L.NAMES
    END AS ACTION_TEXT,
    '-- set the old value again before that, to drop the change' AS UNDO_TEXT,
    'settings=' || CAST(L.SETTINGS AS VARCHAR(20)) || '; names=' || L.NAMES AS EVIDENCE,
    CAST(L.SETTINGS AS VARCHAR(20)) || ' changed settings wait for the '
    || CASE L.OBJECT_TYPE WHEN 'DATABASE' THEN 'next activation of the database: ' ELSE 'next db2start: ' END
    || L.NAMES || '.' AS FINDING,
    CAST(0 AS DOUBLE) AS CLAIM_2_PCT,
    CAST(0 AS DOUBLE) AS CLAIM_3_PCT
FROM LISTED AS L
