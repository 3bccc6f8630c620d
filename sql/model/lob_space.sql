-- Every table space that holds LOBs or long fields of user tables outside of their rows; TBSP_NAME is NULL for
-- those of range-partitioned tables, of which the place is not collected. TABLES have such LOBs there, and of
-- these TABLE_TEXT is used most, with COLUMN_TEXT its first LOB (both quoted; NULL with long fields only, which
-- fit into no row). ROWS_TOO is 1 where rows or indexes lie there as well, or may.
WITH PLACE AS (
    SELECT
        COALESCE(K.LONG_TBSPACE, K.TBSPACE) AS TBSP_NAME,
        K.TABSCHEMA,
        K.TABNAME,
        MIN(CASE WHEN L.TYPENAME NOT LIKE 'LONG %' THEN L.COLNAME END) AS COLNAME
    FROM TUNE.D_LOB_COLUMN AS L
    INNER JOIN TUNE.D_CAT_TABLE AS K ON L.TABSCHEMA = K.TABSCHEMA AND L.TABNAME = K.TABNAME
    WHERE COALESCE(L.PCTINLINED, 0) < 100
    GROUP BY COALESCE(K.LONG_TBSPACE, K.TBSPACE), K.TABSCHEMA, K.TABNAME
),
RANKED AS (
    SELECT
        P.*,
        COUNT(P.COLNAME) OVER (PARTITION BY P.TBSP_NAME) AS TABLES,
        ROW_NUMBER() OVER (
            PARTITION BY P.TBSP_NAME
            ORDER BY
                CASE WHEN P.COLNAME IS NULL THEN 1 ELSE 0 END, COALESCE(U.USED, 0) DESC, P.TABSCHEMA, P.TABNAME
        ) AS N
    FROM PLACE AS P
    LEFT JOIN (
        SELECT
            TABSCHEMA,
            TABNAME,
            SUM(COALESCE(ROWS_READ, 0) + COALESCE(ROWS_INSERTED, 0) + COALESCE(ROWS_UPDATED, 0)) AS USED
        FROM TUNE.D_TABLE
        GROUP BY TABSCHEMA, TABNAME
    ) AS U ON P.TABSCHEMA = U.TABSCHEMA AND P.TABNAME = U.TABNAME
)
SELECT
    R.TBSP_NAME,
    R.TABLES,
    CASE
        WHEN R.COLNAME IS NOT NULL
            THEN '"' || REPLACE(R.TABSCHEMA, '"', '""') || '"."' || REPLACE(R.TABNAME, '"', '""') || '"'
    END AS TABLE_TEXT,
    '"' || REPLACE(R.COLNAME, '"', '""') || '"' AS COLUMN_TEXT,
    CASE
        WHEN EXISTS (
            SELECT 1 FROM TUNE.D_CAT_TABLE AS K
            WHERE K.TBSPACE IS NULL OR K.TBSPACE = R.TBSP_NAME OR K.INDEX_TBSPACE = R.TBSP_NAME
        ) THEN 1
        ELSE 0
    END AS ROWS_TOO
FROM RANKED AS R
WHERE R.N = 1
