-- rule:      prefetch.wait-high
-- title:     Agents wait for prefetchers
-- area:      prefetch
-- lane:      P
-- effect:    ON
-- applies:   workload=bi,mixed; not=purescale; quiet=yes
-- evidence:  load
-- claims:    PREFETCH_WAIT
-- exclusive: prefetch
-- yields:    prefetch.size-misaligned@object, prefetch.parallel-io-unset@object, prefetch.ioservers-low@any,
--            storage.io-latency-high@any+larger
-- needs:     tablespace.TBSP_EXTENT_SIZE, cat_tablespace.PREFETCHSIZE, container.CONTAINER_NAME,
--            workload.PREFETCH_WAIT_TIME, workload.PREFETCH_WAITS, registry.REG_VAR_VALUE
-- threshold: min_wait_pct = 10 -- [prop] percent of database time
-- threshold: min_waits = 1000 -- [prop] fewer waits make no average
-- threshold: min_async_pages = 10000 -- [prop] a quieter table space has too little prefetching to judge
-- threshold: wait_factor = 2 -- [prop] a wait twice as long as one read means that requests queue
-- source:    000_9a1c354496f94ea4.txt, "Optimizing disk I/O"
-- why:       Prefetch requests that wait for their turn arrive after the agent that needs the pages. Asking for
--            twice as much at a time keeps the prefetchers ahead of the scan.
-- not-if:    The size is AUTOMATIC, 0, or twice what all disks take at once; one prefetch drives every disk of
--            the arrays already (strip x disks x containers); transaction processing or temporary table space.
-- note:      Only the last of the remedies: wrong sizes, DB2_PARALLEL_IO, the number of prefetchers and slow
--            disks have rules of their own, and this one yields to them.
SELECT
    'TABLESPACE' AS OBJECT_TYPE,
    T.TBSP_NAME AS OBJECT_NAME,
    CAST(NULL AS SMALLINT) AS MEMBER,
    T.PREFETCH_WAIT_PCT * T.P_BI AS CLAIMED_PCT,
    CAST(0.1 AS DOUBLE) AS RECOVER_LOW,
    CAST(0.3 AS DOUBLE) AS RECOVER_EXPECTED,
    CAST(0.6 AS DOUBLE) AS RECOVER_HIGH,
    CAST(0.6 AS DOUBLE) AS CONFIDENCE,
    'TABLESPACE:' || T.TBSP_NAME || ':PREFETCHSIZE' AS TARGET,
    CAST(T.PREFETCHSIZE AS VARCHAR(20)) AS CURRENT_VALUE,
    CAST(2 * T.TBSP_EXTENT_SIZE * T.CONTAINERS * P.DISKS AS VARCHAR(20)) AS PROPOSED_VALUE,
    'pages' AS UNIT,
    CAST(0 AS BIGINT) AS MEMORY_DELTA_KB,
    'ALTER TABLESPACE "' || REPLACE(T.TBSP_NAME, '"', '""') || '" PREFETCHSIZE '
    || CAST(2 * T.TBSP_EXTENT_SIZE * T.CONTAINERS * P.DISKS AS VARCHAR(20)) AS ACTION_TEXT,
    'ALTER TABLESPACE "' || REPLACE(T.TBSP_NAME, '"', '""') || '" PREFETCHSIZE '
    || CAST(T.PREFETCHSIZE AS VARCHAR(20)) AS UNDO_TEXT,
    'PREFETCH_WAIT_TIME_pct=' || CAST(CAST(ROUND(D.PREFETCH_WAIT_PCT, 2) AS DECIMAL(9, 2)) AS VARCHAR(20))
    || '; PREFETCH_WAITS=' || CAST(D.PREFETCH_WAITS AS VARCHAR(20))
    || '; ms_per_wait=' || CAST(CAST(ROUND(
        CAST(D.PREFETCH_WAIT_TIME AS DOUBLE) / NULLIF(D.PREFETCH_WAITS, 0), 2) AS DECIMAL(15, 2)) AS VARCHAR(20))
    || '; ms_per_prefetch=' || CAST(CAST(ROUND(
        CAST(T.ASYNC_READ_MS AS DOUBLE) / NULLIF(T.ASYNC_READ_REQS, 0), 2) AS DECIMAL(15, 2)) AS VARCHAR(20))
    || '; TBSP_EXTENT_SIZE=' || CAST(T.TBSP_EXTENT_SIZE AS VARCHAR(20))
    || '; containers=' || CAST(T.CONTAINERS AS VARCHAR(20)) AS EVIDENCE,
    'Agents wait ' || CAST(CAST(ROUND(
        CAST(D.PREFETCH_WAIT_TIME AS DOUBLE) / NULLIF(D.PREFETCH_WAITS, 0), 1) AS DECIMAL(15, 1)) AS VARCHAR(20))
    || ' ms for a prefetcher whose read takes ' || CAST(CAST(ROUND(
        CAST(T.ASYNC_READ_MS AS DOUBLE) / NULLIF(T.ASYNC_READ_REQS, 0), 1) AS DECIMAL(15, 1)) AS VARCHAR(20))
    || ' ms: requests queue behind each other, and prefetch size ' || CAST(T.PREFETCHSIZE AS VARCHAR(20))
    || ' runs too short ahead.' AS FINDING,
    CAST(0 AS DOUBLE) AS CLAIM_2_PCT,
    CAST(0 AS DOUBLE) AS CLAIM_3_PCT
FROM TUNE.TABLESPACE AS T
CROSS JOIN TUNE.DATABASE_TIME AS D
CROSS JOIN TUNE.PARALLEL_IO AS P
CROSS JOIN TUNE.O_PREFETCH_WAIT_HIGH AS O
WHERE
    T.CONTAINERS > 0
    AND T.CLASS <> 'OLTP'
    AND T.TBSP_CONTENT_TYPE NOT IN ('SYSTEMP', 'USRTEMP')
    AND T.ASYNC_READS >= O.MIN_ASYNC_PAGES
    AND D.PREFETCH_WAIT_PCT >= O.MIN_WAIT_PCT
    AND D.PREFETCH_WAITS >= O.MIN_WAITS
    AND CAST(D.PREFETCH_WAIT_TIME AS DOUBLE) / NULLIF(D.PREFETCH_WAITS, 0)
    >= O.WAIT_FACTOR * CAST(T.ASYNC_READ_MS AS DOUBLE) / NULLIF(T.ASYNC_READ_REQS, 0)
    -- a size that is aligned, and not yet twice what the disks take at once
    AND T.PREFETCHSIZE >= T.TBSP_EXTENT_SIZE * T.CONTAINERS
    AND MOD(T.PREFETCHSIZE, NULLIF(T.TBSP_EXTENT_SIZE, 0)) = 0
    AND T.PREFETCHSIZE < 2 * T.TBSP_EXTENT_SIZE * T.CONTAINERS * P.DISKS
    AND 2 * T.TBSP_EXTENT_SIZE * T.CONTAINERS * P.DISKS <= 32767
    AND T.PREFETCHSIZE < COALESCE(T.PREFETCH_STAR, T.PREFETCHSIZE + 1)
