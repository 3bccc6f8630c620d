-- rule:       bufferpool.scans-reread
-- title:      Scans read the same pages from disk again and again
-- area:       bufferpool
-- lane:       P
-- effect:     ON
-- applies:    workload=bi,mixed; not=purescale
-- judged-by:  load
-- claims:     PREFETCH_WAIT = SAVED_WAITS x WAIT_MS
-- recover:    LEAST_PART, 1.0, 2.0
-- confidence: CONFIDENCE
-- memory:     GROWTH_KB
-- exclusive:  bufferpool
-- yields:     bufferpool.system-pool-in-use@any, prefetch.oltp-useless@pool
-- needs:      cat_bufferpool.NPAGES, tablespace.TBSP_USED_PAGES, system.MEMORY_TOTAL, system.MEMORY_FREE,
--             workload.PREFETCH_WAIT_TIME
-- threshold:  min_saved_pct = 2 -- [prop] percent of database time that the memory saves
-- threshold:  again_s = 86400 -- [prop] seconds in which as many pages are read as there are: less seldom, none stays
-- threshold:  min_held = 0.02 -- [prop] of all pages: a pool that holds less cannot tell how they are read
-- threshold:  untold_part = 0.5 -- [prop] of what is read here and there, where the pool cannot tell
-- threshold:  most_unread = 0.1 -- [prop] of what prefetchers bring in: more of it says that nobody wants the pages
-- threshold:  most_part = 0.7 -- [prop] of the member's memory for all pools; sorts and joins of reports need the rest
-- threshold:  min_growth = 1.25 -- [prop] less than a quarter more is not worth a change
-- object:     BUFFERPOOL {BP_NAME:text}
-- set:        when STMM = 1: SIZE: {NPAGES} -> AUTOMATIC (pages)
-- set:        else: SIZE: {NPAGES} -> {NEW_PAGES} (pages)
-- finding:    Agents wait for prefetchers of {BP_NAME:text} for {WAIT_PCT:1} % of database time. {BP_CUR_BUFFSZ} pages
--             hold {HELD_PCT:1} % of {USED_PAGES} pages of data and indexes, of which {PHYSICAL_READS} were read from
--             disk; {HIT_PCT:1} % of what was asked for was there. {NEW_PAGES} pages would save about {SAVED_WAITS} of
--             {WAITS} waits.
-- evidence:   NPAGES, BP_CUR_BUFFSZ, TBSP_USED_PAGES=USED_PAGES, found_pct=HIT_PCT:2, physical_reads=PHYSICAL_READS,
--             PREFETCH_WAITS=WAITS, PREFETCH_WAIT_TIME_pct=WAIT_PCT:2
-- source:     000_9a1c354496f94ea4.txt, "Optimizing memory utilization"; Malte Schuenemann (IBM), Db2 Prefetching:
--             Understanding, Configuring, Monitoring, Tuning (WP102804)
-- why:        What prefetchers bring in for one report another one reads as well, if it is still there. Of scans that
--             read parts here and there as great a part is found as the pool holds of all pages; memory that lies idle
--             beside the pool makes disks read the rest once more for each report.
-- not-if:     The pool holds all its pages, or is still filling; scans walk everything in a circle, so that nothing is
--             found though much is held, and all of it does not fit; fewer pages are read in a day than there are;
--             nobody reads a tenth of what is prefetched; the file system caches the pages; the pool is AUTOMATIC, has
--             another size pending or exceptions on members; DB2_WORKLOAD is ANALYTICS; memory or the site's cap
--             (bufferpool_cap_mb) leave no room.
-- note:       How scans read, the pool says itself: by what it finds beside what it holds. Where it holds less than 2 %
--             half of the gain is claimed, and the confidence is low. Where self-tuning memory is off and other areas
--             lack memory too, memory.stmm-off-or-ineffective shares it out instead.
WITH POOL AS (
    SELECT
        B.*,
        W.WAITS,
        W.WAIT_MS,
        W.WAIT_PCT,
        CAST(B.BP_CUR_BUFFSZ AS DOUBLE) / NULLIF(B.USED_PAGES, 0) AS HELD_PART,
        GREATEST(0, COALESCE(
            CAST(B.LOGICAL_READS - B.TEMP_LOGICAL_READS - B.PHYSICAL_READS + B.TEMP_PHYSICAL_READS AS DOUBLE)
            / NULLIF(B.LOGICAL_READS - B.TEMP_LOGICAL_READS, 0), 0
        )) AS HIT_PART,
        LEAST(B.USED_PAGES, B.BP_CUR_BUFFSZ + FLOOR(
            LEAST(B.GROW_PAGES, 1024 * GREATEST(0, O.MOST_PART * B.MEMBER_MEMORY_KB - B.POOLS_KB)
                / CAST(NULLIF(B.PAGESIZE, 0) AS DOUBLE))
            * COALESCE(CAST(B.PHYSICAL_READS AS DOUBLE) / NULLIF(A.PHYSICAL_READS, 0), 0)
        )) AS NEW_PAGES,
        O.MIN_HELD,
        O.UNTOLD_PART,
        O.MIN_SAVED_PCT,
        O.MIN_GROWTH
    FROM TUNE.SIZED_POOL AS B
    INNER JOIN TUNE.POOL_SPACES AS S ON B.BP_NAME = S.BPNAME AND S.MOVING = 0
    INNER JOIN (
        SELECT
            BPNAME,
            SUM(PREFETCH_WAITS) AS WAITS,
            CAST(SUM(PREFETCH_WAITS * WAIT_MS) AS DOUBLE) / NULLIF(SUM(PREFETCH_WAITS), 0) AS WAIT_MS,
            SUM(PREFETCH_WAIT_PCT) AS WAIT_PCT
        FROM TUNE.TABLESPACE
        WHERE TBSP_CONTENT_TYPE NOT IN ('SYSTEMP', 'USRTEMP')
        GROUP BY BPNAME
    ) AS W ON B.BP_NAME = W.BPNAME
    CROSS JOIN (SELECT SUM(PHYSICAL_READS) AS PHYSICAL_READS FROM TUNE.BUFFERPOOL) AS A
    CROSS JOIN TUNE.DATABASE_TIME AS T
    CROSS JOIN TUNE.O_BUFFERPOOL_SCANS_REREAD AS O
    WHERE
        B.SIZEABLE = 1 AND B.ANALYTICS = 0 AND B.FILLING = 0 AND COALESCE(B.NUMBLOCKPAGES, 0) = 0
        AND B.USED_PAGES > B.BP_CUR_BUFFSZ
        AND B.UNREAD_READS <= O.MOST_UNREAD * B.ASYNC_READS AND B.FS_CACHED_PART <= 0.5
        AND CAST(B.PHYSICAL_READS - B.TEMP_PHYSICAL_READS AS DOUBLE) * O.AGAIN_S >= B.USED_PAGES * T.SECONDS
        AND W.WAITS > 0 AND W.WAIT_PCT >= O.MIN_SAVED_PCT
),
SAVED AS (
    SELECT
        P.*,
        CASE WHEN NEW_PAGES >= USED_PAGES THEN 1 ELSE 0 END AS HOLDS_ALL,
        CASE
            WHEN NEW_PAGES >= USED_PAGES THEN 1
            WHEN HELD_PART >= MIN_HELD THEN LEAST(1, HIT_PART / HELD_PART)
            ELSE UNTOLD_PART
        END * CAST(NEW_PAGES - BP_CUR_BUFFSZ AS DOUBLE) / NULLIF(USED_PAGES - BP_CUR_BUFFSZ, 0) AS SAVED_PART
    FROM POOL AS P
    WHERE NEW_PAGES >= MIN_GROWTH * BP_CUR_BUFFSZ OR NEW_PAGES >= USED_PAGES
)
SELECT
    BP_NAME,
    STMM,
    NPAGES,
    NEW_PAGES,
    BP_CUR_BUFFSZ,
    USED_PAGES,
    PHYSICAL_READS,
    WAITS,
    WAIT_MS,
    WAIT_PCT,
    100 * HELD_PART AS HELD_PCT,
    100 * HIT_PART AS HIT_PCT,
    FLOOR(WAITS * SAVED_PART) AS SAVED_WAITS,
    CASE WHEN HOLDS_ALL = 1 THEN 0.7 WHEN HELD_PART >= MIN_HELD THEN 0.4 ELSE 0.1 END AS LEAST_PART,
    CASE WHEN HELD_PART >= MIN_HELD OR HOLDS_ALL = 1 THEN 0.6 ELSE 0.3 END AS CONFIDENCE,
    CEIL((NEW_PAGES - BP_CUR_BUFFSZ) * CAST(PAGESIZE AS DOUBLE) / 1024) AS GROWTH_KB
FROM SAVED
WHERE SAVED_PART * WAIT_PCT >= MIN_SAVED_PCT
