/*---
rule: config.diagnostics-off
title: Db2 does not record errors or warnings (DIAGLEVEL)
lane: condition
severity: low
takes_effect: immediately
judged_by: config
needs: [dbmcfg.VALUE]
object: INSTANCE
confidence: 0.3
actions:
  - set: {kind: DBMCFG, name: DIAGLEVEL, from: '{DIAGLEVEL}', to: '3'}
finding:
  - choose:
      - {when: DIAGLEVEL = 2, text: 'DIAGLEVEL is 2: db2diag.log has no warnings.'}
      - 'DIAGLEVEL is {DIAGLEVEL}: db2diag.log has only severe errors and events.'
evidence: [DIAGLEVEL]
query: db2 get dbm cfg show detail
references:
  - IBM documentation of diaglevel (r0000298)
why: >-
  Lock escalations, failed archiving, full file systems and failed page reads are recorded as errors or warnings.
  Without them an incident cannot be explained afterwards.
not_if: >-
  3 or 4 (config.monitor-overhead); pending; members differ.
note: >-
  The change takes effect immediately only after ATTACH to the instance, otherwise at the next db2start.
---*/
SELECT S.NUM AS DIAGLEVEL
FROM TUNE.SETTING AS S
WHERE S.SCOPE = 'DBM' AND S.NAME = 'diaglevel' AND S.FIXED = 1 AND S.NUM < 3
