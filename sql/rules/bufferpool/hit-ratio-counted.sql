/*---
rule: bufferpool.hit-ratio-counted
title: Low hit ratio of a buffer pool, cost unknown
lane: condition
severity: low
takes_effect: immediately
applies: {workload: [oltp, mixed]}
judged_by: rates
needs: [bufferpool.POOL_DATA_L_READS, bufferpool.POOL_DATA_P_READS, bufferpool.POOL_INDEX_L_READS,
  bufferpool.POOL_INDEX_P_READS, bufferpool.POOL_ASYNC_DATA_READS]
needs_timed: [bufferpool.POOL_DATA_P_READS, bufferpool.POOL_INDEX_P_READS, bufferpool.POOL_ASYNC_DATA_READS,
  bufferpool.POOL_ASYNC_INDEX_READS, cat_bufferpool.NPAGES, tablespace.TBSP_USED_PAGES, system.MEMORY_FREE]
object: BUFFERPOOL {BP_NAME:text}
confidence: 0.3
thresholds:
  min_hit_pct: {default: 80, from: own, why: 'agents read every fifth page from disk, more than any random read needs'}
  min_reads_per_s: {default: 10, from: own, why: pages that agents read per second; fewer cost little on any disk}
actions:
  - manual: >-
      Check the memory that is free on the server and the statements that read most pages. If the pool has less than the
      tables and indexes in frequent use, choose N, a larger number of pages: ALTER BUFFERPOOL {BP_NAME:name} SIZE N
finding: >-
  Agents found {HIT_PCT:1} % of {LOGICAL_READS} pages in {BP_NAME:text}[ ({BP_CUR_BUFFSZ} pages)] and read {SYNC_READS}
  from disk, {READS_PER_S:1} per second[, {SYNC_MS:1} ms each]. The share of database time is unknown.
evidence: ['BP_CUR_BUFFSZ?', hit_ratio_pct=HIT_PCT:2, logical_reads=LOGICAL_READS, synchronous_reads=SYNC_READS,
  synchronous_reads_per_s=READS_PER_S:1, 'ms_per_synchronous_read=SYNC_MS:1?']
query: >-
  SELECT BP_NAME, POOL_DATA_L_READS, POOL_DATA_P_READS, POOL_ASYNC_DATA_READS, POOL_INDEX_L_READS, POOL_INDEX_P_READS,
  POOL_ASYNC_INDEX_READS, POOL_READ_TIME FROM TABLE(MON_GET_BUFFERPOOL(NULL, -2)) AS T
references:
  - IBM documentation of the buffer pool hit ratio
  - system-z, "Watch out for buffer pools that are too small"
why: >-
  Every page that is not in the pool is a disk read that an agent waits for. A large enough pool keeps the pages that
  are read repeatedly at random.
not_if: >-
  Database time is known (bufferpool.hit-ratio-low applies); the workload is analytics; Db2 sizes the pool; the pool
  holds all pages of its table spaces; fewer pages were read since activation than it has; most reads are of temporary
  tables; the hit ratio is 80 % or more; agents read fewer than ten pages per second.
note: >-
  A hit ratio does not show the cost of the misses, so the rule claims no time and proposes no size.
---*/
SELECT
    B.BP_NAME,
    NULLIF(B.BP_CUR_BUFFSZ, 0) AS BP_CUR_BUFFSZ,
    B.LOGICAL_READS,
    B.SYNC_READS,
    100 * (1 - CAST(B.SYNC_READS AS DOUBLE) / NULLIF(B.LOGICAL_READS, 0)) AS HIT_PCT,
    B.SYNC_READS / CAST(NULLIF(T.SECONDS, 0) AS DOUBLE) AS READS_PER_S,
    NULLIF(B.SYNC_MS, 0) AS SYNC_MS
FROM TUNE.BUFFERPOOL AS B
CROSS JOIN TUNE.DATABASE_TIME AS T
CROSS JOIN TUNE.JUDGED_TIME AS J
CROSS JOIN TUNE.WORKLOAD_CLASS AS K
CROSS JOIN TUNE.O_BUFFERPOOL_HIT_RATIO_COUNTED AS O
CROSS JOIN TUNE.CONSTANT AS CONST
WHERE
    J.RULE = 'bufferpool.hit-ratio-counted' AND J.DBT_MS IS NULL
    AND K.CLASS <> 'BI'
    AND COALESCE(B.AUTOMATIC, 0) = 0
    AND B.FILLING = 0
    AND (B.USED_PAGES IS NULL OR B.USED_PAGES > B.BP_CUR_BUFFSZ)
    AND B.TEMP_LOGICAL_READS < CONST.MAIN_PART * B.LOGICAL_READS
    AND B.SYNC_READS >= CONST.ENOUGH_PAGES
    AND B.SYNC_READS >= O.MIN_READS_PER_S * T.SECONDS
    AND 100 * B.SYNC_READS > (100 - O.MIN_HIT_PCT) * B.LOGICAL_READS
