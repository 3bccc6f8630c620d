-- The schema and its owner: what is checked first and last, and how statements run.

-- name: schema
-- Checks that there are pages of 8 KB, which the rows of schema TUNE need; {where} selects the table spaces for tables,
-- or the named one. Creates the schema if it does not exist: CREATE SCHEMA checks for DBADM first (SQL0552N), even if a
-- DBADM has created it.
BEGIN
    IF (SELECT MAX(PAGESIZE) FROM SYSCAT.TABLESPACES WHERE {where}) < 8192 THEN
        SIGNAL SQLSTATE '70083' SET MESSAGE_TEXT = 'no table space with pages of 8 KB: use install --create-tablespace';
    END IF;
    IF NOT EXISTS (SELECT 1 FROM SYSCAT.SCHEMATA WHERE SCHEMANAME = 'TUNE') THEN
        EXECUTE IMMEDIATE 'CREATE SCHEMA TUNE';
    END IF;
END

-- name: unless
-- Runs a statement unless a query finds a row.
BEGIN
    IF NOT EXISTS ({found}) THEN
        EXECUTE IMMEDIATE {statement};
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
-- Ends the installation: writes to TUNE.MISSING what the server refused, and then the version. It stops if the core is
-- not there, or if procedures would run with the rights of their callers.
BEGIN
    IF
        (
            SELECT COUNT(*) FROM SYSCAT.ROUTINES
            WHERE ROUTINESCHEMA = 'TUNE' AND ROUTINETYPE = 'P' AND ROUTINENAME IN ({core})
        ) < {procedures}
    THEN
        SIGNAL SQLSTATE '70082' SET MESSAGE_TEXT = 'procedures are missing: see the first error of this script';
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
    INSERT INTO TUNE.MISSING (RUN_ID, KIND, NAME, REASON)
    SELECT 0, L.KIND, L.NAME, L.REASON
    FROM (
        SELECT S.KIND, S.VIEW_NAME AS NAME, 'the server refused its view, table or procedure' AS REASON
        FROM TUNE.MODEL_STEP AS S
        LEFT JOIN SYSCAT.TABLES AS V ON V.TABSCHEMA = 'TUNE' AND V.TYPE = 'V' AND S.VIEW_NAME = V.TABNAME
        LEFT JOIN SYSCAT.ROUTINES AS R ON R.ROUTINESCHEMA = 'TUNE' AND 'C_' || S.VIEW_NAME = R.ROUTINENAME
        WHERE V.TABNAME IS NULL OR R.ROUTINENAME IS NULL
        UNION ALL
        SELECT 'rule' AS KIND, T.RULE AS NAME, 'the server refused its procedure' AS REASON
        FROM TUNE.RULE_TEXT AS T
        LEFT JOIN SYSCAT.ROUTINES AS R ON R.ROUTINESCHEMA = 'TUNE' AND T.PROCEDURE_NAME = R.ROUTINENAME
        WHERE R.ROUTINENAME IS NULL
        UNION ALL
        SELECT
            'rows' AS KIND,
            C.NAME,
            CAST(C.FOUND AS VARCHAR(11)) || ' of ' || CAST(C.EXPECTED AS VARCHAR(11)) || ' rows' AS REASON
        FROM (
            VALUES
                {counts}
        ) AS C (NAME, EXPECTED, FOUND)
        WHERE C.FOUND < C.EXPECTED
    ) AS L
    WHERE NOT EXISTS (SELECT 1 FROM TUNE.MISSING AS M WHERE M.RUN_ID = 0 AND M.NAME = L.NAME);
    INSERT INTO TUNE.VERSION (VERSION, INSTALLED_AT, INSTALLED_BY) VALUES ({version}, CURRENT TIMESTAMP, SESSION_USER);
END
