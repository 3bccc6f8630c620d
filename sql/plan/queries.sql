-- What a person looks at before a step.

-- name: connections
-- Which users are connected, and would have to disconnect before a restart?
SELECT T.APPLICATION_NAME, T.SESSION_AUTH_ID, COUNT(*) AS CONNECTIONS
FROM TABLE(SYSPROC.MON_GET_CONNECTION(NULL, -2)) AS T
GROUP BY T.APPLICATION_NAME, T.SESSION_AUTH_ID
ORDER BY CONNECTIONS DESC

-- name: hadr
-- The standbys of a primary, and whether applications read on one: it forces its readers off while it replays changes
-- of objects.
SELECT H.STANDBY_ID, H.HADR_STATE, H.READS_ON_STANDBY_ENABLED
FROM TABLE(SYSPROC.MON_GET_HADR(-2)) AS H
ORDER BY H.STANDBY_ID

-- name: memory
-- How much memory do the host and the instance have left, in MB?
SELECT T.HOST_NAME, T.MEMORY_FREE
FROM TABLE(SYSPROC.ENV_GET_SYSTEM_RESOURCES()) AS T
ORDER BY T.HOST_NAME

-- name: space
-- How much space is free in each table space, in KB, on the member with the least?
SELECT T.TBSP_NAME, MIN(T.TBSP_FREE_PAGES * T.TBSP_PAGE_SIZE / 1024) AS FREE_KB
FROM TABLE(SYSPROC.MON_GET_TABLESPACE(NULL, -2)) AS T
GROUP BY T.TBSP_NAME
ORDER BY T.TBSP_NAME

-- name: utilities
-- Does a conflicting utility run, such as a backup or a load?
SELECT T.UTILITY_TYPE, T.UTILITY_START_TIME
FROM TABLE(SYSPROC.MON_GET_UTILITY(-2)) AS T
ORDER BY T.UTILITY_START_TIME
