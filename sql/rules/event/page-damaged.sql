/*---
rule: event.page-damaged
title: Damaged pages were reported
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
  'APPLICATION_ID:text?', 'OBJECT_NAME:text?', 'FUNCTION_NAME:text?', 'MESSAGE:text?']
query: >-
  db2 INSPECT CHECK DATABASE RESULTS KEEP inspect.out; db2inspf inspect.out inspect.txt; SELECT TBSPACEID,
  TABLEID, TABSCHEMA, TABNAME FROM SYSCAT.TABLES ORDER BY TBSPACEID, TABLEID
references:
  - IBM documentation of INSPECT, db2inspf, db2dart and the messages DIA8400C, DIA8426C and SQL1655C
why: >-
  A page that does not match its checksum or header was changed outside Db2, by a disk, file system or copy tool.
  Every access to it fails, and backups contain it.
not_if: The text contains no such message.
note: >-
  The event may be over: its time is in the finding. The message gives the numbers of the table space (pool) and the
  object. A transient storage error can leave the data intact: INSPECT decides.
---*/
SELECT E.*
FROM TUNE.EVENT_CLASS AS E
WHERE E.CLASS = 'page'
