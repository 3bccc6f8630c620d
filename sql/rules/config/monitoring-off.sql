-- rule:      config.monitoring-off
-- title:     Metrics are switched off
-- area:      config
-- lane:      Q
-- effect:    ON
-- evidence:  config
-- needs:     dbcfg.VALUE
-- source:    002_e991ec30bbd9209f.txt, appendices A (BASE) and B (NONE); IBM's db2mon requires BASE
-- why:       Without metrics the monitor functions return zeros: nothing can be judged by load.
-- not-if:    The parameter is BASE or EXTENDED, or about to be.
-- note:      A parameter that is NONE on some members only is left to dpf.member-asymmetry. A site that runs
--            without metrics on purpose (a benchmark) suppresses the rule.
WITH METRICS AS (
    SELECT
        MAX(CASE WHEN NAME = 'mon_req_metrics' THEN STATE END) AS REQ,
        MAX(CASE WHEN NAME = 'mon_act_metrics' THEN STATE END) AS ACT,
        MAX(CASE WHEN NAME = 'mon_obj_metrics' THEN STATE END) AS OBJ
    FROM (
        SELECT
            NAME,
            MIN(CASE WHEN VALUE = 'NONE' AND PENDING = 0 THEN 1 ELSE 0 END) AS STATE
        FROM TUNE.CONFIG
        WHERE SCOPE = 'DB' AND NAME IN ('mon_req_metrics', 'mon_act_metrics', 'mon_obj_metrics')
        GROUP BY NAME
    ) AS PARAMETER
),
TEXTS AS (
    SELECT
        CASE WHEN REQ = 1 THEN ' MON_REQ_METRICS BASE' ELSE '' END
        || CASE WHEN ACT = 1 THEN ' MON_ACT_METRICS BASE' ELSE '' END
        || CASE WHEN OBJ = 1 THEN ' MON_OBJ_METRICS BASE' ELSE '' END AS SETTINGS,
        CASE WHEN REQ = 1 THEN ' MON_REQ_METRICS NONE' ELSE '' END
        || CASE WHEN ACT = 1 THEN ' MON_ACT_METRICS NONE' ELSE '' END
        || CASE WHEN OBJ = 1 THEN ' MON_OBJ_METRICS NONE' ELSE '' END AS BEFORE
    FROM METRICS
    WHERE REQ = 1 OR ACT = 1 OR OBJ = 1
)
SELECT
    'DATABASE' AS OBJECT_TYPE,
    D.DB_NAME AS OBJECT_NAME,
    CAST(NULL AS SMALLINT) AS MEMBER,
    CAST(0 AS DOUBLE) AS CLAIMED_PCT,
    CAST(0 AS DOUBLE) AS RECOVER_LOW,
    CAST(0 AS DOUBLE) AS RECOVER_EXPECTED,
    CAST(0 AS DOUBLE) AS RECOVER_HIGH,
    CAST(0.9 AS DOUBLE) AS CONFIDENCE,
    'DBCFG:MON_METRICS' AS TARGET,
    'NONE' AS CURRENT_VALUE,
    'BASE' AS PROPOSED_VALUE,
    'level' AS UNIT,
    CAST(0 AS BIGINT) AS MEMORY_DELTA_KB,
    'UPDATE DB CFG FOR ' || D.DB_NAME || ' USING' || T.SETTINGS AS ACTION_TEXT,
    'UPDATE DB CFG FOR ' || D.DB_NAME || ' USING' || T.BEFORE AS UNDO_TEXT,
    'settings=' || SUBSTR(T.BEFORE, 2) AS EVIDENCE,
    'Metrics are not collected (' || SUBSTR(T.BEFORE, 2) || '): what depends on them cannot be judged.' AS FINDING,
    CAST(0 AS DOUBLE) AS CLAIM_2_PCT,
    CAST(0 AS DOUBLE) AS CLAIM_3_PCT
FROM TEXTS AS T
CROSS JOIN TUNE.RUN_DATABASE AS D
