-- Statistics of the columns of the 100 user tables with the most rows read since activation (MUCH_READ 1), and of the
-- columns of every distribution key (PARTKEYSEQ above 0). COLCARD and NUMNULLS are -1 without statistics, NMOSTFREQ and
-- NQUANTILES without distribution statistics. FREQUENT_ROWS is the number of rows with the most frequent value,
-- FREQUENT_VALUE. It, LOW2KEY and HIGH2KEY are data of the table: they are omitted with the statement texts.
--
-- object: SYSCAT.COLUMNS
WITH READ_TABLE AS (
    SELECT M.TABSCHEMA, M.TABNAME
    FROM TABLE(SYSPROC.MON_GET_TABLE(NULL, NULL, -2)) AS M
    WHERE M.TAB_TYPE = 'USER_TABLE' AND M.ROWS_READ > 0
    GROUP BY M.TABSCHEMA, M.TABNAME
    ORDER BY SUM(M.ROWS_READ) DESC
    FETCH FIRST 100 ROWS ONLY
)
SELECT
    T.TABSCHEMA,   -- key VARCHAR(128)
    T.TABNAME,     -- key VARCHAR(128)
    T.COLNAME,     -- key VARCHAR(128)
    T.COLNO,       -- gauge SMALLINT
    T.PARTKEYSEQ,  -- gauge SMALLINT
    CASE WHEN R.TABNAME IS NULL THEN 0 ELSE 1 END AS MUCH_READ, -- gauge SMALLINT
    T.TYPENAME,    -- gauge VARCHAR(128)
    T.LENGTH,      -- gauge INTEGER
    T.COLCARD,     -- gauge BIGINT
    T.NUMNULLS,    -- gauge BIGINT
    T.AVGCOLLEN,   -- gauge INTEGER
    T.NMOSTFREQ,   -- gauge SMALLINT
    T.NQUANTILES,  -- gauge SMALLINT
    T.LOW2KEY,     -- gauge VARCHAR(254)
    T.HIGH2KEY,    -- gauge VARCHAR(254)
    (
        SELECT MAX(F.VALCOUNT)
        FROM SYSCAT.COLDIST AS F
        WHERE
            F.TABSCHEMA = T.TABSCHEMA AND F.TABNAME = T.TABNAME AND F.COLNAME = T.COLNAME AND F.TYPE = 'F'
            AND F.COLVALUE IS NOT NULL
    ) AS FREQUENT_ROWS, -- gauge BIGINT
    (
        SELECT MAX(F.COLVALUE)
        FROM SYSCAT.COLDIST AS F
        WHERE
            F.TABSCHEMA = T.TABSCHEMA AND F.TABNAME = T.TABNAME AND F.COLNAME = T.COLNAME AND F.TYPE = 'F'
            AND F.SEQNO = 1
    ) AS FREQUENT_VALUE -- gauge VARCHAR(254)
FROM SYSCAT.COLUMNS AS T
LEFT JOIN READ_TABLE AS R ON T.TABSCHEMA = R.TABSCHEMA AND T.TABNAME = R.TABNAME
WHERE R.TABNAME IS NOT NULL OR T.PARTKEYSEQ > 0
