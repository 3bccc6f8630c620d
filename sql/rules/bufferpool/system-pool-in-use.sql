/*---
rule: bufferpool.system-pool-in-use
title: A hidden system buffer pool is serving reads
lane: performance
lane_without_claim: safety
severity: high
takes_effect: database reactivation
judged_by: load
needs: [cat_bufferpool.NPAGES, tablespace.TBSP_CUR_POOL_ID]
object: BUFFERPOOL {BP_NAME:text}
claims: {POOL_READ: {events: SYNC_READS, cost_ms: SYNC_MS}}
recover: [0.5, 0.8, 0.95]
confidence: 0.9
thresholds:
  min_reads: {default: 1000, from: own, why: fewer logical reads can be those of starting up}
  memory_part: {default: 0.8, from: own, why: pools above this part of their bound do not fit beside the rest}
  min_pages: {default: 1000, from: manuals, why: the default size of a pool}
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
      - {manual: 'look up in the diagnostic log (SQL1478W) which buffer pool could not be allocated, and why'}
    undo: {manual: nothing to undo}
  - {manual: 'DEACTIVATE DATABASE {DB_NAME:text}, then ACTIVATE DATABASE {DB_NAME:text}'}
finding:
  - >-
    The hidden pool {BP_NAME:text} (16 pages) served {LOGICAL_READS} reads: a regular buffer pool of this page size
    could not be allocated.
  - when: LARGEST_POOL IS NOT NULL
    text: >-
      The pools as defined, the largest of this page size being {LARGEST_POOL:text}, take {DEFINED_MB} MB of a member,
  - when: LARGEST_POOL IS NOT NULL AND DATABASE_BINDS = 1
    text: where DATABASE_MEMORY allows {BOUND_MB} MB for everything.
  - {when: LARGEST_POOL IS NOT NULL AND DATABASE_BINDS = 0, text: 'which has {BOUND_MB} MB.'}
evidence: [BP_NAME:text, logical_reads=LOGICAL_READS, physical_reads=PHYSICAL_READS, tablespaces=TABLESPACES,
  POOL_READ_TIME_pct=SHARE_PCT:2, 'defined_pools_kb=DEFINED_KB?', 'bound_mb=BOUND_MB?']
references:
  - IBM technote 1643819 on system buffer pools
  - IBM documentation of MON_GET_BUFFERPOOL and SQL1478W
why: >-
  Where a buffer pool cannot be allocated, Db2 starts with a hidden one of 16 pages for each page size in its place. The
  database works, but keeps next to nothing in memory, and every other figure about its pools is misleading.
not_if: 'The reads can be those of activation: with one snapshot the hidden pool must have real load.'
note: >-
  Hidden pools cannot be altered. Where the pools as defined exceed the member's memory, or a DATABASE_MEMORY of fixed
  size, the largest of the page size is cut to what fits (raising DATABASE_MEMORY does as well, where the host has the
  memory); otherwise what kept it from starting is in the diagnostic log.
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
CROSS JOIN TUNE.O_BUFFERPOOL_SYSTEM_POOL_IN_USE AS O
LEFT JOIN LARGEST AS L ON H.PAGE_BYTES = L.PAGESIZE AND O.MIN_PAGES <= L.FITTING_PAGES
LEFT JOIN REMAPPED AS R ON H.PAGE_BYTES = R.TBSP_PAGE_SIZE
WHERE H.LOGICAL_READS >= O.MIN_READS AND (W.SOURCE = 'DELTA' OR H.BUSY = 1)
