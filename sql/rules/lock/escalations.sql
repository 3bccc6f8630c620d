-- rule:      lock.escalations
-- title:     Row locks are escalated to table locks
-- area:      lock
-- lane:      P/S
-- severity:  medium
-- effect:    ON
-- applies:   not=purescale
-- evidence:  load
-- claims:    LOCK
-- needs:     workload.LOCK_ESCALS_LOCKLIST, workload.LOCK_ESCALS_MAXLOCKS, workload.LOCK_WAIT_TIME, dbcfg.VALUE
-- threshold: oltp_per_hour = 1 -- [prop] transactions hold few locks: none should ever be escalated
-- threshold: bi_per_hour = 10 -- [prop] a load or a purge may take a table for itself now and then
-- threshold: min_escalations = 5 -- [prop] fewer in the interval are one job
-- threshold: min_wait_pct = 5 -- [prop] from 5 % of database time on, lock waits go with the escalations
-- threshold: maxlocks_low = 22 -- [doc] the default before it became AUTOMATIC
-- threshold: maxlocks_high = 60 -- [prop] one application leaves the others 40 % of the list
-- threshold: max_pages = 131072 -- [prop] 512 MB: work that fills it holds too many locks
-- source:    002_e991ec30bbd9209f.txt, appendices (LOCKLIST 5000, MAXLOCKS 100); IBM documentation of locklist
--            (r0000267) and maxlocks (r0000268)
-- why:       When the lock list is full, or one application holds its part (MAXLOCKS), Db2 trades the row locks of a
--            table for one lock on the table: everybody else who wants the table waits.
-- not-if:    Fewer than five, or than one an hour (transactions) or ten (analysis); both parameters are AUTOMATIC
--            with STMM on; the one to change is AUTOMATIC, pending, or differs between members; the list has 131,072
--            pages.
-- note:      With STMM on, LOCKLIST AUTOMATIC brings MAXLOCKS with it. Without, a step doubles the list, or raises
--            MAXLOCKS to 22 and then 60, by the cause that was counted more often; from 60 on the list grows, which
--            MAXLOCKS is a part of. Half of the lock waits are put down to escalations where both are seen, a guess,
--            so confidence is medium. The manual of 11.5 calls LOCKLIST configurable online, that of 10.5 does not
--            say so: there it may take the next activation. One batch job cannot be told from many sessions here.
WITH SETTING AS (
    SELECT
        MAX(CASE WHEN NAME = 'locklist' THEN NUM END) AS LOCKLIST,
        MIN(CASE WHEN NAME = 'locklist' THEN NUM END) AS MIN_LOCKLIST,
        MAX(CASE WHEN NAME = 'locklist' THEN AUTOMATIC END) AS LOCKLIST_AUTOMATIC,
        MAX(CASE WHEN NAME = 'maxlocks' THEN NUM END) AS MAXLOCKS,
        MIN(CASE WHEN NAME = 'maxlocks' THEN NUM END) AS MIN_MAXLOCKS,
        MAX(CASE WHEN NAME = 'maxlocks' THEN AUTOMATIC END) AS MAXLOCKS_AUTOMATIC,
        MIN(CASE WHEN NAME = 'self_tuning_mem' THEN CASE WHEN VALUE LIKE 'ON%' THEN 1 ELSE 0 END END) AS STMM,
        MIN(CASE WHEN NAME IN ('locklist', 'maxlocks') THEN AUTOMATIC END) AS BOTH_AUTOMATIC,
        COUNT(DISTINCT CASE WHEN AUTOMATIC = 1 THEN NAME || '*' ELSE NAME END) AS STATES,
        MAX(PENDING) AS PENDING
    FROM TUNE.CONFIG
    WHERE SCOPE = 'DB' AND NAME IN ('locklist', 'maxlocks', 'self_tuning_mem')
),
CHANGE AS (
    SELECT
        S.*,
        D.DB_NAME,
        T.LOCK_ESCALS_LOCKLIST,
        T.LOCK_ESCALS_MAXLOCKS,
        T.LOCK_PCT,
        O.MIN_WAIT_PCT,
        3600 * CAST(T.LOCK_ESCALS_LOCKLIST + T.LOCK_ESCALS_MAXLOCKS AS DOUBLE) / NULLIF(T.SECONDS, 0) AS PER_HOUR,
        CASE
            WHEN S.STMM = 1 THEN 'AUTOMATIC'
            WHEN T.LOCK_ESCALS_MAXLOCKS > T.LOCK_ESCALS_LOCKLIST AND S.MAXLOCKS < O.MAXLOCKS_HIGH THEN 'MAXLOCKS'
            ELSE 'LOCKLIST'
        END AS WAY,
        CAST(ROUND(CASE WHEN S.MAXLOCKS < O.MAXLOCKS_LOW THEN O.MAXLOCKS_LOW ELSE O.MAXLOCKS_HIGH END) AS BIGINT)
            AS NEW_MAXLOCKS,
        CAST(ROUND(LEAST(2 * S.LOCKLIST, O.MAX_PAGES)) AS BIGINT) AS NEW_LOCKLIST
    FROM SETTING AS S
    CROSS JOIN TUNE.DATABASE_TIME AS T
    CROSS JOIN TUNE.WORKLOAD_CLASS AS K
    CROSS JOIN TUNE.RUN_DATABASE AS D
    CROSS JOIN TUNE.O_LOCK_ESCALATIONS AS O
    WHERE
        S.LOCKLIST = S.MIN_LOCKLIST AND S.MAXLOCKS = S.MIN_MAXLOCKS AND S.STATES = 3 AND S.PENDING = 0
        AND T.LOCK_ESCALS_LOCKLIST + T.LOCK_ESCALS_MAXLOCKS >= O.MIN_ESCALATIONS
        AND 3600 * CAST(T.LOCK_ESCALS_LOCKLIST + T.LOCK_ESCALS_MAXLOCKS AS DOUBLE)
        >= (O.OLTP_PER_HOUR + (O.BI_PER_HOUR - O.OLTP_PER_HOUR) * K.P_BI) * T.SECONDS
),
PROPOSED AS (
    SELECT
        C.*,
        'UPDATE DB CFG FOR ' || C.DB_NAME || ' USING ' AS COMMAND,
        CASE C.WAY
            WHEN 'AUTOMATIC' THEN 'LOCKLIST AUTOMATIC MAXLOCKS AUTOMATIC'
            WHEN 'MAXLOCKS' THEN 'MAXLOCKS ' || CAST(C.NEW_MAXLOCKS AS VARCHAR(20))
            ELSE 'LOCKLIST ' || CAST(C.NEW_LOCKLIST AS VARCHAR(20))
        END AS NEW_TEXT,
        CASE
            WHEN C.WAY = 'MAXLOCKS' THEN ''
            WHEN C.LOCKLIST_AUTOMATIC = 1 THEN 'LOCKLIST AUTOMATIC'
            ELSE 'LOCKLIST ' || CAST(C.LOCKLIST AS VARCHAR(20))
        END
        || CASE WHEN C.WAY = 'AUTOMATIC' THEN ' ' ELSE '' END
        || CASE
            WHEN C.WAY = 'LOCKLIST' THEN ''
            WHEN C.MAXLOCKS_AUTOMATIC = 1 THEN 'MAXLOCKS AUTOMATIC'
            ELSE 'MAXLOCKS ' || CAST(C.MAXLOCKS AS VARCHAR(20))
        END AS OLD_TEXT
    FROM CHANGE AS C
    WHERE
        (C.WAY = 'AUTOMATIC' AND C.BOTH_AUTOMATIC = 0)
        OR (C.WAY = 'MAXLOCKS' AND C.MAXLOCKS_AUTOMATIC = 0)
        OR (C.WAY = 'LOCKLIST' AND C.LOCKLIST_AUTOMATIC = 0 AND C.NEW_LOCKLIST > C.LOCKLIST)
)
SELECT
    'DATABASE' AS OBJECT_TYPE,
    P.DB_NAME AS OBJECT_NAME,
    CAST(NULL AS SMALLINT) AS MEMBER,
    CASE WHEN P.LOCK_PCT >= P.MIN_WAIT_PCT THEN 0.5 * P.LOCK_PCT ELSE CAST(0 AS DOUBLE) END AS CLAIMED_PCT,
    CAST(0.3 AS DOUBLE) AS RECOVER_LOW,
    CAST(0.6 AS DOUBLE) AS RECOVER_EXPECTED,
    CAST(0.9 AS DOUBLE) AS RECOVER_HIGH,
    CAST(0.6 AS DOUBLE) AS CONFIDENCE,
    CASE WHEN P.WAY = 'MAXLOCKS' THEN 'DBCFG:MAXLOCKS' ELSE 'DBCFG:LOCKLIST' END AS TARGET,
    CAST(CASE WHEN P.WAY = 'MAXLOCKS' THEN P.MAXLOCKS ELSE P.LOCKLIST END AS VARCHAR(20)) AS CURRENT_VALUE,
    CASE P.WAY
        WHEN 'AUTOMATIC' THEN 'AUTOMATIC'
        WHEN 'MAXLOCKS' THEN CAST(P.NEW_MAXLOCKS AS VARCHAR(20))
        ELSE CAST(P.NEW_LOCKLIST AS VARCHAR(20))
    END AS PROPOSED_VALUE,
    CASE WHEN P.WAY = 'MAXLOCKS' THEN 'percent' ELSE '4 KB pages' END AS UNIT,
    CASE
        WHEN P.WAY = 'LOCKLIST' THEN CAST(4 * (P.NEW_LOCKLIST - P.LOCKLIST) AS BIGINT)
        ELSE CAST(0 AS BIGINT)
    END AS MEMORY_DELTA_KB,
    P.COMMAND || P.NEW_TEXT AS ACTION_TEXT,
    P.COMMAND || P.OLD_TEXT AS UNDO_TEXT,
    'LOCK_ESCALS_LOCKLIST=' || CAST(P.LOCK_ESCALS_LOCKLIST AS VARCHAR(20))
    || '; LOCK_ESCALS_MAXLOCKS=' || CAST(P.LOCK_ESCALS_MAXLOCKS AS VARCHAR(20))
    || '; LOCKLIST=' || CAST(P.LOCKLIST AS VARCHAR(20))
    || '; MAXLOCKS=' || CAST(P.MAXLOCKS AS VARCHAR(20))
    || '; LOCK_WAIT_TIME_pct=' || CAST(CAST(ROUND(P.LOCK_PCT, 2) AS DECIMAL(9, 2)) AS VARCHAR(20)) AS EVIDENCE,
    CAST(CAST(ROUND(P.PER_HOUR) AS BIGINT) AS VARCHAR(20)) || ' escalations an hour: '
    || CAST(P.LOCK_ESCALS_LOCKLIST AS VARCHAR(20)) || ' because the list of ' || CAST(P.LOCKLIST AS VARCHAR(20))
    || ' pages was full, ' || CAST(P.LOCK_ESCALS_MAXLOCKS AS VARCHAR(20)) || ' because one application held '
    || CAST(P.MAXLOCKS AS VARCHAR(20)) || ' % of it. If one job makes them, let it commit more often instead.'
        AS FINDING,
    CAST(0 AS DOUBLE) AS CLAIM_2_PCT,
    CAST(0 AS DOUBLE) AS CLAIM_3_PCT
FROM PROPOSED AS P
