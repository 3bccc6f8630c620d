-- The cached statements that sort: how often they spilled and the most sort memory one of them
-- held, in 4 KB pages. The 500 with the most sort time.
--
-- object: MON_GET_PKG_CACHE_STMT
-- reset:  restart
SELECT
    HEX(T.EXECUTABLE_ID) AS EXECUTABLE_ID,  -- key VARCHAR(64)
    T.MEMBER,                               -- key SMALLINT
    T.SORT_SHRHEAP_TOP,                     -- hwm BIGINT
    T.NUM_EXECUTIONS,                       -- counter BIGINT
    T.TOTAL_SORTS,                          -- counter BIGINT
    T.SORT_OVERFLOWS,                       -- counter BIGINT
    T.TOTAL_SECTION_SORT_TIME               -- counter BIGINT
FROM TABLE(MON_GET_PKG_CACHE_STMT(NULL, NULL, NULL, -2)) AS T
WHERE T.TOTAL_SORTS > 0
ORDER BY T.TOTAL_SECTION_SORT_TIME DESC
FETCH FIRST 500 ROWS ONLY
