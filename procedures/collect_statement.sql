-- Returns the statement that fills the snapshot table of one source, and the names of its columns. P_ID is the SQL of the
-- snapshot's id: a marker, or a parameter of the procedure that will contain the statement. It omits columns that this
-- level of Db2 lacks. A statement with a marker also omits statement texts and column values if the site excludes them. A
-- source with an incomplete key cannot be collected.
CREATE OR REPLACE PROCEDURE TUNE.COLLECT_STATEMENT (
    IN P_SOURCE VARCHAR(60), IN P_LEVEL INTEGER, IN P_ID VARCHAR(20), OUT P_NAMES VARCHAR(10000),
    OUT P_STATEMENT VARCHAR(30000)
)
LANGUAGE SQL
READS SQL DATA
BEGIN
    DECLARE V_NAMES VARCHAR(10000);
    DECLARE V_ITEMS VARCHAR(15000);
    DECLARE V_HEAD VARCHAR(3000);
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
    FOR C AS
        SELECT D.COLUMN_NAME, D.EXPRESSION
        FROM TUNE.COLLECT_COLUMN AS D
        WHERE
            D.SOURCE = P_SOURCE
            AND NOT EXISTS (
                SELECT 1 FROM TUNE.COLUMN_ABSENT AS A
                WHERE A.DB2_LEVEL = P_LEVEL AND A.SOURCE = D.SOURCE AND A.COLUMN_NAME = D.COLUMN_NAME
            )
            AND (
                LOCATE('?', P_ID) = 0
                OR NOT EXISTS (
                    SELECT 1 FROM TUNE.OMITTED_COLUMN AS O WHERE O.SOURCE = D.SOURCE AND O.COLUMN_NAME = D.COLUMN_NAME
                )
            )
        ORDER BY D.ITEM_NO
    DO
        SET V_NAMES = CASE WHEN V_NAMES IS NULL THEN C.COLUMN_NAME ELSE V_NAMES || ', ' || C.COLUMN_NAME END;
        SET V_ITEMS = CASE WHEN V_ITEMS IS NULL THEN C.EXPRESSION ELSE V_ITEMS || ', ' || C.EXPRESSION END;
    END FOR;
    SET P_NAMES = V_NAMES;
    SET P_STATEMENT = 'INSERT INTO TUNE.S_' || UPPER(P_SOURCE) || ' (SNAP_ID, ' || V_NAMES || ') '
        || V_HEAD || ' SELECT ' || P_ID || ', ' || V_ITEMS || ' ' || V_TAIL;
END
