/*---
rule: event.disk-full
title: A file system was full
lane: condition
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
  'APPLICATION_ID:text?', 'OBJECT_NAME:text?', 'FUNCTION_NAME:text?', 'MESSAGE:text?', 'LOGPATH:text?']
query: >-
  df -k; db2 get db cfg; SELECT DB_STORAGE_PATH, FS_TOTAL_SIZE, FS_USED_SIZE FROM TABLE(ADMIN_GET_STORAGE_PATHS(NULL,
  -2)) AS T
references:
  - IBM documentation of SQL0968C; APAR LI73164 (SQLO_DISK, DIA8312C)
why: >-
  Statements that need a new page, temporary table or log file fail while the file system is full. A full log path can
  stop the database.
not_if: The text contains no such message.
note: >-
  The event may be over: its time is in the finding. Temporary tables release their space when the statement fails, so
  the file system may no longer be full.
---*/
SELECT
    E.*,
    S1.VALUE AS LOGPATH
FROM TUNE.EVENT_CLASS AS E
LEFT JOIN TUNE.SETTING AS S1 ON S1.SCOPE = 'DB' AND S1.NAME = 'logpath'
WHERE E.CLASS = 'disk'
