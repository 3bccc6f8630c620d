-- rule:       cleaning.victim-steals-high
-- title:      Agents write changed pages themselves
-- area:       cleaning
-- lane:       P
-- effect:     RA
-- applies:    not=managed,purescale
-- judged-by:  load
-- claims:     POOL_WRITE = OWN_WRITES x WRITE_MS
-- recover:    LEAST_PART, CAUGHT_PART, 0.9
-- confidence: 0.9
-- exclusive:  cleaning
-- yields:     cleaning.alternate-off@object, memory.sort-overflow@any+larger
-- needs:      bufferpool.POOL_DRTY_PG_STEAL_CLNS, bufferpool.POOL_DRTY_PG_THRSH_CLNS, bufferpool.POOL_LSN_GAP_CLNS,
--             tablespace.POOL_DATA_WRITES, workload.POOL_WRITE_TIME, dbcfg.VALUE, registry.REG_VAR_VALUE
-- threshold:  min_writes = 10000 -- [prop] fewer pages written make no rate
-- threshold:  min_triggers = 50 -- [prop] fewer calls of the page cleaners say nothing about their cause
-- threshold:  min_thresholds = 10 -- [prop] starts at the threshold: where it is not reached, a lower one may not be
-- threshold:  steal_part = 0.2 -- [prop] the part of the calls that came from an agent without a clean page
-- threshold:  sync_part = 0.05 -- [prop] the part of the pages that agents wrote
-- threshold:  min_write_pct = 2 -- [prop] what agents waited for writes that are no spills, in percent of database time
-- threshold:  max_spill_part = 0.5 -- [prop] where most pages that agents write are spilled, sorts are what to look at
-- threshold:  new_threshold = 40 -- [seed 002] the value of its transaction load; 20 to 40 are usual
-- object:     DATABASE
-- set:        DBCFG CHNGPGS_THRESH: {CHNGPGS_THRESH} -> {NEW_THRESHOLD} (percent)
-- finding:    In {STEALS} of {TRIGGERS} cases page cleaners were called because an agent found no clean page, and
--             agents wrote {SYNC_WRITES} of {WRITES} pages themselves, {OWN_WRITES} of them of tables and indexes.
-- evidence:   POOL_DRTY_PG_STEAL_CLNS=STEALS, POOL_DRTY_PG_THRSH_CLNS=THRESHOLDS, POOL_LSN_GAP_CLNS=LOG_GAPS,
--             pages_written=WRITES, pages_written_by_agents=SYNC_WRITES, not_temporary=OWN_WRITES,
--             POOL_WRITE_TIME_pct=POOL_WRITE_PCT:2, CHNGPGS_THRESH
-- source:     IBM documentation of chngpgs_thresh (r0000323) and of the page-cleaner agents (c0005393);
--             002_e991ec30bbd9209f.txt, appendix B
-- why:        An agent that needs room in the buffer pool and finds only changed pages has to write one before it can
--             read. Cleaners that begin earlier leave clean pages to take.
-- not-if:     Proactive page cleaning is on: it does not look at CHNGPGS_THRESH, and these counters stand still. Most
--             of what agents write are temporary pages, which sorts and joins spill. CHNGPGS_THRESH is 40 or less,
--             members differ, or another value waits; agents hardly wait for writes; the threshold is never reached, as
--             changed pages leave the pool before so many have gathered.
-- note:       Cleaners that start at 40 instead of 60 percent come half as often again. A victim is changed still where
--             its turn came between two starts, and that part of the agents' writes goes; what a write waits in the
--             queue of its device stays. Proactive cleaning, where it fits, comes first. At 40 and below more cleaners
--             or a larger pool are what is left, which other rules propose.
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
WHERE
    C.ALTERNATE = 0
    AND C.CHNGPGS_THRESH > O.NEW_THRESHOLD
    AND C.WRITES >= O.MIN_WRITES
    AND C.THRESHOLDS >= O.MIN_THRESHOLDS
    AND C.OWN_PCT >= O.MIN_WRITE_PCT
    AND C.SPILL_PART < O.MAX_SPILL_PART
    AND ((C.TRIGGERS >= O.MIN_TRIGGERS AND C.STEAL_PART >= O.STEAL_PART) OR C.SYNC_PART >= O.SYNC_PART)
