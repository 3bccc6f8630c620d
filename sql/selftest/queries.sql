-- What the selftest cost, and what it left.

-- name: compilation
-- Milliseconds that this session has compiled statements.
SELECT SUM(T.TOTAL_COMPILE_TIME) AS TOTAL_COMPILE_TIME
FROM TABLE(SYSPROC.MON_GET_CONNECTION(SYSPROC.MON_GET_APPLICATION_HANDLE(), -2)) AS T

-- name: errors
-- The errors of reading and computing in the earlier calls, by place and code.
SELECT T.PLACE, T.CODE, T.STATE
FROM TUNE.ERROR AS T
WHERE T.RUN_ID >= (SELECT MAX(R.RUN_ID) - 1 FROM TUNE.RUN AS R)
ORDER BY T.PLACE

-- name: locks
-- Locks that this session holds, on the member with the most.
SELECT MAX(T.NUM_LOCKS_HELD) AS NUM_LOCKS_HELD
FROM TABLE(SYSPROC.MON_GET_CONNECTION(SYSPROC.MON_GET_APPLICATION_HANDLE(), -2)) AS T

-- name: log
-- Bytes of log in use by all sessions, on the member with the most.
SELECT MAX(T.TOTAL_LOG_USED) AS TOTAL_LOG_USED
FROM TABLE(SYSPROC.MON_GET_TRANSACTION_LOG(-2)) AS T

-- name: log_free
-- Bytes of log that are free, on the member with the fewest; -1 if the log has no limit.
SELECT MIN(T.TOTAL_LOG_AVAILABLE) AS TOTAL_LOG_AVAILABLE
FROM TABLE(SYSPROC.MON_GET_TRANSACTION_LOG(-2)) AS T

-- name: package_cache
-- KB of the package cache in use, on the member with the most.
SELECT MAX(T.MEMORY_POOL_USED) AS PACKAGE_CACHE_KB
FROM TABLE(SYSPROC.MON_GET_MEMORY_POOL('DATABASE', CURRENT SERVER, -2)) AS T
WHERE T.MEMORY_POOL_TYPE = 'PACKAGE_CACHE'

-- name: sections
-- Sections of statements that this session has put into the package cache.
SELECT SUM(T.PKG_CACHE_INSERTS) AS PKG_CACHE_INSERTS
FROM TABLE(SYSPROC.MON_GET_CONNECTION(SYSPROC.MON_GET_APPLICATION_HANDLE(), -2)) AS T

-- name: unit_of_work
-- Bytes of log that this session's unit of work holds, on the member with the most.
SELECT MAX(T.UOW_LOG_SPACE_USED) AS UOW_LOG_SPACE_USED
FROM TABLE(SYSPROC.MON_GET_UNIT_OF_WORK(SYSPROC.MON_GET_APPLICATION_HANDLE(), -2)) AS T

-- name: widths
-- The number of columns of each table and view of schema TUNE, and the most bytes of their types.
SELECT T.TABNAME, COUNT(*) AS COLUMN_COUNT, SUM(CAST(T.LENGTH AS BIGINT)) AS BYTES
FROM SYSCAT.COLUMNS AS T
WHERE T.TABSCHEMA = 'TUNE'
GROUP BY T.TABNAME
ORDER BY T.TABNAME
