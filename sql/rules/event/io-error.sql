/*---
rule: event.io-error
title: Disk errors were reported
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
  db2diag -g level=Severe; db2 INSPECT CHECK DATABASE RESULTS KEEP inspect.out
references:
  - IBM documentation of SQL0980C, SQL1036C and INSPECT; APAR IC72088 (SQLO_DERR)
why: >-
  The operating system refused a read or write. Db2 cannot correct it and may stop the database.
not_if: The text contains no such message.
note: >-
  The event may be over: its time is in the finding. A missing mount, a changed owner and a broken disk give the same
  message.
---*/
SELECT E.*
FROM TUNE.EVENT_CLASS AS E
WHERE E.CLASS = 'io'
