-- Page reads, page writes and their times for every buffer pool on every member. Times are milliseconds; unlike a
-- workload's times they include the work of prefetchers and page cleaners. BP_CUR_BUFFSZ is in pages of the pool. The
-- group buffer pool (GBP) belongs to pureScale: members read from it the pages that the local pool (LBP) lacks or that
-- are no longer valid there (INVALID).
--
-- object: MON_GET_BUFFERPOOL
SELECT
    T.BP_NAME,                           -- key VARCHAR(128)
    T.MEMBER,                            -- key SMALLINT
    T.AUTOMATIC,                         -- gauge SMALLINT
    T.BP_CUR_BUFFSZ,                     -- gauge BIGINT
    T.POOL_DATA_L_READS,                 -- counter BIGINT
    T.POOL_INDEX_L_READS,                -- counter BIGINT
    T.POOL_XDA_L_READS,                  -- counter BIGINT
    T.POOL_COL_L_READS,                  -- counter BIGINT
    T.POOL_TEMP_DATA_L_READS,            -- counter BIGINT
    T.POOL_TEMP_INDEX_L_READS,           -- counter BIGINT
    T.POOL_TEMP_XDA_L_READS,             -- counter BIGINT
    T.POOL_TEMP_COL_L_READS,             -- counter BIGINT
    T.POOL_DATA_P_READS,                 -- counter BIGINT
    T.POOL_INDEX_P_READS,                -- counter BIGINT
    T.POOL_XDA_P_READS,                  -- counter BIGINT
    T.POOL_COL_P_READS,                  -- counter BIGINT
    T.POOL_TEMP_DATA_P_READS,            -- counter BIGINT
    T.POOL_TEMP_INDEX_P_READS,           -- counter BIGINT
    T.POOL_TEMP_XDA_P_READS,             -- counter BIGINT
    T.POOL_TEMP_COL_P_READS,             -- counter BIGINT
    T.POOL_ASYNC_DATA_READS,             -- counter BIGINT
    T.POOL_ASYNC_INDEX_READS,            -- counter BIGINT
    T.POOL_ASYNC_XDA_READS,              -- counter BIGINT
    T.POOL_ASYNC_COL_READS,              -- counter BIGINT
    T.POOL_DATA_LBP_PAGES_FOUND,         -- counter BIGINT
    T.POOL_INDEX_LBP_PAGES_FOUND,        -- counter BIGINT
    T.POOL_XDA_LBP_PAGES_FOUND,          -- counter BIGINT
    T.POOL_COL_LBP_PAGES_FOUND,          -- counter BIGINT
    T.POOL_ASYNC_DATA_LBP_PAGES_FOUND,   -- counter BIGINT
    T.POOL_ASYNC_INDEX_LBP_PAGES_FOUND,  -- counter BIGINT
    T.POOL_ASYNC_XDA_LBP_PAGES_FOUND,    -- counter BIGINT
    T.POOL_ASYNC_COL_LBP_PAGES_FOUND,    -- counter BIGINT
    T.POOL_DATA_GBP_L_READS,             -- counter BIGINT
    T.POOL_DATA_GBP_P_READS,             -- counter BIGINT
    T.POOL_DATA_GBP_INVALID_PAGES,       -- counter BIGINT
    T.POOL_INDEX_GBP_L_READS,            -- counter BIGINT
    T.POOL_INDEX_GBP_P_READS,            -- counter BIGINT
    T.POOL_INDEX_GBP_INVALID_PAGES,      -- counter BIGINT
    T.POOL_XDA_GBP_L_READS,              -- counter BIGINT
    T.POOL_XDA_GBP_P_READS,              -- counter BIGINT
    T.POOL_XDA_GBP_INVALID_PAGES,        -- counter BIGINT
    T.POOL_DATA_WRITES,                  -- counter BIGINT
    T.POOL_INDEX_WRITES,                 -- counter BIGINT
    T.POOL_XDA_WRITES,                   -- counter BIGINT
    T.POOL_COL_WRITES,                   -- counter BIGINT
    T.POOL_ASYNC_DATA_WRITES,            -- counter BIGINT
    T.POOL_ASYNC_INDEX_WRITES,           -- counter BIGINT
    T.POOL_ASYNC_XDA_WRITES,             -- counter BIGINT
    T.POOL_ASYNC_COL_WRITES,             -- counter BIGINT
    T.FILES_CLOSED,                      -- counter BIGINT
    T.POOL_READ_TIME,                    -- counter BIGINT
    T.POOL_ASYNC_READ_TIME,              -- counter BIGINT
    T.POOL_WRITE_TIME,                   -- counter BIGINT
    T.POOL_ASYNC_WRITE_TIME,             -- counter BIGINT
    T.POOL_LSN_GAP_CLNS,                 -- counter BIGINT
    T.POOL_DRTY_PG_STEAL_CLNS,           -- counter BIGINT
    T.POOL_DRTY_PG_THRSH_CLNS            -- counter BIGINT
FROM TABLE(SYSPROC.MON_GET_BUFFERPOOL(NULL, -2)) AS T
