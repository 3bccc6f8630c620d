-- Every database configuration parameter of every member: the value in memory, whether Db2 sets it, and the value that
-- takes effect at the next activation.
--
-- object: DB_GET_CFG
SELECT
    T.NAME,                  -- key VARCHAR(32)
    T.MEMBER,                -- key SMALLINT
    T.VALUE,                 -- gauge VARCHAR(1024)
    T.VALUE_FLAGS,           -- gauge VARCHAR(10)
    T.DEFERRED_VALUE,        -- gauge VARCHAR(1024)
    T.DEFERRED_VALUE_FLAGS   -- gauge VARCHAR(10)
FROM TABLE(SYSPROC.DB_GET_CFG(-2)) AS T
