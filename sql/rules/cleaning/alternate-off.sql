-- rule:      cleaning.alternate-off
-- title:     Proactive page cleaning is off under a heavy load of changes
-- area:      cleaning
-- lane:      P
-- effect:    IR
-- applies:   workload=oltp; not=managed,purescale
-- evidence:  load
-- claims:    POOL_WRITE, LOG_DISK, POOL_READ
-- exclusive: cleaning
-- needs:     bufferpool.POOL_DRTY_PG_STEAL_CLNS, bufferpool.POOL_DRTY_PG_THRSH_CLNS, bufferpool.POOL_LSN_GAP_CLNS,
--            tablespace.POOL_DATA_WRITES, workload.POOL_WRITE_TIME, registry.REG_VAR_VALUE
-- threshold: min_writes_per_s = 500 -- [prop] below it cleaning is no load
-- threshold: min_triggers = 50 -- [prop] with fewer calls of the page cleaners there are no bursts
-- threshold: min_write_pct = 2 -- [prop] what agents waited for writes, in percent of database time
-- threshold: side_part = 0.1 -- [prop] of the waits for the log and for reads, what bursts of writes cost
-- source:    002_e991ec30bbd9209f.txt, appendices B and C; IBM documentation of proactive page cleaning (c0011381)
-- why:       By default the page cleaners sleep until too many pages are dirty or the log gap is too wide, and then
--            write as much as they can, in the way of reads and of the log. Proactive cleaning spreads the same
--            writes over time and keeps clean pages at hand.
-- not-if:    The variable is set, to whatever; not transaction processing; fewer than 500 pages written a second;
--            agents hardly wait for writes.
-- note:      How bursty the writes are needs samples seconds apart, which two snapshots are not, so it is not judged:
--            in its place agents must wait for writes. Which of its causes calls the cleaners does not matter, as
--            proactive cleaning takes the place of all three. How far back recovery begins (PAGE_AGE_TRGT_MCR, or
--            SOFTMAX) steers it too: test crash recovery after the change.
SELECT
    'DATABASE' AS OBJECT_TYPE,
    D.DB_NAME AS OBJECT_NAME,
    CAST(NULL AS SMALLINT) AS MEMBER,
    (T.POOL_WRITE_PCT + O.SIDE_PART * (COALESCE(T.LOG_DISK_PCT, 0) + T.POOL_READ_PCT)) * K.P_OLTP AS CLAIMED_PCT,
    CAST(0.2 AS DOUBLE) AS RECOVER_LOW,
    CAST(0.4 AS DOUBLE) AS RECOVER_EXPECTED,
    CAST(0.7 AS DOUBLE) AS RECOVER_HIGH,
    CAST(0.6 AS DOUBLE) AS CONFIDENCE,
    'REGISTRY:DB2_USE_ALTERNATE_PAGE_CLEANING' AS TARGET,
    CAST(NULL AS VARCHAR(1024)) AS CURRENT_VALUE,
    'ON' AS PROPOSED_VALUE,
    CAST(NULL AS VARCHAR(40)) AS UNIT,
    CAST(0 AS BIGINT) AS MEMORY_DELTA_KB,
    'db2set DB2_USE_ALTERNATE_PAGE_CLEANING=ON' AS ACTION_TEXT,
    'db2set DB2_USE_ALTERNATE_PAGE_CLEANING=' AS UNDO_TEXT,
    'pages_written=' || CAST(C.WRITES AS VARCHAR(20))
    || '; pages_written_by_agents=' || CAST(C.SYNC_WRITES AS VARCHAR(20))
    || '; POOL_DRTY_PG_STEAL_CLNS=' || CAST(C.STEALS AS VARCHAR(20))
    || '; POOL_DRTY_PG_THRSH_CLNS=' || CAST(C.THRESHOLDS AS VARCHAR(20))
    || '; POOL_LSN_GAP_CLNS=' || CAST(C.LOG_GAPS AS VARCHAR(20))
    || '; POOL_WRITE_TIME_pct=' || CAST(CAST(ROUND(T.POOL_WRITE_PCT, 2) AS DECIMAL(9, 2)) AS VARCHAR(20)) AS EVIDENCE,
    CAST(CAST(ROUND(CAST(C.WRITES AS DOUBLE) / NULLIF(T.SECONDS, 0), 0) AS BIGINT) AS VARCHAR(20))
    || ' pages are written a second, in bursts that the threshold or the log called '
    || CAST(C.THRESHOLDS + C.LOG_GAPS AS VARCHAR(20)) || ' of ' || CAST(C.TRIGGERS AS VARCHAR(20))
    || ' times and agents without a clean page ' || CAST(C.STEALS AS VARCHAR(20)) || ' times; agents wait for writes '
    || CAST(CAST(ROUND(T.POOL_WRITE_PCT, 2) AS DECIMAL(9, 2)) AS VARCHAR(20)) || ' % of the time.' AS FINDING,
    O.SIDE_PART * COALESCE(T.LOG_DISK_PCT, 0) * K.P_OLTP AS CLAIM_2_PCT,
    O.SIDE_PART * T.POOL_READ_PCT * K.P_OLTP AS CLAIM_3_PCT
FROM TUNE.PAGE_CLEANING AS C
CROSS JOIN TUNE.RUN_DATABASE AS D
CROSS JOIN TUNE.DATABASE_TIME AS T
CROSS JOIN TUNE.WORKLOAD_CLASS AS K
CROSS JOIN TUNE.O_CLEANING_ALTERNATE_OFF AS O
WHERE
    C.ALTERNATE_SET = 0
    AND K.CLASS = 'OLTP'
    AND C.WRITES >= O.MIN_WRITES_PER_S * T.SECONDS
    AND C.TRIGGERS >= O.MIN_TRIGGERS
    AND T.POOL_WRITE_PCT >= O.MIN_WRITE_PCT
