-- What an upgrade keeps and what it replaces.

-- name: old_tables
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
        EXECUTE IMMEDIATE 'DROP TABLE TUNE."' || T.TABNAME || '"';
    END FOR;
END

-- name: old_objects
-- Drops the views and the tables of computed views that this version does not have, and tables that are views now.
BEGIN
    FOR O AS
        SELECT TABNAME, CASE TYPE WHEN 'V' THEN 'VIEW' ELSE 'TABLE' END AS KIND
        FROM SYSCAT.TABLES
        WHERE
            TABSCHEMA = 'TUNE'
            AND (
                (TYPE = 'V' AND TABNAME NOT IN ({views}))
                OR (TYPE = 'T' AND TABNAME IN ({gone}))
                OR (TYPE = 'T' AND SUBSTR(TABNAME || '  ', 1, 2) = 'M_' AND TABNAME NOT IN ({tables}))
            )
    DO
        EXECUTE IMMEDIATE 'DROP ' || O.KIND || ' TUNE."' || O.TABNAME || '"';
    END FOR;
END

-- name: kept_columns
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

-- name: snapshot_columns
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

-- name: computed_columns
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

-- name: options
-- New defaults of options; values that the site has set are not changed.
MERGE INTO TUNE.OPTION AS O
USING (
    VALUES
        {rows}
) AS N (RULE, NAME, VALUE, PROVENANCE, DEFAULT_VALUE, DEFAULT_PROVENANCE, KIND, CHOICES)
ON O.RULE = N.RULE AND O.NAME = N.NAME
WHEN MATCHED THEN UPDATE SET
    VALUE = CASE WHEN O.PROVENANCE = 'site' THEN O.VALUE ELSE N.VALUE END,
    PROVENANCE = CASE WHEN O.PROVENANCE = 'site' THEN 'site' ELSE N.PROVENANCE END,
    DEFAULT_VALUE = N.DEFAULT_VALUE, DEFAULT_PROVENANCE = N.DEFAULT_PROVENANCE,
    KIND = N.KIND, CHOICES = N.CHOICES
WHEN NOT MATCHED THEN INSERT (RULE, NAME, VALUE, PROVENANCE, DEFAULT_VALUE, DEFAULT_PROVENANCE, KIND, CHOICES)
VALUES (N.RULE, N.NAME, N.VALUE, N.PROVENANCE, N.DEFAULT_VALUE, N.DEFAULT_PROVENANCE, N.KIND, N.CHOICES)

-- name: old_steps
-- Drops the procedures of computed views, rules and sources, after those that call them. A rule that this server no
-- longer compiles must not stay as it was, and a procedure of a removed rule must not stay at all.
BEGIN
    FOR P AS
        SELECT SPECIFICNAME
        FROM SYSCAT.ROUTINES
        WHERE
            ROUTINESCHEMA = 'TUNE' AND ROUTINETYPE = 'P'
            AND (ROUTINENAME IN ('STEP', 'READ_SOURCE', 'COMPUTE_VIEW') OR SUBSTR(ROUTINENAME || '  ', 1, 2) IN ('C_', 'R_', 'S_'))
        ORDER BY CASE WHEN ROUTINENAME IN ('STEP', 'READ_SOURCE', 'COMPUTE_VIEW') THEN 0 ELSE 1 END
    DO
        EXECUTE IMMEDIATE 'DROP SPECIFIC PROCEDURE TUNE."' || P.SPECIFICNAME || '"';
    END FOR;
END

-- name: old_routines
-- Drops procedures of an earlier version with another number of parameters: they would stay next to the new ones.
BEGIN
    FOR P AS
        SELECT R.SPECIFICNAME
        FROM SYSCAT.ROUTINES AS R
        INNER JOIN (
            VALUES
                {rows}
        ) AS N (ROUTINENAME, PARM_COUNT)
            ON R.ROUTINENAME = N.ROUTINENAME AND R.PARM_COUNT <> N.PARM_COUNT
        WHERE R.ROUTINESCHEMA = 'TUNE' AND R.ROUTINETYPE = 'P'
    DO
        EXECUTE IMMEDIATE 'DROP SPECIFIC PROCEDURE TUNE."' || P.SPECIFICNAME || '"';
    END FOR;
