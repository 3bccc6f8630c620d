/*---
rule: event.crash
title: The database or instance ended abnormally
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
  db2diag -g level=Severe; db2pd -; db2level
references:
  - >-
    IBM documentation of recovering from traps (t0055494), administration notification log (c0020813), SQL1034C,
    SQL1042C and SQL1224N
why: >-
  Applications are disconnected and their transactions are rolled back. Without the cause it happens again.
not_if: The text contains no such message.
note: >-
  The event may be over: its time is in the finding. Forced applications, a deactivated database and a stopped
  instance also give SQL1224N.
---*/
SELECT E.*
FROM TUNE.EVENT_CLASS AS E
WHERE E.CLASS = 'crash'
