-- Runs one rule: its procedure adds findings to the run of TUNE.THIS_RUN. A failed rule is recorded with its reason as
-- not run, and does not stop the others. So is a rule that the server did not compile at the installation: TUNE.STEP
-- does not call it (70071). Only exhausted space and a lost unit of work (deadlock, timeout, cancelled) stop the run.
CREATE OR REPLACE PROCEDURE TUNE.FIND (IN P_RULE VARCHAR(60), IN P_PROCEDURE VARCHAR(128))
LANGUAGE SQL
MODIFIES SQL DATA
BEGIN
    DECLARE V_MESSAGE VARCHAR(1000);
    DECLARE EXIT HANDLER FOR SQLSTATE '57011', SQLSTATE '40001', SQLSTATE '57033', SQLSTATE '57014' RESIGNAL;
    DECLARE EXIT HANDLER FOR SQLSTATE '70071'
        INSERT INTO TUNE.M_NOT_RUN (RUN_ID, RULE, REASON)
        VALUES (TUNE.THIS_RUN, P_RULE, 'failed: this server did not compile it; db2tune install --check has the reason');
    DECLARE EXIT HANDLER FOR SQLEXCEPTION
    BEGIN
        GET DIAGNOSTICS EXCEPTION 1 V_MESSAGE = MESSAGE_TEXT;
        INSERT INTO TUNE.M_NOT_RUN (RUN_ID, RULE, REASON) VALUES (TUNE.THIS_RUN, P_RULE, 'failed: ' || RTRIM(V_MESSAGE));
        CALL TUNE.NOTE_ERROR('rule ' || P_RULE, NULL, TUNE.THIS_RUN, RTRIM(V_MESSAGE));
    END;
    CALL TUNE.STEP(P_PROCEDURE);
END
