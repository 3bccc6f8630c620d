/*---
rule: event.backup-failed
title: A backup or utility failed
lane: safety
severity: high
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
  db2 LIST HISTORY BACKUP ALL FOR DB <database>
references:
  - IBM documentation of SQL2048N, SQL2059W, SQL2062N and LIST HISTORY
why: >-
  After a failed backup, the last good one is older than planned: recovery takes longer or loses data.
not_if: The text contains no such message.
note: >-
  The event may be over: its time is in the finding. The same messages come from LOAD, RESTORE and other utilities.
---*/
SELECT E.*
FROM TUNE.EVENT_CLASS AS E
WHERE E.CLASS = 'backup'
