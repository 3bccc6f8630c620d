-- When each member of the database was activated and for how long it has been up: the identity of
-- every counter that the other sources hold. One row per member; UPTIME_S is in seconds, and so is BACKUP_AGE_S, the
-- time since a backup of the database was completed: NULL where there never was one, and BACKED_UP is 0 then.
--
-- object: MON_GET_DATABASE
SELECT
    T.MEMBER,            -- key SMALLINT
    T.DB_CONN_TIME,      -- gauge TIMESTAMP
    (DAYS(CURRENT TIMESTAMP) - DAYS(T.DB_CONN_TIME)) * 86400
    + MIDNIGHT_SECONDS(CURRENT TIMESTAMP) - MIDNIGHT_SECONDS(T.DB_CONN_TIME) AS UPTIME_S,  -- gauge BIGINT
    T.SORT_HEAP_TOP,     -- hwm BIGINT
    T.SORT_SHRHEAP_TOP,  -- hwm BIGINT
    T.SORT_SHRHEAP_ALLOCATED,   -- gauge BIGINT
    T.CAT_CACHE_OVERFLOWS,      -- counter BIGINT
    T.PKG_CACHE_NUM_OVERFLOWS,  -- counter BIGINT
    T.LOCK_LIST_IN_USE,         -- gauge BIGINT
    T.APPLS_CUR_CONS,           -- gauge BIGINT
    T.CONNECTIONS_TOP,          -- hwm BIGINT
    CASE WHEN T.LAST_BACKUP IS NULL THEN 0 ELSE 1 END AS BACKED_UP,  -- gauge SMALLINT
    (DAYS(CURRENT TIMESTAMP) - DAYS(T.LAST_BACKUP)) * 86400
    + MIDNIGHT_SECONDS(CURRENT TIMESTAMP) - MIDNIGHT_SECONDS(T.LAST_BACKUP) AS BACKUP_AGE_S  -- gauge BIGINT
FROM TABLE(SYSPROC.MON_GET_DATABASE(-2)) AS T
