-- rule:      prefetch.size-misaligned
-- title:     Prefetch size is not extent size x containers
-- area:      prefetch
-- lane:      P
-- effect:    ON
-- applies:   workload=bi,mixed; not=purescale
-- evidence:  load
-- claims:    PREFETCH_WAIT, POOL_READ
-- exclusive: prefetch
-- needs:     tablespace.TBSP_EXTENT_SIZE, cat_tablespace.PREFETCHSIZE, container.CONTAINER_NAME,
--            workload.PREFETCH_WAIT_TIME
-- threshold: min_async_pages = 10000 -- [prop] a quieter table space has too little prefetching to judge
-- threshold: min_async_part = 0.3 -- [prop] below 30 % of the pages, scans are not what it does
-- source:    000_9a1c354496f94ea4.txt, "Optimizing disk I/O"; IBM documentation of dft_prefetch_sz
-- why:       A prefetch request is cut into extents that are read from the containers in parallel. A size
--            below extent x containers leaves containers idle, and one that is no multiple of the extent
--            size starts no parallel prefetch at all.
-- not-if:    The size is AUTOMATIC, or 0 on purpose; the table space is temporary or serves OLTP.
SELECT
    'TABLESPACE' AS OBJECT_TYPE,
    T.TBSP_NAME AS OBJECT_NAME,
    CAST(NULL AS SMALLINT) AS MEMBER,
    CASE
        WHEN T.ASYNC_READS >= O.MIN_ASYNC_PAGES AND T.ASYNC_PART >= O.MIN_ASYNC_PART
            THEN (T.PREFETCH_WAIT_PCT + T.SCAN_PCT) * T.P_BI
        ELSE 0
    END AS CLAIMED_PCT,
    CAST(0.05 AS DOUBLE) AS RECOVER_LOW,
    LEAST(0.5, GREATEST(0.05, 1 - CAST(T.PREFETCHSIZE AS DOUBLE) / NULLIF(T.TBSP_EXTENT_SIZE * T.CONTAINERS, 0)))
        AS RECOVER_EXPECTED,
    CAST(0.7 AS DOUBLE) AS RECOVER_HIGH,
    CAST(0.6 AS DOUBLE) AS CONFIDENCE,
    'TABLESPACE:' || T.TBSP_NAME || ':PREFETCHSIZE' AS TARGET,
    CAST(T.PREFETCHSIZE AS VARCHAR(20)) AS CURRENT_VALUE,
    CAST(T.TBSP_EXTENT_SIZE * T.CONTAINERS AS VARCHAR(20)) AS PROPOSED_VALUE,
    'pages' AS UNIT,
    CAST(0 AS BIGINT) AS MEMORY_DELTA_KB,
    'ALTER TABLESPACE "' || REPLACE(T.TBSP_NAME, '"', '""') || '" PREFETCHSIZE '
    || CAST(T.TBSP_EXTENT_SIZE * T.CONTAINERS AS VARCHAR(20)) AS ACTION_TEXT,
    'ALTER TABLESPACE "' || REPLACE(T.TBSP_NAME, '"', '""') || '" PREFETCHSIZE '
    || CAST(T.PREFETCHSIZE AS VARCHAR(20)) AS UNDO_TEXT,
    'PREFETCHSIZE=' || CAST(T.PREFETCHSIZE AS VARCHAR(20))
    || '; TBSP_EXTENT_SIZE=' || CAST(T.TBSP_EXTENT_SIZE AS VARCHAR(20))
    || '; containers=' || CAST(T.CONTAINERS AS VARCHAR(20))
    || '; pages_prefetched=' || CAST(T.ASYNC_READS AS VARCHAR(20))
    || '; PREFETCH_WAIT_TIME_pct=' || CAST(CAST(ROUND(T.PREFETCH_WAIT_PCT, 2) AS DECIMAL(9, 2)) AS VARCHAR(20))
    || '; scan_reads_pct=' || CAST(CAST(ROUND(T.SCAN_PCT, 2) AS DECIMAL(9, 2)) AS VARCHAR(20)) AS EVIDENCE,
    'Prefetch size ' || CAST(T.PREFETCHSIZE AS VARCHAR(20)) || ' does not read all '
    || CAST(T.CONTAINERS AS VARCHAR(20)) || ' containers at once: extent size ' || CAST(T.TBSP_EXTENT_SIZE AS VARCHAR(20))
    || ' x ' || CAST(T.CONTAINERS AS VARCHAR(20)) || ' containers = '
    || CAST(T.TBSP_EXTENT_SIZE * T.CONTAINERS AS VARCHAR(20)) || '.' AS FINDING,
    T.SCAN_PCT * T.P_BI AS CLAIM_2_PCT,
    CAST(0 AS DOUBLE) AS CLAIM_3_PCT
FROM TUNE.TABLESPACE AS T
CROSS JOIN TUNE.O_PREFETCH_SIZE_MISALIGNED AS O
WHERE
    T.PREFETCHSIZE > 0
    AND T.CONTAINERS > 0
    AND T.CLASS <> 'OLTP'
    AND T.TBSP_CONTENT_TYPE NOT IN ('SYSTEMP', 'USRTEMP')
    AND (
        T.PREFETCHSIZE < T.TBSP_EXTENT_SIZE * T.CONTAINERS
        OR (
            MOD(T.PREFETCHSIZE, NULLIF(T.TBSP_EXTENT_SIZE, 0)) <> 0
            AND MOD(T.TBSP_EXTENT_SIZE, NULLIF(T.PREFETCHSIZE, 0)) <> 0
        )
    )
