-- Computes the views of one kind in their order: model before the rules, rank after them, list after the choice. It
-- stores their rows for the run of TUNE.THIS_RUN, so each view is computed once. A failed view of the model, for
-- example after a BIGINT overflow, remains empty, and the rules that need it do not run. Views whose emptiness would
-- mean "no problem" stop the run, and so do exhausted space and a lost unit of work.
CREATE OR REPLACE PROCEDURE TUNE.COMPUTE (IN P_KIND VARCHAR(5))
LANGUAGE SQL
MODIFIES SQL DATA
BEGIN
    FOR S AS SELECT VIEW_NAME FROM TUNE.MODEL_STEP WHERE KIND = P_KIND ORDER BY STEP_NO DO
        CALL TUNE.COMPUTE_VIEW(S.VIEW_NAME);
    END FOR;
END
