-- Levels, scans and page splits of each index in use, member by member.
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
    T.OBJECT_INDEX_P_READS           -- counter BIGINT
FROM TABLE(MON_GET_INDEX(NULL, NULL, -2)) AS T
WHERE T.INDEX_SCANS + T.OBJECT_INDEX_L_READS > 0
