-- Adds new columns of the sources to the snapshot tables of an earlier version and lengthens longer texts.
BEGIN
    FOR C AS
        SELECT
            UPPER(D.SOURCE) AS SOURCE,
            D.COLUMN_NAME,
            D.TYPE_NAME,
            X.COLNAME AS HAD
        FROM TUNE.COLLECT_COLUMN AS D
        LEFT JOIN SYSCAT.COLUMNS AS X
            ON X.TABSCHEMA = 'TUNE' AND X.TABNAME = 'S_' || UPPER(D.SOURCE) AND D.COLUMN_NAME = X.COLNAME
        WHERE
            X.COLNAME IS NULL
            OR (
                X.TYPENAME = 'VARCHAR' AND D.TYPE_NAME LIKE 'VARCHAR(%'
                AND X.LENGTH < CAST(SUBSTR(D.TYPE_NAME, 9, LENGTH(D.TYPE_NAME) - 9) AS INTEGER)
            )
    DO
        IF C.HAD IS NULL THEN
            EXECUTE IMMEDIATE 'ALTER TABLE TUNE.S_' || C.SOURCE || ' ADD COLUMN ' || C.COLUMN_NAME || ' '
                || C.TYPE_NAME;
        ELSE
            EXECUTE IMMEDIATE 'ALTER TABLE TUNE.S_' || C.SOURCE || ' ALTER COLUMN ' || C.COLUMN_NAME
                || ' SET DATA TYPE ' || C.TYPE_NAME;
        END IF;
    END FOR;
END
