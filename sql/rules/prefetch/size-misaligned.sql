-- rule:       prefetch.size-misaligned
-- title:      Prefetch size does not read all disks at once
-- area:       prefetch
-- lane:       P
-- effect:     ON
-- applies:    workload=bi,mixed; not=purescale
-- judged-by:  load
-- claims:     PREFETCH_WAIT = WAITS x WAIT_MS
-- recover:    0.05, RECOVER, 0.7
-- confidence: 0.6
-- exclusive:  prefetch
-- needs:      tablespace.TBSP_EXTENT_SIZE, cat_tablespace.PREFETCHSIZE, container.CONTAINER_NAME,
--             workload.PREFETCH_WAIT_TIME, registry.REG_VAR_VALUE
-- threshold:  min_async_pages = 10000 -- [prop] a quieter table space has too little prefetching to judge
-- threshold:  min_async_part = 0.3 -- [prop] below 30 % of the pages, scans are not what it does
-- object:     TABLESPACE {TBSP_NAME:text}
-- set:        PREFETCHSIZE: {PREFETCHSIZE} -> {ALIGNED_SIZE} (pages)
-- finding:    when PREFETCHSIZE < WHOLE_SIZE AND DISKS = 1: Prefetch size {PREFETCHSIZE} does not read all {CONTAINERS}
--             containers at once: extent size {TBSP_EXTENT_SIZE} x {CONTAINERS} containers = {WHOLE_SIZE}.
-- finding:    else when PREFETCHSIZE < WHOLE_SIZE: Prefetch size {PREFETCHSIZE} does not read all disks at once: extent
--             size {TBSP_EXTENT_SIZE} x {CONTAINERS} containers x {DISKS} disks of each (DB2_PARALLEL_IO) =
--             {WHOLE_SIZE}.
-- finding:    else: Prefetch size {PREFETCHSIZE} is no multiple of the extent size {TBSP_EXTENT_SIZE}, so that no
--             prefetch is cut into parallel reads.
-- finding:    when FLASH = 1: It lies on flash, where this matters little.
-- evidence:   PREFETCHSIZE, TBSP_EXTENT_SIZE, containers=CONTAINERS, disks_per_container=DISKS,
--             pages_prefetched=ASYNC_READS, PREFETCH_WAIT_TIME_pct=PREFETCH_WAIT_PCT:2
-- source:     000_9a1c354496f94ea4.txt, "Optimizing disk I/O"; IBM documentation of dft_prefetch_sz
-- why:        A prefetch request is cut into extents that are read from the containers in parallel. A size
--             below extent x containers leaves containers idle, and one that is no multiple of the extent
--             size starts no parallel prefetch at all.
-- not-if:     The size is AUTOMATIC, or 0 on purpose; the table space is temporary or serves OLTP; what DB2_PARALLEL_IO
--             says of it cannot be read.
-- note:       The size never gets smaller: where it is more than all disks take, it becomes the next multiple of the
--             extent size. On flash nothing is claimed.
WITH SPACE AS (
    SELECT
        T.*,
        CASE WHEN T.ROTATIONAL = 0 THEN 1 ELSE 0 END AS FLASH,
        GREATEST(
            T.WHOLE_SIZE,
            T.TBSP_EXTENT_SIZE * CEIL(T.PREFETCHSIZE / CAST(NULLIF(T.TBSP_EXTENT_SIZE, 0) AS DOUBLE))
        ) AS ALIGNED_SIZE,
        CASE
            WHEN T.ASYNC_READS >= O.MIN_ASYNC_PAGES AND T.ASYNC_PART >= O.MIN_ASYNC_PART
                AND COALESCE(T.ROTATIONAL, 1) = 1 THEN T.P_BI
        END AS SCANNED
    FROM TUNE.PREFETCHING AS T
    CROSS JOIN TUNE.O_PREFETCH_SIZE_MISALIGNED AS O
    WHERE
        T.PREFETCHSIZE > 0
        AND T.CONTAINERS > 0
        AND T.WHOLE_SIZE > 0
        AND T.CLASS <> 'OLTP'
        AND T.TBSP_CONTENT_TYPE NOT IN ('SYSTEMP', 'USRTEMP')
)
SELECT
    TBSP_NAME, PREFETCHSIZE, TBSP_EXTENT_SIZE, CONTAINERS, DISKS, WHOLE_SIZE, ALIGNED_SIZE, FLASH, ASYNC_READS,
    PREFETCH_WAIT_PCT,
    LEAST(0.5, GREATEST(0.05, 1 - CAST(PREFETCHSIZE AS DOUBLE) / NULLIF(ALIGNED_SIZE, 0))) AS RECOVER,
    CAST(FLOOR(SCANNED * PREFETCH_WAITS) AS BIGINT) AS WAITS,
    WAIT_MS
FROM SPACE
WHERE
    ALIGNED_SIZE > PREFETCHSIZE
    AND ALIGNED_SIZE <= 32767
    AND (
        PREFETCHSIZE < WHOLE_SIZE
        OR (
            MOD(PREFETCHSIZE, NULLIF(TBSP_EXTENT_SIZE, 0)) <> 0
            AND MOD(TBSP_EXTENT_SIZE, NULLIF(PREFETCHSIZE, 0)) <> 0
        )
    )
