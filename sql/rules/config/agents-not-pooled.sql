/*---
rule: config.agents-not-pooled
title: Agents are not kept (NUM_POOLAGENTS 0)
lane: condition
severity: low
takes_effect: immediately
judged_by: config
needs: [dbmcfg.VALUE]
object: INSTANCE
confidence: 0.3
defers_to:
  - {rule: config.agents-and-files, within: any}
actions:
  - set: {kind: DBMCFG, name: NUM_POOLAGENTS, from: '{NUM_POOLAGENTS}', to: AUTOMATIC, unit: agents}
finding: >-
  NUM_POOLAGENTS is 0: an agent ends with its connection, and each new connection or subagent starts another.
evidence: [NUM_POOLAGENTS]
query: db2 get dbm cfg show detail
references:
  - IBM documentation of num_poolagents (r0000145)
why: >-
  Idle agents in the pool are reused by the next connection, and by subagents of parallel queries and of partitioned
  databases. Without a pool, each of them is created and ended.
not_if: >-
  AUTOMATIC, or above 0; pending; members differ; agents were seen to be created often (config.agents-and-files gives
  the advice).
note: >-
  -1 means 100. Idle agents keep some memory.
---*/
SELECT S.NUM AS NUM_POOLAGENTS
FROM TUNE.SETTING AS S
WHERE S.SCOPE = 'DBM' AND S.NAME = 'num_poolagents' AND S.FIXED = 1 AND S.NUM = 0
