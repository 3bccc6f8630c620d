-- Drops the procedures of computed views, rules and sources, after those that call them. A rule that this server no
-- longer compiles must not stay as it was, and a procedure of a removed rule must not stay at all. Earlier versions had
-- views of rules and of their thresholds.
BEGIN
    FOR P AS
        SELECT SPECIFICNAME
        FROM SYSCAT.ROUTINES
        WHERE
            ROUTINESCHEMA = 'TUNE' AND ROUTINETYPE = 'P'
            AND (ROUTINENAME IN ('STEP', 'READ_SOURCE') OR SUBSTR(ROUTINENAME || '  ', 1, 2) IN ('C_', 'R_', 'S_'))
        ORDER BY CASE WHEN ROUTINENAME IN ('STEP', 'READ_SOURCE') THEN 0 ELSE 1 END
    DO
        EXECUTE IMMEDIATE 'DROP SPECIFIC PROCEDURE TUNE."' || P.SPECIFICNAME || '"';
    END FOR;
    FOR V AS
        SELECT V.TABNAME
        FROM SYSCAT.TABLES AS V
        INNER JOIN TUNE.RULE_TEXT AS T ON V.TABNAME IN (T.PROCEDURE_NAME, 'O_' || SUBSTR(T.PROCEDURE_NAME, 3))
        WHERE V.TABSCHEMA = 'TUNE' AND V.TYPE = 'V'
    DO
        EXECUTE IMMEDIATE 'DROP VIEW TUNE.' || V.TABNAME;
    END FOR;
END
