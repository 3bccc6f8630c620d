-- Every index with the table space that it lies in, where that holds indexes alone, over all members: its levels, what
-- is read of it (logical reads of pages), how often its pages were split; and the rows inserted into its table, which
-- stand with the first index of the table alone, so that they can be added up.
WITH INDEXES AS (
    SELECT
        TABSCHEMA,
        TABNAME,
        IID,
        MAX(NLEVELS) AS NLEVELS,
        SUM(OBJECT_INDEX_L_READS) AS LOGICAL_READS,
        SUM(
            COALESCE(INT_NODE_SPLITS, 0) + COALESCE(BOUNDARY_LEAF_NODE_SPLITS, 0)
            + COALESCE(NONBOUNDARY_LEAF_NODE_SPLITS, 0)
        ) AS SPLITS,
        ROW_NUMBER() OVER (PARTITION BY TABSCHEMA, TABNAME ORDER BY IID) AS N
    FROM TUNE.D_INDEX
    GROUP BY TABSCHEMA, TABNAME, IID
),
INSERTS AS (
    SELECT
        TABSCHEMA,
        TABNAME,
        SUM(ROWS_INSERTED) AS ROWS_INSERTED
    FROM TUNE.D_TABLE
    GROUP BY TABSCHEMA, TABNAME
)
SELECT
    K.INDEX_TBSPACE AS TBSP_NAME,
    I.TABSCHEMA,
    I.TABNAME,
    I.IID,
    I.NLEVELS,
    I.LOGICAL_READS,
    I.SPLITS,
    CASE WHEN I.N = 1 THEN COALESCE(R.ROWS_INSERTED, 0) ELSE 0 END AS ROWS_INSERTED
FROM TUNE.D_CAT_TABLE AS K
INNER JOIN INDEXES AS I ON K.TABSCHEMA = I.TABSCHEMA AND K.TABNAME = I.TABNAME
LEFT JOIN INSERTS AS R ON K.TABSCHEMA = R.TABSCHEMA AND K.TABNAME = R.TABNAME
WHERE K.INDEX_TBSPACE IS NOT NULL AND K.INDEX_TBSPACE <> K.TBSPACE
