-- Levels, scans and page splits of each index in use, per member, and its catalog data: columns, part in constraints,
-- deleted keys (RIDs) and empty leaf pages. UNUSED_D is the number of days since a query last used it, or since the
-- year 1 if no query ever did. AGE_D is the number of days since it was created. PLAIN_KEY is 1 if the key consists of
-- columns only. FK_KEYS is the number of foreign keys of its table that begin with its first column. A user's index
-- that is not in use is listed with MEMBER -1 if it has 10,000 entries or more, or no statistics.
--
-- object: MON_GET_INDEX
-- reset:  restart
SELECT
    X.TABSCHEMA,                     -- key VARCHAR(128)
    X.TABNAME,                       -- key VARCHAR(128)
    X.IID,                           -- key SMALLINT
    COALESCE(T.MEMBER, -1) AS MEMBER, -- key SMALLINT
    COALESCE(T.DATA_PARTITION_ID, 0) AS DATA_PARTITION_ID, -- key INTEGER
    T.NLEVELS,                       -- gauge SMALLINT
    T.INDEX_SCANS,                   -- counter BIGINT
    T.INT_NODE_SPLITS,               -- counter BIGINT
    T.BOUNDARY_LEAF_NODE_SPLITS,     -- counter BIGINT
    T.NONBOUNDARY_LEAF_NODE_SPLITS,  -- counter BIGINT
    T.OBJECT_INDEX_L_READS,          -- counter BIGINT
    T.OBJECT_INDEX_P_READS,          -- counter BIGINT
    X.INDSCHEMA,                     -- gauge VARCHAR(128)
    X.INDNAME,                       -- gauge VARCHAR(128)
    X.INDCARD,                       -- gauge BIGINT
    X.NUMRIDS_DELETED,               -- gauge BIGINT
    X.NLEAF,                         -- gauge BIGINT
    X.NUM_EMPTY_LEAFS,               -- gauge BIGINT
    X.COLNAMES,                      -- gauge VARCHAR(640)
    C.COLNAME AS FIRST_COLUMN,       -- gauge VARCHAR(128)
    X.COLCOUNT,                      -- gauge SMALLINT
    X.UNIQUE_COLCOUNT,               -- gauge SMALLINT
    RTRIM(X.UNIQUERULE) AS UNIQUERULE, -- gauge VARCHAR(1)
    RTRIM(X.INDEXTYPE) AS INDEXTYPE, -- gauge VARCHAR(4)
    X.SYSTEM_REQUIRED,               -- gauge SMALLINT
    X.FULLKEYCARD,                   -- gauge BIGINT
    X.FIRSTKEYCARD,                  -- gauge BIGINT
    X.FIRST2KEYCARD,                 -- gauge BIGINT
    X.FIRST3KEYCARD,                 -- gauge BIGINT
    X.FIRST4KEYCARD,                 -- gauge BIGINT
    X.CLUSTERRATIO,                  -- gauge SMALLINT
    X.CLUSTERFACTOR,                 -- gauge DOUBLE
    X.PCTFREE,                       -- gauge SMALLINT
    X.MINPCTUSED,                    -- gauge SMALLINT
    RTRIM(X.COMPRESSION) AS COMPRESSION, -- gauge VARCHAR(1)
    RTRIM(X.REVERSE_SCANS) AS REVERSE_SCANS, -- gauge VARCHAR(1)
    CASE WHEN X.IENAME IS NULL AND X.VIEWNAME IS NULL AND X.NULLKEYS = 'Y' THEN 1 ELSE 0 END
    AS PLAIN_KEY,                    -- gauge SMALLINT
    (
        SELECT COUNT(*)
        FROM SYSCAT.REFERENCES AS R
        INNER JOIN SYSCAT.KEYCOLUSE AS K
            ON R.CONSTNAME = K.CONSTNAME AND R.TABSCHEMA = K.TABSCHEMA AND R.TABNAME = K.TABNAME
        WHERE
            R.TABSCHEMA = X.TABSCHEMA AND R.TABNAME = X.TABNAME AND K.COLSEQ = 1 AND K.COLNAME = C.COLNAME
    ) AS FK_KEYS,                    -- gauge INTEGER
    DAYS(CURRENT TIMESTAMP) - DAYS(X.LASTUSED) AS UNUSED_D, -- gauge INTEGER
    DAYS(CURRENT TIMESTAMP) - DAYS(X.CREATE_TIME) AS AGE_D  -- gauge INTEGER
FROM SYSCAT.INDEXES AS X
LEFT JOIN TABLE(SYSPROC.MON_GET_INDEX(NULL, NULL, -2)) AS T
    ON
        X.TABSCHEMA = T.TABSCHEMA AND X.TABNAME = T.TABNAME AND X.IID = T.IID
        AND T.INDEX_SCANS + T.OBJECT_INDEX_L_READS > 0
LEFT JOIN SYSCAT.INDEXCOLUSE AS C ON X.INDSCHEMA = C.INDSCHEMA AND X.INDNAME = C.INDNAME AND C.COLSEQ = 1
WHERE
    T.MEMBER IS NOT NULL
    OR (X.TABSCHEMA NOT LIKE 'SYS%' AND (X.INDCARD >= 10000 OR X.INDCARD < 0))
