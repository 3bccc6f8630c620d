-- Every database manager configuration parameter: the value in memory and the value that takes effect at the next
-- db2start.
--
-- object: SYSIBMADM.DBMCFG
SELECT
    T.NAME,                  -- key VARCHAR(32)
    T.VALUE,                 -- gauge VARCHAR(1024)
    T.VALUE_FLAGS,           -- gauge VARCHAR(10)
    T.DEFERRED_VALUE,        -- gauge VARCHAR(1024)
    T.DEFERRED_VALUE_FLAGS   -- gauge VARCHAR(10)
FROM SYSIBMADM.DBMCFG AS T
