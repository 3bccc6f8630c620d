/*---
rule: event.access-refused
title: The database, a table space or table could not be used
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
  'APPLICATION_ID:text?', 'OBJECT_NAME:text?', 'FUNCTION_NAME:text?', 'MESSAGE:text?']
query: >-
  SELECT TBSP_NAME, TBSP_STATE FROM TABLE(MON_GET_TABLESPACE(NULL, -2)) AS T WHERE TBSP_STATE <> 'NORMAL'; SELECT
  TABSCHEMA, TABNAME, REORG_PENDING, LOAD_STATUS, AVAILABLE FROM SYSIBMADM.ADMINTABINFO
references:
  - IBM documentation of SQL0290N, SQL0668N, SQL1116N, SQL1117N and SQL1477N
why: >-
  A pending state protects data after an operation that did not finish or was not logged. It ends only with the
  command that it waits for.
not_if: The text contains no such message.
note: >-
  The event may be over: its time is in the finding. The state may have ended since.
---*/
SELECT E.*
FROM TUNE.EVENT_CLASS AS E
WHERE E.CLASS = 'pending'
