-- The space of each large table's data on every partition, in KB, and the tables that cannot be used: reorganization or
-- load pending, or not available. Those have no sizes. Other tables below 10 MB on a partition are left out. The
-- function visits every table on every partition, so schema TUNE reads it once in 20 hours: every nightly run, and runs
-- after a table that cannot be used.
--
-- object: ADMIN_GET_TAB_INFO
-- every:  72000
-- again:  AVAILABLE <> 'Y' OR REORG_PENDING <> 'N' OR LOAD_STATUS IS NOT NULL
SELECT
    T.TABSCHEMA,                                            -- key VARCHAR(128)
    T.TABNAME,                                              -- key VARCHAR(128)
    T.DBPARTITIONNUM,                                       -- key SMALLINT
    COALESCE(T.DATA_PARTITION_ID, 0) AS DATA_PARTITION_ID,  -- key INTEGER
    T.DATA_OBJECT_P_SIZE,                                   -- gauge BIGINT
    RTRIM(T.AVAILABLE) AS AVAILABLE,                        -- gauge VARCHAR(1)
    RTRIM(T.REORG_PENDING) AS REORG_PENDING,                -- gauge VARCHAR(1)
    T.NUM_REORG_REC_ALTERS,                                 -- gauge SMALLINT
    T.LOAD_STATUS,                                          -- gauge VARCHAR(12)
    RTRIM(T.NO_LOAD_RESTART) AS NO_LOAD_RESTART             -- gauge VARCHAR(1)
FROM TABLE(SYSPROC.ADMIN_GET_TAB_INFO(NULL, NULL)) AS T
WHERE
    T.DATA_OBJECT_P_SIZE >= 10240
    OR COALESCE(T.AVAILABLE, 'Y') <> 'Y'
    OR COALESCE(T.REORG_PENDING, 'N') <> 'N'
    OR T.LOAD_STATUS IS NOT NULL
