-- rule:      cleaning.iocleaners-few
-- title:     Too few page cleaners
-- area:      cleaning
-- lane:      P
-- effect:    RA
-- applies:   not=managed,purescale; from=9.1
-- evidence:  load
-- claims:    POOL_WRITE
-- needs:     bufferpool.POOL_DRTY_PG_STEAL_CLNS, bufferpool.POOL_DRTY_PG_THRSH_CLNS, bufferpool.POOL_LSN_GAP_CLNS,
--            tablespace.POOL_DATA_WRITES, workload.POOL_WRITE_TIME, dbcfg.VALUE, registry.REG_VAR_VALUE,
--            system.CPU_ONLINE
-- threshold: min_writes = 10000 -- [prop] fewer pages written make no rate
-- threshold: min_triggers = 50 -- [prop] fewer calls of the page cleaners say nothing about their cause
-- threshold: steal_part = 0.1 -- [prop] the part of the calls that came from an agent without a clean page
-- threshold: sync_part = 0.05 -- [prop] the part of the pages that agents wrote
-- source:    IBM documentation of num_iocleaners (r0000332), 10.1 to 11.5; 002_e991ec30bbd9209f.txt, appendix A
-- why:       Each page cleaner writes for one processor's worth of agents. With fewer of them agents find no clean page
--            and write themselves; without any they write all.
-- not-if:    AUTOMATIC; as many as AUTOMATIC would start, or more; agents find clean pages and write few; proactive
--            page cleaning is on, where the number matters little; members differ or another value waits.
-- note:      AUTOMATIC starts a cleaner for each processor core of a member, one less before 11.5, at least one. Where
--            the cores are not known from the operating system, hardware threads are divided by CPU_HMT_DEGREE. Too
--            many is no finding.
WITH ENOUGH AS (
    SELECT
        MIN(
            GREATEST(1, CAST(CEIL(ROUND(
                CAST(H.CPU_ONLINE AS DOUBLE) / NULLIF(GREATEST(1, COALESCE(H.CPU_HMT_DEGREE, 1)) * H.MEMBERS, 0), 6
            )) AS BIGINT) - CASE WHEN D.DB2_LEVEL < 11050000 THEN 1 ELSE 0 END)
        ) AS CLEANERS
    FROM TUNE.HOST AS H
    CROSS JOIN TUNE.RUN_DATABASE AS D
)
SELECT
    'DATABASE' AS OBJECT_TYPE,
    D.DB_NAME AS OBJECT_NAME,
    CAST(NULL AS SMALLINT) AS MEMBER,
    T.POOL_WRITE_PCT AS CLAIMED_PCT,
    CAST(0.1 AS DOUBLE) AS RECOVER_LOW,
    CAST(0.3 AS DOUBLE) AS RECOVER_EXPECTED,
    CAST(0.5 AS DOUBLE) AS RECOVER_HIGH,
    CAST(0.6 AS DOUBLE) AS CONFIDENCE,
    'DBCFG:NUM_IOCLEANERS' AS TARGET,
    CAST(C.NUM_IOCLEANERS AS VARCHAR(20)) AS CURRENT_VALUE,
    'AUTOMATIC' AS PROPOSED_VALUE,
    'page cleaners' AS UNIT,
    CAST(0 AS BIGINT) AS MEMORY_DELTA_KB,
    'UPDATE DB CFG FOR ' || D.DB_NAME || ' USING NUM_IOCLEANERS AUTOMATIC' AS ACTION_TEXT,
    'UPDATE DB CFG FOR ' || D.DB_NAME || ' USING NUM_IOCLEANERS ' || CAST(C.NUM_IOCLEANERS AS VARCHAR(20)) AS UNDO_TEXT,
    'NUM_IOCLEANERS=' || CAST(C.NUM_IOCLEANERS AS VARCHAR(20))
    || '; AUTOMATIC_would_start=' || CAST(E.CLEANERS AS VARCHAR(20))
    || '; POOL_DRTY_PG_STEAL_CLNS=' || CAST(C.STEALS AS VARCHAR(20))
    || '; all_triggers=' || CAST(C.TRIGGERS AS VARCHAR(20))
    || '; pages_written=' || CAST(C.WRITES AS VARCHAR(20))
    || '; pages_written_by_agents=' || CAST(C.SYNC_WRITES AS VARCHAR(20)) AS EVIDENCE,
    CAST(C.NUM_IOCLEANERS AS VARCHAR(20)) || ' page cleaners, where AUTOMATIC would start '
    || CAST(E.CLEANERS AS VARCHAR(20)) || ' on each member: agents found no clean page '
    || CAST(C.STEALS AS VARCHAR(20)) || ' times and wrote ' || CAST(C.SYNC_WRITES AS VARCHAR(20)) || ' of '
    || CAST(C.WRITES AS VARCHAR(20)) || ' pages themselves.' AS FINDING,
    CAST(0 AS DOUBLE) AS CLAIM_2_PCT,
    CAST(0 AS DOUBLE) AS CLAIM_3_PCT
FROM TUNE.PAGE_CLEANING AS C
CROSS JOIN ENOUGH AS E
CROSS JOIN TUNE.RUN_DATABASE AS D
CROSS JOIN TUNE.DATABASE_TIME AS T
CROSS JOIN TUNE.O_CLEANING_IOCLEANERS_FEW AS O
WHERE
    C.ALTERNATE = 0
    AND C.NUM_IOCLEANERS < E.CLEANERS
    AND C.WRITES >= O.MIN_WRITES
    AND ((C.TRIGGERS >= O.MIN_TRIGGERS AND C.STEAL_PART >= O.STEAL_PART) OR C.SYNC_PART >= O.SYNC_PART)
