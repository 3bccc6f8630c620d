/*---
rule: memory.spills-counted
title: Sorts and joins spill to temporary tables, cost unknown
lane: condition
severity: low
takes_effect: immediately
judged_by: config
needs: [workload.TOTAL_SORTS, workload.SORT_OVERFLOWS]
needs_timed: [workload.TOTAL_SECTION_SORT_PROC_TIME, workload.SORT_OVERFLOWS, workload.TOTAL_HASH_JOINS, dbcfg.VALUE,
  dbmcfg.VALUE, system.MEMORY_FREE]
object: DATABASE
confidence: 0.3
actions:
  - manual: >-
      Find the spilling statements before any change. A single one needs an index in its sort order, unless it sorts by
      a sum or a count, or fewer and shorter columns. Many need a larger SORTHEAP, and so does a SORTHEAP of 256 or
      less, with SHEAPTHRES_SHR at several times its size, unless self-tuning memory sizes both.
finding:
  - >-
    {OVERFLOWS} of {OPERATIONS} sorts and joins ({SPILLED_PCT:1} %, {PER_HOUR:0} per hour) did not fit in SORTHEAP:
    {SORT_OVERFLOWS} sorts, {HASH_JOIN_OVERFLOWS} hash joins.
  - when: POST_SHRTHRESHOLD > 0
    text: '{POST_SHRTHRESHOLD} got less memory than requested, because all together had reached SHEAPTHRES_SHR.'
evidence: [overflows=OVERFLOWS, operations=OPERATIONS, overflows_pct=SPILLED_PCT:2, overflows_per_hour=PER_HOUR:1,
  SORT_OVERFLOWS, HASH_JOIN_OVERFLOWS]
query: >-
  SELECT SORT_OVERFLOWS, HASH_JOIN_OVERFLOWS, NUM_EXECUTIONS, TOTAL_ACT_TIME, POOL_TEMP_DATA_P_READS,
  CAST(SUBSTR(STMT_TEXT, 1, 200) AS VARCHAR(200)) AS STMT_TEXT FROM TABLE(MON_GET_PKG_CACHE_STMT(NULL, NULL, NULL, -2))
  AS T ORDER BY SORT_OVERFLOWS DESC FETCH FIRST 10 ROWS ONLY
references:
  - IBM documentation of sort_overflows (r0001221), sortheap and sheapthres_shr (r0006014)
why: >-
  Data that does not fit in SORTHEAP is written to a temporary table, in runs or partitions, and read again. That costs
  little if the temporary pages stay in the buffer pool; otherwise it reads from disk.
not_if: >-
  Request times are known (memory.sort-overflow applies); fewer than 100 spills, or less than one per minute; less than
  3 % of operations in transaction processing, or 30 % in analytics; the known time of the sorts is small.
note: 'Counts do not show what the spills cost: the rule claims no time and proposes no size.'
---*/
SELECT
    W.OVERFLOWS,
    W.OPERATIONS,
    100 * CAST(W.OVERFLOWS AS DOUBLE) / NULLIF(W.OPERATIONS, 0) AS SPILLED_PCT,
    3600 * CAST(W.OVERFLOWS AS DOUBLE) / NULLIF(T.SECONDS, 0) AS PER_HOUR,
    W.SORT_OVERFLOWS,
    W.HASH_JOIN_OVERFLOWS,
    W.POST_SHRTHRESHOLD
FROM TUNE.SORT_WORK AS W
CROSS JOIN TUNE.DATABASE_TIME AS T
CROSS JOIN TUNE.JUDGED_TIME AS J
CROSS JOIN TUNE.O_SITE AS SITE
CROSS JOIN TUNE.CONSTANT AS CONST
CROSS JOIN (SELECT COUNT(TOTAL_SECTION_SORT_PROC_TIME) AS TIMED FROM TUNE.D_WORKLOAD) AS C
WHERE
    J.RULE = 'memory.spills-counted' AND COALESCE(J.DBT_MS, 0) = 0
    AND W.OVERFLOWS >= CONST.FEW_EVENTS
    AND 3600 * W.OVERFLOWS >= SITE.EVENTS_PER_HOUR * T.SECONDS
    AND 100 * W.OVERFLOWS >= W.NORMAL_SPILL_PCT * W.OPERATIONS
    -- what the spills cost is known even if a size cannot be proposed
    AND (C.TIMED = 0 OR COALESCE(T.DBT_MS, 0) = 0 OR W.SPILL_PCT >= SITE.SMALL_PCT)
