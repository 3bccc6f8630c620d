/*---
rule: event.out-of-memory
title: Db2 ran out of memory
lane: safety
severity: critical
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
  'APPLICATION_ID:text?', 'OBJECT_NAME:text?', 'FUNCTION_NAME:text?', 'MESSAGE:text?', 'SHEAPTHRES_SHR:text?',
  'SORTHEAP:text?', 'DATABASE_MEMORY:text?', 'DBHEAP:text?', 'APPLHEAPSZ:text?']
query: >-
  db2pd -dbptnmem; db2pd -db <database> -mempools; SELECT MEMORY_SET_TYPE, MEMORY_SET_USED, MEMORY_SET_COMMITTED FROM
  TABLE(MON_GET_MEMORY_SET(NULL, NULL, -2)) AS T
references:
  - IBM documentation of SQL0954C, SQL0955C, SQL0956C, SQL0973N, SQL1084C and db2pd; IBM Support 303837 and 219401
why: >-
  A statement, connection or activation that finds no memory in its heap fails. The heap has its own limit, or the
  memory of the database or instance is used up.
not_if: The text contains no such message.
note: >-
  The event may be over: its time is in the finding. The message names the heap. A larger limit helps only if the
  database, instance and host have the memory.
---*/
SELECT
    E.*,
    S1.VALUE AS SHEAPTHRES_SHR,
    S2.VALUE AS SORTHEAP,
    S3.VALUE AS DATABASE_MEMORY,
    S4.VALUE AS DBHEAP,
    S5.VALUE AS APPLHEAPSZ
FROM TUNE.EVENT_CLASS AS E
LEFT JOIN TUNE.SETTING AS S1 ON S1.SCOPE = 'DB' AND S1.NAME = 'sheapthres_shr'
LEFT JOIN TUNE.SETTING AS S2 ON S2.SCOPE = 'DB' AND S2.NAME = 'sortheap'
LEFT JOIN TUNE.SETTING AS S3 ON S3.SCOPE = 'DB' AND S3.NAME = 'database_memory'
LEFT JOIN TUNE.SETTING AS S4 ON S4.SCOPE = 'DB' AND S4.NAME = 'dbheap'
LEFT JOIN TUNE.SETTING AS S5 ON S5.SCOPE = 'DB' AND S5.NAME = 'applheapsz'
WHERE E.CLASS = 'memory'
