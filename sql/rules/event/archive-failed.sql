/*---
rule: event.archive-failed
title: Log files were not archived
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
  'APPLICATION_ID:text?', 'OBJECT_NAME:text?', 'FUNCTION_NAME:text?', 'MESSAGE:text?', 'LOGARCHMETH1:text?',
  'FAILARCHPATH:text?']
query: >-
  db2pd -db <database> -logs; db2 get db cfg
references:
  - IBM documentation of ADM1848W, logarchmeth1 (r0011448) and failarchpath (r0011437)
why: >-
  Without its log files, a database cannot be rolled forward past the last archived one. Files that wait fill the log
  path.
not_if: The text contains no such message.
note: >-
  The event may be over: its time is in the finding. Db2 repeats a failed archive every ARCHRETRYDELAY seconds, so it
  may have succeeded since.
---*/
SELECT
    E.*,
    S1.VALUE AS LOGARCHMETH1,
    S2.VALUE AS FAILARCHPATH
FROM TUNE.EVENT_CLASS AS E
LEFT JOIN TUNE.SETTING AS S1 ON S1.SCOPE = 'DB' AND S1.NAME = 'logarchmeth1'
LEFT JOIN TUNE.SETTING AS S2 ON S2.SCOPE = 'DB' AND S2.NAME = 'failarchpath'
WHERE E.CLASS = 'archive'
