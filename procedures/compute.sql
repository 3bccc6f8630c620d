-- Computes the views of one kind (model before the rules, rank after them, list when all is chosen) in their order and
-- keeps their rows for the run of TUNE.THIS_RUN, so that each is computed once however many read it. No statement names
-- the run: those of the next one are found in the package cache. A view of the model that fails, such as one whose
-- sum no BIGINT can hold, is as empty as it is where nothing was collected, and the rules that rely on it could not run;
-- not so one that would say by that that all is well, and not when the space or the unit of work is lost.
CREATE OR REPLACE PROCEDURE TUNE.COMPUTE (IN P_KIND VARCHAR(5))
LANGUAGE SQL
MODIFIES SQL DATA
BEGIN
    FOR S AS SELECT VIEW_NAME FROM TUNE.MODEL_STEP WHERE KIND = P_KIND ORDER BY STEP_NO DO
        CALL TUNE.COMPUTE_VIEW(S.VIEW_NAME);
    END FOR;
END
