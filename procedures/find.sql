-- Runs one rule: the rows of its view become findings of the run. A rule that fails is kept with its reason, as one that
-- could not run, and never stops the others; only when there is no space left for what is found, nothing can go on.
CREATE OR REPLACE PROCEDURE TUNE.FIND (IN P_RUN_ID INTEGER, IN P_RULE VARCHAR(60), IN P_VIEW VARCHAR(128))
LANGUAGE SQL
MODIFIES SQL DATA
BEGIN
    DECLARE V_MESSAGE VARCHAR(1000);
    DECLARE C_NO_SPACE CONDITION FOR SQLSTATE '57011';
    DECLARE EXIT HANDLER FOR C_NO_SPACE RESIGNAL;
    DECLARE EXIT HANDLER FOR SQLEXCEPTION
    BEGIN
        GET DIAGNOSTICS EXCEPTION 1 V_MESSAGE = MESSAGE_TEXT;
        INSERT INTO TUNE.M_NOT_RUN (RUN_ID, RULE, REASON) VALUES (P_RUN_ID, P_RULE, 'failed: ' || RTRIM(V_MESSAGE));
        CALL TUNE.NOTE_ERROR('rule ' || P_RULE, NULL, P_RUN_ID, RTRIM(V_MESSAGE));
    END;
    EXECUTE IMMEDIATE 'INSERT INTO TUNE.M_FINDING SELECT ' || CAST(P_RUN_ID AS VARCHAR(11)) || ', '''
        || REPLACE(P_RULE, '''', '''''') || ''', R.* FROM TUNE."' || REPLACE(P_VIEW, '"', '""') || '" AS R';
END
