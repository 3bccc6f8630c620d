/*---
rule: lock.waits-without-end
title: Who waits for a lock waits without end
lane: condition
severity: low
takes_effect: database reactivation
applies: {not: [managed]}
judged_by: config
needs: [dbcfg.VALUE]
object: DATABASE
confidence: 0.3
defers_to:
  - {rule: lock.timeouts-deadlocks, within: object}
thresholds:
  timeout_s: {default: 30, from: manuals, why: the starting value that the manual gives for transaction processing}
actions:
  - {manual: 'First see that the applications are ready for SQL0911N with reason 68, and what their vendor says.'}
  - set: {kind: DBCFG, name: LOCKTIMEOUT, from: '{LOCKTIMEOUT}', to: '{TIMEOUT_S}', unit: seconds}
finding: >-
  LOCKTIMEOUT is -1: one session that forgets to commit stops all who need its rows, until somebody forces it off.
evidence: [LOCKTIMEOUT]
query: SELECT HLD_APPLICATION_HANDLE, LOCK_WAIT_ELAPSED_TIME, TABSCHEMA, TABNAME FROM SYSIBMADM.MON_LOCKWAITS
references:
  - vmware-netapp, appendices
  - IBM documentation of locktimeout (r0000329)
why: >-
  Without a limit a wait ends when the holder does. With one the session that waits gets an error after some seconds,
  and its own locks are free again.
not_if: >-
  A limit is set, waits, or differs between members; DB2_WORKLOAD says whose application it is; the work is analysis,
  where waits may be long; there is an interval: then lock.timeouts-deadlocks tells whether anybody waits.
note: A default, and no fault where sessions can set CURRENT LOCK TIMEOUT by themselves.
---*/
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
