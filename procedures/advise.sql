-- CALL TUNE.ADVISE(): takes a snapshot, compares it with an earlier one, and recommends changes. The first result set
-- is the report as text, in lines that the command line processor does not cut off: the interval, the time, each
-- recommendation with its commands and undo, the costliest statements, the rules that could not run, and questions. The
-- second one is the ranked list for programs; TUNE.REPORT returns everything. All parameters are optional. P_AREA and
-- P_TOP shorten the output; the list of one area has no headings. P_WINDOW is PREVIOUS, ACTIVATION or the id of a
-- snapshot. P_INTERVAL_S is the number of seconds between two snapshots. It calls DBMS_ALERT in a dynamic statement, so
-- users without that privilege can still install, and call ADVISE without P_INTERVAL_S.
CREATE OR REPLACE PROCEDURE TUNE.ADVISE (
    IN P_AREA VARCHAR(20) DEFAULT NULL,
    IN P_TOP INTEGER DEFAULT NULL,
    IN P_WINDOW VARCHAR(20) DEFAULT 'PREVIOUS',
    IN P_INTERVAL_S INTEGER DEFAULT NULL
)
DYNAMIC RESULT SETS 2
LANGUAGE SQL
MODIFIES SQL DATA
BEGIN
    DECLARE V_SNAP_ID INTEGER;
    DECLARE V_WINDOW VARCHAR(20);
    DECLARE V_RUN_ID INTEGER;
    DECLARE V_SLEEP VARCHAR(60) DEFAULT 'CALL SYSIBMADM.DBMS_ALERT.SLEEP(?)';
    DECLARE C_TEXT CURSOR WITH RETURN TO CLIENT FOR
        SELECT T.TEXT
        FROM TUNE.TEXT_LINE AS T
        LEFT JOIN TUNE.ADVICE_LIST AS A ON T.RANK = A.RANK AND A.RUN_ID = V_RUN_ID
        WHERE T.EXPLAINS = 0 AND (T.RANK IS NULL OR (
            (P_AREA IS NULL OR (A.AREA = P_AREA AND T.LINE_NO > 1)) AND (P_TOP IS NULL OR A.PLACE_IN_AREA <= P_TOP)
            AND (P_TOP IS NULL OR P_AREA IS NOT NULL OR A.RANK <= P_TOP)))
        ORDER BY T.PART, T.PLACE, T.LINE_NO, T.N;
    DECLARE C_ADVICE CURSOR WITH RETURN TO CLIENT FOR
        SELECT RANK, RUN_ID, LANE, BENEFIT_PCT, RULE, OBJECT
        FROM TUNE.ADVICE_LIST
        WHERE RUN_ID = V_RUN_ID AND (P_AREA IS NULL OR AREA = P_AREA) AND (P_TOP IS NULL OR PLACE_IN_AREA <= P_TOP)
            AND (P_TOP IS NULL OR P_AREA IS NOT NULL OR RANK <= P_TOP)
        ORDER BY RANK;
    SET CURRENT LOCK TIMEOUT 10;
    SET CURRENT ISOLATION UR;
    IF NOT EXISTS (SELECT 1 FROM TUNE.MODEL_STEP) THEN
        SIGNAL SQLSTATE '70091' SET MESSAGE_TEXT = 'the installation is not complete: run it again';
    ELSEIF P_AREA IS NOT NULL AND NOT EXISTS (SELECT 1 FROM TUNE.RULE_TEXT WHERE AREA = P_AREA) THEN
        SIGNAL SQLSTATE '70001' SET MESSAGE_TEXT = 'P_AREA is not an area; SELECT DISTINCT AREA FROM TUNE.RULE_TEXT';
    ELSEIF P_TOP < 1 THEN
        SIGNAL SQLSTATE '70002' SET MESSAGE_TEXT = 'P_TOP must be 1 or more, or NULL for all';
    ELSEIF P_INTERVAL_S < 60 OR P_INTERVAL_S > 900 THEN
        SIGNAL SQLSTATE '70004' SET MESSAGE_TEXT = 'P_INTERVAL_S must be 60 to 900 seconds between two snapshots';
    END IF;
    SET V_WINDOW = UPPER(COALESCE(P_WINDOW, 'PREVIOUS'));
    IF P_INTERVAL_S IS NOT NULL THEN
        CALL TUNE.SNAPSHOT(V_SNAP_ID);
        SET V_WINDOW = CAST(V_SNAP_ID AS VARCHAR(11));
        PREPARE S_SLEEP FROM V_SLEEP;
        EXECUTE S_SLEEP USING P_INTERVAL_S;
    END IF;
    CALL TUNE.SNAPSHOT(V_SNAP_ID);
    CALL TUNE.START_RUN(V_SNAP_ID, V_WINDOW, V_RUN_ID);
    CALL TUNE.EVALUATE(V_RUN_ID);
    OPEN C_TEXT;
    OPEN C_ADVICE;
END
