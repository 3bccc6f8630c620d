-- The columns of each index of the 100 user tables with the most rows read since activation, and of each other index
-- of user tables with 1,000 leaf pages or more. COLORDER is A (ascending), D (descending), I (included) or R (random).
-- Rows with COLORDER G are the columns of a column group: INDNAME is its number, GROUP_CARD the number of its
-- combinations, -1 without statistics. Rows with COLORDER O are user objects other than tables, the 500 with the
-- shortest texts: INDNAME is TYPE of SYSCAT.TABLES (A alias, V view, N nickname, S materialized query table, G created
-- temporary table), BASE_SCHEMA and BASE_NAME are the object of an alias; BASE_SCHEMA of a view is the schema of names
-- without one in its text. DEFINITION is CREATE VIEW or the expression of a key if it has at most 4,000 bytes. It can
-- contain data: it is omitted with the statement texts. Only keys are sorted, without the LOBs.
--
-- object: SYSCAT.INDEXCOLUSE
WITH READ_TABLE AS (
    SELECT M.TABSCHEMA, M.TABNAME
    FROM TABLE(SYSPROC.MON_GET_TABLE(NULL, NULL, -2)) AS M
    WHERE M.TAB_TYPE = 'USER_TABLE' AND M.ROWS_READ > 0
    GROUP BY M.TABSCHEMA, M.TABNAME
    ORDER BY SUM(M.ROWS_READ) DESC
    FETCH FIRST 100 ROWS ONLY
),
OTHER_OBJECT AS (
    SELECT
        T.TABSCHEMA,
        T.TABNAME,
        RTRIM(T.TYPE) AS TYPE,
        COALESCE(T.BASE_TABSCHEMA, V.QUALIFIER) AS BASE_SCHEMA,
        T.BASE_TABNAME,
        COALESCE(LENGTH(V.TEXT), 0) AS TEXT_LENGTH
    FROM SYSCAT.TABLES AS T
    LEFT JOIN SYSCAT.VIEWS AS V ON T.TABSCHEMA = V.VIEWSCHEMA AND T.TABNAME = V.VIEWNAME
    WHERE T.TYPE IN ('A', 'V', 'N', 'S', 'G', 'U', 'W') AND T.TABSCHEMA NOT LIKE 'SYS%' AND T.TABSCHEMA <> 'TUNE'
    ORDER BY TEXT_LENGTH, T.TABSCHEMA, T.TABNAME
    FETCH FIRST 500 ROWS ONLY
),
KEY_COLUMN (
    TABSCHEMA, TABNAME, INDSCHEMA, INDNAME, COLSEQ, COLNAME, COLORDER, GROUP_CARD, BASE_SCHEMA, BASE_NAME, DEFINITION
) AS (
    SELECT
        X.TABSCHEMA,
        X.TABNAME,
        X.INDSCHEMA,
        X.INDNAME,
        K.COLSEQ,
        K.COLNAME,
        RTRIM(K.COLORDER),
        CAST(NULL AS BIGINT),
        CAST(NULL AS VARCHAR(128)),
        CAST(NULL AS VARCHAR(128)),
        CASE WHEN LENGTH(K.TEXT) <= 4000 THEN RTRIM(CAST(SUBSTRING(K.TEXT, 1, 4000, OCTETS) AS VARCHAR(4000))) END
    FROM SYSCAT.INDEXES AS X
    INNER JOIN SYSCAT.INDEXCOLUSE AS K ON X.INDSCHEMA = K.INDSCHEMA AND X.INDNAME = K.INDNAME
    LEFT JOIN READ_TABLE AS R ON X.TABSCHEMA = R.TABSCHEMA AND X.TABNAME = R.TABNAME
    WHERE X.TABSCHEMA NOT LIKE 'SYS%' AND (R.TABNAME IS NOT NULL OR X.NLEAF >= 1000)
    UNION ALL
    SELECT
        C.TABSCHEMA,
        C.TABNAME,
        G.COLGROUPSCHEMA,
        CAST(G.COLGROUPID AS VARCHAR(20)),
        C.ORDINAL,
        C.COLNAME,
        'G',
        G.COLGROUPCARD,
        CAST(NULL AS VARCHAR(128)),
        CAST(NULL AS VARCHAR(128)),
        CAST(NULL AS VARCHAR(4000))
    FROM SYSCAT.COLGROUPS AS G
    INNER JOIN SYSCAT.COLGROUPCOLS AS C ON G.COLGROUPID = C.COLGROUPID
    INNER JOIN READ_TABLE AS R ON C.TABSCHEMA = R.TABSCHEMA AND C.TABNAME = R.TABNAME
    UNION ALL
    SELECT
        O.TABSCHEMA,
        O.TABNAME,
        '-',
        O.TYPE,
        CAST(0 AS SMALLINT),
        '-',
        'O',
        CAST(NULL AS BIGINT),
        O.BASE_SCHEMA,
        O.BASE_TABNAME,
        CASE
            WHEN O.TEXT_LENGTH <= 4000 THEN RTRIM(CAST(SUBSTRING(V.TEXT, 1, 4000, OCTETS) AS VARCHAR(4000)))
        END
    FROM OTHER_OBJECT AS O
    LEFT JOIN SYSCAT.VIEWS AS V ON O.TABSCHEMA = V.VIEWSCHEMA AND O.TABNAME = V.VIEWNAME
)
SELECT
    P.TABSCHEMA,  -- key VARCHAR(128)
    P.TABNAME,    -- key VARCHAR(128)
    P.INDSCHEMA,  -- key VARCHAR(128)
    P.INDNAME,    -- key VARCHAR(128)
    P.COLSEQ,     -- key SMALLINT
    P.COLNAME,    -- key VARCHAR(128)
    P.COLORDER,   -- gauge VARCHAR(1)
    P.GROUP_CARD, -- gauge BIGINT
    P.BASE_SCHEMA, -- gauge VARCHAR(128)
    P.BASE_NAME,  -- gauge VARCHAR(128)
    P.DEFINITION  -- gauge VARCHAR(4000)
FROM KEY_COLUMN AS P
