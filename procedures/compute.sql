-- Computes the views of one kind (model before the rules, rank after them, list when all is chosen) in their order and
-- keeps their rows for the run of TUNE.THIS_RUN, so that each is computed once however many read it. No statement names
-- the run: those of the next one are found in the package cache.
CREATE OR REPLACE PROCEDURE TUNE.COMPUTE (IN P_KIND VARCHAR(5))
LANGUAGE SQL
MODIFIES SQL DATA
BEGIN
    FOR S AS SELECT VIEW_NAME, COLUMNS_TEXT FROM TUNE.MODEL_STEP WHERE KIND = P_KIND ORDER BY STEP_NO DO
        EXECUTE IMMEDIATE 'INSERT INTO TUNE.M_' || S.VIEW_NAME || ' (RUN_ID, ' || S.COLUMNS_TEXT
            || ') SELECT TUNE.THIS_RUN, ' || S.COLUMNS_TEXT || ' FROM TUNE.C_' || S.VIEW_NAME;
    END FOR;
END
