-- rule:       cleaning.iocleaners-few
-- title:      Too few page cleaners
-- area:       cleaning
-- lane:       P
-- effect:     RA
-- applies:    not=managed,purescale; from=9.1
-- judged-by:  load
-- claims:     POOL_WRITE = SYNC_WRITES x WRITE_MS
-- recover:    0.1, 0.5, 1.0
-- confidence: 0.6
-- needs:      bufferpool.POOL_DRTY_PG_STEAL_CLNS, bufferpool.POOL_DRTY_PG_THRSH_CLNS, bufferpool.POOL_LSN_GAP_CLNS,
--             tablespace.POOL_DATA_WRITES, workload.POOL_WRITE_TIME, dbcfg.VALUE, registry.REG_VAR_VALUE,
--             system.CPU_ONLINE
-- threshold:  min_writes = 10000 -- [prop] fewer pages written make no rate
-- threshold:  min_triggers = 50 -- [prop] fewer calls of the page cleaners say nothing about their cause
-- threshold:  steal_part = 0.1 -- [prop] the part of the calls that came from an agent without a clean page
-- threshold:  sync_part = 0.05 -- [prop] the part of the pages that agents wrote
-- threshold:  min_busy_part = 0.3 -- [prop] cleaners that write less than this part of the time are not too few
-- threshold:  most_reading = 5 -- [twin] where agents wait so many times longer for reads, writes stand before them
-- threshold:  min_proactive_part = 0.7 -- [prop] proactive cleaning always writes: only full cleaners are too few
-- object:     DATABASE
-- set:        DBCFG NUM_IOCLEANERS: {NUM_IOCLEANERS} -> AUTOMATIC (page cleaners)
-- finding:    {NUM_IOCLEANERS} page cleaners, where AUTOMATIC would start {ENOUGH} on each member: agents found no
--             clean page {STEALS} times and wrote {SYNC_WRITES} of {WRITES} pages themselves.
-- evidence:   NUM_IOCLEANERS, AUTOMATIC_would_start=ENOUGH, POOL_DRTY_PG_STEAL_CLNS=STEALS, all_triggers=TRIGGERS,
--             pages_written=WRITES, pages_written_by_agents=SYNC_WRITES,
--             cleaners_writing=BUSY:2?
-- source:     IBM documentation of num_iocleaners (r0000332), 10.1 to 11.5; 002_e991ec30bbd9209f.txt, appendix A
-- why:        Each page cleaner writes for one processor's worth of agents. With fewer of them agents find no clean
--             page and write themselves; without any they write all.
-- not-if:     AUTOMATIC; as many as AUTOMATIC would start, or more; agents find clean pages and write few; proactive
--             page cleaning is on, and the cleaners do not write nearly all the time; the cleaners hardly write;
--             agents wait five times longer for reads than for writes that are no spills: on the same disks, writes
--             that come sooner stand before them; members differ or another value waits.
-- note:       AUTOMATIC starts a cleaner for each processor core of a member, one less before 11.5, at least one. Where
--             the cores are not known from the operating system, hardware threads are divided by CPU_HMT_DEGREE. Too
--             many is no finding.
WITH STARTED AS (
    SELECT
        MIN(
            GREATEST(1, CAST(CEIL(ROUND(
                CAST(H.CPU_ONLINE AS DOUBLE) / NULLIF(GREATEST(1, COALESCE(H.CPU_HMT_DEGREE, 1)) * H.MEMBERS, 0), 6
            )) AS BIGINT) - CASE WHEN D.DB2_LEVEL < 11050000 THEN 1 ELSE 0 END)
        ) AS ENOUGH,
        COUNT(*) AS MEMBERS
    FROM TUNE.HOST AS H
    CROSS JOIN TUNE.RUN_DATABASE AS D
)
SELECT
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
CROSS JOIN TUNE.DATABASE_TIME AS T
CROSS JOIN TUNE.O_CLEANING_IOCLEANERS_FEW AS O
WHERE
    C.NUM_IOCLEANERS < S.ENOUGH
    AND C.WRITES >= O.MIN_WRITES
    AND T.POOL_READ_TIME <= O.MOST_READING * COALESCE(C.OWN_WRITES * C.WRITE_MS, 0)
    AND (
        (
            C.ALTERNATE = 0
            AND COALESCE(C.BUSY, C.NUM_IOCLEANERS * S.MEMBERS) >= O.MIN_BUSY_PART * C.NUM_IOCLEANERS * S.MEMBERS
        )
        OR C.BUSY >= O.MIN_PROACTIVE_PART * C.NUM_IOCLEANERS * S.MEMBERS
    )
    AND ((C.TRIGGERS >= O.MIN_TRIGGERS AND C.STEAL_PART >= O.STEAL_PART) OR C.SYNC_PART >= O.SYNC_PART)
