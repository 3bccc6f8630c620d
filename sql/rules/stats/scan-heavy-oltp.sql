-- rule:       stats.scan-heavy-oltp
-- title:      Transactions read many rows for the few that they want
-- area:       stats
-- lane:       P
-- effect:     ON
-- risk:       medium
-- applies:    workload=oltp,mixed
-- judged-by:  load
-- claims:     POOL_READ, PREFETCH_WAIT, PROCESSING
-- recover:    0.3, 0.6, 0.9
-- confidence: CONFIDENCE
-- needs:      statement.ROWS_READ, statement.ROWS_RETURNED, statement.STMT_EXEC_TIME, table.ROWS_READ, cat_table.CARD,
--             workload.ROWS_READ, workload.ROWS_RETURNED, workload.PREFETCH_WAIT_TIME
-- threshold:  rows_per_row = 10 -- [prop] rows read for each row returned or changed; 1 to 3 is usual
-- threshold:  rows_per_commit = 10 -- [doc DBI] rows of one table read for each transaction: worth a look
-- threshold:  certain_per_commit = 100 -- [doc DBI] rows of one table read for each transaction: an index is missing
-- threshold:  min_rows_read = 1000000 -- [prop] fewer rows in the interval cost little, however they are read
-- threshold:  min_card = 10000 -- [prop] a smaller table is read as fast without an index
-- threshold:  max_sync_part = 0.9 -- [doc DBI] in transactions nine of ten physical reads are of single pages
-- threshold:  min_cpu_pct = 30 -- [prop] percent of database time on processors: scans of pages in memory
-- object:     TABLESPACE {TBSP_NAME:text}
-- by-hand:    Get the text of the statements {EXECUTABLE_IDS:text}: SELECT STMT_TEXT FROM
--             TABLE(MON_GET_PKG_CACHE_STMT(NULL, id, NULL, -2)) AS T
-- undo-by-hand: DROP INDEX for each one that did not help.
-- by-hand:    Put those that read {TABLE_NAMES:text} into a file, and let Db2 propose indexes: db2advis -d
--             {DB_NAME:text} -i statements.sql -t 5
-- by-hand:    Create what it proposes one by one, and see whether the statements read fewer rows.
-- finding:    For each row returned or changed {ROWS_PER_ROW} are read; {ROWS_PCT} % of them from tables of this table
--             space ({TABLES}: {TABLE_NAMES:text}), up to {ROWS_PER_COMMIT} a transaction, and {STATEMENTS} statements
--             that read so take {EXEC_PCT:1} % of database time.
-- evidence:   ROWS_READ, rows_returned_or_changed=ROWS_USED, rows_of_one_table_per_commit=ROWS_PER_COMMIT,
--             statements=STATEMENTS, STMT_EXEC_TIME_pct=EXEC_PCT:2, prefetched_pct=ASYNC_PCT:2, cpu_pct=CPU_PCT:2
-- source:     001_518820f6be7b57c0.txt ("Monitoring will show inefficient SQLs"); DBI on read efficiency; IBM
--             documentation of db2advis (r0002452)
-- why:        Where no index fits the predicates, Db2 reads a table, or much of an index, to find a few rows. That
--             takes CPU, throws other pages out of the buffer pool, and wakes prefetchers. No pool size mends it.
-- not-if:     The rows read are fewer than a million, or ten for each returned or changed; no statement in the package
--             cache reads so; the tables are small, column-organized, or read for less than ten rows a transaction;
--             physical reads are nine tenths synchronous and the CPU is idle; the table space serves analysis.
-- note:       Which statement reads which table would take its text, which is not collected: tables and statements are
--             named side by side, and the claim is what the table space costs, by the part of the rows that these
--             statements read, at most their own time. No index is invented here: db2advis proposes them. An
--             aggregate of many rows looks the same and needs no index.
WITH HEAVY AS (
    SELECT
        S.*,
        ROW_NUMBER() OVER (ORDER BY S.EXEC_MS DESC, S.EXECUTABLE_ID) AS PLACE
    FROM (
        SELECT
            EXECUTABLE_ID,
            SUM(ROWS_READ) AS ROWS_READ,
            SUM(COALESCE(ROWS_RETURNED, 0)) + SUM(COALESCE(ROWS_MODIFIED, 0)) AS ROWS_USED,
            SUM(STMT_EXEC_TIME) AS EXEC_MS
        FROM TUNE.D_STATEMENT
        GROUP BY EXECUTABLE_ID
    ) AS S
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
        || MAX(CASE WHEN PLACE = 3 THEN ', x''' || EXECUTABLE_ID || '''' ELSE '' END) AS EXECUTABLE_IDS
    FROM HEAVY
),
MEASURED AS (
    SELECT
        S.STATEMENTS, S.EXECUTABLE_IDS, T.ROWS_READ, T.CPU_PCT,
        T.ROWS_RETURNED + T.ROWS_MODIFIED AS ROWS_USED,
        T.TOTAL_APP_COMMITS + T.TOTAL_APP_ROLLBACKS AS TRANSACTIONS,
        100 * CAST(S.EXEC_MS AS DOUBLE) / NULLIF(T.DBT_MS, 0) AS EXEC_PCT,
        LEAST(1, CAST(S.ROWS_READ AS DOUBLE) / NULLIF(T.ROWS_READ, 0)) AS HEAVY_PART,
        B.PCT AS PROCESSING_PCT
    FROM STATEMENTS AS S
    CROSS JOIN TUNE.DATABASE_TIME AS T
    INNER JOIN TUNE.TIME_BUCKET AS B ON B.BUCKET = 'PROCESSING'
    CROSS JOIN TUNE.O_STATS_SCAN_HEAVY_OLTP AS O
    WHERE
        S.STATEMENTS > 0
        AND T.ROWS_READ >= O.MIN_ROWS_READ
        AND T.ROWS_READ > O.ROWS_PER_ROW * (T.ROWS_RETURNED + T.ROWS_MODIFIED)
),
SCANNED AS (
    SELECT
        U.TBSP_ID,
        U.QUOTED,
        U.ROWS_PART,
        CAST(U.ROWS_READ AS DOUBLE) / NULLIF(M.TRANSACTIONS, 0) AS ROWS_PER_COMMIT,
        ROW_NUMBER() OVER (PARTITION BY U.TBSP_ID ORDER BY U.ROWS_READ DESC, U.QUOTED) AS PLACE
    FROM TUNE.TABLE_USE AS U
    CROSS JOIN MEASURED AS M
    CROSS JOIN TUNE.O_STATS_SCAN_HEAVY_OLTP AS O
    WHERE U.TABLEORG = 'R' AND U.CARD >= O.MIN_CARD AND U.ROWS_READ >= O.ROWS_PER_COMMIT * M.TRANSACTIONS
),
TABLES AS (
    SELECT
        TBSP_ID,
        COUNT(*) AS TABLES,
        SUM(ROWS_PART) AS ROWS_PART,
        MAX(ROWS_PER_COMMIT) AS ROWS_PER_COMMIT,
        MAX(CASE WHEN PLACE = 1 THEN QUOTED ELSE '' END)
        || MAX(CASE WHEN PLACE = 2 THEN ', ' || QUOTED ELSE '' END)
        || MAX(CASE WHEN PLACE = 3 THEN ', ' || QUOTED ELSE '' END) AS TABLE_NAMES
    FROM SCANNED
    GROUP BY TBSP_ID
),
COST AS (
    SELECT
        S.TBSP_NAME, S.P_OLTP, S.ASYNC_PART, A.TABLES, A.TABLE_NAMES, A.ROWS_PART, A.ROWS_PER_COMMIT, M.*,
        S.SHARE_PCT * M.HEAVY_PART AS READ_COST_PCT,
        S.PREFETCH_WAIT_PCT * M.HEAVY_PART AS PREFETCH_COST_PCT,
        M.PROCESSING_PCT * LEAST(A.ROWS_PART, M.HEAVY_PART) AS PROCESSING_COST_PCT
    FROM TUNE.TABLESPACE AS S
    INNER JOIN TABLES AS A ON S.TBSP_ID = A.TBSP_ID
    CROSS JOIN MEASURED AS M
    CROSS JOIN TUNE.O_STATS_SCAN_HEAVY_OLTP AS O
    WHERE S.CLASS <> 'BI' AND (1 - S.ASYNC_PART < O.MAX_SYNC_PART OR M.CPU_PCT >= O.MIN_CPU_PCT)
),
CLAIMED AS (
    -- not more than the statements' own time
    SELECT
        COST.*,
        P_OLTP * LEAST(
            1, CAST(EXEC_PCT AS DOUBLE) / NULLIF(READ_COST_PCT + PREFETCH_COST_PCT + PROCESSING_COST_PCT, 0)
        ) AS PART
    FROM COST
)
SELECT
    C.TBSP_NAME, C.TABLES, C.TABLE_NAMES, C.STATEMENTS, C.EXECUTABLE_IDS, C.ROWS_READ, C.ROWS_USED, C.ROWS_PER_COMMIT,
    C.EXEC_PCT, C.CPU_PCT, D.DB_NAME,
    CAST(C.ROWS_READ AS DOUBLE) / NULLIF(C.ROWS_USED, 0) AS ROWS_PER_ROW,
    100 * C.ROWS_PART AS ROWS_PCT,
    100 * C.ASYNC_PART AS ASYNC_PCT,
    CASE WHEN C.ROWS_PER_COMMIT >= O.CERTAIN_PER_COMMIT THEN 0.6 ELSE 0.3 END AS CONFIDENCE,
    C.PART * C.READ_COST_PCT AS CLAIM_POOL_READ,
    C.PART * C.PREFETCH_COST_PCT AS CLAIM_PREFETCH_WAIT,
    C.PART * C.PROCESSING_COST_PCT AS CLAIM_PROCESSING
FROM CLAIMED AS C
CROSS JOIN TUNE.RUN_DATABASE AS D
CROSS JOIN TUNE.O_STATS_SCAN_HEAVY_OLTP AS O
