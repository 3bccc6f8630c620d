-- rule:      bufferpool.system-pool-in-use
-- title:     A hidden system buffer pool is serving reads
-- area:      bufferpool
-- lane:      P/S
-- severity:  high
-- effect:    RA
-- evidence:  load
-- claims:    POOL_READ
-- needs:     cat_bufferpool.NPAGES, tablespace.TBSP_CUR_POOL_ID
-- threshold: min_reads = 1000 -- [prop] fewer logical reads can be those of starting up
-- threshold: memory_part = 0.8 -- [prop] pools above this part of the member's memory do not fit beside the rest
-- threshold: min_pages = 1000 -- [doc] the default size of a pool
-- source:    IBM technote 1643819 on system buffer pools; IBM documentation of MON_GET_BUFFERPOOL and SQL1478W
-- why:       Where a buffer pool cannot be allocated, Db2 starts with a hidden one of 16 pages for each page
--            size in its place. The database works, but keeps next to nothing in memory, and every other
--            figure about its pools is misleading.
-- not-if:    The reads can be those of activation: with one snapshot the hidden pool must have real load.
-- note:      Hidden pools cannot be altered. Where the pools as defined exceed the member's memory, the largest
--            of the page size is cut to what fits; otherwise what kept it from starting is in the diagnostic log.
WITH DEFINED AS (
    SELECT
        BPNAME,
        NPAGES,
        PAGESIZE,
        NPAGES * CAST(PAGESIZE AS DOUBLE) / 1024 AS KB,
        SUM(CASE WHEN NPAGES > 0 THEN NPAGES * CAST(PAGESIZE AS DOUBLE) / 1024 ELSE 0 END) OVER () AS ALL_KB,
        ROW_NUMBER() OVER (PARTITION BY PAGESIZE ORDER BY NPAGES DESC, BPNAME) AS N
    FROM TUNE.D_CAT_BUFFERPOOL
),
LARGEST AS (
    SELECT
        D.BPNAME,
        D.PAGESIZE,
        D.NPAGES,
        D.ALL_KB,
        D.NPAGES - CAST(CEIL(
            (D.ALL_KB - O.MEMORY_PART * M.MEMBER_MEMORY_KB) * 1024 / CAST(NULLIF(D.PAGESIZE, 0) AS DOUBLE)
        ) AS BIGINT) AS FIT
    FROM DEFINED AS D
    CROSS JOIN TUNE.MEMORY_BUDGET AS M
    CROSS JOIN TUNE.O_BUFFERPOOL_SYSTEM_POOL_IN_USE AS O
    WHERE D.N = 1 AND D.NPAGES > 0 AND D.ALL_KB > O.MEMORY_PART * M.MEMBER_MEMORY_KB
),
REMAPPED AS (
    SELECT
        TBSP_PAGE_SIZE,
        COUNT(*) AS TABLESPACES
    FROM TUNE.TABLESPACE
    WHERE BPNAME IS NULL
    GROUP BY TBSP_PAGE_SIZE
),
HIDDEN AS (
    SELECT
        B.*,
        CASE B.BP_NAME
            WHEN 'IBMSYSTEMBP4K' THEN 4096
            WHEN 'IBMSYSTEMBP8K' THEN 8192
            WHEN 'IBMSYSTEMBP16K' THEN 16384
            ELSE 32768
        END AS BYTES
    FROM TUNE.BUFFERPOOL AS B
    CROSS JOIN TUNE.RUN_WINDOW AS W
    CROSS JOIN TUNE.O_BUFFERPOOL_SYSTEM_POOL_IN_USE AS O
    WHERE
        B.BP_NAME IN ('IBMSYSTEMBP4K', 'IBMSYSTEMBP8K', 'IBMSYSTEMBP16K', 'IBMSYSTEMBP32K')
        AND B.LOGICAL_READS >= O.MIN_READS
        AND (W.SOURCE = 'DELTA' OR B.BUSY = 1)
)
SELECT
    'BUFFERPOOL' AS OBJECT_TYPE,
    H.BP_NAME AS OBJECT_NAME,
    CAST(NULL AS SMALLINT) AS MEMBER,
    H.SHARE_PCT AS CLAIMED_PCT,
    CAST(0.5 AS DOUBLE) AS RECOVER_LOW,
    CAST(0.8 AS DOUBLE) AS RECOVER_EXPECTED,
    CAST(0.95 AS DOUBLE) AS RECOVER_HIGH,
    CAST(0.9 AS DOUBLE) AS CONFIDENCE,
    CASE WHEN X.BPNAME IS NOT NULL THEN 'BUFFERPOOL:' || X.BPNAME || ':SIZE' END AS TARGET,
    CAST(X.NPAGES AS VARCHAR(20)) AS CURRENT_VALUE,
    CAST(X.FIT AS VARCHAR(20)) AS PROPOSED_VALUE,
    CASE WHEN X.BPNAME IS NOT NULL THEN 'pages' END AS UNIT,
    CAST(0 AS BIGINT) AS MEMORY_DELTA_KB,
    CASE
        WHEN X.BPNAME IS NOT NULL
            THEN 'ALTER BUFFERPOOL "' || REPLACE(X.BPNAME, '"', '""') || '" DEFERRED SIZE '
                || CAST(X.FIT AS VARCHAR(20)) || CHR(10)
        ELSE '-- look up in the diagnostic log (SQL1478W) which buffer pool could not be allocated, and why' || CHR(10)
    END
    || '-- DEACTIVATE DATABASE ' || D.DB_NAME || ', then ACTIVATE DATABASE ' || D.DB_NAME AS ACTION_TEXT,
    CASE
        WHEN X.BPNAME IS NOT NULL
            THEN 'ALTER BUFFERPOOL "' || REPLACE(X.BPNAME, '"', '""') || '" DEFERRED SIZE '
                || CAST(X.NPAGES AS VARCHAR(20))
        ELSE '-- nothing to undo'
    END AS UNDO_TEXT,
    'BP_NAME=' || H.BP_NAME
    || '; logical_reads=' || CAST(H.LOGICAL_READS AS VARCHAR(20))
    || '; physical_reads=' || CAST(H.PHYSICAL_READS AS VARCHAR(20))
    || '; tablespaces=' || CAST(COALESCE(R.TABLESPACES, 0) AS VARCHAR(20))
    || '; POOL_READ_TIME_pct=' || CAST(CAST(ROUND(H.SHARE_PCT, 2) AS DECIMAL(9, 2)) AS VARCHAR(20))
    || CASE
        WHEN X.BPNAME IS NOT NULL
            THEN '; defined_pools_kb=' || CAST(CAST(ROUND(X.ALL_KB) AS BIGINT) AS VARCHAR(20))
        ELSE ''
    END AS EVIDENCE,
    'The hidden pool ' || H.BP_NAME || ' (16 pages) served ' || CAST(H.LOGICAL_READS AS VARCHAR(20))
    || ' reads: a regular buffer pool of this page size could not be allocated.'
    || CASE
        WHEN X.BPNAME IS NOT NULL
            THEN ' The pools as defined, the largest of this page size being ' || X.BPNAME || ', take '
                || CAST(CAST(ROUND(X.ALL_KB / CAST(1024 AS DOUBLE)) AS BIGINT) AS VARCHAR(20)) || ' MB of a member.'
        ELSE ''
    END AS FINDING,
    CAST(0 AS DOUBLE) AS CLAIM_2_PCT,
    CAST(0 AS DOUBLE) AS CLAIM_3_PCT
FROM HIDDEN AS H
CROSS JOIN TUNE.RUN_DATABASE AS D
CROSS JOIN TUNE.O_BUFFERPOOL_SYSTEM_POOL_IN_USE AS O
LEFT JOIN LARGEST AS X ON H.BYTES = X.PAGESIZE AND O.MIN_PAGES <= X.FIT
LEFT JOIN REMAPPED AS R ON H.BYTES = R.TBSP_PAGE_SIZE
