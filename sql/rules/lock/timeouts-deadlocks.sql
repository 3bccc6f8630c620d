-- rule:      lock.timeouts-deadlocks
-- title:     Sessions wait for locks without end, or deadlock often
-- area:      lock
-- lane:      S
-- severity:  medium
-- effect:    RA
-- evidence:  load
-- needs:     workload.DEADLOCKS, dbcfg.VALUE
-- threshold: min_wait_s = 60 -- [prop] a transaction that has waited a minute waits for somebody who is not working
-- threshold: timeout_s = 30 -- [doc] the starting value that the manual gives for transaction processing
-- threshold: deadlocks_per_10000 = 1 -- [prop] deadlocks in 10,000 commits
-- threshold: min_deadlocks = 10 -- [prop] fewer are one incident
-- source:    002_e991ec30bbd9209f.txt, appendices; IBM documentation of locktimeout (r0000329)
-- why:       With LOCKTIMEOUT -1 a session waits for a lock until its holder commits: one forgotten session stops all
--            who come by. Each deadlock rolls back the work of one of those who met in it.
-- not-if:    The workload is not transaction processing; no wait of 60 seconds was seen; LOCKTIMEOUT is set, pending or
--            differs between members; DB2_WORKLOAD says whose application it is; deadlocks are fewer than 10, or than
--            one in 10,000 commits.
-- note:      Analysis may wait without end, so -1 is right there. How long a wait lasts is seen at the moment of the
--            second snapshot only. LOCKTIMEOUT is configurable, but not online, and programs must be ready for
--            SQL0911N with reason 68; vendors of applications give values of their own, XA too. DLCHKTIME is not
--            touched: it decides how soon deadlocks are found, not how many there are.
WITH SETTING AS (
    SELECT
        MAX(CASE WHEN NAME = 'locktimeout' THEN NUM END) AS LOCKTIMEOUT,
        MIN(CASE WHEN NAME = 'locktimeout' THEN NUM END) AS MIN_LOCKTIMEOUT,
        MAX(CASE WHEN NAME = 'locktimeout' THEN PENDING END) AS PENDING,
        MAX(CASE WHEN SCOPE = 'REG' AND LENGTH('x' || COALESCE(VALUE, '')) > 1 THEN 1 ELSE 0 END) AS PRESET
    FROM TUNE.CONFIG
    WHERE NAME IN ('locktimeout', 'DB2_WORKLOAD')
),
SEEN AS (
    SELECT COALESCE(MAX(LONGEST_WAIT_S), 0) AS LONGEST_WAIT_S FROM TUNE.D_LOCK_WAIT
),
JUDGED AS (
    SELECT
        D.DB_NAME,
        S.LOCKTIMEOUT,
        W.LONGEST_WAIT_S,
        T.DEADLOCKS,
        T.TOTAL_APP_COMMITS,
        CAST(CAST(ROUND(O.TIMEOUT_S) AS BIGINT) AS VARCHAR(20)) AS NEW_TIMEOUT,
        CASE
            WHEN
                K.CLASS = 'OLTP' AND S.LOCKTIMEOUT = -1 AND S.MIN_LOCKTIMEOUT = -1 AND S.PENDING = 0 AND S.PRESET = 0
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
    FROM SETTING AS S
    CROSS JOIN SEEN AS W
    CROSS JOIN TUNE.DATABASE_TIME AS T
    CROSS JOIN TUNE.WORKLOAD_CLASS AS K
    CROSS JOIN TUNE.RUN_DATABASE AS D
    CROSS JOIN TUNE.O_LOCK_TIMEOUTS_DEADLOCKS AS O
)
SELECT
    'DATABASE' AS OBJECT_TYPE,
    J.DB_NAME AS OBJECT_NAME,
    CAST(NULL AS SMALLINT) AS MEMBER,
    CAST(0 AS DOUBLE) AS CLAIMED_PCT,
    CAST(0 AS DOUBLE) AS RECOVER_LOW,
    CAST(0 AS DOUBLE) AS RECOVER_EXPECTED,
    CAST(0 AS DOUBLE) AS RECOVER_HIGH,
    CAST(0.6 AS DOUBLE) AS CONFIDENCE,
    CASE WHEN J.ENDLESS = 1 THEN 'DBCFG:LOCKTIMEOUT' END AS TARGET,
    CASE WHEN J.ENDLESS = 1 THEN '-1' END AS CURRENT_VALUE,
    CASE WHEN J.ENDLESS = 1 THEN J.NEW_TIMEOUT END AS PROPOSED_VALUE,
    CASE WHEN J.ENDLESS = 1 THEN 'seconds' END AS UNIT,
    CAST(0 AS BIGINT) AS MEMORY_DELTA_KB,
    CASE
        WHEN J.ENDLESS = 1
            THEN 'UPDATE DB CFG FOR ' || J.DB_NAME || ' USING LOCKTIMEOUT ' || J.NEW_TIMEOUT || CHR(10)
                || '-- Until the next activation a session can say SET CURRENT LOCK TIMEOUT ' || J.NEW_TIMEOUT || '.'
        ELSE ''
    END
    || CASE WHEN J.ENDLESS = 1 AND J.OFTEN = 1 THEN CHR(10) ELSE '' END
    || CASE
        WHEN J.OFTEN = 1
            THEN '-- An event monitor for locking (CREATE EVENT MONITOR ... FOR LOCKING) names the statements that'
                || ' deadlock.' || CHR(10)
                || '-- Let all units of work take tables and rows in one order, and rows that will be changed with'
                || ' USE AND KEEP UPDATE LOCKS.'
        ELSE ''
    END AS ACTION_TEXT,
    CASE
        WHEN J.ENDLESS = 1 THEN 'UPDATE DB CFG FOR ' || J.DB_NAME || ' USING LOCKTIMEOUT -1'
        ELSE '-- Drop the event monitor.'
    END AS UNDO_TEXT,
    'LOCKTIMEOUT=' || COALESCE(CAST(J.LOCKTIMEOUT AS VARCHAR(20)), 'not known')
    || '; longest_wait_s=' || CAST(J.LONGEST_WAIT_S AS VARCHAR(20))
    || '; DEADLOCKS=' || CAST(J.DEADLOCKS AS VARCHAR(20))
    || '; TOTAL_APP_COMMITS=' || CAST(J.TOTAL_APP_COMMITS AS VARCHAR(20)) AS EVIDENCE,
    CASE
        WHEN J.ENDLESS = 1
            THEN 'LOCKTIMEOUT is -1, and a session has waited for a lock for ' || CAST(J.LONGEST_WAIT_S AS VARCHAR(20))
                || ' seconds. '
        ELSE ''
    END
    || CAST(J.DEADLOCKS AS VARCHAR(20)) || ' deadlocks in ' || CAST(J.TOTAL_APP_COMMITS AS VARCHAR(20)) || ' commits.'
        AS FINDING,
    CAST(0 AS DOUBLE) AS CLAIM_2_PCT,
    CAST(0 AS DOUBLE) AS CLAIM_3_PCT
FROM JUDGED AS J
WHERE J.ENDLESS = 1 OR J.OFTEN = 1
