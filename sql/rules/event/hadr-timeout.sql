/*---
rule: event.hadr-timeout
title: HADR lost its connection
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
