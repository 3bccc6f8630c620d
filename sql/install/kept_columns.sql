-- Adds new columns to tables of an earlier version and lengthens longer texts. A new NOT NULL column begins with the
-- default of its type.
BEGIN
    FOR C AS
        SELECT
            N.TABLE_NAME,
            N.COLUMN_NAME,
            N.TYPE_NAME,
            N.TAKES_NULL,
            X.COLNAME AS HAD
        FROM (
            VALUES
                {rows}
        ) AS N (TABLE_NAME, COLUMN_NAME, TYPE_NAME, TEXT_LENGTH, TAKES_NULL, IS_LOADED, KEY_PLACE)
        LEFT JOIN SYSCAT.COLUMNS AS X
            ON X.TABSCHEMA = 'TUNE' AND N.TABLE_NAME = X.TABNAME AND N.COLUMN_NAME = X.COLNAME
        WHERE X.COLNAME IS NULL OR X.LENGTH < N.TEXT_LENGTH
    DO
        IF C.HAD IS NULL THEN
            EXECUTE IMMEDIATE 'ALTER TABLE TUNE.' || C.TABLE_NAME || ' ADD COLUMN ' || C.COLUMN_NAME || ' '
                || C.TYPE_NAME || CASE WHEN C.TAKES_NULL = 1 THEN ' ' ELSE ' NOT NULL WITH DEFAULT' END;
        ELSE
            EXECUTE IMMEDIATE 'ALTER TABLE TUNE.' || C.TABLE_NAME || ' ALTER COLUMN ' || C.COLUMN_NAME
                || ' SET DATA TYPE ' || C.TYPE_NAME;
        END IF;
    END FOR;
END
