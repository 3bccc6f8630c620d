/*---
rule: bufferpool.temp-shares-data-pool
title: Temporary pages evict user pages from the buffer pool
lane: performance
takes_effect: database reactivation
applies: {workload: [bi, mixed], not: [purescale]}
judged_by: load
needs: [bufferpool.POOL_TEMP_DATA_L_READS, cat_bufferpool.NPAGES, tablespace.TBSP_CONTENT_TYPE, system.MEMORY_FREE]
object: BUFFERPOOL {BP_NAME:text}
claims: {POOL_READ: {events: SAVED_READS, cost_ms: SYNC_MS}}
recover: [0.1, 0.5, 0.9]
confidence: 0.6
memory: MEMORY_KB
defers_to:
  - {rule: bufferpool.system-pool-in-use, within: any}
  - {rule: memory.sort-overflow, within: any, only_if_larger: true}
actions:
  - choose:
      - when: STMM = 1
        command: CREATE BUFFERPOOL {TEMP_POOL:name} DEFERRED SIZE {PAGES} AUTOMATIC PAGESIZE {PAGE_KB}K
      - {command: 'CREATE BUFFERPOOL {TEMP_POOL:name} DEFERRED SIZE {PAGES} PAGESIZE {PAGE_KB}K'}
    undo: {command: 'DROP BUFFERPOOL {TEMP_POOL:name}'}
  - set:
      kind: TABLESPACE
      object: '{TBSP_NAME:text}'
      name: BUFFERPOOL
      from: '{BP_NAME:text}'
      to: '{TEMP_POOL:text}'
      unit: buffer pool
  - set: {kind: BUFFERPOOL, object: '{TEMP_POOL:text}', name: EXISTS, from: missing, to: there}
finding: >-
  Temporary pages are {TEMPORARY_PCT:1} % of the reads in {BP_NAME:text}; the hit ratio of user pages is only
  {USER_HIT_PCT:1} %. A separate pool of {PAGES} pages for {TBSP_NAME:text}, its present share, would save about
  {SAVED_READS} reads of user pages.
evidence: [temporary_reads=TEMP_LOGICAL_READS, logical_reads=LOGICAL_READS, user_hit_ratio_pct=USER_HIT_PCT:2,
  POOL_READ_TIME_pct=SHARE_PCT:2]
references:
  - general practice
  - IBM documentation of the temporary read elements
why: >-
  Sorts and joins that spill fill the pool with pages that are soon worthless. They evict user pages that would be read
  again.
not_if: >-
  Removing the spills promises more (memory.sort-overflow); the pool is AUTOMATIC; the workload is OLTP; no temporary
  page is read from disk, so the pool holds few; a pool with the proposed name exists; the table space changes its pool
  at the next activation; memory or the site's cap leaves no room.
note: >-
  The new pool gets the part of the pool that temporary pages fill, estimated by their part of the pages read in. User
  pages gain that room. The saving follows Zipf's law, as for larger pools: the hit ratio is a power of the part held,
  with the present exponent. The user hit ratio subtracts all temporary reads from the synchronous ones, so the rule
  errs on the side of silence. One table space moves at a time, the one with the most temporary reads.
---*/
WITH SPACE AS (
    SELECT
        TBSP_NAME,
        BPNAME,
        ROW_NUMBER() OVER (PARTITION BY BPNAME ORDER BY TEMP_LOGICAL_READS DESC, TBSP_NAME) AS PLACE
    FROM TUNE.TABLESPACE
    WHERE
        TBSP_CONTENT_TYPE IN ('SYSTEMP', 'USRTEMP') AND TEMP_LOGICAL_READS > 0 AND TBSP_NEXT_POOL_ID = TBSP_CUR_POOL_ID
),
POOL AS (
    SELECT
        B.*,
        S.TBSP_NAME,
        CAST(FLOOR(B.PAGESIZE / CAST(1024 AS DOUBLE)) AS BIGINT) AS PAGE_KB,
        'BPTEMP' || CAST(CAST(FLOOR(B.PAGESIZE / CAST(1024 AS DOUBLE)) AS BIGINT) AS VARCHAR(20)) || 'K' AS TEMP_POOL,
        SITE.MIN_DATA_HIT_RATIO,
        B.TEMP_PHYSICAL_READS / CAST(NULLIF(B.PHYSICAL_READS, 0) AS DOUBLE) AS TEMP_PART,
        1 - (B.SYNC_READS - B.TEMP_PHYSICAL_READS)
        / CAST(NULLIF(B.LOGICAL_READS - B.TEMP_LOGICAL_READS, 0) AS DOUBLE) AS USER_HIT_RATIO
    FROM TUNE.SIZED_POOL AS B
    CROSS JOIN TUNE.O_SITE AS SITE
    CROSS JOIN TUNE.CONSTANT AS CONST
    INNER JOIN SPACE AS S ON B.BP_NAME = S.BPNAME AND S.PLACE = 1
    WHERE
        B.AUTOMATIC = 0
        AND B.NPAGES <> -2
        AND B.BUSY = 1
        AND B.CLASS <> 'OLTP'
        AND B.USED_PAGES > B.BP_CUR_BUFFSZ
        AND B.TABLESPACES > B.TEMPORARY_TABLESPACES
        AND B.TEMP_LOGICAL_READS >= CONST.EVICTING_PART * B.LOGICAL_READS
        AND B.TEMP_PHYSICAL_READS > 0
        AND B.TEMP_PHYSICAL_READS < B.PHYSICAL_READS
),
SIZED AS (
    SELECT
        P.*,
        GREATEST(1000, FLOOR(ROUND(P.TEMP_PART * P.BP_CUR_BUFFSZ, 6))) AS PAGES,
        CAST(P.BP_CUR_BUFFSZ AS DOUBLE) / NULLIF(P.USED_PAGES, 0) AS HELD_PART
    FROM POOL AS P
)
SELECT
    P.BP_NAME,
    P.TBSP_NAME,
    P.TEMP_POOL,
    P.PAGES,
    P.PAGE_KB,
    P.STMM,
    P.TEMP_LOGICAL_READS,
    P.LOGICAL_READS,
    P.SHARE_PCT,
    100 * P.USER_HIT_RATIO AS USER_HIT_PCT,
    100 * P.TEMP_LOGICAL_READS / CAST(NULLIF(P.LOGICAL_READS, 0) AS DOUBLE) AS TEMPORARY_PCT,
    P.PAGES * P.PAGE_KB AS MEMORY_KB,
    CAST(FLOOR(P.SYNC_READS * (1 - P.TEMP_PART) * CASE
        WHEN P.USER_HIT_RATIO > 0
            THEN (
                POWER(
                    P.HELD_PART,
                    CAST(LN(P.USER_HIT_RATIO) AS DOUBLE) / NULLIF(LN((1 - P.TEMP_PART) * P.HELD_PART), 0)
                ) - P.USER_HIT_RATIO
            ) / CAST(NULLIF(1 - P.USER_HIT_RATIO, 0) AS DOUBLE)
        ELSE 0
    END) AS BIGINT) AS SAVED_READS,
    P.SYNC_MS
FROM SIZED AS P
WHERE
    P.USER_HIT_RATIO < P.MIN_DATA_HIT_RATIO
    AND P.PAGES <= P.GROW_PAGES
    AND NOT EXISTS (SELECT 1 FROM TUNE.D_CAT_BUFFERPOOL AS C WHERE C.BPNAME = P.TEMP_POOL)
