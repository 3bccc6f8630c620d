/*---
rule: lock.no-wait
title: Lock requests do not wait (LOCKTIMEOUT 0)
lane: condition
severity: medium
takes_effect: database reactivation
judged_by: config
needs: [dbcfg.VALUE]
object: DATABASE
confidence: 0.3
defers_to:
  - {rule: lock.timeouts-deadlocks, within: any}
actions:
  - {manual: 'First check the vendor''s advice: an application may rely on immediate errors and retry.'}
  - set: {kind: DBCFG, name: LOCKTIMEOUT, from: '{LOCKTIMEOUT}', to: '{LOCK_TIMEOUT_S}', unit: seconds}
finding: >-
  LOCKTIMEOUT is 0: a session that needs a locked row gets SQL0911N with reason 68 at once and is rolled back.
evidence: [LOCKTIMEOUT]
query: db2 get db cfg for <database> show detail
references:
  - IBM documentation of locktimeout (r0000329)
why: >-
  With 0, no session waits for a lock. Two sessions that touch the same row at the same time are enough for an error,
  even if the lock would be free a millisecond later.
not_if: >-
  Another limit is set or pending; members differ; DB2_WORKLOAD shows a vendor application.
note: >-
  Sessions that set CURRENT LOCK TIMEOUT themselves do not use the value.
---*/
SELECT
    L.NUM AS LOCKTIMEOUT,
    SITE.LOCK_TIMEOUT_S
FROM TUNE.SETTING AS L
LEFT JOIN TUNE.SETTING AS V ON V.SCOPE = 'REG' AND V.NAME = 'DB2_WORKLOAD'
CROSS JOIN TUNE.O_SITE AS SITE
WHERE
    L.SCOPE = 'DB' AND L.NAME = 'locktimeout' AND L.FIXED = 1 AND L.NUM = 0
    AND COALESCE(V.IS_SET, 0) = 0
