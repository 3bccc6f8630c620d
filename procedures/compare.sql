-- CALL TUNE.COMPARE(before, after): compares a run before a change with one after it. It returns one row per metric,
-- per unit of work, with bounds from comparable kept runs (see view COMPARISON). It gives no verdict: db2tune verify
-- judges the same change with methods that SQL lacks.
CREATE OR REPLACE PROCEDURE TUNE.COMPARE (IN P_BEFORE INTEGER, IN P_AFTER INTEGER)
DYNAMIC RESULT SETS 1
LANGUAGE SQL
MODIFIES SQL DATA
BEGIN
    DECLARE C_METRIC CURSOR WITH RETURN TO CLIENT FOR
        SELECT
            METRIC, UNIT, VALUE_BEFORE, VALUE_AFTER, CHANGE_PCT, LOW_PCT, HIGH_PCT,
            CAST(RTRIM(CHAR(RUNS_BEFORE)) || '/' || RTRIM(CHAR(RUNS_AFTER)) AS VARCHAR(7)) AS RUNS, NOTE
        FROM TUNE.COMPARISON
        WHERE RUN_BEFORE = P_BEFORE AND RUN_AFTER = P_AFTER
        ORDER BY METRIC;
    SET CURRENT LOCK TIMEOUT 10;
    SET CURRENT ISOLATION UR;
    IF P_BEFORE >= P_AFTER THEN
        SIGNAL SQLSTATE '70007' SET MESSAGE_TEXT = 'compare two different runs: one before the change, then one after';
    END IF;
    CALL TUNE.CHOOSE_RUN(P_BEFORE);
    CALL TUNE.CHOOSE_RUN(P_AFTER);
    OPEN C_METRIC;
END
