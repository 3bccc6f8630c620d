-- The cached statements that sort or read much: their time in milliseconds, the rows that they read
-- and those that were asked for or changed, how often their sorts spilled and the most sort memory
-- one of them held, in 4 KB pages. The 1,000 with the most time; their text is not collected.
--
-- object: MON_GET_PKG_CACHE_STMT
-- reset:  restart
SELECT
    HEX(T.EXECUTABLE_ID) AS EXECUTABLE_ID,  -- key VARCHAR(64)
    T.MEMBER,                               -- key SMALLINT
    T.SORT_SHRHEAP_TOP,                     -- hwm BIGINT
    T.NUM_EXECUTIONS,                       -- counter BIGINT
    T.STMT_EXEC_TIME,                       -- counter BIGINT
    T.ROWS_READ,                            -- counter BIGINT
    T.ROWS_RETURNED,                        -- counter BIGINT
    T.ROWS_MODIFIED,                        -- counter BIGINT
    T.TOTAL_SORTS,                          -- counter BIGINT
    T.SORT_OVERFLOWS,                       -- counter BIGINT
    T.TOTAL_SECTION_SORT_TIME               -- counter BIGINT
FROM TABLE(MON_GET_PKG_CACHE_STMT(NULL, NULL, NULL, -2)) AS T
WHERE T.TOTAL_SORTS > 0 OR T.ROWS_READ >= 10000
ORDER BY T.STMT_EXEC_TIME DESC
FETCH FIRST 1000 ROWS ONLY
