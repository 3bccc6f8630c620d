/*---
rule: memory.spills-counted
title: Sorts and joins spill to temporary tables; what that costs was not measured
lane: condition
severity: low
takes_effect: immediately
judged_by: config
needs: [workload.TOTAL_SORTS, workload.SORT_OVERFLOWS]
object: DATABASE
confidence: 0.3
thresholds:
  oltp_pct: {default: 3, from: manuals, why: 'as memory.sort-overflow: transaction processing'}
  bi_pct: {default: 30, from: manuals, why: 'as memory.sort-overflow: large sorts spill, a third of them should not'}
  min_spills: {default: 100, from: own, why: fewer are a job or two}
  min_per_hour: {default: 60, from: own, why: less than one a minute is hardly felt}
actions:
  - manual: >-
      See which statements spill, before you change anything. One alone needs an index in the order that it asks for, or
      fewer and shorter columns; many need a larger SORTHEAP, with SHEAPTHRES_SHR at several times of it, where
      self-tuning memory does not size both.
    undo: {manual: Nothing is changed by looking.}
finding:
  - >-
    {OVERFLOWS} of {OPERATIONS} sorts and joins ({SPILLED_PCT:1} %, {PER_HOUR:0} an hour) did not fit into SORTHEAP:
    {SORT_OVERFLOWS} sorts, {HASH_JOIN_OVERFLOWS} hash joins.
  - when: POST_SHRTHRESHOLD > 0
    text: '{POST_SHRTHRESHOLD} got less than they asked for, since all together had reached SHEAPTHRES_SHR.'
evidence: [overflows=OVERFLOWS, operations=OPERATIONS, overflows_pct=SPILLED_PCT:2, overflows_per_hour=PER_HOUR:1,
  SORT_OVERFLOWS, HASH_JOIN_OVERFLOWS]
query: >-
  SELECT SORT_OVERFLOWS, HASH_JOIN_OVERFLOWS, NUM_EXECUTIONS, TOTAL_ACT_TIME, POOL_TEMP_DATA_P_READS,
  CAST(SUBSTR(STMT_TEXT, 1, 200) AS VARCHAR(200)) AS STMT_TEXT FROM TABLE(MON_GET_PKG_CACHE_STMT(NULL, NULL, NULL, -2))
  AS T ORDER BY SORT_OVERFLOWS DESC FETCH FIRST 10 ROWS ONLY
references:
  - IBM documentation of sort_overflows (r0001221), sortheap and sheapthres_shr (r0006014)
why: >-
  What does not fit into SORTHEAP is written to a temporary table, in runs or partitions, and read again. Where the
  temporary pages stay in the buffer pool that costs little, else it is reading from disk.
not_if: >-
  How much time requests took is known: memory.sort-overflow judges it then; fewer than 100, than one a minute, or than
  3 % of the operations of transactions, 30 % of those of analysis.
note: 'Counts alone do not say what the spills cost: nothing is claimed, and no size is proposed.'
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
CROSS JOIN TUNE.WORKLOAD_CLASS AS K
CROSS JOIN TUNE.O_MEMORY_SPILLS_COUNTED AS O
WHERE
    COALESCE(T.DBT_MS, 0) = 0
    AND W.OVERFLOWS >= O.MIN_SPILLS
    AND 3600 * W.OVERFLOWS >= O.MIN_PER_HOUR * T.SECONDS
    AND 100 * W.OVERFLOWS >= (O.OLTP_PCT + (O.BI_PCT - O.OLTP_PCT) * K.P_BI) * W.OPERATIONS
