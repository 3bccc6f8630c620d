/*---
rule: lock.readers-wait
title: Readers wait for uncommitted changes (CUR_COMMIT DISABLED)
lane: condition
severity: low
takes_effect: database reactivation
risk: medium
judged_by: config
needs: [dbcfg.VALUE]
object: DATABASE
confidence: 0.3
defers_to:
  - {rule: lock.wait-high, within: any}
actions:
  - manual: >-
      First check that no application relies on readers that wait for a writer to commit. Packages of replication must
      be bound with CONCURRENTACCESSRESOLUTION WAIT_FOR_OUTCOME.
  - set: {kind: DBCFG, name: CUR_COMMIT, from: '{CUR_COMMIT:text}', to: 'ON'}
finding: >-
  CUR_COMMIT is DISABLED: a query with cursor stability waits for rows that another session has changed, until it
  commits.
evidence: [CUR_COMMIT:text]
query: db2 get db cfg for <database> show detail
references:
  - IBM documentation of cur_commit (r0053556)
  - IBM Sterling B2B Integrator, mandatory DB CFG parameters (CUR_COMMIT ON)
why: >-
  New databases have ON: such a query reads the last committed version of the row from the log instead of waiting. An
  upgrade from 9.5 or earlier sets DISABLED to keep the old behaviour.
not_if: >-
  ON or AVAILABLE; pending; members differ; analysis, whose tables hardly change; DB2_WORKLOAD shows a vendor
  application.
note: >-
  It needs some more log, and reads it from the log buffer or the log files: see log.buffer-full.
---*/
SELECT C.VALUE AS CUR_COMMIT
FROM TUNE.SETTING AS C
LEFT JOIN TUNE.SETTING AS V ON V.SCOPE = 'REG' AND V.NAME = 'DB2_WORKLOAD'
CROSS JOIN TUNE.WORKLOAD_CLASS AS K
WHERE
    C.SCOPE = 'DB' AND C.NAME = 'cur_commit' AND C.FIXED = 1 AND C.VALUE = 'DISABLED'
    AND K.CLASS <> 'BI'
    AND COALESCE(V.IS_SET, 0) = 0
