-- rule:       lock.waits-without-end
-- title:      Who waits for a lock waits without end
-- area:       lock
-- lane:       C
-- severity:   low
-- effect:     RA
-- applies:    not=managed
-- judged-by:  config
-- confidence: 0.3
-- yields:     lock.timeouts-deadlocks@object
-- needs:      dbcfg.VALUE
-- threshold:  timeout_s = 30 -- [doc] the starting value that the manual gives for transaction processing
-- object:     DATABASE
-- by-hand:    First see that the applications are ready for SQL0911N with reason 68, and what their vendor says.
-- set:        DBCFG LOCKTIMEOUT: {LOCKTIMEOUT} -> {TIMEOUT_S} (seconds)
-- finding:    LOCKTIMEOUT is -1: one session that forgets to commit stops all who need its rows, until somebody forces
--             it off.
-- evidence:   LOCKTIMEOUT
-- look-at:    SELECT HLD_APPLICATION_HANDLE, LOCK_WAIT_ELAPSED_TIME, TABSCHEMA, TABNAME FROM SYSIBMADM.MON_LOCKWAITS
-- source:     002_e991ec30bbd9209f.txt, appendices; IBM documentation of locktimeout (r0000329)
-- why:        Without a limit a wait ends when the holder does. With one the session that waits gets an error after
--             some seconds, and its own locks are free again.
-- not-if:     A limit is set, waits, or differs between members; DB2_WORKLOAD says whose application it is; the work is
--             analysis, where waits may be long; there is an interval: then lock.timeouts-deadlocks tells whether
--             anybody waits.
-- note:       A default, and no fault where sessions can set CURRENT LOCK TIMEOUT by themselves.
SELECT
    L.NUM AS LOCKTIMEOUT,
    O.TIMEOUT_S
FROM TUNE.SETTING AS L
LEFT JOIN TUNE.SETTING AS V ON V.SCOPE = 'REG' AND V.NAME = 'DB2_WORKLOAD'
CROSS JOIN TUNE.WORKLOAD_CLASS AS K
CROSS JOIN TUNE.O_LOCK_WAITS_WITHOUT_END AS O
CROSS JOIN TUNE.RUN_WINDOW AS W
WHERE
    L.SCOPE = 'DB' AND L.NAME = 'locktimeout' AND L.FIXED = 1 AND L.NUM = -1
    AND COALESCE(V.IS_SET, 0) = 0
    AND K.CLASS <> 'BI'
    AND W.USABLE = 0
