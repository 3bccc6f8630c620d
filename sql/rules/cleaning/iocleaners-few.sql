/*---
rule: cleaning.iocleaners-few
title: Too few page cleaners
lane: performance
takes_effect: database reactivation
applies: {not: [purescale], from: '9.1'}
judged_by: load
needs: [bufferpool.POOL_DRTY_PG_STEAL_CLNS, bufferpool.POOL_DRTY_PG_THRSH_CLNS, bufferpool.POOL_LSN_GAP_CLNS,
  tablespace.POOL_DATA_WRITES, workload.POOL_WRITE_TIME, dbcfg.VALUE, registry.REG_VAR_VALUE, system.CPU_ONLINE]
object: DATABASE
claims: {POOL_WRITE: {events: SYNC_WRITES, cost_ms: WRITE_MS}}
recover: [0.1, 0.5, 1.0]
confidence: 0.6
thresholds:
  steal_part: {default: 0.1, from: own, why: part of the triggers by an agent without a clean page}
  min_busy_part: {default: 0.3, from: own, why: cleaners that write less than this part of the time suffice}
  most_reading:
    default: 5
    from: model
    why: if agents wait this many times longer for reads, more writes would delay the reads
  min_proactive_part: {default: 0.7, from: own, why: 'proactive cleaning always writes: only busy cleaners are too few'}
actions:
  - set: {kind: DBCFG, name: NUM_IOCLEANERS, from: '{NUM_IOCLEANERS}', to: AUTOMATIC, unit: page cleaners}
finding: >-
  {NUM_IOCLEANERS} page cleaners; AUTOMATIC would start {ENOUGH} on each member. Agents found no clean page {STEALS}
  times[ in {PART:text}] and wrote {SYNC_WRITES} of {WRITES} pages themselves.
evidence: [NUM_IOCLEANERS, AUTOMATIC_would_start=ENOUGH, POOL_DRTY_PG_STEAL_CLNS=STEALS, all_triggers=TRIGGERS,
  pages_written=WRITES, pages_written_by_agents=SYNC_WRITES, 'cleaners_writing=BUSY:2?']
references:
  - IBM documentation of num_iocleaners (r0000332), 10.1 to 11.5
  - vmware-netapp, appendix A
why: >-
  Each page cleaner serves the agents of about one processor. With too few cleaners, agents find no clean page and write
  pages themselves; with none, they write all.
not_if: >-
  AUTOMATIC; as many as AUTOMATIC would start, or more; agents find clean pages and write few; proactive page cleaning
  is on and the cleaners are not busy nearly all the time; the cleaners hardly write; agents wait five times longer for
  reads than for writes other than spills, so earlier writes would delay reads on the same disks; members differ or
  another value is pending.
note: >-
  AUTOMATIC starts one cleaner per processor core of a member, one less before 11.5, at least one. If the operating
  system does not report cores, hardware threads are divided by CPU_HMT_DEGREE. Too many cleaners are not reported.
---*/
WITH STARTED AS (
    SELECT
        MIN(
            GREATEST(1, CAST(CEIL(ROUND(
                CAST(H.CPU_ONLINE AS DOUBLE) / NULLIF(COALESCE(H.CPU_HMT_DEGREE, 1) * H.MEMBERS, 0), 6
            )) AS BIGINT) - CASE WHEN D.DB2_LEVEL < 11050000 THEN 1 ELSE 0 END)
        ) AS ENOUGH,
        COUNT(*) AS MEMBERS
    FROM TUNE.HOST AS H
    CROSS JOIN TUNE.RUN_DATABASE AS D
)
SELECT
    C.PART,
    C.NUM_IOCLEANERS,
    S.ENOUGH,
    C.STEALS,
    C.TRIGGERS,
    C.WRITES,
    C.SYNC_WRITES,
    C.BUSY,
    C.WRITE_MS
FROM TUNE.PAGE_CLEANING AS C
CROSS JOIN STARTED AS S
CROSS JOIN TUNE.O_CLEANING_IOCLEANERS_FEW AS O
CROSS JOIN TUNE.CONSTANT AS CONST
WHERE
    C.NUM_IOCLEANERS < S.ENOUGH
    AND C.WRITES >= CONST.ENOUGH_PAGES
    AND C.READ_WAIT_MS <= O.MOST_READING * COALESCE(C.OWN_WRITES * C.WRITE_MS, 0)
    AND (
        (
            C.ALTERNATE = 0
            AND COALESCE(C.BUSY, C.NUM_IOCLEANERS * S.MEMBERS)
            >= O.MIN_BUSY_PART * C.NUM_IOCLEANERS * CASE C.WHOLE WHEN 1 THEN S.MEMBERS ELSE 1 END
        )
        OR C.BUSY >= O.MIN_PROACTIVE_PART * C.NUM_IOCLEANERS * CASE C.WHOLE WHEN 1 THEN S.MEMBERS ELSE 1 END
    )
    AND ((C.TRIGGERS >= CONST.ENOUGH_CLEANINGS AND C.STEAL_PART >= O.STEAL_PART) OR C.SYNC_PART >= CONST.STEAL_PART)
-- the whole database, or otherwise the pool whose agents wait longest
ORDER BY C.WHOLE DESC, C.OWN_PCT DESC NULLS LAST, C.PART
FETCH FIRST 1 ROWS ONLY
