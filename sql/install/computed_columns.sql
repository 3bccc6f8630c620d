-- Creates the table of a computed view again with its rows, which are those of all runs, if the view has other columns
-- now: new ones, longer ones, other types, or NULL allowed, or if the view lacks one that may not be NULL. A column
-- keeps its values if both types are numbers or both are strings. Every column of the new table may be NULL.
BEGIN
    DECLARE V_DECLARED VARCHAR(16000) DEFAULT '';
    DECLARE V_COPIED VARCHAR(8000) DEFAULT '';
    IF
        EXISTS (
            SELECT 1
            FROM SYSCAT.COLUMNS AS V
            LEFT JOIN SYSCAT.COLUMNS AS X
                ON X.TABSCHEMA = 'TUNE' AND X.TABNAME = 'M_{view}' AND V.COLNAME = X.COLNAME
            WHERE
                V.TABSCHEMA = 'TUNE' AND V.TABNAME = 'C_{view}'
                AND (
                    X.COLNAME IS NULL OR V.TYPENAME <> X.TYPENAME OR V.SCALE <> X.SCALE OR V.LENGTH > X.LENGTH
                    OR (V.NULLS = 'Y' AND X.NULLS = 'N')
                )
        )
        OR EXISTS (
            SELECT 1
            FROM SYSCAT.COLUMNS AS X
            LEFT JOIN SYSCAT.COLUMNS AS V
                ON V.TABSCHEMA = 'TUNE' AND V.TABNAME = 'C_{view}' AND X.COLNAME = V.COLNAME
            WHERE
                X.TABSCHEMA = 'TUNE' AND X.TABNAME = 'M_{view}' AND X.NULLS = 'N' AND X.COLNAME <> 'RUN_ID'
                AND V.COLNAME IS NULL
        )
    THEN
        FOR C AS
            SELECT
                V.COLNAME || ' ' || V.TYPENAME || CASE
                    WHEN V.TYPENAME IN ('CHARACTER', 'VARCHAR', 'CLOB') THEN '(' || CAST(V.LENGTH AS VARCHAR(11)) || ')'
                    WHEN V.TYPENAME = 'DECIMAL' THEN '(' || CAST(V.LENGTH AS VARCHAR(11)) || ', '
                        || CAST(V.SCALE AS VARCHAR(11)) || ')'
                    ELSE ' '
                END AS DECLARED_TEXT,
                CASE WHEN X.COLNAME IS NULL THEN '' ELSE ', ' || V.COLNAME END AS COPIED_TEXT
            FROM SYSCAT.COLUMNS AS V
            LEFT JOIN SYSCAT.COLUMNS AS X
                ON X.TABSCHEMA = 'TUNE' AND X.TABNAME = 'M_{view}' AND V.COLNAME = X.COLNAME
                AND (
                    V.TYPENAME = X.TYPENAME
                    OR (
                        V.TYPENAME IN ('CHARACTER', 'VARCHAR', 'CLOB')
                        AND X.TYPENAME IN ('CHARACTER', 'VARCHAR', 'CLOB')
                    )
                    OR (
                        V.TYPENAME IN ('SMALLINT', 'INTEGER', 'BIGINT', 'DECIMAL', 'DOUBLE')
                        AND X.TYPENAME IN ('SMALLINT', 'INTEGER', 'BIGINT', 'DECIMAL', 'DOUBLE')
                    )
                )
            WHERE V.TABSCHEMA = 'TUNE' AND V.TABNAME = 'C_{view}'
            ORDER BY V.COLNO
        DO
            SET V_DECLARED = V_DECLARED || ', ' || C.DECLARED_TEXT;
            SET V_COPIED = V_COPIED || C.COPIED_TEXT;
        END FOR;
        EXECUTE IMMEDIATE 'CREATE TABLE TUNE.N_{view} (RUN_ID INTEGER NOT NULL' || V_DECLARED || '){place}';
        EXECUTE IMMEDIATE 'INSERT INTO TUNE.N_{view} (RUN_ID' || V_COPIED || ') SELECT RUN_ID' || V_COPIED
            || ' FROM TUNE.M_{view}';
        EXECUTE IMMEDIATE 'DROP TABLE TUNE.M_{view}';
        EXECUTE IMMEDIATE 'RENAME TABLE TUNE.N_{view} TO M_{view}';
    END IF;
END
