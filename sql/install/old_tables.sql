-- Tables of an earlier version whose rows are loaded anew, and in which a column now takes NULL: they are made anew.
-- ALTER TABLE would leave them waiting for a reorganization (SQL0668N, reason 7).
BEGIN
    FOR T AS
        SELECT DISTINCT N.TABLE_NAME
        FROM (
            VALUES
                {rows}
        ) AS N (TABLE_NAME, COLUMN_NAME, TYPE_NAME, TEXT_LENGTH, TAKES_NULL, IS_LOADED)
        INNER JOIN SYSCAT.COLUMNS AS X
            ON X.TABSCHEMA = 'TUNE' AND N.TABLE_NAME = X.TABNAME AND N.COLUMN_NAME = X.COLNAME
        WHERE N.IS_LOADED = 1 AND N.TAKES_NULL = 1 AND X.NULLS = 'N'
    DO
        EXECUTE IMMEDIATE 'DROP TABLE TUNE.' || T.TABLE_NAME;
    END FOR;
END
