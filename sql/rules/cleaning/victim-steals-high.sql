-- rule:      cleaning.victim-steals-high
-- title:     Agents write changed pages themselves
-- area:      cleaning
-- lane:      P
-- effect:    RA
-- applies:   not=managed,purescale
-- evidence:  load
-- claims:    POOL_WRITE
-- exclusive: cleaning
-- yields:    cleaning.alternate-off@object
-- needs:     bufferpool.POOL_DRTY_PG_STEAL_CLNS, bufferpool.POOL_DRTY_PG_THRSH_CLNS, bufferpool.POOL_LSN_GAP_CLNS,
--            tablespace.POOL_DATA_WRITES, workload.POOL_WRITE_TIME, dbcfg.VALUE, registry.REG_VAR_VALUE
-- threshold: min_writes = 10000 -- [prop] fewer pages written make no rate
-- threshold: min_triggers = 50 -- [prop] fewer calls of the page cleaners say nothing about their cause
-- threshold: steal_part = 0.2 -- [prop] the part of the calls that came from an agent without a clean page
-- threshold: sync_part = 0.05 -- [prop] the part of the pages that agents wrote
-- threshold: min_write_pct = 2 -- [prop] what agents waited for writes, in percent of database time
-- threshold: new_threshold = 40 -- [seed 002] the value of its transaction load; 20 to 40 are usual
-- source:    IBM documentation of chngpgs_thresh (r0000323) and of the page-cleaner agents (c0005393);
--            002_e991ec30bbd9209f.txt, appendix B
-- why:       An agent that needs room in the buffer pool and finds only changed pages has to write one before it can
--            read. Cleaners that begin earlier leave clean pages to take.
-- not-if:    Proactive page cleaning is on: it does not look at CHNGPGS_THRESH, and these counters stand still.
--            CHNGPGS_THRESH is 40 or less, members differ, or another value waits; agents hardly wait for writes.
-- note:      Proactive cleaning, where it fits, comes first. At 40 and below more cleaners or a larger pool are what
--            is left, which other rules propose.
SELECT
    'DATABASE' AS OBJECT_TYPE,
    D.DB_NAME AS OBJECT_NAME,
    CAST(NULL AS SMALLINT) AS MEMBER,
    T.POOL_WRITE_PCT AS CLAIMED_PCT,
    CAST(0.3 AS DOUBLE) AS RECOVER_LOW,
    CAST(0.6 AS DOUBLE) AS RECOVER_EXPECTED,
    CAST(0.9 AS DOUBLE) AS RECOVER_HIGH,
    CAST(0.9 AS DOUBLE) AS CONFIDENCE,
    'DBCFG:CHNGPGS_THRESH' AS TARGET,
    CAST(C.CHNGPGS_THRESH AS VARCHAR(20)) AS CURRENT_VALUE,
    CAST(CAST(FLOOR(O.NEW_THRESHOLD) AS BIGINT) AS VARCHAR(20)) AS PROPOSED_VALUE,
    'percent' AS UNIT,
    CAST(0 AS BIGINT) AS MEMORY_DELTA_KB,
    'UPDATE DB CFG FOR ' || D.DB_NAME || ' USING CHNGPGS_THRESH '
    || CAST(CAST(FLOOR(O.NEW_THRESHOLD) AS BIGINT) AS VARCHAR(20)) AS ACTION_TEXT,
    'UPDATE DB CFG FOR ' || D.DB_NAME || ' USING CHNGPGS_THRESH ' || CAST(C.CHNGPGS_THRESH AS VARCHAR(20)) AS UNDO_TEXT,
    'POOL_DRTY_PG_STEAL_CLNS=' || CAST(C.STEALS AS VARCHAR(20))
    || '; POOL_DRTY_PG_THRSH_CLNS=' || CAST(C.THRESHOLDS AS VARCHAR(20))
    || '; POOL_LSN_GAP_CLNS=' || CAST(C.LOG_GAPS AS VARCHAR(20))
    || '; pages_written=' || CAST(C.WRITES AS VARCHAR(20))
    || '; pages_written_by_agents=' || CAST(C.SYNC_WRITES AS VARCHAR(20))
    || '; POOL_WRITE_TIME_pct=' || CAST(CAST(ROUND(T.POOL_WRITE_PCT, 2) AS DECIMAL(9, 2)) AS VARCHAR(20))
    || '; CHNGPGS_THRESH=' || CAST(C.CHNGPGS_THRESH AS VARCHAR(20)) AS EVIDENCE,
    'In ' || CAST(C.STEALS AS VARCHAR(20)) || ' of ' || CAST(C.TRIGGERS AS VARCHAR(20))
    || ' cases page cleaners were called because an agent found no clean page, and agents wrote '
    || CAST(C.SYNC_WRITES AS VARCHAR(20)) || ' of ' || CAST(C.WRITES AS VARCHAR(20)) || ' pages themselves.' AS FINDING,
    CAST(0 AS DOUBLE) AS CLAIM_2_PCT,
    CAST(0 AS DOUBLE) AS CLAIM_3_PCT
FROM TUNE.PAGE_CLEANING AS C
CROSS JOIN TUNE.RUN_DATABASE AS D
CROSS JOIN TUNE.DATABASE_TIME AS T
CROSS JOIN TUNE.O_CLEANING_VICTIM_STEALS_HIGH AS O
WHERE
    C.ALTERNATE = 0
    AND C.CHNGPGS_THRESH > O.NEW_THRESHOLD
    AND C.WRITES >= O.MIN_WRITES
    AND T.POOL_WRITE_PCT >= O.MIN_WRITE_PCT
    AND ((C.TRIGGERS >= O.MIN_TRIGGERS AND C.STEAL_PART >= O.STEAL_PART) OR C.SYNC_PART >= O.SYNC_PART)
