-- rule:       bufferpool.hit-ratio-low
-- title:      Buffer pool is too small for its random reads
-- area:       bufferpool
-- lane:       P
-- effect:     ON
-- applies:    workload=oltp,mixed; not=purescale
-- judged-by:  load
-- claims:     POOL_READ
-- recover:    LOW, EXPECTED, HIGH
-- confidence: CONFIDENCE
-- memory:     MEMORY_KB
-- exclusive:  bufferpool
-- yields:     bufferpool.system-pool-in-use@any
-- needs:      bufferpool.POOL_DATA_LBP_PAGES_FOUND, bufferpool.POOL_INDEX_LBP_PAGES_FOUND,
--             cat_bufferpool.NPAGES, tablespace.TBSP_USED_PAGES,
--             system.MEMORY_FREE
-- threshold:  min_share_pct = 3 -- [prop] below 3 % of database time the pool's reads are not worth memory
-- threshold:  min_hr_index = 0.95 -- [prop] index pages are read again and again; vendors call 90 % good, 80 % low
-- threshold:  min_hr_data = 0.9 -- [prop] vendors call 90 % good and 80 % low
-- threshold:  growth = 2 -- [prop] one step doubles the pool; the next run sees what it did
-- threshold:  min_growth = 1.1 -- [prop] where less than 10 % more fits, the change is not worth making
-- threshold:  theta = 0.5 -- [prop] misses fall with the square root of the size
-- object:     BUFFERPOOL {BP_NAME:text}
-- set:        when STMM = 1: SIZE: {NPAGES} -> AUTOMATIC (pages)
-- set:        else: SIZE: {NPAGES} -> {NEW_PAGES} (pages)
-- finding:    Agents spend {SHARE_PCT:1} % of database time reading pages of {BP_NAME:text} from disk: {BP_CUR_BUFFSZ}
--             pages hold {USED_PAGES} pages of data and indexes[, hit ratio of data {DATA_HIT_PCT:1} %][, hit ratio of
--             indexes {INDEX_HIT_PCT:1} %].
-- evidence:   BP_CUR_BUFFSZ, TBSP_USED_PAGES=USED_PAGES, data_hit_ratio_pct=DATA_HIT_PCT:2?,
--             index_hit_ratio_pct=INDEX_HIT_PCT:2?, logical_reads=LOGICAL_READS, synchronous_reads=SYNC_READS,
--             POOL_READ_TIME_pct=SHARE_PCT:2
-- source:     000_9a1c354496f94ea4.txt, "Optimizing memory utilization"; 001_518820f6be7b57c0.txt, "Watch out for
--             buffer pools that are too small"; IBM documentation of the buffer pool hit ratio
-- why:        Every page that is not in the pool is a disk read that an agent waits for. Pages that are read at
--             random again and again stay in a pool that is large enough; scanned pages do not, so a scanning
--             workload gains only where it is index pages that are missed.
-- not-if:     The pool is AUTOMATIC, has another size pending or exceptions on members; it holds all pages of its
--             table spaces; it serves mostly temporary or column-organized data; memory or the site's cap
--             (bufferpool_cap_mb) leave no room.
-- note:       The benefit is a rule of thumb and always that of one step. Where IMMEDIATE finds too little
--             database memory, Db2 defers the new size to the next activation (SQLSTATE 01657).
WITH POOL AS (
    SELECT
        B.*,
        O.MIN_GROWTH,
        O.THETA,
        CAST(B.INDEX_LOGICAL_READS AS DOUBLE) / NULLIF(B.LOGICAL_READS, 0) AS INDEX_PART,
        CASE WHEN B.INDEX_HIT_RATIO < O.MIN_HR_INDEX THEN 1 ELSE 0 END AS INDEX_LOW,
        FLOOR(LEAST(
            O.GROWTH * B.BP_CUR_BUFFSZ, B.USED_PAGES,
            B.BP_CUR_BUFFSZ + CASE WHEN B.STMM = 1 THEN B.USED_PAGES ELSE B.GROW_PAGES END
        )) AS NEW_PAGES
    FROM TUNE.SIZED_POOL AS B
    CROSS JOIN TUNE.O_BUFFERPOOL_HIT_RATIO_LOW AS O
    WHERE
        B.SIZEABLE = 1
        AND B.ANALYTICS = 0
        AND B.BUSY = 1
        AND B.SHARE_PCT >= O.MIN_SHARE_PCT
        AND (B.INDEX_HIT_RATIO < O.MIN_HR_INDEX OR (B.DATA_HIT_RATIO < O.MIN_HR_DATA AND B.CLASS <> 'BI'))
        AND B.USED_PAGES > B.BP_CUR_BUFFSZ
        AND B.TABLESPACES > B.TEMPORARY_TABLESPACES
        AND B.TEMP_LOGICAL_READS < 0.5 * B.LOGICAL_READS
        AND B.DATA_LOGICAL_READS + B.INDEX_LOGICAL_READS >= 0.5 * B.LOGICAL_READS
),
GROWN AS (
    SELECT
        P.*,
        1 - POWER(CAST(NEW_PAGES AS DOUBLE) / NULLIF(BP_CUR_BUFFSZ, 0), -THETA) AS SAVED_PART,
        CASE WHEN NEW_PAGES >= USED_PAGES THEN 1 ELSE 0 END AS HOLDS_ALL
    FROM POOL AS P
    WHERE NEW_PAGES >= MIN_GROWTH * BP_CUR_BUFFSZ
)
SELECT
    BP_NAME, NPAGES, STMM, NEW_PAGES, BP_CUR_BUFFSZ, USED_PAGES,
    100 * DATA_HIT_RATIO AS DATA_HIT_PCT,
    100 * INDEX_HIT_RATIO AS INDEX_HIT_PCT,
    LOGICAL_READS, SYNC_READS, SHARE_PCT,
    LEAST(0.1, SAVED_PART) AS LOW,
    LEAST(0.95, SAVED_PART) AS EXPECTED,
    CASE WHEN HOLDS_ALL = 1 THEN 0.95 ELSE 0.6 END AS HIGH,
    CASE WHEN HOLDS_ALL = 1 THEN 0.9 ELSE 0.6 END AS CONFIDENCE,
    CASE WHEN STMM = 1 THEN 0 ELSE CEIL((NEW_PAGES - BP_CUR_BUFFSZ) * CAST(PAGESIZE AS DOUBLE) / 1024) END AS MEMORY_KB,
    SHARE_PCT * GREATEST(P_OLTP, INDEX_LOW * COALESCE(INDEX_PART, 0)) AS CLAIM_POOL_READ
FROM GROWN
