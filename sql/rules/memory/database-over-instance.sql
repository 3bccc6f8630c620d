/*---
rule: memory.database-over-instance
title: DATABASE_MEMORY is larger than INSTANCE_MEMORY
lane: condition
severity: medium
takes_effect: database reactivation
applies: {not: [managed]}
judged_by: config
needs: [dbcfg.VALUE, dbmcfg.VALUE]
object: DATABASE
confidence: 0.3
defers_to:
  - {rule: memory.overcommit, within: any}
actions:
  - set: {kind: DBCFG, name: DATABASE_MEMORY, from: '{DATABASE_MEMORY}', to: AUTOMATIC, unit: 4 KB pages}
finding: >-
  DATABASE_MEMORY of {DATABASE_MEMORY} pages exceeds INSTANCE_MEMORY, the limit of the whole instance:
  {INSTANCE_MEMORY} pages.
evidence: [DATABASE_MEMORY, INSTANCE_MEMORY]
query: db2 get db cfg for <database> show detail; db2 get dbm cfg show detail
references:
  - IBM documentation of database_memory (r0006017) and instance_memory (r0005544)
why: >-
  INSTANCE_MEMORY limits all memory of a member, for its databases, agents and communication. A database that may take
  more than that cannot get it: its activation or its next request for memory fails.
not_if: >-
  DATABASE_MEMORY is AUTOMATIC or smaller; INSTANCE_MEMORY is AUTOMATIC or a percentage (at most 100); a value is
  pending or differs between members; the host lacks memory (memory.overcommit).
---*/
SELECT
    S.NUM AS DATABASE_MEMORY,
    I.NUM AS INSTANCE_MEMORY
FROM TUNE.SETTING AS S
INNER JOIN TUNE.SETTING AS I ON I.SCOPE = 'DBM' AND I.NAME = 'instance_memory' AND I.FIXED = 1
WHERE S.SCOPE = 'DB' AND S.NAME = 'database_memory' AND S.FIXED = 1 AND I.NUM > 100 AND S.NUM > I.NUM
