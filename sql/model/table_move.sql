-- What it takes to put the contents of a table space into a new one, a row for each table that has data,
-- indexes or LOBs there (one with NULL where no table is known). The new name stands as {to} in the texts:
-- MOVE_TEXT moves the table, BACK_TEXT moves it back. IN_TEXT and STORAGE_TEXT are the clauses of CREATE
-- TABLESPACE that keep partition group and storage group, HINT_TEXT says what only a person can add.
-- MOVE_NUMBER counts the tables of a table space in the order of MOVE_TEXT. Range-partitioned tables have
-- their table spaces by partition and are not here.
WITH STORED AS (
    SELECT
        TABSCHEMA,
        TABNAME,
        TBSPACE AS DATA_SPACE,
        COALESCE(INDEX_TBSPACE, TBSPACE) AS INDEX_SPACE,
        COALESCE(LONG_TBSPACE, TBSPACE) AS LONG_SPACE
    FROM TUNE.D_CAT_TABLE
),
-- a table once for each table space that it uses: a join on either of three columns would compare every pair
HELD (TBSP_NAME, TABSCHEMA, TABNAME, DATA_SPACE, INDEX_SPACE, LONG_SPACE) AS (
    SELECT DATA_SPACE, STORED.* FROM STORED
    UNION ALL
    SELECT INDEX_SPACE, STORED.* FROM STORED WHERE INDEX_SPACE <> DATA_SPACE
    UNION ALL
    SELECT LONG_SPACE, STORED.* FROM STORED WHERE LONG_SPACE <> DATA_SPACE AND LONG_SPACE <> INDEX_SPACE
),
PLACE AS (
    SELECT
        T.TBSP_NAME,
        T.TBSP_USING_AUTO_STORAGE,
        T.STORAGE_GROUP_NAME,
        T.DBPGNAME,
        D.DB2_LEVEL,
        K.TABSCHEMA,
        K.TABNAME,
        K.DATA_SPACE,
        K.INDEX_SPACE,
        K.LONG_SPACE
    FROM TUNE.TABLESPACE AS T
    CROSS JOIN TUNE.RUN_DATABASE AS D
    LEFT JOIN HELD AS K ON T.TBSP_NAME = K.TBSP_NAME
),
TEXT AS (
    SELECT
        PLACE.*,
        'CALL SYSPROC.ADMIN_MOVE_TABLE(''' || REPLACE(COALESCE(TABSCHEMA, ''), '''', '''''') || ''', '''
        || REPLACE(COALESCE(TABNAME, ''), '''', '''''') || ''', ' AS CALL_TEXT,
        ', '''', '''', '''', '''', '''', ''MOVE'')' AS CALL_END,
        '"' || REPLACE(COALESCE(TABSCHEMA, ''), '"', '""') || '"."' || REPLACE(COALESCE(TABNAME, ''), '"', '""') || '"'
            AS TABLE_TEXT,
        '"' || REPLACE(TBSP_NAME, '"', '""') || '"' AS SPACE_TEXT,
        '''' || REPLACE(COALESCE(DATA_SPACE, ''), '''', '''''') || '''' AS DATA_TEXT,
        '''' || REPLACE(COALESCE(INDEX_SPACE, ''), '''', '''''') || '''' AS INDEX_TEXT,
        '''' || REPLACE(COALESCE(LONG_SPACE, ''), '''', '''''') || '''' AS LONG_TEXT
    FROM PLACE
),
MOVE AS (
    SELECT
        TEXT.*,
        CASE
            WHEN TABNAME IS NULL THEN '-- Then move what is in ' || SPACE_TEXT || ' to "{to}".'
            WHEN DB2_LEVEL < 9070000
                THEN '-- Db2 before 9.7 moves no table online: export ' || TABLE_TEXT || ', drop it, create it with '
                || SPACE_TEXT || ' replaced by "{to}", and load it.'
            ELSE CALL_TEXT
                || CASE WHEN DATA_SPACE = TBSP_NAME THEN '''{to}''' ELSE DATA_TEXT END || ', '
                || CASE WHEN INDEX_SPACE = TBSP_NAME THEN '''{to}''' ELSE INDEX_TEXT END || ', '
                || CASE WHEN LONG_SPACE = TBSP_NAME THEN '''{to}''' ELSE LONG_TEXT END || CALL_END
        END AS MOVE_TEXT,
        CASE
            WHEN TABNAME IS NULL THEN '-- Move back to ' || SPACE_TEXT || ' what was moved.'
            WHEN DB2_LEVEL < 9070000
                THEN '-- Export ' || TABLE_TEXT || ', drop it, create it with "{to}" replaced by ' || SPACE_TEXT
                || ', and load it.'
            ELSE CALL_TEXT || DATA_TEXT || ', ' || INDEX_TEXT || ', ' || LONG_TEXT || CALL_END
        END AS BACK_TEXT
    FROM TEXT
)
SELECT
    TBSP_NAME,
    TABSCHEMA,
    TABNAME,
    MOVE_TEXT,
    BACK_TEXT,
    CASE
        WHEN COALESCE(DBPGNAME, 'IBMDEFAULTGROUP') = 'IBMDEFAULTGROUP' THEN ''
        ELSE ' IN "' || REPLACE(DBPGNAME, '"', '""') || '"'
    END AS IN_TEXT,
    CASE
        WHEN TBSP_USING_AUTO_STORAGE = 1
            THEN ' MANAGED BY AUTOMATIC STORAGE'
            || CASE
                WHEN DB2_LEVEL >= 10010000 AND STORAGE_GROUP_NAME IS NOT NULL
                    THEN ' USING STOGROUP "' || REPLACE(STORAGE_GROUP_NAME, '"', '""') || '"'
                ELSE ''
            END
        ELSE ''
    END AS STORAGE_TEXT,
    CASE
        WHEN TBSP_USING_AUTO_STORAGE = 1 THEN ''
        ELSE '-- ' || SPACE_TEXT || ' does not use automatic storage: give the new table space containers of its own,'
            || ' with MANAGED BY DATABASE USING (...) before EXTENTSIZE.' || CHR(10)
    END AS HINT_TEXT,
    ROW_NUMBER() OVER (PARTITION BY TBSP_NAME ORDER BY MOVE_TEXT) AS MOVE_NUMBER
FROM MOVE
