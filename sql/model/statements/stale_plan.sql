-- Statements whose text names tables with missing or old statistics and whose plan is visibly bad: one row per
-- statement and such table. The plan is bad if the statement reads many rows for each one it uses and no missing index
-- explains it, or if most executions spill. Its time is divided by the number of these tables.
--
-- DBT_PCT: time of the statement, percent of database time
-- CPU_MS, READ_MS, WAIT_MS: its processor time, reads and waits for prefetchers, milliseconds: all of them if it reads
--   many rows, otherwise those of temporary pages
-- INDEXED: 1 if it reads many rows, the table is one of those that it reads most, and each of these has an index that
--   begins with a column of the text. Otherwise the statistics are only a suspicion
-- LIKELY_MS: what new statistics are expected to save: half of the time, or a quarter if they are only a suspicion
WITH NAMED AS (
    SELECT
        STATEMENT,
        TABSCHEMA,
        TABNAME,
        STALE,
        MUCH_READ,
        SUM(STALE) OVER (PARTITION BY STATEMENT) AS STALE_TABLES,
        MAX(CASE WHEN MUCH_READ = 1 THEN NO_INDEX ELSE 0 END) OVER (PARTITION BY STATEMENT) AS UNINDEXED,
        MIN(CASE WHEN MUCH_READ = 1 THEN HAS_INDEX END) OVER (PARTITION BY STATEMENT) AS ALL_INDEXED
    FROM TUNE.STATEMENT_TABLE
),
JUDGED AS (
    SELECT
        N.STATEMENT,
        N.TABSCHEMA,
        N.TABNAME,
        N.STALE_TABLES,
        CASE WHEN N.MUCH_READ = 1 AND N.ALL_INDEXED = 1 THEN 1 ELSE 0 END AS MUCH_INDEXED,
        CASE
            WHEN
                STMT.ROWS_READ >= CONST.MANY_PER_ROW * STMT.ROWS_USED
                AND N.UNINDEXED = 0 AND WORDING.SEARCHES = 1 AND (N.ALL_INDEXED = 1 OR WORDING.AGGREGATES = 0)
                THEN 1
            ELSE 0
        END AS MANY_ROWS,
        CASE
            WHEN STMT.SPILLS >= CONST.RARE_EVENTS AND STMT.SPILLS >= CONST.MAIN_PART * STMT.EXECUTIONS
                THEN CAST(STMT.TEMP_READS AS DOUBLE) / NULLIF(STMT.READS, 0)
        END AS SPILLED_PART,
        STMT.DBT_PCT,
        STMT.ACT_MS,
        COALESCE(STMT.CPU_MS, STMT.ACT_MS * SPLIT.PROCESSING_PART) AS CPU_MS,
        COALESCE(CASE WHEN STMT.CPU_MS IS NULL THEN STMT.ACT_MS * SPLIT.READ_PART ELSE STMT.READ_MS END, 0) AS READ_MS,
        COALESCE(
            CASE WHEN STMT.CPU_MS IS NULL THEN STMT.ACT_MS * SPLIT.WAIT_PART ELSE STMT.PREFETCH_WAIT_MS END, 0
        ) AS WAIT_MS
    FROM NAMED AS N
    INNER JOIN TUNE.STATEMENT AS STMT ON N.STATEMENT = STMT.STATEMENT
    INNER JOIN TUNE.STATEMENT_TEXT AS WORDING ON N.STATEMENT = WORDING.STATEMENT
    CROSS JOIN TUNE.TIME_SPLIT AS SPLIT
    CROSS JOIN TUNE.CONSTANT AS CONST
    WHERE N.STALE = 1
),
COUNTED AS (
    -- processor time of parallel agents and rounded times may add up to more than the statement took
    SELECT
        J.*,
        LEAST(J.MUCH_INDEXED, J.MANY_ROWS) AS INDEXED,
        LEAST(1, COALESCE(CAST(J.ACT_MS AS DOUBLE) / NULLIF(J.CPU_MS + J.READ_MS + J.WAIT_MS, 0), 1))
        * CAST(CASE WHEN J.MANY_ROWS = 1 THEN 1 ELSE J.SPILLED_PART END AS DOUBLE) / NULLIF(J.STALE_TABLES, 0) AS PART
    FROM JUDGED AS J
    WHERE J.MANY_ROWS = 1 OR J.SPILLED_PART > 0
)
SELECT
    STATEMENT,
    TABSCHEMA,
    TABNAME,
    INDEXED,
    DBT_PCT,
    PART * MANY_ROWS * CPU_MS AS CPU_MS,
    PART * READ_MS AS READ_MS,
    PART * WAIT_MS AS WAIT_MS,
    CASE WHEN INDEXED = 1 THEN 0.5 ELSE 0.25 END * PART * (MANY_ROWS * CPU_MS + READ_MS + WAIT_MS) AS LIKELY_MS
FROM COUNTED
