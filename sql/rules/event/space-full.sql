/*---
rule: event.space-full
title: A table space was full
lane: safety
severity: critical
takes_effect: immediately
judged_by: config
needs: [event.CODE]
object: DATABASE
confidence: 0.6
actions:
  - {include: raise-limit}
  - when: LIMITED = 0
    manual: >-
      Find the full file system of its containers with df, and free or add space. If none is full, find the reason of
      the failed resize in db2diag.log (permissions, ulimit).
  - {when: LIMITED IS NULL, manual: '{FIRST_STEP:text}'}
  - {when: HAS_STEP_2 = 1, manual: '{STEP_2:text}'}
finding:
  - {include: event-report}
  - {when: LIMITED = 1, text: 'Auto-resize limit: {MAX_MB} MB, present size {TOTAL_MB} MB.'}
  - {when: LIMITED = 0, text: 'Auto-resize is on, and the limit[ of {MAX_MB} MB] is not reached.'}
  - {when: LIMITED = 0, text: '[Its file systems have {ROOM_MB} MB left.]'}
evidence: [CODE:text, OCCURRENCES, 'LAST_TIME:text?', 'member=MEMBER?', 'APPLICATION_HANDLE=HANDLE?',
  'APPLICATION_ID:text?', 'OBJECT_NAME:text?', 'FUNCTION_NAME:text?', 'MESSAGE:text?', 'TBSP_MAX_SIZE_MB=MAX_MB?',
  'size_MB=TOTAL_MB?', 'file_system_free_MB=ROOM_MB?']
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
  The event may be over: its time is in the finding. A table space may have grown since. SQL0659N is about the largest
  size of a table, which the limit of the table space does not change.
---*/
WITH SPACE AS (
    SELECT
        S.*,
        CASE WHEN 100 * TOTAL_BYTES >= SITE.NEARLY_FULL_PCT * MAX_BYTES THEN 1 ELSE 0 END AS LIMITED,
        ROW_NUMBER() OVER (PARTITION BY TBSP_NAME ORDER BY FULL_PART DESC, MEMBER) AS PLACE
    FROM TUNE.TABLESPACE_SPACE AS S
    CROSS JOIN TUNE.O_SITE AS SITE
    WHERE GROWS = 1 AND TOTAL_BYTES IS NOT NULL
)
SELECT
    E.*,
    S.TBSP_NAME,
    S.LIMITED,
    S.LIMIT_MB,
    S.NEW_MB,
    S.NEW_MB - S.LIMIT_MB AS MORE_MB,
    S.MAX_MB,
    S.TOTAL_MB,
    S.ROOM_MB
FROM TUNE.EVENT_CLASS AS E
LEFT JOIN SPACE AS S ON E.OBJECT_NAME = S.TBSP_NAME AND S.PLACE = 1 AND E.CODE <> 'SQL0659N'
WHERE E.CLASS = 'space'
