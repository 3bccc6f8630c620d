/*---
rule: cleaning.threshold-low
title: Page cleaning starts too early
lane: performance
takes_effect: database reactivation
applies: {workload: [oltp, mixed], not: [purescale]}
judged_by: load
needs: [bufferpool.POOL_DRTY_PG_STEAL_CLNS, bufferpool.POOL_DRTY_PG_THRSH_CLNS, bufferpool.POOL_LSN_GAP_CLNS,
  tablespace.POOL_DATA_WRITES, workload.ROWS_MODIFIED, workload.POOL_WRITE_TIME, dbcfg.VALUE, registry.REG_VAR_VALUE]
object: DATABASE
claims: {POOL_READ: {at_most_pct: 6.5}}
recover: [0, 0.6, 1.0]
confidence: 0.3
exclusive: cleaning
thresholds:
  max_threshold: {default: 40, from: own, why: 'above it, cleaning is not early'}
  new_threshold: {default: 60, from: manuals, why: the default of CHNGPGS_THRESH; the paper raised 30 to it}
  min_step: {default: 1.4, from: own, why: a slightly higher threshold changes nothing}
  pages_per_row: {default: 0.5, from: own, why: 'pages written per changed row: the same pages repeatedly'}
  max_dirty_s: {default: 600, from: own, why: 'seconds: pages that stay dirty longer hardly change again'}
  interference_part: {default: 0.2, from: own, why: 'part of the read waits of agents that these writes can cost'}
actions:
  - set: {kind: DBCFG, name: CHNGPGS_THRESH, from: '{CHNGPGS_THRESH}', to: '{NEW_THRESHOLD}', unit: percent}
finding: >-
  CHNGPGS_THRESH is {CHNGPGS_THRESH} and triggered {THRESHOLDS} of {TRIGGERS} cleanings[ of {PART:text}]. The cleaners
  wrote {WRITES} pages for {ROWS_MODIFIED} changed rows.
evidence: [CHNGPGS_THRESH, POOL_DRTY_PG_THRSH_CLNS=THRESHOLDS, POOL_DRTY_PG_STEAL_CLNS=STEALS,
  POOL_LSN_GAP_CLNS=LOG_GAPS, pages_written=WRITES, ROWS_MODIFIED]
references:
  - 'system-z, CHNGPGS_THRESH from 30 to 60: +7 %'
  - >-
    IBM documentation of chngpgs_thresh (r0000323) and of pool_drty_pg_thrsh_clns (written too early, pages have to be
    read again)
why: >-
  A page written while its rows still change must soon be written again. These writes delay reads and the log, and pages
  evicted meanwhile must be read again.
not_if: >-
  Proactive page cleaning is on; agents find no clean page in 5 % of the cases or more; another cause triggers the
  cleaners; few pages are written per changed row; pages stay dirty for long before they are written; a page stays in
  its pool hardly longer than the interval between two cleanings; the workload is analysis; members differ or another
  value is pending.
note: >-
  IBM recommends the default or less for heavy updates. So the counters must show that the threshold triggers the
  cleaners and that agents find clean pages. A page evicted between two cleanings is still dirty, and an agent must
  write it; therefore the threshold rises only so far that one cleaning starts while a page stays in the pool. No
  counter shows repeated writes of a page. The paper measured one step, 30 to 60: 7 % more transactions, which is 6.5 %
  of their time.
---*/
WITH CLEANING AS (
    SELECT
        C.*,
        FLOOR(LEAST(O.NEW_THRESHOLD, C.CHNGPGS_THRESH * COALESCE(C.STARTS_IN_STAY, O.NEW_THRESHOLD))) AS NEW_THRESHOLD
    FROM TUNE.PAGE_CLEANING AS C
    CROSS JOIN TUNE.O_CLEANING_THRESHOLD_LOW AS O
)
SELECT
    C.PART,
    C.CHNGPGS_THRESH,
    C.NEW_THRESHOLD,
    C.THRESHOLDS,
    C.STEALS,
    C.LOG_GAPS,
    C.TRIGGERS,
    C.WRITES,
    T.ROWS_MODIFIED,
    O.INTERFERENCE_PART * T.POOL_READ_PCT * K.P_OLTP AS CLAIM_POOL_READ
FROM CLEANING AS C
CROSS JOIN (
    -- one threshold applies to all pools
    SELECT COUNT(CASE WHEN A.STEAL_PART >= N.STEAL_PART AND A.TRIGGERS >= N.ENOUGH_CLEANINGS THEN 1 END) AS STEALING
    FROM TUNE.PAGE_CLEANING AS A
    CROSS JOIN TUNE.CONSTANT AS N
) AS S
CROSS JOIN TUNE.DATABASE_TIME AS T
CROSS JOIN TUNE.WORKLOAD_CLASS AS K
CROSS JOIN TUNE.O_CLEANING_THRESHOLD_LOW AS O
CROSS JOIN TUNE.CONSTANT AS CONST
WHERE
    C.ALTERNATE = 0
    AND K.CLASS <> 'BI'
    AND C.CHNGPGS_THRESH <= O.MAX_THRESHOLD
    AND C.NEW_THRESHOLD >= O.MIN_STEP * C.CHNGPGS_THRESH
    AND C.WRITES >= CONST.ENOUGH_PAGES
    AND C.THRESHOLDS >= CONST.ENOUGH_CLEANINGS
    AND C.THRESHOLD_PART >= CONST.TRIGGER_PART
    AND C.STEAL_PART < CONST.STEAL_PART
    AND S.STEALING = 0
    AND C.WRITES >= O.PAGES_PER_ROW * T.ROWS_MODIFIED
    -- the time that a page stays dirty, if as many pages are dirty as the threshold allows
    AND C.CHNGPGS_THRESH * C.POOL_PAGES * T.SECONDS <= 100 * O.MAX_DIRTY_S * C.WRITES
-- the whole database, or otherwise the pool that writes most
ORDER BY C.WHOLE DESC, C.WRITES DESC, C.PART
FETCH FIRST 1 ROWS ONLY
