/*---
rule: event.backup-failed
title: A backup or utility failed
lane: condition
severity: high
takes_effect: immediately
judged_by: config
needs: [event.CODE]
object: DATABASE
confidence: 0.6
actions:
  - manual: '{FIRST_STEP:text}'
  - {when: HAS_STEP_2 = 1, manual: '{STEP_2:text}'}
finding:
  - '{CODE:text}[ ({OBJECT_NAME:text})]: {CAUSE:text}.'
  - choose:
      - {when: OCCURRENCES = 1, text: 'It was reported once[, at {LAST_TIME:text}].'}
      - 'It was reported {OCCURRENCES} times[, last at {LAST_TIME:text}].'
  - {when: HANDLE >= 0, text: 'Reported by application handle {HANDLE}.'}
  - {when: MESSAGES > 1, text: 'Also {CODE_2:text}[ ({OBJECT_2:text})]: {CAUSE_2:text}.'}
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
