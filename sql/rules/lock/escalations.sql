-- rule:       lock.escalations
-- title:      Row locks are escalated to table locks
-- area:       lock
-- lane:       P/S
-- severity:   medium
-- effect:     ON
-- applies:    not=purescale
-- judged-by:  load
-- claims:     LOCK
-- recover:    0.3, 0.6, 0.9
-- confidence: 0.6
-- memory:     GROWTH_KB
-- needs:      workload.LOCK_ESCALS_LOCKLIST, workload.LOCK_ESCALS_MAXLOCKS, workload.LOCK_WAIT_TIME, dbcfg.VALUE
-- threshold:  oltp_per_hour = 1 -- [prop] transactions hold few locks: none should ever be escalated
-- threshold:  bi_per_hour = 10 -- [prop] a load or a purge may take a table for itself now and then
-- threshold:  min_escalations = 5 -- [prop] fewer in the interval are one job
-- threshold:  min_wait_pct = 5 -- [prop] from 5 % of database time on, lock waits go with the escalations
-- threshold:  maxlocks_low = 22 -- [doc] the default before it became AUTOMATIC
-- threshold:  maxlocks_high = 60 -- [prop] one application leaves the others 40 % of the list
-- threshold:  max_pages = 131072 -- [prop] 512 MB: work that fills it holds too many locks
-- object:     DATABASE
-- set:        when WAY = 'AUTOMATIC': DBCFG LOCKLIST: {OLD_LOCKLIST:text} -> AUTOMATIC (4 KB pages);
--             MAXLOCKS: {OLD_MAXLOCKS:text} -> AUTOMATIC (percent)
-- set:        else when WAY = 'MAXLOCKS': DBCFG MAXLOCKS: {MAXLOCKS} -> {NEW_MAXLOCKS} (percent)
-- set:        else: DBCFG LOCKLIST: {LOCKLIST} -> {NEW_LOCKLIST} (4 KB pages)
-- finding:    {PER_HOUR} escalations an hour: {LOCK_ESCALS_LOCKLIST} because the list of {LOCKLIST} pages was full,
--             {LOCK_ESCALS_MAXLOCKS} because one application held {MAXLOCKS} % of it. If one job makes them, let it
--             commit more often instead.
-- evidence:   LOCK_ESCALS_LOCKLIST, LOCK_ESCALS_MAXLOCKS, LOCKLIST, MAXLOCKS, LOCK_WAIT_TIME_pct=LOCK_PCT:2
-- source:     002_e991ec30bbd9209f.txt, appendices (LOCKLIST 5000, MAXLOCKS 100); IBM documentation of locklist
--             (r0000267) and maxlocks (r0000268)
-- why:        When the lock list is full, or one application holds its part (MAXLOCKS), Db2 trades the row locks of a
--             table for one lock on the table: everybody else who wants the table waits.
-- not-if:     Fewer than five, or than one an hour (transactions) or ten (analysis); both parameters are AUTOMATIC
--             with STMM on; the one to change is AUTOMATIC, pending, or differs between members; the list has 131,072
--             pages.
-- note:       With STMM on, LOCKLIST AUTOMATIC brings MAXLOCKS with it. Without, a step doubles the list, or raises
--             MAXLOCKS to 22 and then 60, by the cause that was counted more often; from 60 on the list grows, which
--             MAXLOCKS is a part of. Half of the lock waits are put down to escalations where both are seen, a guess,
--             so confidence is medium. The manual of 11.5 calls LOCKLIST configurable online, that of 10.5 does not
--             say so: there it may take the next activation. One batch job cannot be told from many sessions here.
WITH CHANGE AS (
    SELECT
        L.NUM AS LOCKLIST,
        X.NUM AS MAXLOCKS,
        L.AUTOMATIC AS LOCKLIST_AUTOMATIC,
        X.AUTOMATIC AS MAXLOCKS_AUTOMATIC,
        CASE WHEN L.AUTOMATIC = 1 THEN 'AUTOMATIC' ELSE L.VALUE END AS OLD_LOCKLIST,
        CASE WHEN X.AUTOMATIC = 1 THEN 'AUTOMATIC' ELSE X.VALUE END AS OLD_MAXLOCKS,
        FLOOR(LEAST(2 * L.NUM, O.MAX_PAGES)) AS NEW_LOCKLIST,
        CASE WHEN X.NUM < O.MAXLOCKS_LOW THEN O.MAXLOCKS_LOW ELSE O.MAXLOCKS_HIGH END AS NEW_MAXLOCKS,
        CASE
            WHEN S.VALUE LIKE 'ON%' THEN 'AUTOMATIC'
            WHEN T.LOCK_ESCALS_MAXLOCKS > T.LOCK_ESCALS_LOCKLIST AND X.NUM < O.MAXLOCKS_HIGH THEN 'MAXLOCKS'
            ELSE 'LOCKLIST'
        END AS WAY,
        T.LOCK_ESCALS_LOCKLIST,
        T.LOCK_ESCALS_MAXLOCKS,
        3600 * CAST(T.LOCK_ESCALS_LOCKLIST + T.LOCK_ESCALS_MAXLOCKS AS DOUBLE) / NULLIF(T.SECONDS, 0) AS PER_HOUR,
        T.LOCK_PCT,
        CASE WHEN T.LOCK_PCT >= O.MIN_WAIT_PCT THEN 0.5 * T.LOCK_PCT END AS CLAIM_LOCK
    FROM TUNE.SETTING AS L
    INNER JOIN TUNE.SETTING AS X ON X.SCOPE = 'DB' AND X.NAME = 'maxlocks' AND X.DIFFERS = 0 AND X.PENDING = 0
    INNER JOIN TUNE.SETTING AS S ON S.SCOPE = 'DB' AND S.NAME = 'self_tuning_mem' AND S.PENDING = 0
    CROSS JOIN TUNE.DATABASE_TIME AS T
    CROSS JOIN TUNE.WORKLOAD_CLASS AS K
    CROSS JOIN TUNE.O_LOCK_ESCALATIONS AS O
    WHERE
        L.SCOPE = 'DB' AND L.NAME = 'locklist' AND L.DIFFERS = 0 AND L.PENDING = 0
        AND T.LOCK_ESCALS_LOCKLIST + T.LOCK_ESCALS_MAXLOCKS >= O.MIN_ESCALATIONS
        AND 3600 * CAST(T.LOCK_ESCALS_LOCKLIST + T.LOCK_ESCALS_MAXLOCKS AS DOUBLE)
        >= (O.OLTP_PER_HOUR + (O.BI_PER_HOUR - O.OLTP_PER_HOUR) * K.P_BI) * T.SECONDS
)
SELECT
    WAY,
    LOCKLIST,
    MAXLOCKS,
    OLD_LOCKLIST,
    OLD_MAXLOCKS,
    NEW_LOCKLIST,
    NEW_MAXLOCKS,
    CASE WHEN WAY = 'LOCKLIST' THEN 4 * (NEW_LOCKLIST - LOCKLIST) ELSE 0 END AS GROWTH_KB,
    LOCK_ESCALS_LOCKLIST,
    LOCK_ESCALS_MAXLOCKS,
    PER_HOUR,
    LOCK_PCT,
    CLAIM_LOCK
FROM CHANGE
WHERE
    (WAY = 'AUTOMATIC' AND (LOCKLIST_AUTOMATIC = 0 OR MAXLOCKS_AUTOMATIC = 0))
    OR (WAY = 'MAXLOCKS' AND MAXLOCKS_AUTOMATIC = 0)
    OR (WAY = 'LOCKLIST' AND LOCKLIST_AUTOMATIC = 0 AND NEW_LOCKLIST > LOCKLIST)
