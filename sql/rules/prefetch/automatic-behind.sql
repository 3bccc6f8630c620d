-- rule:       prefetch.automatic-behind
-- title:      Agents wait for prefetchers though nothing is set too low
-- area:       prefetch
-- lane:       P
-- effect:     IR
-- applies:    not=purescale; from=9.1; quiet=yes
-- judged-by:  load
-- claims:     PREFETCH_WAIT = WAITS x WAIT_MS, POOL_READ = LATE_READS x RANDOM_MS
-- recover:    0.1, 0.3, 0.6
-- confidence: 0.3
-- exclusive:  prefetch
-- yields:     prefetch.ioservers-low@any, prefetch.parallel-io-unset@any, prefetch.size-misaligned@object,
--             prefetch.wait-high@object, storage.io-latency-high@any+larger
-- needs:      tablespace.TBSP_EXTENT_SIZE, cat_tablespace.PREFETCHSIZE, container.CONTAINER_NAME,
--             workload.PREFETCH_WAIT_TIME, registry.REG_VAR_VALUE, dbcfg.VALUE
-- asks:       host.data_disks
-- threshold:  min_wait_pct = 10 -- [prop] percent of database time, of all table spaces
-- threshold:  min_space_pct = 5 -- [prop] and of this one
-- threshold:  min_waits = 1000 -- [prop] fewer waits make no average
-- threshold:  full_part = 0.7 -- [prop] prefetchers that read so much of the time leave requests in the queue
-- threshold:  late_part = 0.05 -- [prop] or they come too late for this part of the pages that they read
-- threshold:  small_part = 0.5 -- [prop] requests for less than this part of an extent are for scattered pages
-- threshold:  slow_factor = 4 -- [prop] a request reads an extent, and may take so many times what one page may
-- threshold:  few_reads = 4 -- [prop] a prefetch cut into fewer reads keeps no array busy
-- object:     TABLESPACE {TBSP_NAME:text}
-- by-hand:    when TEMPORARY = 1: Keep sorts and joins in memory: find the statements that spill (SORT_OVERFLOWS and
--             HASH_JOIN_OVERFLOWS in MON_GET_PKG_CACHE_STMT), and give them an index, fewer rows, or more SORTHEAP.
-- by-hand:    when TEMPORARY = 0 AND SMALL = 1: Cluster what is scanned: REORG the tables by the index that their scans
--             use, for a request gets {PAGES_PER_REQUEST:1} pages where an extent has {TBSP_EXTENT_SIZE}.
-- by-hand:    when FEW = 1: Ask whoever runs the storage how many disks are behind a container, and say so: db2set
--             DB2_PARALLEL_IO={TBSP_ID}:<disks> (beside what it is set to), then db2stop and db2start. Db2 takes each
--             of {CONTAINERS} containers for {DISKS} disks and reads {PARALLEL_READS} extents at once.
-- by-hand:    when FULL_UP = 1 AND SLOW = 0: More prefetchers than AUTOMATIC starts, while the disks answer this fast:
--             UPDATE DB CFG FOR {DB_NAME:text} USING NUM_IOSERVERS {MORE_PREFETCHERS}, at the next activation.
-- by-hand:    when SLOW = 1: Find where requests wait, in queue, path or array: they take {REQUEST_MS:1} ms.
-- by-hand:    when TEMPORARY = 0: Read less: find the statements that scan {TBSP_NAME:text}, and give them an index,
--             fewer columns, or compressed tables.
-- finding:    Agents wait {PREFETCH_WAIT_PCT:1} % of database time for prefetched pages of {TBSP_NAME:text},
--             {WAIT_MS:1} ms each time, though
-- finding:    when PREFETCH_AUTOMATIC = 1: Db2 sets the prefetch size itself:
-- finding:    else: prefetch size {PREFETCHSIZE} reads all disks that it knows at once:
-- finding:    {PREFETCHERS} prefetchers[, of which {READING:1} read on average], {PARALLEL_READS} reads at
--             once[, {PAGES_PER_REQUEST:1} pages a request][, which takes {REQUEST_MS:1} ms].
-- finding:    when TEMPORARY = 1: Sorts and joins have spilled these pages.
-- finding:    when LATE = 1: For {LATE_READS} pages they came too late: agents had read them.
-- evidence:   PREFETCH_WAIT_TIME_pct=PREFETCH_WAIT_PCT:2, PREFETCH_WAITS, ms_per_wait=WAIT_MS:2,
--             ms_per_request=REQUEST_MS:2?, pages_per_request=PAGES_PER_REQUEST:1?, NUM_IOSERVERS=PREFETCHERS,
--             prefetchers_reading=READING:2?, containers=CONTAINERS, disks_per_container=DISKS, TBSP_EXTENT_SIZE,
--             SKIPPED_PREFETCH_UOW=LATE_READS
-- source:     IBM documentation of num_ioservers (r0000333) and DB2_PARALLEL_IO (r0005658); Malte Schuenemann (IBM),
--             Db2 Prefetching: Understanding, Configuring, Monitoring, Tuning (WP102804)
-- why:        AUTOMATIC, and whoever follows it, counts containers and hardware threads; it knows neither the disks
--             behind a container nor how many agents scan at a time. What makes them wait is told by what was measured:
--             prefetchers that read all the time, requests for few pages, slow requests, or agents that overtake them.
-- not-if:     Agents wait less than 10 % of the time; the prefetch size or the number of prefetchers is too low (other
--             rules judge those); a utility ran.
-- note:       That AUTOMATIC does not suffice is a matter for a person, who can see the storage. Scans that are faster
--             than any disk wait, too.
SELECT
    S.TBSP_NAME,
    S.TBSP_ID,
    S.PREFETCHSIZE,
    S.PREFETCH_AUTOMATIC,
    B.DB_NAME,
    S.PREFETCH_WAIT_PCT,
    S.PREFETCH_WAITS,
    S.REQUEST_MS,
    S.PAGES_PER_REQUEST,
    S.TBSP_EXTENT_SIZE,
    S.CONTAINERS,
    S.DISKS,
    S.PARALLEL_READS,
    P.PREFETCHERS,
    CASE WHEN S.TBSP_CONTENT_TYPE IN ('SYSTEMP', 'USRTEMP') THEN 1 ELSE 0 END AS TEMPORARY,
    P.READING,
    LEAST(255, 2 * P.PREFETCHERS) AS MORE_PREFETCHERS,
    CASE WHEN P.READING_PART >= O.FULL_PART THEN 1 ELSE 0 END AS FULL_UP,
    CASE WHEN S.LATE_READS >= O.LATE_PART * S.ASYNC_READS THEN 1 ELSE 0 END AS LATE,
    CASE WHEN S.PAGES_PER_REQUEST < O.SMALL_PART * S.TBSP_EXTENT_SIZE THEN 1 ELSE 0 END AS SMALL,
    CASE WHEN S.REQUEST_MS > O.SLOW_FACTOR * S.NORMAL_MS THEN 1 ELSE 0 END AS SLOW,
    CASE
        WHEN S.PARALLEL_READS < O.FEW_READS AND S.DATA_DISKS IS NULL AND COALESCE(S.ROTATIONAL, 1) = 1 THEN 1
        ELSE 0
    END AS FEW,
    CAST(FLOOR(S.PREFETCH_WAITS) AS BIGINT) AS WAITS,
    S.WAIT_MS,
    S.LATE_READS,
    S.RANDOM_MS
FROM TUNE.PREFETCHING AS S
CROSS JOIN TUNE.PREFETCHER AS P
CROSS JOIN TUNE.RUN_DATABASE AS B
CROSS JOIN TUNE.O_PREFETCH_AUTOMATIC_BEHIND AS O
WHERE
    (
        S.PREFETCH_AUTOMATIC = 1
        OR (S.PREFETCHSIZE >= S.WHOLE_SIZE AND MOD(S.PREFETCHSIZE, NULLIF(S.TBSP_EXTENT_SIZE, 0)) = 0)
    )
    AND S.CONTAINERS > 0
    AND (P.AUTOMATIC = 1 OR P.PREFETCHERS >= P.ENOUGH)
    AND P.PREFETCH_WAIT_PCT >= O.MIN_WAIT_PCT
    AND S.PREFETCH_WAIT_PCT >= O.MIN_SPACE_PCT
    AND S.PREFETCH_WAITS >= O.MIN_WAITS
