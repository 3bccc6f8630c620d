-- Drops tables of an earlier version whose rows are loaded again and whose columns, lengths, NULLs or primary key
-- differ from today's declaration. ALTER TABLE would leave them waiting for a reorganization (SQL0668N, reason 7), or
-- with rows too long for their pages while old columns stay next to new ones.
BEGIN
    FOR T AS
        WITH N (TABLE_NAME, COLUMN_NAME, TYPE_NAME, TEXT_LENGTH, TAKES_NULL, IS_LOADED, KEY_PLACE) AS (
            VALUES
                {rows}
        ),
        DECLARED (TABLE_NAME, COLUMNS) AS (
            SELECT TABLE_NAME, COUNT(*) FROM N WHERE IS_LOADED = 1 GROUP BY TABLE_NAME
        )
        SELECT X.TABNAME
        FROM SYSCAT.COLUMNS AS X
        INNER JOIN DECLARED AS D ON X.TABNAME = D.TABLE_NAME
        LEFT JOIN N
            ON
                X.TABNAME = N.TABLE_NAME AND X.COLNAME = N.COLUMN_NAME
                AND N.TAKES_NULL = CASE X.NULLS WHEN 'Y' THEN 1 ELSE 0 END AND N.TEXT_LENGTH IN (0, X.LENGTH)
                AND N.KEY_PLACE = COALESCE(X.KEYSEQ, 0)
        WHERE X.TABSCHEMA = 'TUNE'
        GROUP BY X.TABNAME, D.COLUMNS
        HAVING COUNT(*) <> COUNT(N.COLUMN_NAME) OR COUNT(*) <> D.COLUMNS
    DO
        EXECUTE IMMEDIATE 'DROP TABLE TUNE.' || T.TABNAME;
    END FOR;
END
