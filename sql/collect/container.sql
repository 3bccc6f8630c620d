-- The containers of every table space on every member: path, size and page traffic. Sizes are in pages of the table
-- space, file system sizes in bytes, times in milliseconds.
--
-- object: MON_GET_CONTAINER
SELECT
    T.TBSP_NAME,       -- key VARCHAR(128)
    T.CONTAINER_ID,    -- key BIGINT
    T.MEMBER,          -- key SMALLINT
    T.TBSP_ID,         -- gauge BIGINT
    T.CONTAINER_NAME,  -- gauge VARCHAR(256)
    T.CONTAINER_TYPE,  -- gauge VARCHAR(16)
    T.STRIPE_SET,      -- gauge BIGINT
    T.TOTAL_PAGES,     -- gauge BIGINT
    T.USABLE_PAGES,    -- gauge BIGINT
    T.ACCESSIBLE,      -- gauge SMALLINT
    T.FS_ID,           -- gauge VARCHAR(22)
    T.FS_TOTAL_SIZE,   -- gauge BIGINT
    T.FS_USED_SIZE,    -- gauge BIGINT
    T.PAGES_READ,      -- counter BIGINT
    T.PAGES_WRITTEN,   -- counter BIGINT
    T.POOL_READ_TIME   -- counter BIGINT
FROM TABLE(SYSPROC.MON_GET_CONTAINER(NULL, -2)) AS T
