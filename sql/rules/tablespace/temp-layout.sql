/*---
rule: tablespace.temp-layout
title: Temporary table spaces too small in page size or paths
lane: condition
severity: low
takes_effect: object rebuilt or moved
judged_by: config
needs: [tablespace.TBSP_CONTENT_TYPE, tablespace.TBSP_PAGE_SIZE]
object: TABLESPACE {TBSP_NAME:text}
confidence: 0.3
actions:
  - when: PAGES = 1 AND BY_DB2 = 0 AND BPNAME IS NULL
    manual: >-
      Choose a buffer pool of that page size, and add BUFFERPOOL and its name below: SELECT BPNAME FROM
      SYSCAT.BUFFERPOOLS WHERE PAGESIZE = {PAGE_SIZE}
  - when: PAGES = 1 AND BY_DB2 = 0
    manual: >-
      CREATE SYSTEM TEMPORARY TABLESPACE {NEW_SPACE:name} PAGESIZE {PAGE_SIZE}[ BUFFERPOOL {BPNAME:name}], with separate
      containers if the database has no automatic storage.
    undo: {manual: 'DROP TABLESPACE {NEW_SPACE:name}'}
  - when: PAGES = 1 AND BY_DB2 = 1
    command: >-
      CREATE SYSTEM TEMPORARY TABLESPACE {NEW_SPACE:name} PAGESIZE {PAGE_SIZE} MANAGED BY AUTOMATIC STORAGE[ BUFFERPOOL
      {BPNAME:name}]
    undo: {command: 'DROP TABLESPACE {NEW_SPACE:name}'}
  - when: PAGES = 0
    manual: >-
      Deactivate and activate the database at a suitable time: a temporary table space uses new storage paths only then.
finding:
  - choose:
      - when: PAGES = 1
        text: >-
          {TBSP_NAME:text} has {TEMP_KB} KB pages, the largest of all temporary table spaces; user tables have {PAGE_KB}
          KB pages. A sort of longer rows fails with SQL1585N, and REORG has no suitable temporary table space.
      - '{TBSP_NAME:text} uses {CONTAINERS} of {PATHS} storage paths of {STORAGE_GROUP_NAME:text}.'
evidence:
  - choose:
      - when: PAGES = 1
        figures: [largest_temporary_page_kb=TEMP_KB, largest_user_page_kb=PAGE_KB]
      - figures: [containers=CONTAINERS, storage_paths=PATHS]
query: >-
  SELECT TBSP_NAME, TBSP_CONTENT_TYPE, TBSP_PAGE_SIZE, TBSP_NUM_CONTAINERS FROM TABLE(MON_GET_TABLESPACE(NULL, -2)) AS T
  ORDER BY TBSP_CONTENT_TYPE, TBSP_PAGE_SIZE
references:
  - IBM documentation of temporary table spaces (c0004975)
why: A temporary table needs pages that hold its rows, and as many disks for spills as the data.
not_if: >-
  A temporary table space has pages as large as those of user tables; it uses all active paths of its storage group; it
  does not use automatic storage; another table space has the new name; no temporary table space is known; the output
  lists only some table spaces; Db2 before 9.7.
note: Paths that are being dropped, or that no table space uses yet, do not count. The member with most paths decides.
---*/
WITH USER_PAGE AS (
    SELECT
        T.TBSP_PAGE_SIZE AS PAGE_SIZE,
        T.BPNAME,
        ROW_NUMBER() OVER (ORDER BY T.TBSP_PAGE_SIZE DESC, T.TBSP_NAME) AS PLACE
    FROM TUNE.TABLESPACE AS T
    WHERE T.TBSP_CONTENT_TYPE IN ('ANY', 'LARGE') AND T.TBSP_NAME NOT LIKE 'SYS%'
),
TEMPORARY AS (
    SELECT
        T.*,
        ROW_NUMBER() OVER (ORDER BY T.TBSP_PAGE_SIZE DESC, T.TBSP_NAME) AS PLACE
    FROM TUNE.TABLESPACE AS T
    WHERE T.TBSP_CONTENT_TYPE = 'SYSTEMP'
),
PATH AS (
    SELECT
        STORAGE_GROUP_NAME,
        MAX(PATHS) AS PATHS
    FROM (
        SELECT
            STORAGE_GROUP_NAME,
            DBPARTITIONNUM,
            COUNT(*) AS PATHS
        FROM TUNE.D_STORAGE_PATH
        WHERE DB_STORAGE_PATH_STATE = 'IN_USE'
        GROUP BY STORAGE_GROUP_NAME, DBPARTITIONNUM
    ) AS P
    GROUP BY STORAGE_GROUP_NAME
),
FOUND (
    TBSP_NAME, PAGES, BY_DB2, NEW_SPACE, PAGE_SIZE, BPNAME, TEMP_KB, PAGE_KB, STORAGE_GROUP_NAME, CONTAINERS, PATHS
) AS (
    SELECT
        T.TBSP_NAME,
        1 AS PAGES,
        CASE WHEN B.DB2_LEVEL >= 9070000 AND A.PATHS > 0 THEN 1 ELSE 0 END AS BY_DB2,
        'TEMPSPACE' || CAST(CAST(FLOOR(U.PAGE_SIZE / CAST(1024 AS DOUBLE)) AS BIGINT) AS VARCHAR(20)) || 'K'
            AS NEW_SPACE,
        U.PAGE_SIZE,
        U.BPNAME,
        T.TBSP_PAGE_SIZE / CAST(1024 AS DOUBLE) AS TEMP_KB,
        U.PAGE_SIZE / CAST(1024 AS DOUBLE) AS PAGE_KB,
        T.STORAGE_GROUP_NAME,
        T.CONTAINERS,
        CAST(NULL AS BIGINT) AS PATHS
    FROM TEMPORARY AS T
    INNER JOIN USER_PAGE AS U ON U.PLACE = 1
    CROSS JOIN TUNE.SPACE_LISTING AS L
    CROSS JOIN TUNE.RUN_DATABASE AS B
    CROSS JOIN (SELECT COUNT(*) AS PATHS FROM TUNE.D_STORAGE_PATH) AS A
    WHERE
        T.PLACE = 1 AND T.TBSP_PAGE_SIZE < U.PAGE_SIZE AND L.WHOLE = 1
        AND COALESCE(B.DB2_LEVEL, 9070000) >= 9070000
        AND NOT EXISTS (
            SELECT 1
            FROM TUNE.TABLESPACE AS N
            WHERE
                N.TBSP_NAME = 'TEMPSPACE' || CAST(CAST(FLOOR(U.PAGE_SIZE / CAST(1024 AS DOUBLE)) AS BIGINT)
                AS VARCHAR(20)) || 'K'
        )
    UNION ALL
    SELECT
        T.TBSP_NAME,
        0,
        0,
        CAST(NULL AS VARCHAR(200)),
        T.TBSP_PAGE_SIZE,
        T.BPNAME,
        T.TBSP_PAGE_SIZE / CAST(1024 AS DOUBLE),
        CAST(NULL AS DOUBLE),
        T.STORAGE_GROUP_NAME,
        T.CONTAINERS,
        P.PATHS
    FROM TEMPORARY AS T
    INNER JOIN PATH AS P ON T.STORAGE_GROUP_NAME = P.STORAGE_GROUP_NAME
    WHERE T.TBSP_USING_AUTO_STORAGE = 1 AND T.CONTAINERS > 0 AND T.CONTAINERS < P.PATHS
)
SELECT * FROM FOUND
