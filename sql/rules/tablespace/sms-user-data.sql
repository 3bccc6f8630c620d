/*---
rule: tablespace.sms-user-data
title: Scanned user data in an SMS table space
lane: housekeeping
takes_effect: object rebuilt or moved
risk: medium
applies: {not: [purescale], from: '9.7'}
judged_by: load
needs: [tablespace.TBSP_TYPE, cat_tablespace.PREFETCHSIZE, cat_table.TBSPACE]
object: TABLESPACE {TBSP_NAME:text}
confidence: 0.3
exclusive: rebuild
actions:
  - set: {name: TYPE, from: SMS, to: automatic storage}
  - when: MOVE_NUMBER = 1
    set: {kind: TABLESPACE, object: '{NEW_SPACE:text}', name: EXISTS, from: missing, to: there}
  - when: MOVE_NUMBER = 1
    command: >-
      CREATE TABLESPACE {NEW_SPACE:name}[ IN {PARTITION_GROUP:name}] PAGESIZE {TBSP_PAGE_SIZE} MANAGED BY AUTOMATIC
      STORAGE EXTENTSIZE {TBSP_EXTENT_SIZE} PREFETCHSIZE AUTOMATIC[ BUFFERPOOL {BPNAME:name}]
    undo: {command: 'DROP TABLESPACE {NEW_SPACE:name}'}
  - {include: table-move}
finding: Scans read user data of {GB:1} GB in an SMS table space, which is deprecated for user data.
evidence: [TBSP_TYPE:text, TBSP_USED_PAGES=TBSP_USED_PAGES_ALL, prefetched_part=ASYNC_PART:2]
references:
  - x445 (DMS preferred)
  - 'IBM: SMS and DMS are deprecated for user data since 10.1'
why: 'SMS leaves the layout to the file system: a table is a file, which grows by extents at any free place.'
not_if: Temporary or catalog table spaces; less than 1 GB; hardly scanned; the new table space already exists.
note: >-
  The saving of the move is not measured, so the rule claims no time. A paper for 8.1 uses DMS; since 9.7 IBM recommends
  automatic storage, and tables move online.
---*/
SELECT
    T.TBSP_TYPE,
    T.TBSP_EXTENT_SIZE,
    T.TBSP_USED_PAGES_ALL,
    CAST(T.TBSP_USED_PAGES_ALL AS DOUBLE) * T.TBSP_PAGE_SIZE / CAST(1073741824 AS DOUBLE) AS GB,
    T.BPNAME,
    T.ASYNC_PART,
    T.TBSP_NAME || '_N' AS NEW_SPACE,
    M.*,
    CASE WHEN M.DATA_SPACE = T.TBSP_NAME THEN T.TBSP_NAME || '_N' ELSE M.DATA_SPACE END AS TO_DATA,
    CASE WHEN M.INDEX_SPACE = T.TBSP_NAME THEN T.TBSP_NAME || '_N' ELSE M.INDEX_SPACE END AS TO_INDEX,
    CASE WHEN M.LONG_SPACE = T.TBSP_NAME THEN T.TBSP_NAME || '_N' ELSE M.LONG_SPACE END AS TO_LONG
FROM TUNE.TABLESPACE AS T
INNER JOIN TUNE.TABLE_MOVE AS M ON T.TBSP_NAME = M.TBSP_NAME
CROSS JOIN TUNE.O_SITE AS SITE
CROSS JOIN TUNE.CONSTANT AS CONST
WHERE
    T.TBSP_TYPE = 'SMS'
    AND T.TBSP_CONTENT_TYPE NOT IN ('SYSTEMP', 'USRTEMP')
    AND T.TBSP_NAME <> 'SYSCATSPACE'
    AND T.ASYNC_READS >= CONST.ENOUGH_PAGES
    AND T.ASYNC_PART >= SITE.SCAN_PART
    AND CAST(T.TBSP_USED_PAGES_ALL AS DOUBLE) * T.TBSP_PAGE_SIZE >= SITE.SMALL_GB * 1073741824
    AND NOT EXISTS (SELECT 1 FROM TUNE.TABLESPACE AS N WHERE N.TBSP_NAME = T.TBSP_NAME || '_N')
