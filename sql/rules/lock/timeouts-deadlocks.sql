-- rule:       lock.timeouts-deadlocks
-- title:      Sessions wait for locks without end, or deadlock often
-- area:       lock
-- lane:       S
-- severity:   medium
-- effect:     RA
-- judged-by:  load
-- confidence: 0.6
-- needs:      workload.DEADLOCKS, dbcfg.VALUE
-- threshold:  min_wait_s = 60 -- [prop] a transaction that has waited a minute waits for somebody who is not working
-- threshold:  timeout_s = 30 -- [doc] the starting value that the manual gives for transaction processing
-- threshold:  deadlocks_per_10000 = 1 -- [prop] deadlocks in 10,000 commits
-- threshold:  min_deadlocks = 10 -- [prop] fewer are one incident
-- object:     DATABASE
-- set:        when ENDLESS = 1: DBCFG LOCKTIMEOUT: {LOCKTIMEOUT} -> {TIMEOUT_S} (seconds)
-- by-hand:    when ENDLESS = 1: Until the next activation a session can say SET CURRENT LOCK TIMEOUT {TIMEOUT_S}.
-- by-hand:    when OFTEN = 1: An event monitor for locking (CREATE EVENT MONITOR ... FOR LOCKING) names the statements
--             that deadlock.
-- undo-by-hand: Drop the event monitor.
-- by-hand:    when OFTEN = 1: Let all units of work take tables and rows in one order, and rows that will be changed
--             with USE AND KEEP UPDATE LOCKS.
-- finding:    when ENDLESS = 1: LOCKTIMEOUT is -1, and a session has waited for a lock for {LONGEST_WAIT_S} seconds.
-- finding:    {DEADLOCKS} deadlocks in {TOTAL_APP_COMMITS} commits.
-- evidence:   LOCKTIMEOUT, longest_wait_s=LONGEST_WAIT_S, DEADLOCKS, TOTAL_APP_COMMITS
-- source:     002_e991ec30bbd9209f.txt, appendices; IBM documentation of locktimeout (r0000329)
-- why:        With LOCKTIMEOUT -1 a session waits for a lock until its holder commits: one forgotten session stops all
--             who come by. Each deadlock rolls back the work of one of those who met in it.
-- not-if:     The workload is not transaction processing; no wait of 60 seconds was seen; LOCKTIMEOUT is set, pending
--             or differs between members; DB2_WORKLOAD says whose application it is; deadlocks are fewer than 10, or
--             than one in 10,000 commits.
-- note:       Analysis may wait without end, so -1 is right there. How long a wait lasts is seen at the moment of the
--             second snapshot only. LOCKTIMEOUT is configurable, but not online, and programs must be ready for
--             SQL0911N with reason 68; vendors of applications give values of their own, XA too. DLCHKTIME is not
--             touched: it decides how soon deadlocks are found, not how many there are.
WITH SEEN AS (
    SELECT COALESCE(MAX(LONGEST_WAIT_S), 0) AS LONGEST_WAIT_S FROM TUNE.D_LOCK_WAIT
),
JUDGED AS (
    SELECT
        L.NUM AS LOCKTIMEOUT,
        O.TIMEOUT_S,
        W.LONGEST_WAIT_S,
        T.DEADLOCKS,
        T.TOTAL_APP_COMMITS,
        CASE
            WHEN
                K.CLASS = 'OLTP' AND L.FIXED = 1 AND L.NUM = -1 AND COALESCE(V.IS_SET, 0) = 0
                AND W.LONGEST_WAIT_S >= O.MIN_WAIT_S
                THEN 1
            ELSE 0
        END AS ENDLESS,
        CASE
            WHEN
                T.DEADLOCKS >= O.MIN_DEADLOCKS
                AND 10000 * T.DEADLOCKS > O.DEADLOCKS_PER_10000 * T.TOTAL_APP_COMMITS
                THEN 1
            ELSE 0
        END AS OFTEN
    FROM SEEN AS W
    CROSS JOIN TUNE.DATABASE_TIME AS T
    CROSS JOIN TUNE.WORKLOAD_CLASS AS K
    CROSS JOIN TUNE.O_LOCK_TIMEOUTS_DEADLOCKS AS O
    LEFT JOIN TUNE.SETTING AS L ON L.SCOPE = 'DB' AND L.NAME = 'locktimeout'
    LEFT JOIN TUNE.SETTING AS V ON V.SCOPE = 'REG' AND V.NAME = 'DB2_WORKLOAD'
)
SELECT
    LOCKTIMEOUT,
    TIMEOUT_S,
    LONGEST_WAIT_S,
    DEADLOCKS,
    TOTAL_APP_COMMITS,
    ENDLESS,
    OFTEN
FROM JUDGED
WHERE ENDLESS = 1 OR OFTEN = 1
