-- Reads and changes of each user table in use, per member.
--
-- object: MON_GET_TABLE
-- reset:  restart
SELECT
    T.TABSCHEMA,                                    -- key VARCHAR(128)
    T.TABNAME,                                      -- key VARCHAR(128)
    T.MEMBER,                                       -- key SMALLINT
    COALESCE(T.DATA_PARTITION_ID, 0) AS DATA_PARTITION_ID, -- key INTEGER
    T.TBSP_ID,                                      -- gauge BIGINT
    RTRIM(T.TAB_ORGANIZATION) AS TAB_ORGANIZATION,  -- gauge VARCHAR(1)
    T.TABLE_SCANS,                                  -- counter BIGINT
    T.ROWS_READ,                                    -- counter BIGINT
    T.ROWS_INSERTED,                                -- counter BIGINT
    T.ROWS_UPDATED,                                 -- counter BIGINT
    T.ROWS_DELETED,                                 -- counter BIGINT
    T.OVERFLOW_ACCESSES,                            -- counter BIGINT
    T.OBJECT_DATA_P_READS,                          -- counter BIGINT
    T.LOCK_WAIT_TIME,                               -- counter BIGINT
    T.STATS_ROWS_MODIFIED                           -- gauge BIGINT
FROM TABLE(SYSPROC.MON_GET_TABLE(NULL, NULL, -2)) AS T
WHERE T.TAB_TYPE = 'USER_TABLE' AND T.ROWS_READ + T.ROWS_INSERTED + T.ROWS_UPDATED + T.ROWS_DELETED > 0
