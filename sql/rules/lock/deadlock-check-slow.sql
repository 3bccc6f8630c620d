/*---
rule: lock.deadlock-check-slow
title: Deadlocks are detected late (DLCHKTIME)
lane: condition
severity: low
takes_effect: immediately
judged_by: config
needs: [dbcfg.VALUE]
object: DATABASE
confidence: 0.3
thresholds:
  slow_ms: {default: 60000, from: own, why: 'six times the default; applications publish values up to 15,000'}
actions:
  - set: {kind: DBCFG, name: DLCHKTIME, from: '{DLCHKTIME}', to: '10000', unit: milliseconds}
finding: >-
  Db2 looks for deadlocks every {CHECK_S} seconds: until then the sessions in one wait, and so do all others that need
  their rows.
evidence: [DLCHKTIME, 'LOCKTIMEOUT?']
query: db2 get db cfg for <database> show detail
references:
  - IBM documentation of dlchktime (r0000269)
why: >-
  Sessions in a deadlock wait for each other until the next check rolls one of them back. If LOCKTIMEOUT is shorter
  than the interval, it ends the wait first: then both sessions may fail, and each deadlock looks like a timeout.
not_if: >-
  The interval is shorter than a minute, pending, or differs between members; DB2_WORKLOAD shows a vendor application.
note: >-
  10,000 is the default.
---*/
SELECT
    L.NUM AS DLCHKTIME,
    L.NUM / CAST(1000 AS DOUBLE) AS CHECK_S,
    T.NUM AS LOCKTIMEOUT
FROM TUNE.SETTING AS L
LEFT JOIN TUNE.SETTING AS T ON T.SCOPE = 'DB' AND T.NAME = 'locktimeout'
LEFT JOIN TUNE.SETTING AS V ON V.SCOPE = 'REG' AND V.NAME = 'DB2_WORKLOAD'
CROSS JOIN TUNE.O_LOCK_DEADLOCK_CHECK_SLOW AS O
WHERE
    L.SCOPE = 'DB' AND L.NAME = 'dlchktime' AND L.FIXED = 1 AND L.NUM >= O.SLOW_MS
    AND COALESCE(V.IS_SET, 0) = 0