END

-- name: grants
-- The owner's grants on objects of schema TUNE, as statements.
SELECT
    'GRANT ' || A.PRIVILEGE || ' ON ' || A.OBJECT || ' TO '
    || CASE
        WHEN A.GRANTEE = 'PUBLIC' THEN 'PUBLIC'
        ELSE CASE A.GRANTEETYPE WHEN 'R' THEN 'ROLE' WHEN 'G' THEN 'GROUP' ELSE 'USER' END
            || ' "' || REPLACE(A.GRANTEE, '"', '""') || '"'
    END
    || CASE A.HELD WHEN 'G' THEN ' WITH GRANT OPTION' ELSE ' ' END AS GRANT_TEXT
FROM (
    SELECT
        P.PRIVILEGE,
        'TABLE TUNE."' || REPLACE(T.TABNAME, '"', '""') || '"' AS OBJECT,
        T.GRANTEE,
        T.GRANTEETYPE,
        CASE P.PRIVILEGE
            WHEN 'SELECT' THEN T.SELECTAUTH
            WHEN 'INSERT' THEN T.INSERTAUTH
            WHEN 'UPDATE' THEN T.UPDATEAUTH
            ELSE T.DELETEAUTH
        END AS HELD
    FROM SYSCAT.TABAUTH AS T
    CROSS JOIN (VALUES ('SELECT'), ('INSERT'), ('UPDATE'), ('DELETE')) AS P (PRIVILEGE)
    WHERE T.TABSCHEMA = 'TUNE' AND T.GRANTOR = SESSION_USER
    UNION ALL
    SELECT
        'EXECUTE' AS PRIVILEGE,
        'PROCEDURE TUNE."' || REPLACE(R.ROUTINENAME, '"', '""') || '"' AS OBJECT,
        E.GRANTEE,
        E.GRANTEETYPE,
        E.EXECUTEAUTH AS HELD
    FROM SYSCAT.ROUTINEAUTH AS E
    INNER JOIN SYSCAT.ROUTINES AS R ON E.SCHEMA = R.ROUTINESCHEMA AND E.SPECIFICNAME = R.SPECIFICNAME
    WHERE E.SCHEMA = 'TUNE' AND E.ROUTINETYPE = 'P' AND E.GRANTOR = SESSION_USER
) AS A
WHERE A.HELD IN ('Y', 'G')

-- name: held
-- Stores the grants. Those that an unfinished upgrade lost stay; the others of that upgrade can have been revoked since.
INSERT INTO TUNE.PRIVILEGE (GRANT_TEXT, IS_LOST)
SELECT H.GRANT_TEXT, 0
FROM (
    {grants}
) AS H

-- name: lost
-- Marks the grants that a unit of work lost: a table or procedure that is created again has none, and a view may lose
-- its own with its table.
UPDATE TUNE.PRIVILEGE
SET IS_LOST = 1
WHERE
    GRANT_TEXT NOT IN (
        SELECT H.GRANT_TEXT
        FROM (
            {grants}
        ) AS H
    )

-- name: granted
-- Grants the lost privileges again. One of an object that is gone (42704) or that may no longer be granted (42501) is
-- forgotten.
BEGIN
    DECLARE V_GRANT VARCHAR(900);
    DECLARE CONTINUE HANDLER FOR SQLSTATE '42704', SQLSTATE '42501' BEGIN
        DELETE FROM TUNE.PRIVILEGE WHERE GRANT_TEXT = V_GRANT;
    END;
    FOR G AS SELECT GRANT_TEXT FROM TUNE.PRIVILEGE WHERE IS_LOST = 1 ORDER BY GRANT_TEXT DO
        SET V_GRANT = G.GRANT_TEXT;
        EXECUTE IMMEDIATE V_GRANT;
    END FOR;
END
