-- CALL TUNE.ADVISE(): takes a snapshot, compares it with an earlier one, and recommends changes. The first result set
-- is the report as text, in lines that the command line processor does not cut off: the interval, the time, each
-- recommendation with its commands and undo, the costliest statements, the rules that could not run, and questions. The
-- second one is the ranked list for programs; TUNE.REPORT returns everything. All parameters are optional. P_AREA and
-- P_TOP shorten the output; the list of one area has no headings. P_WINDOW is PREVIOUS, ACTIVATION or the id of a
-- snapshot. P_INTERVAL_S is the number of seconds between two snapshots. It calls DBMS_ALERT in a dynamic statement, so
-- users without that privilege can still install, and call ADVISE without P_INTERVAL_S.
-- If the server refused a view of the ranking or of the text, or if one failed, the list has the findings of the rules
-- with their share of time; the statements are dynamic for this reason.
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
    DECLARE V_TOP INTEGER;
    DECLARE V_FAILED SMALLINT DEFAULT 0;
    DECLARE V_SLEEP VARCHAR(60) DEFAULT 'CALL SYSIBMADM.DBMS_ALERT.SLEEP(?)';
    DECLARE V_TEXT VARCHAR(2000) DEFAULT 'SELECT T.TEXT FROM TUNE.TEXT_LINE AS T LEFT JOIN TUNE.ADVICE_LIST AS A '
        || 'ON T.RANK = A.RANK AND A.RUN_ID = CAST(? AS INTEGER) CROSS JOIN (SELECT CAST(? AS VARCHAR(20)) AS AREA, '
        || 'CAST(? AS INTEGER) AS TOP FROM SYSIBM.SYSDUMMY1) AS P WHERE T.EXPLAINS = 0 AND (T.RANK IS NULL OR ('
        || '(P.AREA IS NULL OR (A.AREA = P.AREA AND T.LINE_NO > 1)) AND (P.TOP IS NULL OR A.PLACE_IN_AREA <= P.TOP) '
        || 'AND (P.TOP IS NULL OR P.AREA IS NOT NULL OR A.RANK <= P.TOP))) ORDER BY T.PART, T.PLACE, T.LINE_NO, T.N';
    DECLARE V_LIST VARCHAR(2000) DEFAULT 'SELECT A.RANK, A.RUN_ID, A.LANE, A.BENEFIT_PCT, A.RULE, A.OBJECT '
        || 'FROM TUNE.ADVICE_LIST AS A CROSS JOIN (SELECT CAST(? AS INTEGER) AS RUN_ID, CAST(? AS VARCHAR(20)) AS AREA, '
        || 'CAST(? AS INTEGER) AS TOP FROM SYSIBM.SYSDUMMY1) AS P WHERE A.RUN_ID = P.RUN_ID '
        || 'AND (P.AREA IS NULL OR A.AREA = P.AREA) AND (P.TOP IS NULL OR A.PLACE_IN_AREA <= P.TOP) '
        || 'AND (P.TOP IS NULL OR P.AREA IS NOT NULL OR A.RANK <= P.TOP) ORDER BY A.RANK';
    DECLARE C_TEXT CURSOR WITH RETURN TO CLIENT FOR S_TEXT;
    DECLARE C_ADVICE CURSOR WITH RETURN TO CLIENT FOR S_ADVICE;
    DECLARE C_PLAIN_TEXT CURSOR WITH RETURN TO CLIENT FOR
        SELECT TEXT
        FROM (
            SELECT 1, CAST(0 AS DOUBLE), ' ',
                CAST('Not ranked, because parts of TUNE are missing (TUNE.MISSING). Findings, largest share first:'
                    AS VARCHAR(2100))
            FROM SYSIBM.SYSDUMMY1
            UNION ALL
            SELECT DISTINCT 2, COALESCE(F.CLAIMED_PCT, 0), F.OBJECT_TYPE || ' ' || F.OBJECT_NAME,
                F.RULE || ', ' || F.OBJECT_TYPE || ' ' || F.OBJECT_NAME || ': ' || COALESCE(F.FINDING, ' ')
                || CASE
                    WHEN F.SETTING_NAME IS NOT NULL
                        THEN ' ' || F.SETTING_NAME || ': now ' || COALESCE(CAST(F.CURRENT_VALUE AS VARCHAR(200)), 'unknown')
                            || ', better '
                            || COALESCE(CAST(F.PROPOSED_VALUE AS VARCHAR(200)), 'unknown') || '.'
                    ELSE ' '
                END
            FROM TUNE.M_FINDING AS F
            INNER JOIN TUNE.RULE_TEXT AS T ON F.RULE = T.RULE
            WHERE F.RUN_ID = V_RUN_ID AND (P_AREA IS NULL OR T.AREA = P_AREA)
            UNION ALL
            SELECT DISTINCT 3, 0, N.RULE, 'Not run: ' || N.RULE || ': ' || N.REASON
            FROM TUNE.M_NOT_RUN AS N
            WHERE N.RUN_ID = V_RUN_ID AND N.REASON IS NOT NULL
        ) AS L (PART, SHARE, OBJECT, TEXT)
        ORDER BY PART, SHARE DESC, OBJECT, TEXT;
    DECLARE C_PLAIN_ADVICE CURSOR WITH RETURN TO CLIENT FOR
        SELECT RANK, V_RUN_ID AS RUN_ID, CAST('not ranked' AS VARCHAR(12)) AS LANE, BENEFIT_PCT, RULE, OBJECT
        FROM (
            SELECT
                CAST(ROW_NUMBER() OVER (ORDER BY MAX(COALESCE(F.CLAIMED_PCT, 0)) DESC, F.RULE, F.OBJECT_NAME) AS SMALLINT)
                    AS RANK,
                CAST(MAX(COALESCE(F.CLAIMED_PCT, 0)) AS DECIMAL(5, 1)) AS BENEFIT_PCT,
                CAST(F.RULE AS VARCHAR(40)) AS RULE,
                CAST(SUBSTR(F.OBJECT_TYPE || ' ' || F.OBJECT_NAME || '                                             ', 1, 45)
                    AS VARCHAR(45)) AS OBJECT
            FROM TUNE.M_FINDING AS F
            INNER JOIN TUNE.RULE_TEXT AS T ON F.RULE = T.RULE
            WHERE F.RUN_ID = V_RUN_ID AND (P_AREA IS NULL OR T.AREA = P_AREA)
            GROUP BY F.RULE, F.OBJECT_TYPE, F.OBJECT_NAME
        ) AS L
        WHERE RANK <= V_TOP
        ORDER BY RANK;
    SET CURRENT LOCK TIMEOUT 10;
    SET CURRENT ISOLATION UR;
    SET V_TOP = COALESCE(P_TOP, 32767);
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
    IF EXISTS (SELECT 1 FROM TUNE.MISSING WHERE RUN_ID IN (0, V_RUN_ID) AND (KIND = 'rank' OR NAME = 'ADVICE')) THEN
        SET V_FAILED = 1;
    ELSE
        BEGIN
            DECLARE EXIT HANDLER FOR SQLEXCEPTION SET V_FAILED = 1;
            PREPARE S_TEXT FROM V_TEXT;
            PREPARE S_ADVICE FROM V_LIST;
            OPEN C_TEXT USING V_RUN_ID, P_AREA, P_TOP;
            OPEN C_ADVICE USING V_RUN_ID, P_AREA, P_TOP;
        END;
    END IF;
    IF V_FAILED = 1 THEN
        OPEN C_PLAIN_TEXT;
        OPEN C_PLAIN_ADVICE;
    END IF;
END
