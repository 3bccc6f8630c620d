-- Judges one run: the model, the gates, every rule that they let through, the candidates, what is chosen of them, the
-- list. What earlier runs computed on the way is no longer needed and goes. Class 2 knows all joins, as class 5 does, and
-- takes them in order without trying every other one: what IBM advises for complex queries that are not repeated often,
-- whatever the class of the session is.
CREATE OR REPLACE PROCEDURE TUNE.EVALUATE (IN P_RUN_ID INTEGER)
LANGUAGE SQL
MODIFIES SQL DATA
BEGIN
    SET CURRENT QUERY OPTIMIZATION 2;
    SET TUNE.THIS_RUN = P_RUN_ID;
    FOR S AS SELECT VIEW_NAME FROM TUNE.MODEL_STEP WHERE KEPT = 0 ORDER BY STEP_NO DO
        EXECUTE IMMEDIATE 'DELETE FROM TUNE.M_' || S.VIEW_NAME || ' WHERE RUN_ID IN (SELECT RUN_ID FROM TUNE.RUN'
            || ' WHERE FINISHED_AT IS NOT NULL AND RUN_ID < TUNE.THIS_RUN)';
    END FOR;
    CALL TUNE.COMPUTE('model');
    INSERT INTO TUNE.M_NOT_RUN (RUN_ID, RULE, REASON)
    SELECT P_RUN_ID, RULE, REASON FROM TUNE.GATE
    WHERE KIND = 'could not run' AND RULE NOT IN (SELECT RULE FROM TUNE.GATE WHERE KIND = 'not applicable');
    FOR R AS
        SELECT T.RULE, T.VIEW_NAME
        FROM TUNE.RULE_TEXT AS T
        WHERE NOT EXISTS (SELECT 1 FROM TUNE.GATE AS G WHERE G.RULE = T.RULE)
            AND NOT EXISTS (SELECT 1 FROM TUNE.NOT_RUN AS N WHERE N.RULE = T.RULE)
        ORDER BY T.RULE
    DO
        CALL TUNE.FIND(R.RULE, R.VIEW_NAME);
    END FOR;
    CALL TUNE.COMPUTE('rank');
    CALL TUNE.CHOOSE(P_RUN_ID);
    CALL TUNE.COMPUTE('list');
    INSERT INTO TUNE.CHANGE (SNAP_ID, SCOPE, MEMBER, NAME, OLD_VALUE, NEW_VALUE)
    SELECT W.END_ID, C.SCOPE, C.MEMBER, C.NAME, C.OLD_VALUE, C.NEW_VALUE
    FROM TUNE.CHANGED AS C
    CROSS JOIN TUNE.CHANGE_SPAN AS W;
    UPDATE TUNE.RUN SET FINISHED_AT = CURRENT TIMESTAMP WHERE RUN_ID = P_RUN_ID;
END
