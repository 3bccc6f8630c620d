-- rule:      stats.scan-heavy-oltp
-- title:     Transactions read many rows for the few that they want
-- area:      stats
-- lane:      P
-- effect:    ON
-- risk:      medium
-- applies:   workload=oltp,mixed
-- evidence:  load
-- claims:    POOL_READ, PREFETCH_WAIT, PROCESSING
-- needs:     statement.ROWS_READ, statement.ROWS_RETURNED, statement.STMT_EXEC_TIME, table.ROWS_READ, cat_table.CARD,
--            workload.ROWS_READ, workload.ROWS_RETURNED, workload.PREFETCH_WAIT_TIME
-- threshold: rows_per_row = 10 -- [prop] rows read for each row returned or changed; 1 to 3 is usual
-- threshold: rows_per_commit = 10 -- [doc DBI] rows of one table read for each transaction: worth a look
-- threshold: certain_per_commit = 100 -- [doc DBI] rows of one table read for each transaction: an index is missing
-- threshold: min_rows_read = 1000000 -- [prop] fewer rows in the interval cost little, however they are read
-- threshold: min_card = 10000 -- [prop] a smaller table is read as fast without an index
-- threshold: max_sync_part = 0.9 -- [doc DBI] in transactions nine of ten physical reads are of single pages
-- threshold: min_cpu_pct = 30 -- [prop] percent of database time on processors: scans of pages in memory
-- source:    001_518820f6be7b57c0.txt ("Monitoring will show inefficient SQLs"); DBI on read efficiency; IBM
--            documentation of db2advis (r0002452)
-- why:       Where no index fits the predicates, Db2 reads a table, or much of an index, to find a few rows. That
--            takes CPU, throws other pages out of the buffer pool, and wakes prefetchers. No pool size mends it.
-- not-if:    The rows read are fewer than a million, or ten for each returned or changed; no statement in the package
--            cache reads so; the tables are small, column-organized, or read for less than ten rows a transaction;
--            physical reads are nine tenths synchronous and the CPU is idle; the table space serves analysis.
-- note:      Which statement reads which table would take its text, which is not collected: tables and statements are
--            named side by side, and the claim is what the table space costs, by the part of the rows that these
--            statements read, at most their own time. No index is invented here: db2advis proposes them. An
--            aggregate of many rows looks the same and needs no index.
WITH EACH_STATEMENT AS (
    SELECT
        EXECUTABLE_ID,
        SUM(ROWS_READ) AS ROWS_READ,
        SUM(COALESCE(ROWS_RETURNED, 0)) + SUM(COALESCE(ROWS_MODIFIED, 0)) AS ROWS_USED,
        SUM(STMT_EXEC_TIME) AS EXEC_MS
    FROM TUNE.D_STATEMENT
    GROUP BY EXECUTABLE_ID
),
HEAVY AS (
    SELECT
        S.*,
        ROW_NUMBER() OVER (ORDER BY S.EXEC_MS DESC, S.EXECUTABLE_ID) AS PLACE
    FROM EACH_STATEMENT AS S
    CROSS JOIN TUNE.O_STATS_SCAN_HEAVY_OLTP AS O
    WHERE S.ROWS_READ > O.ROWS_PER_ROW * CASE WHEN S.ROWS_USED > 0 THEN S.ROWS_USED ELSE 1 END
),
STATEMENTS AS (
    SELECT
        COUNT(*) AS STATEMENTS,
        SUM(ROWS_READ) AS ROWS_READ,
        SUM(EXEC_MS) AS EXEC_MS,
        MAX(CASE WHEN PLACE = 1 THEN 'x''' || EXECUTABLE_ID || '''' ELSE '' END)
        || MAX(CASE WHEN PLACE = 2 THEN ', x''' || EXECUTABLE_ID || '''' ELSE '' END)
        || MAX(CASE WHEN PLACE = 3 THEN ', x''' || EXECUTABLE_ID || '''' ELSE '' END) AS IDS
    FROM HEAVY
),
SCANNED AS (
    SELECT
        U.TBSP_ID,
        U.QUOTED,
        U.ROWS_PART,
        CAST(U.ROWS_READ AS DOUBLE) / NULLIF(T.TOTAL_APP_COMMITS + T.TOTAL_APP_ROLLBACKS, 0) AS PER_COMMIT,
        ROW_NUMBER() OVER (PARTITION BY U.TBSP_ID ORDER BY U.ROWS_READ DESC, U.QUOTED) AS PLACE
    FROM TUNE.TABLE_USE AS U
    CROSS JOIN TUNE.DATABASE_TIME AS T
    CROSS JOIN TUNE.O_STATS_SCAN_HEAVY_OLTP AS O
    WHERE
        U.TABLEORG = 'R' AND U.CARD >= O.MIN_CARD
        AND U.ROWS_READ >= O.ROWS_PER_COMMIT * (T.TOTAL_APP_COMMITS + T.TOTAL_APP_ROLLBACKS)
),
TABLES AS (
    SELECT
        TBSP_ID,
        COUNT(*) AS TABLES,
        SUM(ROWS_PART) AS ROWS_PART,
        MAX(PER_COMMIT) AS PER_COMMIT,
        MAX(CASE WHEN PLACE = 1 THEN QUOTED ELSE '' END)
        || MAX(CASE WHEN PLACE = 2 THEN ', ' || QUOTED ELSE '' END)
        || MAX(CASE WHEN PLACE = 3 THEN ', ' || QUOTED ELSE '' END) AS NAMES
    FROM SCANNED
    GROUP BY TBSP_ID
),
COST AS (
    SELECT
        S.TBSP_NAME,
        S.P_OLTP,
        S.ASYNC_PART,
        A.TABLES,
        A.NAMES,
        A.PER_COMMIT,
        A.ROWS_PART,
        Q.STATEMENTS,
        Q.IDS,
        T.ROWS_READ,
        T.ROWS_RETURNED + T.ROWS_MODIFIED AS ROWS_USED,
        T.CPU_PCT,
        O.CERTAIN_PER_COMMIT,
        100 * CAST(Q.EXEC_MS AS DOUBLE) / NULLIF(T.DBT_MS, 0) AS TIME_PCT,
        S.SHARE_PCT * LEAST(1, CAST(Q.ROWS_READ AS DOUBLE) / NULLIF(T.ROWS_READ, 0)) AS READ_PCT,
        S.PREFETCH_WAIT_PCT * LEAST(1, CAST(Q.ROWS_READ AS DOUBLE) / NULLIF(T.ROWS_READ, 0)) AS PREFETCH_PCT,
        B.PCT * LEAST(A.ROWS_PART, 1, CAST(Q.ROWS_READ AS DOUBLE) / NULLIF(T.ROWS_READ, 0)) AS PROCESSING_PCT
    FROM TUNE.TABLESPACE AS S
    INNER JOIN TABLES AS A ON S.TBSP_ID = A.TBSP_ID
    CROSS JOIN STATEMENTS AS Q
    CROSS JOIN TUNE.DATABASE_TIME AS T
    INNER JOIN TUNE.TIME_BUCKET AS B ON B.BUCKET = 'PROCESSING'
    CROSS JOIN TUNE.O_STATS_SCAN_HEAVY_OLTP AS O
    WHERE
        S.CLASS <> 'BI'
        AND Q.STATEMENTS > 0
        AND T.ROWS_READ >= O.MIN_ROWS_READ
        AND T.ROWS_READ > O.ROWS_PER_ROW * (T.ROWS_RETURNED + T.ROWS_MODIFIED)
        AND (1 - S.ASYNC_PART < O.MAX_SYNC_PART OR T.CPU_PCT >= O.MIN_CPU_PCT)
),
CLAIMED AS (
    -- not more than the statements' own time
    SELECT
        COST.*,
        P_OLTP * LEAST(1, CAST(TIME_PCT AS DOUBLE) / NULLIF(READ_PCT + PREFETCH_PCT + PROCESSING_PCT, 0)) AS PART
    FROM COST
)
SELECT
    'TABLESPACE' AS OBJECT_TYPE,
    C.TBSP_NAME AS OBJECT_NAME,
    CAST(NULL AS SMALLINT) AS MEMBER,
    C.PART * (C.READ_PCT + C.PREFETCH_PCT + C.PROCESSING_PCT) AS CLAIMED_PCT,
    CAST(0.3 AS DOUBLE) AS RECOVER_LOW,
    CAST(0.6 AS DOUBLE) AS RECOVER_EXPECTED,
    CAST(0.9 AS DOUBLE) AS RECOVER_HIGH,
    CAST(CASE WHEN C.PER_COMMIT >= C.CERTAIN_PER_COMMIT THEN 0.6 ELSE 0.3 END AS DOUBLE) AS CONFIDENCE,
    CAST(NULL AS VARCHAR(200)) AS TARGET,
    CAST(NULL AS VARCHAR(200)) AS CURRENT_VALUE,
    CAST(NULL AS VARCHAR(200)) AS PROPOSED_VALUE,
    CAST(NULL AS VARCHAR(40)) AS UNIT,
    CAST(0 AS BIGINT) AS MEMORY_DELTA_KB,
    '-- Get the text of the statements ' || C.IDS || ': SELECT STMT_TEXT FROM TABLE(MON_GET_PKG_CACHE_STMT(NULL, id,'
    || ' NULL, -2)) AS T' || CHR(10)
    || '-- Put those that read ' || C.NAMES || ' into a file, and let Db2 propose indexes: db2advis -d '
    || D.DB_NAME || ' -i statements.sql -t 5' || CHR(10)
    || '-- Create what it proposes one by one, and see whether the statements read fewer rows.' AS ACTION_TEXT,
    '-- DROP INDEX for each one that did not help.' AS UNDO_TEXT,
    'ROWS_READ=' || CAST(C.ROWS_READ AS VARCHAR(20))
    || '; rows_returned_or_changed=' || CAST(C.ROWS_USED AS VARCHAR(20))
    || '; rows_of_one_table_per_commit=' || CAST(CAST(ROUND(C.PER_COMMIT) AS BIGINT) AS VARCHAR(20))
    || '; statements=' || CAST(C.STATEMENTS AS VARCHAR(20))
    || '; STMT_EXEC_TIME_pct=' || CAST(CAST(ROUND(C.TIME_PCT, 2) AS DECIMAL(9, 2)) AS VARCHAR(20))
    || '; prefetched_pct='
    || COALESCE(CAST(CAST(ROUND(100 * C.ASYNC_PART, 2) AS DECIMAL(9, 2)) AS VARCHAR(20)), 'not known')
    || '; cpu_pct='
    || COALESCE(CAST(CAST(ROUND(C.CPU_PCT, 2) AS DECIMAL(9, 2)) AS VARCHAR(20)), 'not known') AS EVIDENCE,
    'For each row returned or changed '
    || CAST(CAST(ROUND(CAST(C.ROWS_READ AS DOUBLE) / NULLIF(C.ROWS_USED, 0)) AS BIGINT) AS VARCHAR(20))
    || ' are read; ' || CAST(CAST(ROUND(100 * C.ROWS_PART) AS BIGINT) AS VARCHAR(20)) || ' % of them in '
    || CAST(C.TABLES AS VARCHAR(20)) || CASE WHEN C.TABLES = 1 THEN ' table' ELSE ' tables' END
    || ' of this table space (' || C.NAMES || '), up to '
    || CAST(CAST(ROUND(C.PER_COMMIT) AS BIGINT) AS VARCHAR(20)) || ' a transaction, and '
    || CAST(C.STATEMENTS AS VARCHAR(20)) || ' statements that read so take '
    || CAST(CAST(ROUND(C.TIME_PCT, 1) AS DECIMAL(9, 1)) AS VARCHAR(20)) || ' % of database time.' AS FINDING,
    C.PART * C.PREFETCH_PCT AS CLAIM_2_PCT,
    C.PART * C.PROCESSING_PCT AS CLAIM_3_PCT
FROM CLAIMED AS C
CROSS JOIN TUNE.RUN_DATABASE AS D
