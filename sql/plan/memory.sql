-- How much memory do the host and the instance have left, in MB?
SELECT HOST_NAME, MEMORY_FREE
FROM TABLE(SYSPROC.ENV_GET_SYSTEM_RESOURCES()) AS T
ORDER BY HOST_NAME
