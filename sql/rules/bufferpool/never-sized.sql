-- rule:      bufferpool.never-sized
-- title:     Buffer pool has a default size
-- area:      bufferpool
-- lane:      P
-- effect:    ON
-- evidence:  load
-- claims:    POOL_READ
-- exclusive: bufferpool
-- yields:    bufferpool.system-pool-in-use@any
-- after:     storage.fs-caching-data
-- needs:     cat_bufferpool.NPAGES, system.MEMORY_TOTAL, tablespace.TBSP_USED_PAGES,
--            system.MEMORY_FREE
-- threshold: small_pages = 1000 -- [doc] the default size of a pool is 250 or 1,000 pages
-- threshold: min_member_mb = 1024 -- [prop] a member with less memory may well mean it
-- threshold: max_pools_part = 0.1 -- [prop] pools above a tenth of the member's memory were sized by someone
-- threshold: member_part = 0.5 -- [seed 000] half of the member's memory for buffer pools
-- threshold: min_reads = 1000 -- [prop] fewer logical or physical reads say nothing about a size
-- threshold: min_growth = 2 -- [prop] where not even double the size fits, a guessed start size is no improvement
-- threshold: theta = 0.5 -- [prop] misses fall with the square root of the size
-- source:    000_9a1c354496f94ea4.txt, "Optimizing memory utilization"; IBM documentation of buffpage and
--            SYSCAT.BUFFERPOOLS
-- why:       A pool that was never sized has a few megabytes, whatever the machine has: every page is read
--            again and again while memory lies idle. Scanned pages are not read twice, so in analysis only the
--            reads that agents do themselves are claimed.
-- not-if:    The pool is AUTOMATIC, has another size pending or exceptions on members; its pages fit already;
--            BUFFPAGE is set but no pool takes it; DB2_WORKLOAD is ANALYTICS; the pools were sized (a tenth of
--            memory); memory or the site's cap (bufferpool_cap_mb) allow less than double the size.
-- note:      The start size is half of the member's memory in one significant digit, rounded down, shared by
--            physical reads where several pools are affected, and never more than the pages that exist. OLTP gets
--            the same half; sources that say 40 to 60 % of memory mean a dedicated server. A pool of size -1
--            follows BUFFPAGE, and the undo says -1; from level 10.1 on no manual knows it, so nothing is advised.
WITH CANDIDATE AS (
    SELECT
        B.*,
        O.THETA,
        O.SMALL_PAGES,
        O.MIN_GROWTH,
        GREATEST(1, LEAST(
            FLOOR(
                O.MEMBER_PART * B.MEMBER_MEMORY_KB * 1024 / CAST(NULLIF(B.PAGESIZE, 0) AS DOUBLE)
                * B.PHYSICAL_READS / CAST(NULLIF(SUM(B.PHYSICAL_READS) OVER (), 0) AS DOUBLE)
            ),
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
        ) AS UNIT_PAGES
    FROM CANDIDATE AS C
),
POOL AS (
    SELECT
        M.*,
        CAST(ROUND(FLOOR(CAST(M.WANTED AS DOUBLE) / NULLIF(M.UNIT_PAGES, 0)) * M.UNIT_PAGES) AS BIGINT) AS N
    FROM MAGNITUDE AS M
)
SELECT
    'BUFFERPOOL' AS OBJECT_TYPE,
    P.BP_NAME AS OBJECT_NAME,
    CAST(NULL AS SMALLINT) AS MEMBER,
    CASE
        WHEN P.BUSY = 1 THEN P.SHARE_PCT * (P.P_OLTP + P.P_BI * P.SYNC_READS / CAST(NULLIF(P.PHYSICAL_READS, 0) AS DOUBLE))
        ELSE 0
    END AS CLAIMED_PCT,
    CAST(0.1 AS DOUBLE) AS RECOVER_LOW,
    LEAST(0.95, 1 - POWER(CAST(P.N AS DOUBLE) / NULLIF(P.BP_CUR_BUFFSZ, 0), -P.THETA)) AS RECOVER_EXPECTED,
    CAST(0.95 AS DOUBLE) AS RECOVER_HIGH,
    CAST(0.6 AS DOUBLE) AS CONFIDENCE,
    'BUFFERPOOL:' || P.BP_NAME || ':SIZE' AS TARGET,
    P.OLD_SIZE AS CURRENT_VALUE,
    CAST(P.N AS VARCHAR(20)) || CASE WHEN P.STMM = 1 THEN ' AUTOMATIC' ELSE '' END AS PROPOSED_VALUE,
    'pages' AS UNIT,
    CAST(CEIL((P.N - P.BP_CUR_BUFFSZ) * CAST(P.PAGESIZE AS DOUBLE) / 1024) AS BIGINT) AS MEMORY_DELTA_KB,
    'ALTER BUFFERPOOL ' || P.QUOTED || ' IMMEDIATE SIZE ' || CAST(P.N AS VARCHAR(20))
    || CASE WHEN P.STMM = 1 THEN ' AUTOMATIC' ELSE '' END AS ACTION_TEXT,
    'ALTER BUFFERPOOL ' || P.QUOTED || ' IMMEDIATE SIZE ' || P.OLD_SIZE AS UNDO_TEXT,
    'BP_CUR_BUFFSZ=' || CAST(P.BP_CUR_BUFFSZ AS VARCHAR(20))
    || '; NPAGES=' || CAST(P.NPAGES AS VARCHAR(20))
    || '; PAGESIZE=' || CAST(P.PAGESIZE AS VARCHAR(20))
    || '; TBSP_USED_PAGES=' || CAST(P.USED_PAGES AS VARCHAR(20))
    || '; member_memory_kb=' || CAST(P.MEMBER_MEMORY_KB AS VARCHAR(20))
    || '; all_pools_kb=' || CAST(P.POOLS_KB AS VARCHAR(20))
    || '; physical_reads=' || CAST(P.PHYSICAL_READS AS VARCHAR(20))
    || '; synchronous_reads=' || CAST(P.SYNC_READS AS VARCHAR(20))
    || '; POOL_READ_TIME_pct=' || CAST(CAST(ROUND(P.SHARE_PCT, 2) AS DECIMAL(9, 2)) AS VARCHAR(20)) AS EVIDENCE,
    'Buffer pool ' || P.BP_NAME || ' has ' || CAST(P.BP_CUR_BUFFSZ AS VARCHAR(20)) || ' pages'
    || CASE WHEN P.NPAGES = -1 THEN ' (the value of BUFFPAGE)' ELSE ', the size it was created with' END
    || ', for ' || CAST(P.USED_PAGES AS VARCHAR(20)) || ' pages of data on a member with '
    || CAST(CAST(FLOOR(P.MEMBER_MEMORY_KB / CAST(1024 AS DOUBLE)) AS BIGINT) AS VARCHAR(20))
    || ' MB of memory. Start with ' || CAST(P.N AS VARCHAR(20)) || ' pages.' AS FINDING,
    CAST(0 AS DOUBLE) AS CLAIM_2_PCT,
    CAST(0 AS DOUBLE) AS CLAIM_3_PCT
FROM POOL AS P
WHERE
    P.N >= P.MIN_GROWTH * P.BP_CUR_BUFFSZ
    AND P.N > P.SMALL_PAGES
