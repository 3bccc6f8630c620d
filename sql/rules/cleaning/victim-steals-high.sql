/*---
rule: cleaning.victim-steals-high
title: Agents write dirty pages themselves
lane: performance
takes_effect: database reactivation
applies: {not: [purescale]}
judged_by: load
needs: [bufferpool.POOL_DRTY_PG_STEAL_CLNS, bufferpool.POOL_DRTY_PG_THRSH_CLNS, bufferpool.POOL_LSN_GAP_CLNS,
  tablespace.POOL_DATA_WRITES, workload.POOL_WRITE_TIME, dbcfg.VALUE, registry.REG_VAR_VALUE]
object: DATABASE
claims: {POOL_WRITE: {events: OWN_WRITES, cost_ms: WRITE_MS}}
recover: [LEAST_PART, CAUGHT_PART, 0.9]
confidence: 0.9
exclusive: cleaning
defers_to:
  - {rule: cleaning.alternate-off, within: object}
  - {rule: memory.sort-overflow, within: any, only_if_larger: true}
thresholds:
  steal_part: {default: 0.2, from: own, why: part of the triggers by an agent without a clean page}
  new_threshold: {default: 40, from: vmware-netapp, why: the value for its OLTP load; 20 to 40 are usual}
actions:
  - set: {kind: DBCFG, name: CHNGPGS_THRESH, from: '{CHNGPGS_THRESH}', to: '{NEW_THRESHOLD}', unit: percent}
finding: >-
  Agents without a clean page triggered {STEALS} of {TRIGGERS} cleanings[ of {PART:text}]. Agents wrote
  {SYNC_WRITES} of {WRITES} pages themselves, {OWN_WRITES} of them table and index pages.
evidence: [POOL_DRTY_PG_STEAL_CLNS=STEALS, POOL_DRTY_PG_THRSH_CLNS=THRESHOLDS, POOL_LSN_GAP_CLNS=LOG_GAPS,
  pages_written=WRITES, pages_written_by_agents=SYNC_WRITES, not_temporary=OWN_WRITES,
  POOL_WRITE_TIME_pct=POOL_WRITE_PCT:2, CHNGPGS_THRESH]
references:
  - IBM documentation of chngpgs_thresh (r0000323) and of the page-cleaner agents (c0005393)
  - vmware-netapp, appendix B
why: >-
  An agent that finds only dirty pages in the buffer pool must write one before it can read. Cleaners that start earlier
  leave clean pages.
not_if: >-
  Proactive page cleaning is on, which ignores CHNGPGS_THRESH and does not move these counters; most pages written by
  agents are temporary pages of sorts and joins that spill; CHNGPGS_THRESH is 40 or less; members differ or another
  value is pending; agents hardly wait for writes; the threshold is never reached, since dirty pages leave the pool
  first.
note: >-
  Cleaners that start at 40 instead of 60 percent run half as often again. A victim stays dirty only if its turn comes
  between two cleanings; that part of the agents' writes goes away. The wait in the device queue stays. Proactive
  cleaning, if it fits, comes first. At 40 and below only more cleaners or a larger pool help; other rules propose
  these.
---*/
WITH CLEANING AS (
    SELECT
        C.*,
        FLOOR(O.NEW_THRESHOLD) AS NEW_THRESHOLD,
        C.UNQUEUED * LEAST(0.9, (C.CHNGPGS_THRESH / CAST(NULLIF(O.NEW_THRESHOLD, 0) AS DOUBLE) - 1)
        * C.ASYNC_WRITES / NULLIF(C.OWN_WRITES, 0)) AS CAUGHT_PART
    FROM TUNE.PAGE_CLEANING AS C
    CROSS JOIN TUNE.O_CLEANING_VICTIM_STEALS_HIGH AS O
)
SELECT
    C.PART,
    C.CHNGPGS_THRESH,
    C.NEW_THRESHOLD,
    C.STEALS,
    C.THRESHOLDS,
    C.LOG_GAPS,
    C.TRIGGERS,
    C.WRITES,
    C.SYNC_WRITES,
    T.POOL_WRITE_PCT,
    C.OWN_WRITES,
    C.WRITE_MS,
    0.1 * C.CAUGHT_PART AS LEAST_PART,
    C.CAUGHT_PART
FROM CLEANING AS C
CROSS JOIN TUNE.DATABASE_TIME AS T
CROSS JOIN TUNE.O_CLEANING_VICTIM_STEALS_HIGH AS O
CROSS JOIN TUNE.O_SITE AS SITE
CROSS JOIN TUNE.CONSTANT AS CONST
WHERE
    C.ALTERNATE = 0
    AND C.CHNGPGS_THRESH > O.NEW_THRESHOLD
    AND C.WRITES >= CONST.ENOUGH_PAGES
    AND C.THRESHOLDS >= CONST.RARE_EVENTS
    AND C.OWN_PCT >= SITE.SMALL_PCT
    AND C.SPILL_PART < CONST.MAIN_PART
    AND ((C.TRIGGERS >= CONST.ENOUGH_CLEANINGS AND C.STEAL_PART >= O.STEAL_PART) OR C.SYNC_PART >= CONST.STEAL_PART)
-- the whole database, or otherwise the pool whose agents wait longest
ORDER BY C.WHOLE DESC, C.OWN_PCT DESC NULLS LAST, C.PART
FETCH FIRST 1 ROWS ONLY
