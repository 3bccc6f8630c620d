/*---
rule: event.memory-tight
title: Db2 worked with too little memory
lane: condition
severity: low
takes_effect: immediately
judged_by: config
needs: [event.CODE]
object: DATABASE
confidence: 0.6
actions:
  - {include: event-steps}
finding:
  - {include: event-report}
evidence: [CODE:text, OCCURRENCES, 'LAST_TIME:text?', 'member=MEMBER?', 'APPLICATION_HANDLE=HANDLE?',
  'APPLICATION_ID:text?', 'OBJECT_NAME:text?', 'FUNCTION_NAME:text?', 'MESSAGE:text?', 'DATABASE_MEMORY:text?',
  'PCKCACHESZ:text?', 'STMTHEAP:text?']
query: >-
  db2pd -dbptnmem; db2pd -db <database> -mempools
references:
  - IBM documentation of SQL0437W, ADM4500W, self_tuning_mem and pckcachesz
why: >-
  Db2 continues with less: worse access plans, a smaller cache, or heaps that STMM cannot enlarge.
not_if: The text contains no such message.
note: >-
  The event may be over: its time is in the finding. Single records after activation are normal.
---*/
SELECT
    E.*,
    S1.VALUE AS DATABASE_MEMORY,
    S2.VALUE AS PCKCACHESZ,
    S3.VALUE AS STMTHEAP
FROM TUNE.EVENT_CLASS AS E
LEFT JOIN TUNE.SETTING AS S1 ON S1.SCOPE = 'DB' AND S1.NAME = 'database_memory'
LEFT JOIN TUNE.SETTING AS S2 ON S2.SCOPE = 'DB' AND S2.NAME = 'pckcachesz'
LEFT JOIN TUNE.SETTING AS S3 ON S3.SCOPE = 'DB' AND S3.NAME = 'stmtheap'
WHERE E.CLASS = 'tight'
