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
    2 AS GROWTH_STEP,                -- factor; own; one step doubles what has no known budget: the next run measures
    0.05 AS HOST_RESERVE_PART,       -- part; own; of a host's memory for its operating system
    0.15 AS GUEST_RESERVE_PART,      -- part; own; of the memory of a virtual machine: its host may take some back
    0.05 AS OWN_RESERVE_PART,        -- part; manuals; of a limit of Db2: sorts and utilities take memory at any time
    0.1 AS STEP_ROOM_PART,           -- part; own; of the memory that is free: a small step is always possible
    0.01 AS STEP_LIMIT_PART,         -- part; own; of all memory: a small step is no more
    256 AS OVERSIZED_MB,             -- MB; own; a smaller pool frees too little to matter
    1.2 AS OVERSIZED_PART,           -- factor; own; a fifth more than the allocated pages is room for growth, not waste
    1.1 AS KEPT_PART,                -- factor; own; keeps a tenth for growth
    0.5 AS CACHED_READS_PART,        -- part; own; more reads from the file system cache: it holds what the pool lacks
    0.5 AS CACHE_MEMORY_PART,        -- part; own; a larger pool holds more than the file system cache
    0.9 AS CACHED_LOSS_PART,         -- part; own; a read from the file system cache costs little more than a hit
    0.9 AS ALL_LIKELY_PART,          -- part; model; expected savings if an LRU pool holds all pages
    0.5 AS UNSIZED_LIKELY_PART,      -- part; own; agents of scans also read what prefetchers would have read soon
    0.7 AS OLTP_LEAST_PART,          -- part; model; least savings, relative to the law: popularity is not quite Zipf's
    0.15 AS SCAN_LEAST_PART,         -- part; model; the same if scans are part of the work: scanned pages leave first
    1.7 AS OLTP_MOST_PART,           -- factor; model; most savings, relative to the law: queues of disks shrink, too
    3 AS SCAN_MOST_PART,             -- factor; model; the same if scans are part of the work: they also queue
    100 AS UNSIZED_MOST_PART,        -- factor; model; the same for a pool that was never sized: it kept nothing
    1.5 AS LEAST_MOST_PART,          -- factor; model; most savings are never less: fewer reads hinder each other less
    1.3 AS ALL_READS_PART,           -- factor; model; at most all reads with the processor time that they take
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
    0.3 AS UNTIMED_CONFIDENCE,       -- confidence; own; most for a rate if its share of database time is unknown
    0.25 AS MANUAL_EASE,             -- ease; own; most for a manual action: it never outranks an equal command
    0.1 AS DISKS_EASE,               -- ease; own; most for new disks: the causes of reads come before them
    0.7 AS HIGH_RISK_FACTOR,         -- factor; own; a change with high risk must clearly beat a safer one
    100 AS MOST_CONTENDERS,          -- candidates; own; more of one rule do not help, and take time to choose
    10000 AS ENOUGH_PAGES,           -- pages or rows; own; fewer in the interval give no reliable rate
    1000 AS ENOUGH_EVENTS,           -- events; own; fewer reads, writes or waits give no reliable average
    100 AS FEW_EVENTS,               -- events; own; fewer misses or compilations follow one change or job
    10 AS RARE_EVENTS,               -- events; own; fewer spills, waits or escalations come from one job
    5 AS SEVERAL,                    -- events; own; fewer waits or statements do not show what is usual
    3 AS INCIDENT,                   -- events; own; fewer deadlocks, timeouts or escalations are one incident
    50 AS ENOUGH_CLEANINGS,          -- triggers; own; fewer triggers of the page cleaners do not show their cause
    0.05 AS STEAL_PART,              -- part; own; agents that write more of the pages themselves lack clean pages
    8 AS LOG_FILES,                  -- files; own; fewer larger log files: one transaction holds too much of the log
    0.6 AS LOG_TARGET_PART,          -- part; own; of the log in use at the peak with the added secondary files
    0.5 AS LOG_FLASH_MS,             -- milliseconds; own; a log write to idle flash
    1.5 AS LOG_ARRAY_MS,             -- milliseconds; own; a log write to the cache of an array, or to an unknown medium
    5 AS LOG_DISK_MS,                -- milliseconds; own; a log write to a dedicated disk
    1.5 AS LIMIT_STEP,               -- factor; own; growth of a limit in one step: the next run sees its effect
    1.1 AS LEAST_GROWTH,             -- factor; own; less growth does not justify a change
    1.3 AS SORT_ROOM,                -- factor; own; margin above the peak of all sorts together
    1 AS HELD_BACK_PCT,              -- percent; own; fewer sorts that got less memory are a rare peak
    0.9 AS END_SPLIT_PART,           -- part; own; leaf splits of an index at its end: its keys grow
    3 AS PAGE_MARGIN_PCT,            -- percent; own; large pages: with too few of them none is used
    96 AS LARGE_PAGE_PCT,            -- percent; power5; of memory in large pages: 473 of 512 GB and the margin
    20 AS UNUSED_PAGE_PCT,           -- percent; own; with more large pages unused, their number is wrong
    2 AS TOLERANCE_PCT,              -- percent; own; two reports of the same memory differ by less
    0.3 AS UNREAD_PART,              -- part; own; with more prefetched pages unused, longer requests are wasted
    0.005 AS PAGE_CPU_MS,            -- milliseconds; field; to find, latch and release a buffer pool page
    10 AS MANY_PER_ROW,              -- rows; vendors; rows read per row returned or changed: worth checking
    0.2 AS STALE_PART,               -- part; own; rows changed since the statistics of a table were collected
    24 AS STALE_AGE_H,               -- hours; own; automatic collection checks every two hours: it had its chance
    0.2 AS REORG_PART,               -- part; manuals; F7 and F8 of REORGCHK: deleted RIDs, empty leaf pages
    0.5 AS MEDIUM_PART,              -- part; own; of the longest normal time: what a medium reaches without overload
    2048 AS OLTP_SORT_PAGES,         -- pages; vmware-netapp; the largest SORTHEAP used for transaction processing
    4 AS MEDIUM_FACTOR,              -- factor; own; ratio of read times: two devices are different media
    3 AS ATTRIBUTE_FACTOR,           -- factor; own; I/O attributes that differ more from reality mislead Db2
    2 AS FAR_FACTOR,                 -- factor; own; an event that costs this multiple on one member: it is not alike
    0.1 AS IDLE_PART,                -- part; own; of an average member's events: a member with fewer is idle
    2 AS QUEUE_FACTOR,               -- factor; own; ratio to a normal read: requests queue
    0.2 AS EVICTING_PART,            -- part; own; reads of others in a pool that evict its pages
    0.8 AS ONLY_SCANS_PART,          -- part; own; pages read by prefetchers: the work is scans
    0.6 AS TRIGGER_PART,             -- part; own; triggers of the page cleaners of which one reason is the cause
    0.9 AS NEAR_LIMIT_PART,          -- part; own; a limit was reached so far: a tenth more fails
    0.5 AS MAIN_PART,                -- part; own; waits, writes or time of which one cause is the main one
    0.9 AS AS_MUCH_PART,             -- part; own; claims on the same time differ by less: one counts more of its waits
    0.05 AS EQUAL_PART,              -- part; own; sizes that differ by less are equal
    131072 AS PACKAGE_PAGES,         -- pages; own; statements that miss in a package cache of 512 MB are new each time
    4096 AS SMALL_CACHE_PAGES,       -- pages; own; 16 MB hold about a thousand statements: fewer may be evicted
    50 AS NEW_STATEMENT_PCT,         -- percent; own; if every second lookup misses, most statements are new
    0.3 AS USED_LOG_PART,            -- part; own; of the log: if no more was ever in use, its size and files are fine
    1 AS PER_MINUTE                  -- per minute; own; rarer statements, scans or spills come from reports
FROM TUNE.RUN_DATABASE
