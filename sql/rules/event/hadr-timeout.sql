/*---
rule: event.hadr-timeout
title: HADR lost its connection
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
  'APPLICATION_ID:text?', 'OBJECT_NAME:text?', 'FUNCTION_NAME:text?', 'MESSAGE:text?', 'HADR_TIMEOUT:text?',
  'HADR_SYNCMODE:text?']
query: >-
  db2pd -db <database> -hadr
references:
  - IBM documentation of HADR_TIMEOUT, the page on db2diag.log of the HADR wiki, and APAR IC72329
why: >-
  While the standby is not connected, it does not receive log records: a takeover would lose them.
not_if: The text contains no such message.
note: >-
  The event may be over: its time is in the finding. HADR connects again by itself when the partner answers.
---*/
SELECT
    E.*,
    S1.VALUE AS HADR_TIMEOUT,
    S2.VALUE AS HADR_SYNCMODE
FROM TUNE.EVENT_CLASS AS E
LEFT JOIN TUNE.SETTING AS S1 ON S1.SCOPE = 'DB' AND S1.NAME = 'hadr_timeout'
LEFT JOIN TUNE.SETTING AS S2 ON S2.SCOPE = 'DB' AND S2.NAME = 'hadr_syncmode'
WHERE E.CLASS = 'hadr'
