-- rule:      cpu.cpuspeed-stale
-- title:     CPUSPEED was measured on another processor
-- area:      cpu
-- lane:      H
-- effect:    ON
-- applies:   not=managed
-- evidence:  host
-- needs:     host.model, host.cpuspeed_model, dbmcfg.VALUE
-- source:    002_e991ec30bbd9209f.txt, section 5.4 (after moving or cloning a virtual machine); IBM documentation of
--            cpuspeed (r0000295)
-- why:       The optimizer weighs processor time against disk time with CPUSPEED. It is measured once, when the
--            instance is created, and a clone or a move to another host takes the old number along.
-- not-if:    The model of the processor is that of the host on which it was measured; a measurement (-1) or another
--            value waits; a managed database.
-- note:      The paper says to reset it, and the manual confirms the command and that it works at once, for statements
--            compiled later. Only plans change, so nothing is claimed. Where CPUSPEED was last measured only a person
--            knows. A value that was set by hand, to model another machine, looks the same.
SELECT
    'INSTANCE' AS OBJECT_TYPE,
    D.INSTANCE_NAME AS OBJECT_NAME,
    CAST(NULL AS SMALLINT) AS MEMBER,
    CAST(0 AS DOUBLE) AS CLAIMED_PCT,
    CAST(0 AS DOUBLE) AS RECOVER_LOW,
    CAST(0 AS DOUBLE) AS RECOVER_EXPECTED,
    CAST(0 AS DOUBLE) AS RECOVER_HIGH,
    CAST(0.3 AS DOUBLE) AS CONFIDENCE,
    'DBMCFG:CPUSPEED' AS TARGET,
    S.VALUE AS CURRENT_VALUE,
    '-1' AS PROPOSED_VALUE,
    'ms per instruction' AS UNIT,
    CAST(0 AS BIGINT) AS MEMORY_DELTA_KB,
    'UPDATE DBM CFG USING CPUSPEED -1' || CHR(10)
    || '-- then state the new model as the host fact cpu/cpuspeed_model, and rebind packages with static SQL'
        AS ACTION_TEXT,
    'UPDATE DBM CFG USING CPUSPEED ' || S.VALUE AS UNDO_TEXT,
    'CPUSPEED=' || S.VALUE || '; model=' || P.MODEL || '; cpuspeed_model=' || P.CPUSPEED_MODEL AS EVIDENCE,
    'CPUSPEED ' || S.VALUE || ' was measured on ' || P.CPUSPEED_MODEL || ', but host ' || P.HOST_NAME || ' has '
    || P.MODEL || '.' AS FINDING,
    CAST(0 AS DOUBLE) AS CLAIM_2_PCT,
    CAST(0 AS DOUBLE) AS CLAIM_3_PCT
FROM TUNE.HOST_PROCESSOR AS P
CROSS JOIN TUNE.RUN_DATABASE AS D
INNER JOIN TUNE.SETTING AS S ON S.SCOPE = 'DBM' AND S.NAME = 'cpuspeed'
WHERE
    P.MODEL <> P.CPUSPEED_MODEL
    AND S.FIXED = 1
    AND S.VALUE <> '-1'
