-- rule:       bufferpool.never-sized
-- title:      Buffer pool has a default size
-- area:       bufferpool
-- lane:       P
-- effect:     ON
-- judged-by:  load
-- claims:     POOL_READ
-- recover:    0.1, RECOVER, 0.95
-- confidence: 0.6
-- memory:     MEMORY_KB
-- exclusive:  bufferpool
-- yields:     bufferpool.system-pool-in-use@any
-- needs:      cat_bufferpool.NPAGES, system.MEMORY_TOTAL, tablespace.TBSP_USED_PAGES,
--             system.MEMORY_FREE
-- threshold:  small_pages = 1000 -- [doc] the default size of a pool is 250 or 1,000 pages
-- threshold:  min_member_mb = 1024 -- [prop] a member with less memory may well mean it
-- threshold:  max_pools_part = 0.1 -- [prop] pools above a tenth of the member's memory were sized by someone
-- threshold:  member_part = 0.5 -- [seed 000] half of the member's memory for buffer pools
-- threshold:  min_reads = 1000 -- [prop] fewer logical or physical reads say nothing about a size
-- threshold:  min_growth = 2 -- [prop] where not even double the size fits, a guessed start size is no improvement
-- threshold:  theta = 0.5 -- [prop] misses fall with the square root of the size
-- object:     BUFFERPOOL {BP_NAME:text}
-- set:        when STMM = 1: SIZE: {NPAGES} -> {START_PAGES} AUTOMATIC (pages)
-- set:        else: SIZE: {NPAGES} -> {START_PAGES} (pages)
-- finding:    when NPAGES = -1: Buffer pool {BP_NAME:text} has {BP_CUR_BUFFSZ} pages (the value of BUFFPAGE),
-- finding:    else: Buffer pool {BP_NAME:text} has {BP_CUR_BUFFSZ} pages, the size it was created with,
-- finding:    for {USED_PAGES} pages of data on a member with {MEMBER_MEMORY_MB} MB of memory. Start with {START_PAGES}
--             pages.
-- evidence:   BP_CUR_BUFFSZ, NPAGES, PAGESIZE, TBSP_USED_PAGES=USED_PAGES, member_memory_kb=MEMBER_MEMORY_KB,
--             all_pools_kb=POOLS_KB, physical_reads=PHYSICAL_READS, synchronous_reads=SYNC_READS,
--             POOL_READ_TIME_pct=SHARE_PCT:2
-- source:     000_9a1c354496f94ea4.txt, "Optimizing memory utilization"; IBM documentation of buffpage and
--             SYSCAT.BUFFERPOOLS
-- why:        A pool that was never sized has a few megabytes, whatever the machine has: every page is read
--             again and again while memory lies idle. Scanned pages are not read twice, so in analysis only the
--             reads that agents do themselves are claimed.
-- not-if:     The pool is AUTOMATIC, has another size pending or exceptions on members; its pages fit already;
--             BUFFPAGE is set but no pool takes it; DB2_WORKLOAD is ANALYTICS; the pools were sized (a tenth of
--             memory); memory or the site's cap (bufferpool_cap_mb) allow less than double the size.
-- note:       The start size is half of the member's memory in one significant digit, rounded down, shared by
--             physical reads where several pools are affected, and never more than the pages that exist. OLTP gets
--             the same half; sources that say 40 to 60 % of memory mean a dedicated server. A pool of size -1
--             follows BUFFPAGE, and the undo says -1; from level 10.1 on no manual knows it, so nothing is advised.
WITH CANDIDATE AS (
    SELECT
        B.*,
        O.THETA,
        O.SMALL_PAGES,
        O.MIN_GROWTH,
        GREATEST(1, LEAST(
            COALESCE(FLOOR(
                O.MEMBER_PART * B.MEMBER_MEMORY_KB * 1024 / CAST(NULLIF(B.PAGESIZE, 0) AS DOUBLE)
                * B.PHYSICAL_READS / CAST(NULLIF(SUM(B.PHYSICAL_READS) OVER (), 0) AS DOUBLE)
            ), 0),
            B.USED_PAGES, B.BP_CUR_BUFFSZ + B.GROW_PAGES
        )) AS WANTED
    FROM TUNE.SIZED_POOL AS B
    CROSS JOIN TUNE.O_BUFFERPOOL_NEVER_SIZED AS O
    WHERE
        B.SIZEABLE = 1
        AND B.ANALYTICS = 0
        AND (B.NPAGES = -1 OR B.BP_CUR_BUFFSZ <= O.SMALL_PAGES)
        AND B.USED_PAGES > B.BP_CUR_BUFFSZ
        AND B.LOGICAL_READS >= O.MIN_READS AND B.PHYSICAL_READS >= O.MIN_READS
        AND B.MEMBER_MEMORY_KB >= 1024 * O.MIN_MEMBER_MB
        AND B.POOLS_KB < O.MAX_POOLS_PART * B.MEMBER_MEMORY_KB
),
MAGNITUDE AS (
    SELECT
        C.*,
        -- 2.302585... is the natural logarithm of 10
        POWER(
            CAST(10 AS DOUBLE),
            FLOOR(LN(CAST(C.WANTED AS DOUBLE)) / CAST(2.302585092994046 AS DOUBLE) + 0.000000001)
        ) AS TEN_POWER
    FROM CANDIDATE AS C
),
POOL AS (
    SELECT
        M.*,
        ROUND(FLOOR(CAST(M.WANTED AS DOUBLE) / NULLIF(M.TEN_POWER, 0)) * M.TEN_POWER, 0) AS START_PAGES
    FROM MAGNITUDE AS M
)
SELECT
    BP_NAME, NPAGES, STMM, START_PAGES, BP_CUR_BUFFSZ, PAGESIZE, USED_PAGES, MEMBER_MEMORY_KB,
    FLOOR(MEMBER_MEMORY_KB / CAST(1024 AS DOUBLE)) AS MEMBER_MEMORY_MB,
    POOLS_KB, PHYSICAL_READS, SYNC_READS, SHARE_PCT,
    LEAST(0.95, 1 - POWER(CAST(START_PAGES AS DOUBLE) / NULLIF(BP_CUR_BUFFSZ, 0), -THETA)) AS RECOVER,
    CEIL((START_PAGES - BP_CUR_BUFFSZ) * CAST(PAGESIZE AS DOUBLE) / 1024) AS MEMORY_KB,
    CASE WHEN BUSY = 1 THEN SHARE_PCT * (P_OLTP + P_BI * SYNC_READS / CAST(NULLIF(PHYSICAL_READS, 0) AS DOUBLE)) END
        AS CLAIM_POOL_READ
FROM POOL
WHERE START_PAGES >= MIN_GROWTH * BP_CUR_BUFFSZ AND START_PAGES > SMALL_PAGES
