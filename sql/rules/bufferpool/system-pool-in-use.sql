/*---
rule: bufferpool.system-pool-in-use
title: A hidden system buffer pool serves reads
lane: performance
lane_without_claim: safety
severity: high
takes_effect: database reactivation
judged_by: load
needs: [cat_bufferpool.NPAGES, tablespace.TBSP_CUR_POOL_ID, bufferpool.BP_CUR_BUFFSZ,
  bufferpool.POOL_ASYNC_DATA_READS]
object: BUFFERPOOL {BP_NAME:text}
claims: {POOL_READ: {events: SYNC_READS, cost_ms: SYNC_MS}}
recover: [0.5, 0.8, 0.95]
confidence: 0.9
thresholds:
  memory_part: {default: 0.8, from: own, why: pools above this part of their limit leave too little for the rest}
actions:
  - choose:
      - when: LARGEST_POOL IS NOT NULL
        set:
          kind: BUFFERPOOL
          object: '{LARGEST_POOL:text}'
          name: DEFERRED_SIZE
          from: '{NPAGES}'
          to: '{FITTING_PAGES}'
          unit: pages
      - {manual: 'Find in the diagnostic log (SQL1478W) which buffer pool could not be allocated, and why.'}
  - {manual: 'DEACTIVATE DATABASE {DB_NAME:alias}, then ACTIVATE DATABASE {DB_NAME:alias}'}
finding:
  - >-
    The hidden pool {BP_NAME:text} (16 pages) served {LOGICAL_READS} reads: a regular buffer pool of this page size
    could not be allocated.
  - when: LARGEST_POOL IS NOT NULL
    text: >-
      All pools are defined with {DEFINED_MB} MB per member (the largest of this page size is {LARGEST_POOL:text});
  - when: LARGEST_POOL IS NOT NULL AND DATABASE_BINDS = 1
    text: DATABASE_MEMORY allows {BOUND_MB} MB for everything.
  - {when: LARGEST_POOL IS NOT NULL AND DATABASE_BINDS = 0, text: 'the member has {BOUND_MB} MB.'}
evidence: [BP_NAME:text, logical_reads=LOGICAL_READS, physical_reads=PHYSICAL_READS, tablespaces=TABLESPACES,
  POOL_READ_TIME_pct=SHARE_PCT:2, 'defined_pools_kb=DEFINED_KB?', 'bound_mb=BOUND_MB?']
references:
  - IBM technote 1643819 on system buffer pools
  - IBM documentation of MON_GET_BUFFERPOOL and SQL1478W
why: >-
  If a buffer pool cannot be allocated, Db2 starts a hidden pool of 16 pages for each page size instead. The database
  works but keeps almost nothing in memory, and all other pool figures mislead.
not_if: The reads may come from activation; with a single snapshot the hidden pool must have real load.
note: >-
  Hidden pools cannot be altered. If the defined pools exceed the member's memory or a fixed DATABASE_MEMORY, the
  largest of this page size is cut to fit; raising DATABASE_MEMORY also works if the host has the memory. Otherwise the
  diagnostic log contains the cause.
---*/
WITH DEFINED AS (
    SELECT
        BPNAME,
        NPAGES,
        PAGESIZE,
        SUM(CASE WHEN NPAGES > 0 THEN NPAGES * CAST(PAGESIZE AS DOUBLE) / 1024 ELSE 0 END) OVER () AS DEFINED_KB,
        ROW_NUMBER() OVER (PARTITION BY PAGESIZE ORDER BY NPAGES DESC, BPNAME) AS PLACE
    FROM TUNE.D_CAT_BUFFERPOOL
),
BOUND AS (
    SELECT
        CASE WHEN S.NUM > 0 THEN 1 ELSE 0 END AS DATABASE_BINDS,
        CASE WHEN S.NUM > 0 THEN 4 * S.NUM ELSE M.MEMBER_MEMORY_KB END AS BOUND_KB
    FROM TUNE.MEMORY_BUDGET AS M
    LEFT JOIN TUNE.SETTING AS S
        ON
            S.SCOPE = 'DB' AND S.NAME = 'database_memory' AND S.AUTOMATIC = 0
            AND 4 * S.NUM < COALESCE(M.MEMBER_MEMORY_KB, 4 * S.NUM + 1)
),
LARGEST AS (
    SELECT
        D.BPNAME,
        D.PAGESIZE,
        D.NPAGES,
        D.DEFINED_KB,
        M.DATABASE_BINDS,
        M.BOUND_KB,
        D.NPAGES - CEIL(
            (D.DEFINED_KB - O.MEMORY_PART * M.BOUND_KB) * 1024 / CAST(NULLIF(D.PAGESIZE, 0) AS DOUBLE)
        ) AS FITTING_PAGES
    FROM DEFINED AS D
    CROSS JOIN BOUND AS M
    CROSS JOIN TUNE.O_BUFFERPOOL_SYSTEM_POOL_IN_USE AS O
    WHERE D.PLACE = 1 AND D.NPAGES > 0 AND D.DEFINED_KB > O.MEMORY_PART * M.BOUND_KB
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
        END AS PAGE_BYTES
    FROM TUNE.BUFFERPOOL AS B
    WHERE B.BP_NAME IN ('IBMSYSTEMBP4K', 'IBMSYSTEMBP8K', 'IBMSYSTEMBP16K', 'IBMSYSTEMBP32K')
)
SELECT
    H.BP_NAME,
    H.LOGICAL_READS,
    H.PHYSICAL_READS,
    H.SHARE_PCT,
    COALESCE(R.TABLESPACES, 0) AS TABLESPACES,
    L.BPNAME AS LARGEST_POOL,
    L.NPAGES,
    L.FITTING_PAGES,
    L.DEFINED_KB,
    CAST(L.DEFINED_KB AS DOUBLE) / 1024 AS DEFINED_MB,
    L.DATABASE_BINDS,
    CAST(L.BOUND_KB AS DOUBLE) / 1024 AS BOUND_MB,
    D.DB_NAME,
    H.SYNC_READS,
    H.SYNC_MS
FROM HIDDEN AS H
CROSS JOIN TUNE.RUN_DATABASE AS D
CROSS JOIN TUNE.RUN_WINDOW AS W
CROSS JOIN TUNE.CONSTANT AS CONST
LEFT JOIN LARGEST AS L ON H.PAGE_BYTES = L.PAGESIZE AND 1000 <= L.FITTING_PAGES
LEFT JOIN REMAPPED AS R ON H.PAGE_BYTES = R.TBSP_PAGE_SIZE
WHERE H.LOGICAL_READS >= CONST.ENOUGH_EVENTS AND (W.SOURCE = 'DELTA' OR H.BUSY = 1)
