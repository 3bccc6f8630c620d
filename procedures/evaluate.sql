-- Judges a run: computes its views, runs the rules that can run, ranks the findings. What the server refused at the
-- installation, and what fails now (TUNE.MISSING), costs the rules that need it: TUNE.NOT_RUN names them. A row of
-- M_NOT_RUN without a reason is a rule that does not apply. Without the views that judge load, only rules about the
-- configuration run; without the ranking, TUNE.ADVISE lists the findings by their share of time. The statements on views
-- are dynamic, so that no missing view takes this procedure with it. An installation at the same time replaces rules one
-- by one, so the run ends with an error then.
CREATE OR REPLACE PROCEDURE TUNE.EVALUATE (IN P_RUN_ID INTEGER)
LANGUAGE SQL
MODIFIES SQL DATA
BEGIN
    DECLARE V_INSTALLED_AT TIMESTAMP;
    DECLARE V_FAILED VARCHAR(128);
    SET TUNE.THIS_RUN = P_RUN_ID;
    SET V_INSTALLED_AT = (SELECT MAX(INSTALLED_AT) FROM TUNE.VERSION);
    CALL TUNE.COMPUTE('model');
    CALL TUNE.GUARD('gate', 'INSERT INTO TUNE.M_NOT_RUN (RUN_ID, RULE, REASON) SELECT TUNE.THIS_RUN, G.RULE, '
        || 'CASE WHEN G.KIND = ''could not run'' THEN G.REASON END FROM TUNE.GATE AS G WHERE G.KIND = ''not applicable'' '
        || 'OR G.RULE NOT IN (SELECT N.RULE FROM TUNE.GATE AS N WHERE N.KIND = ''not applicable'')');
    INSERT INTO TUNE.M_NOT_RUN (RUN_ID, RULE, REASON)
    SELECT P_RUN_ID, V.RULE, 'failed: ' || M.NAME || ': ' || M.REASON
    FROM TUNE.MISSING AS M
    INNER JOIN TUNE.RULE_VIEW AS V ON LOCATE(',' || M.NAME || ',', V.VIEWS) > 0 OR M.NAME = V.RULE
    WHERE M.RUN_ID IN (0, P_RUN_ID);
    SELECT MIN(NAME) INTO V_FAILED
    FROM TUNE.MISSING
    WHERE
        RUN_ID IN (0, P_RUN_ID)
        AND NAME IN ('COUNTER_CHECK', 'DATABASE_TIME', 'GATE', 'MEMORY_BUDGET', 'NO_LOAD', 'RUN_WINDOW', 'TOO_FEW', 'gate');
    IF V_FAILED IS NOT NULL THEN
        INSERT INTO TUNE.M_NOT_RUN (RUN_ID, RULE, REASON)
        SELECT P_RUN_ID, R.RULE, 'cannot be judged without ' || V_FAILED
        FROM TUNE.RULE AS R
        WHERE
            R.JUDGED_BY <> 'config' OR R.TOPOLOGY IS NOT NULL OR R.ON_PURESCALE = 0 OR R.STEPS_NEED IS NOT NULL
            OR R.MIN_LEVEL IS NOT NULL OR R.MAX_LEVEL IS NOT NULL OR R.PLATFORM IS NOT NULL OR R.ON_GUEST = 1
            OR R.ON_STANDBY = 0 OR R.QUIET = 1
            OR EXISTS (
                SELECT 1
                FROM TUNE.RULE_NEED AS N
                INNER JOIN TUNE.RUN AS W ON W.RUN_ID = P_RUN_ID
                LEFT JOIN TUNE.SNAPSHOT_SOURCE AS S
                    ON W.END_ID = S.SNAP_ID AND N.SOURCE = S.SOURCE AND S.REASON IS NULL
                LEFT JOIN TUNE.COLUMN_ABSENT AS A ON N.SOURCE = A.SOURCE AND N.ITEM = A.COLUMN_NAME
                WHERE N.RULE = R.RULE AND N.TIMED = 0 AND (S.SOURCE IS NULL OR A.SOURCE IS NOT NULL)
            );
    END IF;
    FOR R AS
        SELECT T.RULE, T.PROCEDURE_NAME
        FROM TUNE.RULE_TEXT AS T
        WHERE NOT EXISTS (SELECT 1 FROM TUNE.M_NOT_RUN AS N WHERE N.RUN_ID = P_RUN_ID AND N.RULE = T.RULE)
        ORDER BY T.RULE
    DO
        CALL TUNE.FIND(R.RULE, R.PROCEDURE_NAME);
    END FOR;
    CALL TUNE.COMPUTE('rank');
    CALL TUNE.GUARD('rank', 'CALL TUNE.CHOOSE(TUNE.THIS_RUN)');
    CALL TUNE.COMPUTE('list');
    CALL TUNE.GUARD('ledger', 'INSERT INTO TUNE.CHANGE (SNAP_ID, SCOPE, MEMBER, NAME, OLD_VALUE, NEW_VALUE) '
        || 'SELECT W.END_ID, C.SCOPE, C.MEMBER, C.NAME, C.OLD_VALUE, C.NEW_VALUE '
        || 'FROM TUNE.CHANGED AS C CROSS JOIN TUNE.CHANGE_SPAN AS W');
    IF
        NOT EXISTS (SELECT 1 FROM TUNE.MODEL_STEP)
        OR EXISTS (SELECT 1 FROM TUNE.VERSION WHERE INSTALLED_AT > V_INSTALLED_AT)
    THEN
        SIGNAL SQLSTATE '70092' SET MESSAGE_TEXT = 'schema TUNE was installed at the same time: call it again';
    END IF;
    UPDATE TUNE.RUN SET FINISHED_AT = CURRENT TIMESTAMP WHERE RUN_ID = P_RUN_ID;
END
