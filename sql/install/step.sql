-- Creates TUNE.STEP, which calls the procedure of a computed view (C_...) or rule (R_...) by its name. It contains a
-- static CALL of each procedure that exists: a rule that this server did not compile costs itself only. A trial has none.
BEGIN
    DECLARE V_TEXT CLOB(1000000);
    SET V_TEXT = 'CREATE OR REPLACE PROCEDURE TUNE.STEP (IN P_NAME VARCHAR(130)) LANGUAGE SQL MODIFIES SQL DATA '
        || 'CASE P_NAME WHEN ''NONE'' THEN BEGIN END;';
    FOR P AS
        SELECT ROUTINENAME
        FROM SYSCAT.ROUTINES
        WHERE ROUTINESCHEMA = 'TUNE' AND ROUTINETYPE = 'P' AND SUBSTR(ROUTINENAME, 1, 2) IN ('C_', 'R_')
        ORDER BY ROUTINENAME
    DO
        SET V_TEXT = V_TEXT || ' WHEN ''' || P.ROUTINENAME || ''' THEN CALL TUNE.' || P.ROUTINENAME || '();';
    END FOR;
    SET V_TEXT = V_TEXT || ' ELSE SIGNAL SQLSTATE ''70071'' SET MESSAGE_TEXT = ''not compiled at the installation'';'
        || ' END CASE';
    EXECUTE IMMEDIATE V_TEXT;
END
