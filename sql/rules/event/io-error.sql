/*---
rule: event.io-error
title: Disk errors were reported
lane: condition
severity: critical
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
