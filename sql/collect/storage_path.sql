-- The storage paths of every storage group on every member, and the optimizer's assumptions about their media: OVERHEAD
-- in milliseconds, DEVICEREADRATE in MB per second, 0 if not defined. Sizes are bytes.
--
-- object: ADMIN_GET_STORAGE_PATHS
SELECT
    T.STORAGE_GROUP_NAME,     -- key VARCHAR(128)
    T.DB_STORAGE_PATH,        -- key VARCHAR(256)
    T.DBPARTITIONNUM,         -- key SMALLINT
    T.DB_STORAGE_PATH_STATE,  -- gauge VARCHAR(16)
    T.FS_TOTAL_SIZE,          -- gauge BIGINT
    T.FS_USED_SIZE,           -- gauge BIGINT
    G.OVERHEAD,               -- gauge DOUBLE
    G.DEVICEREADRATE          -- gauge DOUBLE
FROM TABLE(SYSPROC.ADMIN_GET_STORAGE_PATHS('', -2)) AS T
LEFT JOIN SYSCAT.STOGROUPS AS G ON T.STORAGE_GROUP_NAME = G.SGNAME
