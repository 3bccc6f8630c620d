-- The utilities that run at the time of the snapshot: backup, load and reorganization distort rates and latencies.
--
-- object: MON_GET_UTILITY
SELECT
    T.MEMBER,              -- key SMALLINT
    T.APPLICATION_HANDLE,  -- key BIGINT
    T.UTILITY_START_TIME,  -- key TIMESTAMP
    T.UTILITY_TYPE         -- gauge VARCHAR(16)
FROM TABLE(SYSPROC.MON_GET_UTILITY(-2)) AS T
