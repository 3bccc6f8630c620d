-- The schema and its owner: what is checked first and last, and how statements run.

-- name: pages
-- Checks before anything is created: the rows of schema TUNE need pages of 8 KB. {where} selects the table spaces for
-- tables, or the named one.
BEGIN
    IF (SELECT MAX(PAGESIZE) FROM SYSCAT.TABLESPACES WHERE {where}) < 8192 THEN
        SIGNAL SQLSTATE '70083' SET MESSAGE_TEXT = 'no table space with pages of 8 KB: db2tune doctor has the commands';
    END IF;
END

-- name: schema
-- Creates the schema if it does not exist: CREATE SCHEMA checks for DBADM first (SQL0552N), even if a DBADM has created
-- it.
BEGIN
    IF NOT EXISTS (SELECT 1 FROM SYSCAT.SCHEMATA WHERE SCHEMANAME = 'TUNE') THEN
        EXECUTE IMMEDIATE 'CREATE SCHEMA TUNE';
    END IF;
END

-- name: owned
-- Refuses a schema that another user owns or can change: that user's objects would run with the installer's rights.
BEGIN
    DECLARE V_MESSAGE VARCHAR(1000);
    FOR O AS
        {others}
    DO
        SET V_MESSAGE = O.FOUND;
        SIGNAL SQLSTATE '70081' SET MESSAGE_TEXT = V_MESSAGE;
    END FOR;
END

-- name: string_units
-- Makes lengths count bytes from here, whatever the database's string units. A database that is not Unicode, or lacks
-- this variable, counts bytes anyway.
BEGIN
    DECLARE CONTINUE HANDLER FOR SQLEXCEPTION BEGIN END;
    EXECUTE IMMEDIATE 'SET SYSIBM.NLS_STRING_UNITS = ''{value}''';
END

-- name: guarded
-- Runs a statement and ignores one SQLSTATE: a CREATE whose object already exists (42710), a DROP whose object does not
-- (42704).
BEGIN
    DECLARE CONTINUE HANDLER FOR SQLSTATE '{state}' BEGIN END;
    EXECUTE IMMEDIATE {statement};
END

-- name: complete
-- Whether the installation is complete: a script of the command line processor continues after errors unless an option
-- stops it.
BEGIN
    IF
        (SELECT COUNT(*) FROM TUNE.RULE) <> {rules}
        OR (SELECT COUNT(*) FROM TUNE.COLLECT_COLUMN) <> {columns}
        OR (SELECT COUNT(*) FROM TUNE.MODEL_STEP) <> {steps}
    THEN
        SIGNAL SQLSTATE '70082' SET MESSAGE_TEXT = 'not all rows of the rules are there: run the script again, with -s';
    ELSEIF (SELECT COUNT(*) FROM SYSCAT.ROUTINES WHERE ROUTINESCHEMA = 'TUNE' AND ROUTINETYPE = 'P') < {procedures} THEN
        SIGNAL SQLSTATE '70082' SET MESSAGE_TEXT = 'procedures are missing: run the script again, with -s';
    ELSEIF
        EXISTS (
            SELECT 1 FROM SYSCAT.ROUTINES
            WHERE
                ROUTINESCHEMA = 'TUNE' AND ROUTINETYPE = 'P' AND PRECOMPILE_OPTIONS LIKE '%DYNAMICRULES RUN%'
                AND ROUTINENAME NOT IN ('STEP', 'READ_SOURCE') AND SUBSTR(ROUTINENAME || '  ', 1, 2) <> 'S_'
        )
    THEN
        SIGNAL SQLSTATE '70082' SET MESSAGE_TEXT = 'procedures run with the rights of their callers: run it with -s';
    END IF;
END
