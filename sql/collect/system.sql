-- Processors, memory and load of every host. Memory is in MB; SWAP_PAGES_* count since the host started.
--
-- object: ENV_GET_SYSTEM_RESOURCES
-- reset:  restart
SELECT
    T.MEMBER,                -- key SMALLINT
    T.HOST_NAME,             -- gauge VARCHAR(255)
    T.OS_NAME,               -- gauge VARCHAR(256)
    T.CPU_TOTAL,             -- gauge BIGINT
    T.CPU_ONLINE,            -- gauge BIGINT
    T.CPU_HMT_DEGREE,        -- gauge BIGINT
    T.CPU_CORES_PER_SOCKET,  -- gauge BIGINT
    T.MEMORY_TOTAL,          -- gauge BIGINT
    T.MEMORY_FREE,           -- gauge BIGINT
    T.CPU_USAGE_TOTAL,       -- gauge SMALLINT
    T.SWAP_PAGES_IN,         -- counter BIGINT
    T.SWAP_PAGES_OUT         -- counter BIGINT
FROM TABLE(SYSPROC.ENV_GET_SYSTEM_RESOURCES()) AS T
