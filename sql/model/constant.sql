-- The constants of the model, one row, each with its unit, source and reason. A number that a site may change is an
-- option instead. A source is a word of sql/schema/provenances.csv or a key of sql/schema/papers.csv.
SELECT
    1000 AS LEAST_READS,             -- pages; own; fewer reads are chance: nothing is sized or classified by them
    50000 AS BUSY_LEAST_READS,       -- pages; own; a table space with fewer logical reads has no load
    1000 AS NEW_POOL_PAGES,          -- pages; manuals; new pools have 250 or 1,000 pages
    0.1 AS UNREAD_LEAST_PART,        -- part; own; fewer unread prefetched pages occupy no useful part of a pool
    0.8 AS INSTANCE_MEMORY_PART,     -- part; manuals; INSTANCE_MEMORY AUTOMATIC is 75 to 95 percent of the memory
    1048576 AS SMALL_MEMBER_KB,      -- KB; own; a pool may be small on purpose on a member with less than 1 GB
    0.5 AS START_MEMORY_PART,        -- part; own; pools that were never sized share half of the member's memory
    0.1 AS START_POOLS_PART,         -- part; own; they get at least a tenth of the other pools
    2 AS GROWTH_STEP,                -- factor; own; one step doubles a pool, because the next run measures the effect
    0.5 AS CACHED_READS_PART,        -- part; own; more reads from the file system cache: it holds what the pool lacks
    0.5 AS CACHE_MEMORY_PART,        -- part; own; a larger pool holds more than the file system cache
    0.9 AS CACHED_LOSS_PART,         -- part; own; a read from the file system cache costs little more than a hit
    0.9 AS ALL_LIKELY_PART,          -- part; model; expected savings if the pool holds all pages
    0.7 AS OLTP_LEAST_PART,          -- part; model; least savings, relative to the law
    0.15 AS SCAN_LEAST_PART,         -- part; model; the same if scans are part of the work
    1.7 AS OLTP_MOST_PART,           -- factor; model; most savings, relative to the law
    3 AS SCAN_MOST_PART,             -- factor; model; the same if scans are part of the work
    100 AS UNSIZED_MOST_PART,        -- factor; model; the same for a pool that was never sized
    1.5 AS LEAST_MOST_PART,          -- factor; model; most savings are never less: fewer reads hinder each other less
    1.3 AS ALL_READS_PART,           -- factor; model; nor more than all reads with the processor time that they take
    1000 AS LONG_STATEMENT_MS,       -- milliseconds; own; a statement that takes longer is analysis
    100 AS TRANSACTION_ROWS,         -- rows; own; a statement that changes more is not a transaction
    0.5 AS COLUMN_PAGES_PART,        -- part; own; half of the pages in column-organized tables: a database for analysis
    100 AS OLTP_STATEMENTS_PER_S,    -- per second; own; vote for transaction processing
    1 AS BI_STATEMENTS_PER_S,        -- per second; own; vote for analysis
    0.3 AS OLTP_OPERATORS,           -- per statement; own; sorts and hash joins: vote for transaction processing
    3 AS BI_OPERATORS,               -- per statement; own; sorts and hash joins: vote for analysis
    50 AS OLTP_ACTIVITY_MS,          -- milliseconds; own; vote for transaction processing
    1000 AS BI_ACTIVITY_MS,          -- milliseconds; own; vote for analysis
    0.2 AS OLTP_CHANGE_PART,         -- part; own; statements that change data: vote for transaction processing
    0.01 AS BI_CHANGE_PART,          -- part; own; statements that change data: vote for analysis
    10 AS OLTP_SELECT_ROWS,          -- rows; own; returned per SELECT: vote for transaction processing
    1000 AS BI_SELECT_ROWS,          -- rows; own; returned per SELECT: vote for analysis
    0.5 AS MINOR_WEIGHT,             -- votes; own; catalogues are only read, and aggregates are small
    0.3 AS SORTING_PART,             -- part; own; long statements that sort: with more the database is at least mixed
    0.3 AS SORTING_P_BI,             -- probability; own; least probability of analysis with them
    0.2 AS OLTP_P_BI,                -- probability; own; less is transaction processing
    0.8 AS BI_P_BI,                  -- probability; own; more is analysis
    0.6 AS MANUAL_CONFIDENCE,        -- confidence; own; most for a manual action: as a symptom with several causes
    0.25 AS MANUAL_EASE,             -- ease; own; most for a manual action: it never outranks an equal command
    0.7 AS HIGH_RISK_FACTOR,         -- factor; own; a change with high risk must clearly beat a safer one
    100 AS MOST_CONTENDERS           -- candidates; own; more of one rule do not help, and take time to choose
FROM TUNE.RUN_DATABASE
