-- Adds to the table of a computed view, which holds the rows of all runs, the columns that the view has since got.
BEGIN
    FOR C AS
        SELECT
            V.COLNAME,
            V.TYPENAME || CASE
                WHEN V.TYPENAME = 'VARCHAR' THEN '(' || CAST(V.LENGTH AS VARCHAR(11)) || ')'
                WHEN V.TYPENAME = 'DECIMAL' THEN '(' || CAST(V.LENGTH AS VARCHAR(11)) || ', '
                    || CAST(V.SCALE AS VARCHAR(11)) || ')'
                ELSE ' '
            END AS TYPE_TEXT
        FROM SYSCAT.COLUMNS AS V
        WHERE V.TABSCHEMA = 'TUNE' AND V.TABNAME = 'C_{view}' AND NOT EXISTS (
            SELECT 1 FROM SYSCAT.COLUMNS AS X
            WHERE X.TABSCHEMA = 'TUNE' AND X.TABNAME = 'M_{view}' AND X.COLNAME = V.COLNAME
        )
    DO
        EXECUTE IMMEDIATE 'ALTER TABLE TUNE.M_{view} ADD COLUMN ' || C.COLNAME || ' ' || C.TYPE_TEXT;
    END FOR;
END
