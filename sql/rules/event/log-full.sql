/*---
rule: event.log-full
title: The transaction log was full
lane: safety
severity: critical
takes_effect: immediately
judged_by: config
needs: [event.CODE]
object: DATABASE
confidence: 0.6
actions:
  - when: HOLDER >= 0
    manual: >-
      Identify application {HOLDER} if it is still connected: SELECT SESSION_AUTH_ID, CLIENT_APPLNAME, UOW_START_TIME,
      UOW_LOG_SPACE_USED FROM TABLE(MON_GET_UNIT_OF_WORK({HOLDER}, -2)) AS T. FORCE APPLICATION ({HOLDER}) rolls it
      back: decide that with its owner.
  - manual: '{FIRST_STEP:text}'
  - {when: HAS_STEP_2 = 1, manual: '{STEP_2:text}'}
finding:
  - '{CODE:text}[ ({OBJECT_NAME:text})]: {CAUSE:text}.'
  - choose:
      - {when: OCCURRENCES = 1, text: 'It was reported once[, at {LAST_TIME:text}].'}
      - 'It was reported {OCCURRENCES} times[, last at {LAST_TIME:text}].'
  - {when: HOLDER >= 0, text: 'Application handle {HOLDER} held the oldest part.'}
  - {when: MESSAGES > 1, text: 'Also {CODE_2:text}[ ({OBJECT_2:text})]: {CAUSE_2:text}.'}
evidence: [CODE:text, OCCURRENCES, 'LAST_TIME:text?', 'member=MEMBER?', 'holder=HOLDER?', 'OBJECT_NAME:text?',
  'FUNCTION_NAME:text?', 'MESSAGE:text?', 'LOGFILSIZ:text?', 'LOGPRIMARY:text?', 'LOGSECOND:text?']
query: >-
  SELECT MEMBER, APPLID_HOLDING_OLDEST_XACT, TOTAL_LOG_USED, TOTAL_LOG_AVAILABLE FROM
  TABLE(MON_GET_TRANSACTION_LOG(-2)) AS T; db2diag -e DIA8309C
references:
  - >-
    IBM documentation of SQL0964C, ADM1823E, logprimary (r0000240), logsecond (r0000241) and MON_GET_TRANSACTION_LOG
why: >-
  Log files are reused only after the oldest open transaction has ended. One that stays open, or one that is too
  large, fills all files; then every change is rolled back.
not_if: The text contains no such message.
note: >-
  The event may be over: its time is in the finding.
---*/
SELECT
    E.*,
    CASE WHEN E.CODE = 'ADM1823E' THEN E.HANDLE END AS HOLDER,
    S1.VALUE AS LOGFILSIZ,
    S2.VALUE AS LOGPRIMARY,
    S3.VALUE AS LOGSECOND
FROM TUNE.EVENT_CLASS AS E
LEFT JOIN TUNE.SETTING AS S1 ON S1.SCOPE = 'DB' AND S1.NAME = 'logfilsiz'
LEFT JOIN TUNE.SETTING AS S2 ON S2.SCOPE = 'DB' AND S2.NAME = 'logprimary'
LEFT JOIN TUNE.SETTING AS S3 ON S3.SCOPE = 'DB' AND S3.NAME = 'logsecond'
WHERE E.CLASS = 'log'
