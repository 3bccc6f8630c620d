-- The most expensive statements of the package cache, per member: the first 100 each by time, processor time, rows
-- read, pages read and spills. The 20 newest as well: their texts show why statements are compiled. Times are in
-- milliseconds, TOTAL_CPU_TIME in microseconds, sort memory in pages of 4 KB.
-- Statements of schema TUNE are left out. CACHED_STATEMENTS counts all others of the member. Those that are not among
-- the first took at most LEFT_OUT_TIME each. CACHED_S is the number of seconds that this statement has been in the
-- cache. The first 4,000 bytes of its text are kept, once per statement. STMT_KEY stays the same when the statement is
-- compiled again; EXECUTABLE_ID does not. PLANID identifies the access plan. MAX_COORD_STMT_EXEC_TIME is the longest
-- execution since the statement was cached, LONGEST_AGO_S the number of seconds since then. Only keys are sorted,
-- without the LOBs: the chosen statements are then looked up by EXECUTABLE_ID.
--
-- object: MON_GET_PKG_CACHE_STMT
-- reset:  restart
-- cut:    STMT_EXEC_TIME LEFT_OUT_TIME CACHED_S
WITH RANKED AS (
    SELECT
        P.EXECUTABLE_ID,
        P.MEMBER,
        P.NUM_EXECUTIONS,
        P.STMT_EXEC_TIME,
        P.SORT_OVERFLOWS,
        ROW_NUMBER() OVER (PARTITION BY P.MEMBER ORDER BY P.INSERT_TIMESTAMP DESC) AS BY_AGE,
        COUNT(*) OVER (PARTITION BY P.MEMBER) AS IN_CACHE,
        ROW_NUMBER() OVER (PARTITION BY P.MEMBER ORDER BY P.STMT_EXEC_TIME DESC) AS BY_TIME,
        ROW_NUMBER() OVER (PARTITION BY P.MEMBER ORDER BY P.TOTAL_CPU_TIME DESC) AS BY_CPU,
        ROW_NUMBER() OVER (PARTITION BY P.MEMBER ORDER BY P.ROWS_READ DESC) AS BY_ROWS,
        ROW_NUMBER() OVER (
            PARTITION BY P.MEMBER ORDER BY P.POOL_DATA_P_READS + P.POOL_INDEX_P_READS DESC
        ) AS BY_PAGES,
        ROW_NUMBER() OVER (PARTITION BY P.MEMBER ORDER BY P.SORT_OVERFLOWS DESC) AS BY_SPILLS
    FROM TABLE(SYSPROC.MON_GET_PKG_CACHE_STMT(NULL, NULL, NULL, -2)) AS P
    WHERE COALESCE(P.PACKAGE_SCHEMA, ' ') <> 'TUNE'
),
CHOSEN AS (
    SELECT
        R.EXECUTABLE_ID,
        R.MEMBER,
        R.IN_CACHE,
        CASE
            WHEN R.IN_CACHE <= 100 THEN 0
            ELSE MIN(CASE WHEN R.BY_TIME <= 100 THEN R.STMT_EXEC_TIME END) OVER (PARTITION BY R.MEMBER)
        END AS LEFT_OUT,
        ROW_NUMBER() OVER (PARTITION BY R.EXECUTABLE_ID ORDER BY R.MEMBER) AS COPY_NO
    FROM RANKED AS R
    WHERE
        R.NUM_EXECUTIONS > 0
        AND (
            R.BY_AGE <= 20
            OR R.BY_TIME <= 100 OR R.BY_CPU <= 100 OR R.BY_ROWS <= 100 OR R.BY_PAGES <= 100
            OR (R.BY_SPILLS <= 100 AND R.SORT_OVERFLOWS > 0)
        )
)
SELECT
    HEX(T.EXECUTABLE_ID) AS EXECUTABLE_ID,  -- key VARCHAR(64) hex
    T.MEMBER,                               -- key SMALLINT
    CAST(T.STMTID AS VARCHAR(20)) || '/' || CAST(T.SEMANTIC_ENV_ID AS VARCHAR(20)) AS STMT_KEY, -- gauge VARCHAR(41)
    CASE
        WHEN C.COPY_NO = 1
            THEN RTRIM(CAST(SUBSTRING(T.STMT_TEXT, 1, 4000, OCTETS) AS VARCHAR(4000)))
    END AS STMT_TEXT,                       -- gauge VARCHAR(4000)
    LENGTH(T.STMT_TEXT) AS STMT_TEXT_LENGTH, -- gauge BIGINT
    C.IN_CACHE AS CACHED_STATEMENTS,        -- gauge BIGINT
    C.LEFT_OUT AS LEFT_OUT_TIME,            -- gauge BIGINT
    (DAYS(CURRENT TIMESTAMP) - DAYS(T.INSERT_TIMESTAMP)) * 86400
    + MIDNIGHT_SECONDS(CURRENT TIMESTAMP) - MIDNIGHT_SECONDS(T.INSERT_TIMESTAMP) AS CACHED_S, -- gauge BIGINT
    T.PLANID,                               -- gauge BIGINT
    (DAYS(CURRENT TIMESTAMP) - DAYS(T.MAX_COORD_STMT_EXEC_TIMESTAMP)) * 86400
    + MIDNIGHT_SECONDS(CURRENT TIMESTAMP) - MIDNIGHT_SECONDS(T.MAX_COORD_STMT_EXEC_TIMESTAMP)
        AS LONGEST_AGO_S,                   -- gauge BIGINT
    T.MAX_COORD_STMT_EXEC_TIME,             -- hwm BIGINT
    T.SORT_SHRHEAP_TOP,                     -- hwm BIGINT
    T.NUM_EXECUTIONS,                       -- counter BIGINT
    T.NUM_COORD_EXEC,                       -- counter BIGINT
    T.STMT_EXEC_TIME,                       -- counter BIGINT
    T.COORD_STMT_EXEC_TIME,                 -- counter BIGINT
    T.TOTAL_ACT_TIME,                       -- counter BIGINT
    T.TOTAL_CPU_TIME,                       -- counter BIGINT
    T.POOL_READ_TIME,                       -- counter BIGINT
    T.PREFETCH_WAIT_TIME,                   -- counter BIGINT
    T.PREFETCH_WAITS,                       -- counter BIGINT
    T.LOCK_WAIT_TIME,                       -- counter BIGINT
    T.TOTAL_COL_TIME,                       -- counter BIGINT
    T.ROWS_READ,                            -- counter BIGINT
    T.ROWS_RETURNED,                        -- counter BIGINT
    T.ROWS_MODIFIED,                        -- counter BIGINT
    T.POOL_DATA_P_READS,                    -- counter BIGINT
    T.POOL_INDEX_P_READS,                   -- counter BIGINT
    T.POOL_COL_P_READS,                     -- counter BIGINT
    T.POOL_TEMP_DATA_P_READS,               -- counter BIGINT
    T.TOTAL_SORTS,                          -- counter BIGINT
    T.SORT_OVERFLOWS,                       -- counter BIGINT
    T.HASH_JOIN_OVERFLOWS,                  -- counter BIGINT
    T.HASH_GRPBY_OVERFLOWS,                 -- counter BIGINT
    T.TOTAL_SECTION_SORT_TIME               -- counter BIGINT
FROM CHOSEN AS C, TABLE(SYSPROC.MON_GET_PKG_CACHE_STMT(NULL, C.EXECUTABLE_ID, NULL, C.MEMBER)) AS T
WHERE C.EXECUTABLE_ID = T.EXECUTABLE_ID AND C.MEMBER = T.MEMBER
