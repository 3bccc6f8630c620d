/*---
rule: cleaning.alternate-off
title: Proactive page cleaning is off under a heavy load of changes
lane: performance
takes_effect: instance restart
applies: {workload: [oltp], not: [managed, purescale]}
judged_by: load
needs: [bufferpool.POOL_DRTY_PG_STEAL_CLNS, bufferpool.POOL_DRTY_PG_THRSH_CLNS, bufferpool.POOL_LSN_GAP_CLNS,
  tablespace.POOL_DATA_WRITES, workload.POOL_WRITE_TIME, registry.REG_VAR_VALUE]
object: DATABASE
claims: {POOL_WRITE: {events: OWN_WRITES, cost_ms: WRITE_MS}}
recover: [LEAST_PART, LIKELY_PART, 0.7]
confidence: 0.6
exclusive: cleaning
thresholds:
  min_writes_per_s: {default: 50, from: own, why: below it cleaning is no load}
  min_triggers: {default: 50, from: own, why: with fewer calls of the page cleaners there are no bursts}
  min_write_pct:
    default: 2
    from: own
    why: what agents waited for writes that are no spills, in percent of database time
  max_spill_part:
    default: 0.5
    from: own
    why: where most pages that agents write are spilled, sorts are what to look at
actions:
  - set: {kind: REGISTRY, name: DB2_USE_ALTERNATE_PAGE_CLEANING, to: 'ON'}
finding: >-
  {WRITES_PER_S} pages are written a second, in bursts that the threshold or the log called {BURSTS} of {TRIGGERS} times
  and agents without a clean page {STEALS} times; agents wait for writes {POOL_WRITE_PCT:2} % of the time.
evidence: [pages_written=WRITES, pages_written_by_agents=SYNC_WRITES, POOL_DRTY_PG_STEAL_CLNS=STEALS,
  POOL_DRTY_PG_THRSH_CLNS=THRESHOLDS, POOL_LSN_GAP_CLNS=LOG_GAPS, POOL_WRITE_TIME_pct=POOL_WRITE_PCT:2]
references:
  - vmware-netapp, appendices B and C
  - IBM documentation of proactive page cleaning (c0011381)
why: >-
  By default the page cleaners sleep until too many pages are dirty or the log gap is too wide, and then write as much
  as they can, in the way of reads and of the log. Proactive cleaning spreads the same writes over time and keeps clean
  pages at hand.
not_if: >-
  The variable is set, to whatever; not transaction processing; fewer than 50 pages written a second; agents hardly wait
  for writes, or most of what they write are temporary pages.
note: >-
  How bursty the writes are needs samples seconds apart, which two snapshots are not, so it is not judged: in its place
  agents must wait for writes. Which of its causes calls the cleaners does not matter, as proactive cleaning takes the
  place of all three. How far back recovery begins (PAGE_AGE_TRGT_MCR, or SOFTMAX) steers it too: test crash recovery
  after the change. What bursts of writes cost reads and the log is not counted. Where a write waits in the queue of its
  device, the cleaners' writes wait there, too, and keep reads waiting: of such a wait little goes.
---*/
SELECT
    C.WRITES,
    C.SYNC_WRITES,
    C.STEALS,
    C.THRESHOLDS,
    C.LOG_GAPS,
    C.TRIGGERS,
    C.THRESHOLDS + C.LOG_GAPS AS BURSTS,
    CAST(C.WRITES AS DOUBLE) / NULLIF(T.SECONDS, 0) AS WRITES_PER_S,
    T.POOL_WRITE_PCT,
    CAST(FLOOR(C.OWN_WRITES * K.P_OLTP) AS BIGINT) AS OWN_WRITES,
    C.WRITE_MS,
    0.05 * C.UNQUEUED AS LEAST_PART,
    0.4 * C.UNQUEUED AS LIKELY_PART
FROM TUNE.PAGE_CLEANING AS C
CROSS JOIN TUNE.DATABASE_TIME AS T
CROSS JOIN TUNE.WORKLOAD_CLASS AS K
CROSS JOIN TUNE.O_CLEANING_ALTERNATE_OFF AS O
WHERE
    C.ALTERNATE_SET = 0
    AND K.CLASS = 'OLTP'
    AND C.WRITES >= O.MIN_WRITES_PER_S * T.SECONDS
    AND C.TRIGGERS >= O.MIN_TRIGGERS
    AND C.OWN_PCT >= O.MIN_WRITE_PCT
    AND C.SPILL_PART < O.MAX_SPILL_PART
