/*---
rule: event.limit-reached
title: Connections or statements were refused
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
  'APPLICATION_ID:text?', 'OBJECT_NAME:text?', 'FUNCTION_NAME:text?', 'MESSAGE:text?', 'MAXAPPLS:text?']
query: >-
  SELECT APPLICATION_NAME, COUNT(*) AS CONNECTIONS FROM TABLE(MON_GET_CONNECTION(NULL, -2)) AS T GROUP BY
  APPLICATION_NAME; db2 get dbm cfg; db2 get db cfg
references:
  - IBM documentation of SQL1040N, SQL1226N, SQL0101N, SQL1585N, SQL30081N and maxappls
why: >-
  The limits protect memory. A rising number of connections usually comes from slow statements or connection pools
  that are too large.
not_if: The text contains no such message.
note: >-
  The event may be over: its time is in the finding. A lost connection (SQL30081N) also comes from a client or
  firewall that closed it.
---*/
SELECT
    E.*,
    S1.VALUE AS MAXAPPLS
FROM TUNE.EVENT_CLASS AS E
LEFT JOIN TUNE.SETTING AS S1 ON S1.SCOPE = 'DB' AND S1.NAME = 'maxappls'
WHERE E.CLASS = 'limit'
