-- Activation time and uptime of the database on each member, one row per member. All counters of the other sources
-- count from the activation. UPTIME_S is in seconds. BACKUP_AGE_S is the time since the last completed backup, in
-- seconds. Without any backup it is NULL and BACKED_UP is 0. RDS_GRANTS and BLUADMIN_GRANTS count what managed
-- platforms create in every database.
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
    + MIDNIGHT_SECONDS(CURRENT TIMESTAMP) - MIDNIGHT_SECONDS(T.LAST_BACKUP) AS BACKUP_AGE_S,  -- gauge BIGINT
    (SELECT COUNT(*) FROM SYSCAT.ROLEAUTH WHERE ROLENAME = 'MASTER_USER_ROLE') AS RDS_GRANTS,  -- gauge INTEGER
    (SELECT COUNT(*) FROM SYSCAT.DBAUTH WHERE GRANTEE = 'BLUADMIN') AS BLUADMIN_GRANTS  -- gauge INTEGER
FROM TABLE(SYSPROC.MON_GET_DATABASE(-2)) AS T
