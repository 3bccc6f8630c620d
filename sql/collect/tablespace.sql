-- Layout and page traffic of every table space on every member. Sizes are in pages of the table
-- space, times in milliseconds; FS_CACHING 0 means that the file system cache is on.
--
-- object: MON_GET_TABLESPACE
SELECT
    T.TBSP_NAME,                       -- key VARCHAR(128)
    T.MEMBER,                          -- key SMALLINT
    T.TBSP_ID,                         -- gauge BIGINT
    T.TBSP_TYPE,                       -- gauge VARCHAR(10)
    T.TBSP_CONTENT_TYPE,               -- gauge VARCHAR(10)
    T.TBSP_PAGE_SIZE,                  -- gauge BIGINT
    T.TBSP_EXTENT_SIZE,                -- gauge BIGINT
    T.TBSP_PREFETCH_SIZE,              -- gauge BIGINT
    T.TBSP_CUR_POOL_ID,                -- gauge BIGINT
    T.TBSP_NEXT_POOL_ID,               -- gauge BIGINT
    T.FS_CACHING,                      -- gauge SMALLINT
    T.TBSP_REBALANCER_MODE,            -- gauge VARCHAR(30)
    T.TBSP_USING_AUTO_STORAGE,         -- gauge SMALLINT
    T.STORAGE_GROUP_NAME,              -- gauge VARCHAR(128)
    T.TBSP_USED_PAGES,                 -- gauge BIGINT
    T.TBSP_TOTAL_PAGES,                -- gauge BIGINT
    T.POOL_DATA_L_READS,               -- counter BIGINT
    T.POOL_INDEX_L_READS,              -- counter BIGINT
    T.POOL_XDA_L_READS,                -- counter BIGINT
    T.POOL_COL_L_READS,                -- counter BIGINT
    T.POOL_TEMP_DATA_L_READS,          -- counter BIGINT
    T.POOL_TEMP_INDEX_L_READS,         -- counter BIGINT
    T.POOL_TEMP_XDA_L_READS,           -- counter BIGINT
    T.POOL_TEMP_COL_L_READS,           -- counter BIGINT
    T.POOL_DATA_P_READS,               -- counter BIGINT
    T.POOL_INDEX_P_READS,              -- counter BIGINT
    T.POOL_XDA_P_READS,                -- counter BIGINT
    T.POOL_COL_P_READS,                -- counter BIGINT
    T.POOL_TEMP_DATA_P_READS,          -- counter BIGINT
    T.POOL_TEMP_INDEX_P_READS,         -- counter BIGINT
    T.POOL_TEMP_XDA_P_READS,           -- counter BIGINT
    T.POOL_TEMP_COL_P_READS,           -- counter BIGINT
    T.POOL_ASYNC_DATA_READS,           -- counter BIGINT
    T.POOL_ASYNC_INDEX_READS,          -- counter BIGINT
    T.POOL_ASYNC_XDA_READS,            -- counter BIGINT
    T.POOL_ASYNC_COL_READS,            -- counter BIGINT
    T.POOL_ASYNC_DATA_READ_REQS,       -- counter BIGINT
    T.POOL_ASYNC_INDEX_READ_REQS,      -- counter BIGINT
    T.POOL_ASYNC_XDA_READ_REQS,        -- counter BIGINT
    T.POOL_ASYNC_COL_READ_REQS,        -- counter BIGINT
    T.POOL_DATA_WRITES,                -- counter BIGINT
    T.POOL_INDEX_WRITES,               -- counter BIGINT
    T.POOL_XDA_WRITES,                 -- counter BIGINT
    T.POOL_COL_WRITES,                 -- counter BIGINT
    T.POOL_ASYNC_DATA_WRITES,          -- counter BIGINT
    T.POOL_ASYNC_INDEX_WRITES,         -- counter BIGINT
    T.POOL_ASYNC_XDA_WRITES,           -- counter BIGINT
    T.POOL_ASYNC_COL_WRITES,           -- counter BIGINT
    T.POOL_READ_TIME,                  -- counter BIGINT
    T.POOL_ASYNC_READ_TIME,            -- counter BIGINT
    T.POOL_WRITE_TIME,                 -- counter BIGINT
    T.POOL_ASYNC_WRITE_TIME,           -- counter BIGINT
    T.VECTORED_IOS,                    -- counter BIGINT
    T.PAGES_FROM_VECTORED_IOS,         -- counter BIGINT
    T.BLOCK_IOS,                       -- counter BIGINT
    T.PAGES_FROM_BLOCK_IOS,            -- counter BIGINT
    T.UNREAD_PREFETCH_PAGES,           -- counter BIGINT
    T.PREFETCH_WAIT_TIME,              -- counter BIGINT
    T.PREFETCH_WAITS,                  -- counter BIGINT
    T.SKIPPED_PREFETCH_DATA_P_READS,   -- counter BIGINT
    T.SKIPPED_PREFETCH_INDEX_P_READS   -- counter BIGINT
FROM TABLE(MON_GET_TABLESPACE(NULL, -2)) AS T
