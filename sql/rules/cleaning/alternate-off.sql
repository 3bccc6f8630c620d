/*---
rule: cleaning.alternate-off
title: Proactive page cleaning is off under heavy changes
lane: performance
takes_effect: instance restart
applies: {workload: [oltp], not: [purescale]}
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
actions:
  - set: {kind: REGISTRY, name: DB2_USE_ALTERNATE_PAGE_CLEANING, to: 'ON'}
finding: >-
  {WRITES_PER_S} pages are written per second[ from {PART:text}], in bursts: threshold or log gap triggered {BURSTS} of
  {TRIGGERS} cleanings, agents without a clean page {STEALS}. Agents wait for writes {POOL_WRITE_PCT:1} % of the time.
evidence: [pages_written=WRITES, pages_written_by_agents=SYNC_WRITES, POOL_DRTY_PG_STEAL_CLNS=STEALS,
  POOL_DRTY_PG_THRSH_CLNS=THRESHOLDS, POOL_LSN_GAP_CLNS=LOG_GAPS, POOL_WRITE_TIME_pct=POOL_WRITE_PCT:2]
references:
  - vmware-netapp, appendices B and C
  - IBM documentation of proactive page cleaning (c0011381)
why: >-
  By default page cleaners sleep until too many pages are dirty or the log gap is too wide. Then they write as fast as
  they can and delay reads and the log. Proactive cleaning spreads the same writes over time and keeps clean pages
  available.
not_if: >-
  The variable is set to any value; the workload is not OLTP; fewer than 50 pages are written per second; agents hardly
  wait for writes, or they write mostly temporary pages.
note: >-
  Two snapshots cannot show bursts, so the rule requires agents that wait for writes instead. The trigger does not
  matter: proactive cleaning replaces all three. PAGE_AGE_TRGT_MCR or SOFTMAX controls it too: test crash recovery after
  the change. The cost of write bursts to reads and the log is not counted. If writes queue at their device, the
  cleaners' writes queue too, and little of that wait goes away.
---*/
SELECT
    C.PART,
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
CROSS JOIN TUNE.O_SITE AS SITE
CROSS JOIN TUNE.CONSTANT AS CONST
WHERE
    C.ALTERNATE_SET = 0
    AND K.CLASS = 'OLTP'
    AND C.WRITES >= O.MIN_WRITES_PER_S * T.SECONDS
    AND C.TRIGGERS >= CONST.ENOUGH_CLEANINGS
    AND C.OWN_PCT >= SITE.SMALL_PCT
    AND C.SPILL_PART < CONST.MAIN_PART
-- the whole database, or otherwise the pool whose agents wait longest
ORDER BY C.WHOLE DESC, C.OWN_PCT DESC NULLS LAST, C.PART
FETCH FIRST 1 ROWS ONLY
