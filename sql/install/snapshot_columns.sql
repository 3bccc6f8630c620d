-- Adds to the snapshot tables of an earlier version the columns that the sources have since got.
BEGIN
    FOR C AS
        SELECT UPPER(D.SOURCE) AS SOURCE, D.COLUMN_NAME, D.TYPE_NAME
        FROM TUNE.COLLECT_COLUMN AS D
        WHERE NOT EXISTS (
            SELECT 1 FROM SYSCAT.COLUMNS AS X
            WHERE X.TABSCHEMA = 'TUNE' AND X.TABNAME = 'S_' || UPPER(D.SOURCE) AND X.COLNAME = D.COLUMN_NAME
        )
    DO
        EXECUTE IMMEDIATE 'ALTER TABLE TUNE.S_' || C.SOURCE || ' ADD COLUMN ' || C.COLUMN_NAME || ' '
            || C.TYPE_NAME;
    END FOR;
END
