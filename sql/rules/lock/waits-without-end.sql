/*---
rule: lock.waits-without-end
title: Lock waits never time out (LOCKTIMEOUT -1)
lane: condition
severity: low
takes_effect: database reactivation
judged_by: config
needs: [dbcfg.VALUE]
object: DATABASE
confidence: 0.3
defers_to:
  - {rule: lock.timeouts-deadlocks, within: object}
actions:
  - {manual: 'First check that the applications handle SQL0911N with reason 68, and check the vendor''s advice.'}
  - set: {kind: DBCFG, name: LOCKTIMEOUT, from: '{LOCKTIMEOUT}', to: '{LOCK_TIMEOUT_S}', unit: seconds}
finding: >-
  LOCKTIMEOUT is -1: one session that does not commit blocks all sessions that need its rows, until it is forced off.
evidence: [LOCKTIMEOUT]
query: SELECT HLD_APPLICATION_HANDLE, LOCK_WAIT_ELAPSED_TIME, TABSCHEMA, TABNAME FROM SYSIBMADM.MON_LOCKWAITS
references:
  - vmware-netapp, appendices
  - IBM documentation of locktimeout (r0000329)
why: >-
  Without a limit a wait ends only when the holder commits. With a limit the waiting session gets an error after some
  seconds and releases its own locks.
not_if: >-
  A limit is set, pending, or differs between members; DB2_WORKLOAD shows a vendor application; the workload is
  analysis, which may wait long; lock.timeouts-deadlocks judges the measured waits.
note: -1 is the default, and fine if sessions set CURRENT LOCK TIMEOUT themselves.
---*/
SELECT
    L.NUM AS LOCKTIMEOUT,
    SITE.LOCK_TIMEOUT_S
FROM TUNE.SETTING AS L
LEFT JOIN TUNE.SETTING AS V ON V.SCOPE = 'REG' AND V.NAME = 'DB2_WORKLOAD'
CROSS JOIN TUNE.WORKLOAD_CLASS AS K
CROSS JOIN TUNE.O_SITE AS SITE
CROSS JOIN (SELECT COUNT(*) AS REASONS FROM TUNE.NO_LOAD) AS UNJUDGED
CROSS JOIN (SELECT MAX(DEADLOCKS) AS DEADLOCKS FROM TUNE.D_WORKLOAD) AS COUNTED
WHERE
    L.SCOPE = 'DB' AND L.NAME = 'locktimeout' AND L.FIXED = 1 AND L.NUM = -1
    AND COALESCE(V.IS_SET, 0) = 0
    AND K.CLASS <> 'BI'
    -- lock.timeouts-deadlocks cannot run
    AND (UNJUDGED.REASONS > 0 OR COUNTED.DEADLOCKS IS NULL)
