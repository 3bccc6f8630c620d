-- Levels, scans and page splits of each index in use, member by member, and what its statistics say
-- of deleted keys (RIDs) and empty leaf pages.
--
-- object: MON_GET_INDEX
-- reset:  restart
SELECT
    T.TABSCHEMA,                     -- key VARCHAR(128)
    T.TABNAME,                       -- key VARCHAR(128)
    T.IID,                           -- key SMALLINT
    T.MEMBER,                        -- key SMALLINT
    COALESCE(T.DATA_PARTITION_ID, 0) AS DATA_PARTITION_ID, -- key INTEGER
    T.NLEVELS,                       -- gauge SMALLINT
    T.INDEX_SCANS,                   -- counter BIGINT
    T.INT_NODE_SPLITS,               -- counter BIGINT
    T.BOUNDARY_LEAF_NODE_SPLITS,     -- counter BIGINT
    T.NONBOUNDARY_LEAF_NODE_SPLITS,  -- counter BIGINT
    T.OBJECT_INDEX_L_READS,          -- counter BIGINT
    T.OBJECT_INDEX_P_READS,          -- counter BIGINT
    X.INDNAME,                       -- gauge VARCHAR(128)
    X.INDCARD,                       -- gauge BIGINT
    X.NUMRIDS_DELETED,               -- gauge BIGINT
    X.NLEAF,                         -- gauge BIGINT
    X.NUM_EMPTY_LEAFS                -- gauge BIGINT
FROM TABLE(MON_GET_INDEX(NULL, NULL, -2)) AS T
LEFT JOIN SYSCAT.INDEXES AS X ON T.TABSCHEMA = X.TABSCHEMA AND T.TABNAME = X.TABNAME AND T.IID = X.IID
WHERE T.INDEX_SCANS + T.OBJECT_INDEX_L_READS > 0
