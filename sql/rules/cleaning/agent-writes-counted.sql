/*---
rule: cleaning.agent-writes-counted
title: Agents write dirty pages themselves, cost unknown
lane: condition
severity: low
takes_effect: immediately
applies: {not: [purescale]}
judged_by: rates
needs: [tablespace.TBSP_CONTENT_TYPE, tablespace.POOL_DATA_WRITES, tablespace.POOL_ASYNC_DATA_WRITES]
needs_timed: [bufferpool.POOL_DRTY_PG_STEAL_CLNS, bufferpool.POOL_DRTY_PG_THRSH_CLNS, bufferpool.POOL_LSN_GAP_CLNS,
  tablespace.POOL_DATA_WRITES, workload.POOL_WRITE_TIME, dbcfg.VALUE, registry.REG_VAR_VALUE]
object: DATABASE
confidence: 0.3
thresholds:
  min_part: {default: 0.2, from: own, why: part of the pages written that agents write because no page is clean}
  min_per_s: {default: 1, from: own, why: pages of tables and indexes that agents write per second; fewer cost little}
actions:
  - manual: >-
      Check CHNGPGS_THRESH and NUM_IOCLEANERS (GET DB CFG FOR {DB_NAME:alias} SHOW DETAIL), the size of the buffer pools
      and the time of a write. Cleaners that start earlier, more of them, or a larger pool leave clean pages.
finding: >-
  Agents wrote {SYNC_WRITES} of {WRITES} pages themselves[ in {PART:text}], {OWN_WRITES} of them table and index pages
  ({PER_S:1} per second)[, because no page was clean {STEALS} times]. The share of database time is unknown.
evidence: [pages_written=WRITES, pages_written_by_agents=SYNC_WRITES, not_temporary=OWN_WRITES, per_s=PER_S:1,
  'POOL_DRTY_PG_STEAL_CLNS=STEALS?', 'CHNGPGS_THRESH?']
query: >-
  SELECT TBSP_NAME, POOL_DATA_WRITES, POOL_ASYNC_DATA_WRITES, POOL_INDEX_WRITES, POOL_ASYNC_INDEX_WRITES FROM
  TABLE(MON_GET_TABLESPACE(NULL, -2)) AS T
references:
  - IBM documentation of chngpgs_thresh (r0000323) and of the page-cleaner agents (c0005393)
why: >-
  An agent that finds only dirty pages in the buffer pool must write one before it can read. Page cleaners prevent this
  if they start early enough and keep up.
not_if: >-
  Database time is known (cleaning.victim-steals-high and its siblings apply); agents write less than 20 % of the pages,
  or less than one page of a table or index per second; most pages written by agents are temporary.
note: Counts do not show what the writes cost, so the rule claims no time and proposes no value.
---*/
SELECT
    C.PART,
    C.WRITES,
    C.SYNC_WRITES,
    C.OWN_WRITES,
    C.OWN_WRITES / CAST(NULLIF(T.SECONDS, 0) AS DOUBLE) AS PER_S,
    NULLIF(C.STEALS, 0) AS STEALS,
    C.CHNGPGS_THRESH,
    D.DB_NAME
FROM TUNE.PAGE_CLEANING AS C
CROSS JOIN TUNE.DATABASE_TIME AS T
CROSS JOIN TUNE.JUDGED_TIME AS J
CROSS JOIN TUNE.RUN_DATABASE AS D
CROSS JOIN TUNE.O_CLEANING_AGENT_WRITES_COUNTED AS O
CROSS JOIN TUNE.CONSTANT AS CONST
WHERE
    J.RULE = 'cleaning.agent-writes-counted' AND J.DBT_MS IS NULL
    AND C.WRITES >= CONST.ENOUGH_PAGES
    AND C.SYNC_PART >= O.MIN_PART
    AND C.SPILL_PART < CONST.MAIN_PART
    AND C.OWN_WRITES >= O.MIN_PER_S * T.SECONDS
-- the whole database, or otherwise the pool in which agents write most
ORDER BY C.WHOLE DESC, C.OWN_WRITES DESC, C.PART
FETCH FIRST 1 ROWS ONLY
