/*---
rule: event.page-damaged
title: Damaged pages were reported
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
  db2 INSPECT CHECK DATABASE RESULTS KEEP inspect.out; db2inspf inspect.out inspect.txt; SELECT TABSCHEMA, TABNAME FROM
  SYSCAT.TABLES WHERE TBSPACEID = <pool> AND TABLEID = <obj>
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
