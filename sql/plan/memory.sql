-- How much memory do the host and the instance have left, in MB?
SELECT
    T.HOST_NAME,
    T.MEMORY_FREE
FROM TABLE(SYSPROC.ENV_GET_SYSTEM_RESOURCES()) AS T
ORDER BY T.HOST_NAME
