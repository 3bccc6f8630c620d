/*---
rule: prefetch.ioservers-fixed-low
title: Only one or two prefetchers (NUM_IOSERVERS)
lane: condition
severity: low
takes_effect: database reactivation
judged_by: config
needs: [dbcfg.VALUE]
object: DATABASE
confidence: 0.3
defers_to:
  - {rule: prefetch.ioservers-low, within: any}
actions:
  - set: {kind: DBCFG, name: NUM_IOSERVERS, from: '{NUM_IOSERVERS}', to: AUTOMATIC, unit: prefetchers}
finding: >-
  NUM_IOSERVERS is {NUM_IOSERVERS}: the limit of parallel prefetches, and of parallel input and output of utilities.
evidence: [NUM_IOSERVERS]
query: db2 get db cfg for <database> show detail
references:
  - IBM documentation of num_ioservers (r0000333) and 'I/O server configuration for prefetching and parallelism'
why: >-
  Prefetchers read for scans, and do the input and output of backup and restore. AUTOMATIC starts as many as the
  containers and disks can use in parallel. The manual prefers too many to too few: unused ones cost nothing.
not_if: >-
  AUTOMATIC, or at least three, the fixed default of early levels; pending; members differ.
---*/
SELECT S.NUM AS NUM_IOSERVERS
FROM TUNE.SETTING AS S
WHERE S.SCOPE = 'DB' AND S.NAME = 'num_ioservers' AND S.FIXED = 1 AND S.NUM < 3
