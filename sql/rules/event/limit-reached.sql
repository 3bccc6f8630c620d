/*---
rule: event.limit-reached
title: Connections or statements were refused
lane: safety
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
