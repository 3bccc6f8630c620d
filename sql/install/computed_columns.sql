-- Adds new columns of a computed view to its table, which holds the rows of all runs, and lengthens columns that have
-- become longer. A change of type that Db2 cannot make is left out.
BEGIN
    FOR C AS
        SELECT
            V.COLNAME,
            X.COLNAME AS HAD,
            V.TYPENAME || CASE
                WHEN V.TYPENAME IN ('CHARACTER', 'VARCHAR', 'CLOB') THEN '(' || CAST(V.LENGTH AS VARCHAR(11)) || ')'
                WHEN V.TYPENAME = 'DECIMAL' THEN '(' || CAST(V.LENGTH AS VARCHAR(11)) || ', '
                    || CAST(V.SCALE AS VARCHAR(11)) || ')'
                ELSE ' '
            END AS TYPE_TEXT
        FROM SYSCAT.COLUMNS AS V
        LEFT JOIN SYSCAT.COLUMNS AS X
            ON X.TABSCHEMA = 'TUNE' AND X.TABNAME = 'M_{view}' AND V.COLNAME = X.COLNAME
        WHERE
            V.TABSCHEMA = 'TUNE' AND V.TABNAME = 'C_{view}'
            AND (X.COLNAME IS NULL OR (V.TYPENAME = X.TYPENAME AND V.SCALE = X.SCALE AND V.LENGTH > X.LENGTH))
    DO
        IF C.HAD IS NULL THEN
            EXECUTE IMMEDIATE 'ALTER TABLE TUNE.M_{view} ADD COLUMN ' || C.COLNAME || ' ' || C.TYPE_TEXT;
        ELSE
            EXECUTE IMMEDIATE 'ALTER TABLE TUNE.M_{view} ALTER COLUMN ' || C.COLNAME || ' SET DATA TYPE ' || C.TYPE_TEXT;
        END IF;
    END FOR;
END
