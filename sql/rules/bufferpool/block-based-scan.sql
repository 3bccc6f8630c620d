/*---
rule: bufferpool.block-based-scan
title: Scan-only buffer pool has no block area
lane: performance
takes_effect: database reactivation
applies: {workload: [bi], not: [purescale]}
judged_by: load
needs: [cat_bufferpool.NUMBLOCKPAGES, tablespace.TBSP_EXTENT_SIZE, tablespace.VECTORED_IOS,
  tablespace.PAGES_FROM_VECTORED_IOS, tablespace.BLOCK_IOS, workload.PREFETCH_WAIT_TIME, bufferpool.BP_CUR_BUFFSZ]
object: BUFFERPOOL {BP_NAME:text}
claims: {PREFETCH_WAIT: {events: WAITS, cost_ms: WAIT_MS}}
recover: [0.02, 0.05, 0.1]
confidence: 0.3
unit: pages
defers_to:
  - {rule: bufferpool.system-pool-in-use, within: any}
  - {rule: bufferpool.unused, within: object}
thresholds:
  block_part: {default: 0.3, from: own, why: part of the pool that becomes the block area}
  max_extent_part: {default: 0.6, from: own, why: larger reads already cover most of an extent}
  min_pages: {default: 10000, from: own, why: a smaller pool has no pages to spare}
actions:
  - set:
      - {name: NUMBLOCKPAGES, from: '0', to: '{BLOCK_PAGES}'}
      - {name: BLOCKSIZE, to: '{TBSP_EXTENT_SIZE}'}
finding: >-
  Prefetchers read only {PAGES_PER_READ:1} pages per read into {BP_NAME:text}; an extent has {TBSP_EXTENT_SIZE}. Agents
  spend {PREFETCH_WAIT_PCT:1} % of database time waiting for prefetch.
evidence: [BP_CUR_BUFFSZ, TBSP_EXTENT_SIZE, VECTORED_IOS, PAGES_FROM_VECTORED_IOS, BLOCK_IOS,
  prefetched_pct=ASYNC_PCT:2, PREFETCH_WAIT_TIME_pct=PREFETCH_WAIT_PCT:2]
references:
  - IBM documentation of block-based buffer pools for improved sequential prefetching
why: >-
  A prefetcher reads contiguous pages into scattered buffers. If the platform does this badly, one read covers less than
  an extent. Blocks of the extent size let one read cover the whole extent.
not_if: >-
  The pool is AUTOMATIC or has a block area; vectored reads already cover most of an extent; the table spaces have
  different extent sizes; the workload is OLTP; column-organized data.
note: 'The rule needs measured vectored reads: without these counters it does not run.'
---*/
WITH POOL AS (
    SELECT
        B.BP_NAME,
        B.BP_CUR_BUFFSZ,
        B.MAX_EXTENT AS TBSP_EXTENT_SIZE,
        B.P_BI,
        100 * B.ASYNC_PART AS ASYNC_PCT,
        S.PREFETCH_WAIT_PCT,
        S.VECTORED_IOS,
        S.PAGES_FROM_VECTORED_IOS,
        S.BLOCK_IOS,
        O.MAX_EXTENT_PART,
        CASE
            WHEN T.PREFETCH_WAITS > 0 THEN CAST(T.PREFETCH_WAIT_TIME AS DOUBLE) / NULLIF(T.PREFETCH_WAITS, 0)
            ELSE 1
        END AS WAIT_MS,
        T.DBT_MS,
        CAST(S.PAGES_FROM_VECTORED_IOS AS DOUBLE) / NULLIF(S.VECTORED_IOS, 0) AS PAGES_PER_READ,
        B.MAX_EXTENT * FLOOR(O.BLOCK_PART * B.BP_CUR_BUFFSZ / CAST(NULLIF(B.MAX_EXTENT, 0) AS DOUBLE)) AS BLOCK_PAGES
    FROM TUNE.SIZED_POOL AS B
    CROSS JOIN TUNE.O_BUFFERPOOL_BLOCK_BASED_SCAN AS O
    CROSS JOIN TUNE.O_SITE AS SITE
    CROSS JOIN TUNE.CONSTANT AS CONST
    CROSS JOIN TUNE.DATABASE_TIME AS T
    INNER JOIN TUNE.POOL_SPACES AS S ON B.BP_NAME = S.BPNAME
    WHERE
        B.SIZEABLE = 1
        AND B.ANALYTICS = 0
        AND B.CLASS = 'BI'
        AND B.BUSY = 1
        AND B.NUMBLOCKPAGES = 0
        AND B.BP_CUR_BUFFSZ >= O.MIN_PAGES
        AND B.ASYNC_PART >= CONST.ONLY_SCANS_PART
        AND B.MIN_EXTENT = B.MAX_EXTENT AND B.MAX_EXTENT BETWEEN 2 AND 256
        AND B.DATA_LOGICAL_READS + B.INDEX_LOGICAL_READS >= 0.5 * B.LOGICAL_READS
        AND S.PREFETCH_WAIT_PCT >= SITE.HIGH_PCT
        AND S.BLOCK_IOS = 0
        AND S.VECTORED_IOS >= CONST.ENOUGH_EVENTS
)
SELECT
    BP_NAME, BP_CUR_BUFFSZ, TBSP_EXTENT_SIZE, BLOCK_PAGES, VECTORED_IOS, PAGES_FROM_VECTORED_IOS, BLOCK_IOS,
    PAGES_PER_READ, ASYNC_PCT, PREFETCH_WAIT_PCT,
    CAST(FLOOR(P_BI * PREFETCH_WAIT_PCT * DBT_MS / CAST(NULLIF(100 * WAIT_MS, 0) AS DOUBLE)) AS BIGINT) AS WAITS,
    WAIT_MS
FROM POOL
WHERE PAGES_PER_READ < MAX_EXTENT_PART * TBSP_EXTENT_SIZE AND BLOCK_PAGES > 0
