-- Returns the statement that fills the snapshot table of one source, with a marker for the id of the snapshot. It omits
-- columns that this level of Db2 lacks, and statement texts and column values if the site excludes them. A source with
-- an incomplete key cannot be collected.
CREATE OR REPLACE PROCEDURE TUNE.COLLECT_STATEMENT (
    IN P_SOURCE VARCHAR(60), IN P_LEVEL INTEGER, OUT P_STATEMENT VARCHAR(30000)
)
LANGUAGE SQL
READS SQL DATA
BEGIN
    DECLARE V_NAMES VARCHAR(10000) DEFAULT 'SNAP_ID';
    DECLARE V_ITEMS VARCHAR(15000);
    DECLARE V_HEAD VARCHAR(2000);
    DECLARE V_TAIL VARCHAR(2000);
    DECLARE V_KEY VARCHAR(128);
    DECLARE V_MESSAGE VARCHAR(70);
    SELECT HEAD_TEXT, TAIL_TEXT INTO V_HEAD, V_TAIL FROM TUNE.COLLECT WHERE SOURCE = P_SOURCE;
    SELECT MIN(D.COLUMN_NAME) INTO V_KEY
    FROM TUNE.COLLECT_COLUMN AS D
    INNER JOIN TUNE.COLUMN_ABSENT AS A
        ON A.DB2_LEVEL = P_LEVEL AND D.SOURCE = A.SOURCE AND D.COLUMN_NAME = A.COLUMN_NAME
    WHERE D.SOURCE = P_SOURCE AND D.KIND = 'key';
    IF V_KEY IS NOT NULL THEN
        SET V_MESSAGE = 'its key column ' || SUBSTR(V_KEY, 1, MIN(30, LENGTH(V_KEY))) || ' does not exist at this level';
        SIGNAL SQLSTATE '70031' SET MESSAGE_TEXT = V_MESSAGE;
    END IF;
    SET V_ITEMS = 'CAST(? AS INTEGER)';
    FOR C AS
        SELECT D.COLUMN_NAME, D.EXPRESSION
        FROM TUNE.COLLECT_COLUMN AS D
        WHERE
            D.SOURCE = P_SOURCE
            AND NOT EXISTS (
                SELECT 1 FROM TUNE.COLUMN_ABSENT AS A
                WHERE A.DB2_LEVEL = P_LEVEL AND A.SOURCE = D.SOURCE AND A.COLUMN_NAME = D.COLUMN_NAME
            )
            AND NOT EXISTS (
                SELECT 1 FROM TUNE.OPTION AS O
                WHERE
                    D.COLUMN_NAME IN ('STMT_TEXT', 'LOW2KEY', 'HIGH2KEY')
                    AND O.RULE = 'site' AND O.NAME = 'statement_text' AND UPPER(O.VALUE) = 'OFF'
            )
        ORDER BY D.ITEM_NO
    DO
        SET V_NAMES = V_NAMES || ', ' || C.COLUMN_NAME;
        SET V_ITEMS = V_ITEMS || ', ' || C.EXPRESSION;
    END FOR;
    SET P_STATEMENT = 'INSERT INTO TUNE.S_' || UPPER(P_SOURCE) || ' (' || V_NAMES || ') '
        || V_HEAD || ' SELECT ' || V_ITEMS || ' ' || V_TAIL;
END
