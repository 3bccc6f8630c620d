-- rule:       prefetch.size-misaligned
-- title:      Prefetch size is not extent size x containers
-- area:       prefetch
-- lane:       P
-- effect:     ON
-- applies:    workload=bi,mixed; not=purescale
-- judged-by:  load
-- claims:     PREFETCH_WAIT, POOL_READ
-- recover:    0.05, RECOVER, 0.7
-- confidence: 0.6
-- exclusive:  prefetch
-- needs:      tablespace.TBSP_EXTENT_SIZE, cat_tablespace.PREFETCHSIZE, container.CONTAINER_NAME,
--             workload.PREFETCH_WAIT_TIME
-- threshold:  min_async_pages = 10000 -- [prop] a quieter table space has too little prefetching to judge
-- threshold:  min_async_part = 0.3 -- [prop] below 30 % of the pages, scans are not what it does
-- object:     TABLESPACE {TBSP_NAME:text}
-- set:        PREFETCHSIZE: {PREFETCHSIZE} -> {ALIGNED_SIZE} (pages)
-- finding:    Prefetch size {PREFETCHSIZE} does not read all {CONTAINERS} containers at once: extent size
--             {TBSP_EXTENT_SIZE} x {CONTAINERS} containers = {ALIGNED_SIZE}.
-- evidence:   PREFETCHSIZE, TBSP_EXTENT_SIZE, containers=CONTAINERS, pages_prefetched=ASYNC_READS,
--             PREFETCH_WAIT_TIME_pct=PREFETCH_WAIT_PCT:2, scan_reads_pct=SCAN_PCT:2
-- source:     000_9a1c354496f94ea4.txt, "Optimizing disk I/O"; IBM documentation of dft_prefetch_sz
-- why:        A prefetch request is cut into extents that are read from the containers in parallel. A size
--             below extent x containers leaves containers idle, and one that is no multiple of the extent
--             size starts no parallel prefetch at all.
-- not-if:     The size is AUTOMATIC, or 0 on purpose; the table space is temporary or serves OLTP.
WITH SPACE AS (
    SELECT
        T.*,
        T.TBSP_EXTENT_SIZE * T.CONTAINERS AS ALIGNED_SIZE,
        CASE WHEN T.ASYNC_READS >= O.MIN_ASYNC_PAGES AND T.ASYNC_PART >= O.MIN_ASYNC_PART THEN T.P_BI END AS SCANNED
    FROM TUNE.TABLESPACE AS T
    CROSS JOIN TUNE.O_PREFETCH_SIZE_MISALIGNED AS O
    WHERE
        T.PREFETCHSIZE > 0
        AND T.CONTAINERS > 0
        AND T.CLASS <> 'OLTP'
        AND T.TBSP_CONTENT_TYPE NOT IN ('SYSTEMP', 'USRTEMP')
)
SELECT
    TBSP_NAME, PREFETCHSIZE, TBSP_EXTENT_SIZE, CONTAINERS, ALIGNED_SIZE, ASYNC_READS, PREFETCH_WAIT_PCT, SCAN_PCT,
    LEAST(0.5, GREATEST(0.05, 1 - CAST(PREFETCHSIZE AS DOUBLE) / NULLIF(ALIGNED_SIZE, 0))) AS RECOVER,
    PREFETCH_WAIT_PCT * SCANNED AS CLAIM_PREFETCH_WAIT,
    SCAN_PCT * SCANNED AS CLAIM_POOL_READ
FROM SPACE
WHERE
    PREFETCHSIZE < ALIGNED_SIZE
    OR (
        MOD(PREFETCHSIZE, NULLIF(TBSP_EXTENT_SIZE, 0)) <> 0
        AND MOD(TBSP_EXTENT_SIZE, NULLIF(PREFETCHSIZE, 0)) <> 0
    )
