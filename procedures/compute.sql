-- Computes the views of one kind in their order: model before the rules, rank after them, list after the choice. It
-- stores their rows for the run of TUNE.THIS_RUN, so each view is computed once. A failed view, for example after a
-- BIGINT overflow, remains empty and is recorded in TUNE.MISSING; the rules that need it do not run. Only exhausted space
-- and a lost unit of work stop the run.
CREATE OR REPLACE PROCEDURE TUNE.COMPUTE (IN P_KIND VARCHAR(5))
LANGUAGE SQL
MODIFIES SQL DATA
BEGIN
    DECLARE V_MESSAGE VARCHAR(1000);
    FOR S AS
        SELECT M.VIEW_NAME
        FROM TUNE.MODEL_STEP AS M
        WHERE
            M.KIND = P_KIND
            AND NOT EXISTS (SELECT 1 FROM TUNE.MISSING AS X WHERE X.RUN_ID = 0 AND X.NAME = M.VIEW_NAME)
        ORDER BY M.STEP_NO
    DO
        BEGIN
            DECLARE EXIT HANDLER FOR SQLSTATE '57011', SQLSTATE '40001', SQLSTATE '57033', SQLSTATE '57014' RESIGNAL;
            DECLARE EXIT HANDLER FOR SQLEXCEPTION
            BEGIN
                GET DIAGNOSTICS EXCEPTION 1 V_MESSAGE = MESSAGE_TEXT;
                INSERT INTO TUNE.MISSING (RUN_ID, KIND, NAME, REASON)
                VALUES (TUNE.THIS_RUN, P_KIND, S.VIEW_NAME, RTRIM(V_MESSAGE));
                CALL TUNE.NOTE_ERROR('view ' || S.VIEW_NAME, NULL, TUNE.THIS_RUN, RTRIM(V_MESSAGE));
            END;
            CALL TUNE.STEP('C_' || S.VIEW_NAME);
        END;
    END FOR;
END
