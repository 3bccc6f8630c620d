-- Procedures that depend on the sources, views and rules of this version.

-- name: plain_step
-- TUNE.STEP calls the procedure of a computed view (C_...) or rule (R_...) by its name.
CREATE OR REPLACE PROCEDURE TUNE.STEP (IN P_NAME VARCHAR(130))
LANGUAGE SQL
MODIFIES SQL DATA
BEGIN
    DECLARE V_TEXT VARCHAR(150);
    SET V_TEXT = 'CALL TUNE.' || P_NAME || '()';
    EXECUTE IMMEDIATE V_TEXT;
END

-- name: step
-- Replaces TUNE.STEP, which calls the procedure of a computed view (C_...) or rule (R_...) by its name. It contains a
-- static CALL of each procedure that exists, so that nothing is compiled at a run. A trial has none.
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

-- name: plain_read_source
-- TUNE.READ_SOURCE reads a source by a statement that was compiled before; without any it returns no number of rows.
CREATE OR REPLACE PROCEDURE TUNE.READ_SOURCE (
    IN P_SOURCE VARCHAR(60), IN P_SNAP_ID INTEGER, INOUT P_FROM_ID INTEGER, IN P_LEVEL INTEGER, OUT P_ROWS BIGINT
)
LANGUAGE SQL
MODIFIES SQL DATA
BEGIN
    SET P_ROWS = NULL;
END

-- name: sources
-- Creates a procedure S_<SOURCE> for each source that this server can compile, with the columns of its level, and
-- TUNE.READ_SOURCE, which calls them. At another level, and for other sources, TUNE.READ_SOURCE returns no number of
-- rows; TUNE.COLLECT_SOURCE then prepares the statement. A source that is not read at every snapshot copies the rows of
-- snapshot P_FROM_ID, unless one of them is to be read again.
BEGIN
    DECLARE V_LEVEL INTEGER;
    DECLARE V_LACKS SMALLINT;
    DECLARE V_NAMES VARCHAR(10000);
    DECLARE V_STATEMENT VARCHAR(30000);
    DECLARE V_HEAD VARCHAR(1000);
    DECLARE V_COPY VARCHAR(21000);
    DECLARE V_CALLS CLOB(100000) DEFAULT ' ';
    SELECT COALESCE(DB2_LEVEL, 0) INTO V_LEVEL FROM TUNE.IDENTITY;
    FOR S AS SELECT SOURCE, 'S_' || UPPER(SOURCE) AS NAME, AGAIN_TEXT FROM TUNE.COLLECT ORDER BY SOURCE DO
        BEGIN
            DECLARE EXIT HANDLER FOR SQLSTATE '57011', SQLSTATE '40001', SQLSTATE '57033', SQLSTATE '57014' RESIGNAL;
            DECLARE EXIT HANDLER FOR SQLEXCEPTION BEGIN END;
            SET V_LACKS = 0;
            CALL TUNE.COLLECT_STATEMENT(S.SOURCE, V_LEVEL, 'P_SNAP_ID', V_NAMES, V_STATEMENT);
            SET V_COPY = CASE
                WHEN S.AGAIN_TEXT IS NULL THEN ' '
                ELSE ' IF P_FROM_ID IS NOT NULL AND NOT EXISTS (SELECT 1 FROM TUNE.' || S.NAME || ' WHERE SNAP_ID = P_FROM_ID'
                    || ' AND (' || S.AGAIN_TEXT || ')) THEN INSERT INTO TUNE.' || S.NAME || ' (SNAP_ID, ' || V_NAMES
                    || ') SELECT P_SNAP_ID, ' || V_NAMES || ' FROM TUNE.' || S.NAME || ' WHERE SNAP_ID = P_FROM_ID;'
                    || ' GET DIAGNOSTICS P_ROWS = ROW_COUNT; RETURN; END IF; SET P_FROM_ID = NULL; '
            END;
            SET V_HEAD = 'CREATE OR REPLACE PROCEDURE TUNE.' || S.NAME || ' (IN P_SNAP_ID INTEGER, INOUT P_FROM_ID INTEGER, '
                || 'OUT P_ROWS BIGINT) LANGUAGE SQL MODIFIES SQL DATA BEGIN ';
            BEGIN
                DECLARE CONTINUE HANDLER FOR SQLSTATE '42703' SET V_LACKS = 1;
                EXECUTE IMMEDIATE V_HEAD || V_COPY || V_STATEMENT || '; GET DIAGNOSTICS P_ROWS = ROW_COUNT; END';
            END;
            IF V_LACKS = 1 THEN
                CALL TUNE.PROBE_COLUMNS(S.SOURCE, V_LEVEL);
                CALL TUNE.COLLECT_STATEMENT(S.SOURCE, V_LEVEL, 'P_SNAP_ID', V_NAMES, V_STATEMENT);
                EXECUTE IMMEDIATE V_HEAD || V_COPY || V_STATEMENT || '; GET DIAGNOSTICS P_ROWS = ROW_COUNT; END';
            END IF;
            SET V_CALLS = V_CALLS || ' WHEN P_SOURCE = ''' || S.SOURCE || ''' THEN CALL TUNE.' || S.NAME
                || '(P_SNAP_ID, P_FROM_ID, P_ROWS);';
        END;
    END FOR;
    EXECUTE IMMEDIATE 'CREATE OR REPLACE PROCEDURE TUNE.READ_SOURCE (IN P_SOURCE VARCHAR(60), IN P_SNAP_ID INTEGER, '
        || 'INOUT P_FROM_ID INTEGER, IN P_LEVEL INTEGER, OUT P_ROWS BIGINT) LANGUAGE SQL MODIFIES SQL DATA '
        || 'CASE WHEN COALESCE(P_LEVEL, 0) <> ' || CAST(V_LEVEL AS VARCHAR(11)) || ' THEN SET P_ROWS = NULL;' || V_CALLS
        || ' ELSE SET P_ROWS = NULL; END CASE';
END

-- name: purge_rows
-- Deletes the rows of snapshots and runs up to an id, from every table that has such rows. Only TUNE.PURGE calls it.
CREATE OR REPLACE PROCEDURE TUNE.PURGE_ROWS (IN P_SNAP_ID INTEGER, IN P_RUN_ID INTEGER)
LANGUAGE SQL
MODIFIES SQL DATA
BEGIN
    {deletes}
END
