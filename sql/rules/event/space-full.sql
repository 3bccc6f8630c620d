/*---
rule: event.space-full
title: A table space was full
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
  'APPLICATION_ID:text?', 'OBJECT_NAME:text?', 'FUNCTION_NAME:text?', 'MESSAGE:text?']
query: >-
  SELECT TBSP_NAME, TBSP_AUTO_RESIZE_ENABLED, TBSP_MAX_SIZE, TBSP_TOTAL_PAGES, TBSP_FREE_PAGES FROM
  TABLE(MON_GET_TABLESPACE(NULL, -2)) AS T
references:
  - IBM documentation of SQL0289N and ALTER TABLESPACE; IBM Support 1079277 (ADM6017E, ADM6044E)
why: >-
  INSERT, UPDATE, LOAD and REORG fail if they need a new page. A limit (MAXSIZE), containers of fixed size or a full
  file system stop the growth.
not_if: The text contains no such message.
note: >-
  The event may be over: its time is in the finding. A table space may have grown since.
---*/
SELECT E.*
FROM TUNE.EVENT_CLASS AS E
WHERE E.CLASS = 'space'
