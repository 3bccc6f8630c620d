-- The registry variables in force since db2start, and the values on disk that take effect at the next one.
--
-- object: ENV_GET_REG_VARIABLES
SELECT
    T.REG_VAR_NAME,           -- key VARCHAR(256)
    T.MEMBER,                 -- key SMALLINT
    T.REG_VAR_VALUE,          -- gauge VARCHAR(2048)
    T.REG_VAR_ON_DISK_VALUE,  -- gauge VARCHAR(2048)
    T.IS_AGGREGATE,           -- gauge SMALLINT
    T.AGGREGATE_NAME          -- gauge VARCHAR(256)
FROM TABLE(SYSPROC.ENV_GET_REG_VARIABLES(-2, 0)) AS T
