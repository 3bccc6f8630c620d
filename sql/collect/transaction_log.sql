-- Writes, waits and fill of the transaction log of every member. LOG_WRITES are 4 KB pages, times are milliseconds,
-- spaces are bytes; TOTAL_LOG_AVAILABLE -1 means infinite logging. The archived log files are identified by number.
--
-- object: MON_GET_TRANSACTION_LOG
SELECT
    T.MEMBER,                         -- key SMALLINT
    T.TOTAL_LOG_AVAILABLE,            -- gauge BIGINT
    T.TOTAL_LOG_USED,                 -- gauge BIGINT
    T.SEC_LOGS_ALLOCATED,             -- gauge BIGINT
    T.APPLID_HOLDING_OLDEST_XACT,     -- gauge BIGINT
    T.CURRENT_ACTIVE_LOG,             -- gauge BIGINT
    T.METHOD1_NEXT_LOG_TO_ARCHIVE,    -- gauge BIGINT
    T.METHOD1_FIRST_FAILURE,          -- gauge BIGINT
    T.SEC_LOG_USED_TOP,               -- hwm BIGINT
    T.TOT_LOG_USED_TOP,               -- hwm BIGINT
    T.LOG_WRITES,                     -- counter BIGINT
    T.LOG_WRITE_TIME,                 -- counter BIGINT
    T.NUM_LOG_WRITE_IO,               -- counter BIGINT
    T.NUM_LOG_PART_PAGE_IO,           -- counter BIGINT
    T.NUM_LOG_BUFFER_FULL,            -- counter BIGINT
    T.NUM_LOG_READ_IO,                -- counter BIGINT
    T.NUM_LOG_DATA_FOUND_IN_BUFFER,   -- counter BIGINT
    T.CUR_COMMIT_DISK_LOG_READS,      -- counter BIGINT
    T.CUR_COMMIT_LOG_BUFF_LOG_READS,  -- counter BIGINT
    T.LOG_HADR_WAIT_TIME,             -- counter BIGINT
    T.LOG_HADR_WAITS_TOTAL            -- counter BIGINT
FROM TABLE(SYSPROC.MON_GET_TRANSACTION_LOG(-2)) AS T
