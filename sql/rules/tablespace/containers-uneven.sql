/*---
rule: tablespace.containers-uneven
title: Containers differ in size, or a storage path has none
lane: condition
severity: low
takes_effect: immediately
risk: medium
applies: {not: [purescale]}
steps_need: storage
judged_by: config
needs: [container.TOTAL_PAGES, tablespace.TBSP_USED_PAGES, container.CONTAINER_NAME]
object: TABLESPACE {TBSP_NAME:text}
member: MEMBER
confidence: 0.6
thresholds:
  min_free_part: {default: 0.1, from: own, why: a storage path that is nearly full gets no container}
  quick_gb: {default: 20, from: own, why: a RESIZE that takes more space needs planning}
actions:
  - when: PATH IS NULL
    set: {name: CONTAINERS, from: '{SMALLEST}', to: '{LARGEST}', unit: pages}
  - when: PATH IS NULL AND QUICK = 1
    command: ALTER TABLESPACE {TBSP_NAME:name} RESIZE (ALL CONTAINERS {MOST_PAGES})[ ON DBPARTITIONNUM ({ON_PARTITION})]
    undo: {command: 'ALTER TABLESPACE {TBSP_NAME:name} RESIZE ({OLD_SIZES:text})[ ON DBPARTITIONNUM ({ON_PARTITION})]'}
  - when: PATH IS NOT NULL
    set: {name: CONTAINERS, from: 'no container on {PATH:text}', to: rebalanced}
  - when: PATH IS NOT NULL
    command: ALTER TABLESPACE {TBSP_NAME:name} REBALANCE
    undo: {manual: 'Cannot be undone: a rebalance is permanent.'}
  - when: PATH IS NULL AND QUICK = 0
    manual: >-
      Plan the change: make all containers of one stripe set equal, by ALTER TABLESPACE {TBSP_NAME:name} RESIZE (ALL
      CONTAINERS {MOST_PAGES}) if their file systems have space, or by DROP of containers that are too small.
    undo: {manual: 'RESIZE restores the old sizes, as long as no extents above them are in use.'}
  - manual: >-
      [The file systems need {GROWTH_GB:1} GB more. ]Db2 moves up to {GB:1} GB online: throttle it (SET
      UTIL_IMPACT_PRIORITY), at a quiet time.
finding:
  - choose:
      - when: PATH IS NULL
        text: >-
          The smallest container has {SMALLEST} pages, the largest {LARGEST}. The {USED} pages in use exceed the even
          part: the rest is on fewer containers.
      - Storage path {PATH:text} of its storage group has no container of the table space.
evidence:
  - choose:
      - when: PATH IS NULL
        figures: [smallest_TOTAL_PAGES=SMALLEST, largest_TOTAL_PAGES=LARGEST, TBSP_USED_PAGES=USED,
          growth_GB=GROWTH_GB:1]
      - figures: [storage_paths_without_container=PATHS, DB_STORAGE_PATH=PATH:text]
query: >-
  SELECT TBSP_NAME, MEMBER, STRIPE_SET, COUNT(*), MIN(TOTAL_PAGES), MAX(TOTAL_PAGES) FROM TABLE(MON_GET_CONTAINER(NULL,
  -2)) AS T GROUP BY TBSP_NAME, MEMBER, STRIPE_SET HAVING MIN(TOTAL_PAGES) < MAX(TOTAL_PAGES)
references:
  - x445, balanced containers
  - IBM documentation of automatic storage, resizing (t0005185) and rebalancing containers (c0008087)
why: >-
  Db2 writes extents to the containers in turn until one is full. The rest is on fewer containers, and is read from
  fewer devices.
not_if: >-
  All used pages fit the smallest container's share, or the table space has less than 1 GB; its file systems have no
  space for the growth; a rebalance runs; more than one stripe set; more than eight containers of a member would grow,
  or it takes more than 20 GB (no command then); raw devices; SMS or temporary table spaces; a storage path that is
  being dropped or has no space.
note: >-
  Db2 rebalances if the new space is below the high-water mark. The undo reduces the containers, which Db2 refuses once
  extents above that size are in use. storage.hot-container claims the cost of uneven containers. With several stripe
  sets a single size would be wrong, so the rule ignores them.
---*/
WITH SPACE AS (
    SELECT
        T.TBSP_NAME,
        T.TBSP_USING_AUTO_STORAGE,
        T.STORAGE_GROUP_NAME,
        T.TBSP_PAGE_SIZE,
        B.DB2_LEVEL,
        O.QUICK_GB,
        CAST(T.TBSP_USED_PAGES_ALL AS DOUBLE) * T.TBSP_PAGE_SIZE / CAST(1073741824 AS DOUBLE) AS GB,
        B.TOPOLOGY
    FROM TUNE.TABLESPACE AS T
    CROSS JOIN TUNE.RUN_DATABASE AS B
    CROSS JOIN TUNE.O_TABLESPACE_CONTAINERS_UNEVEN AS O
    CROSS JOIN TUNE.O_SITE AS SITE
    WHERE
        T.TBSP_TYPE = 'DMS'
        AND CAST(T.TBSP_USED_PAGES_ALL AS DOUBLE) * T.TBSP_PAGE_SIZE >= SITE.SMALL_GB * 1073741824
        AND T.TBSP_CONTENT_TYPE NOT IN ('SYSTEMP', 'USRTEMP')
        AND COALESCE(T.TBSP_REBALANCER_MODE, 'NO_REBAL') = 'NO_REBAL'
),
SMALL AS (
    SELECT
        P.TBSP_NAME,
        C.MEMBER,
        CASE WHEN P.TOPOLOGY = 'dpf' THEN C.MEMBER END AS ON_PARTITION,
        S.LEAST_PAGES,
        S.MOST_PAGES,
        P.GB,
        P.QUICK_GB,
        S.STRIPE_SET,
        U.TBSP_USED_PAGES AS USED,
        SUM(CAST(S.MOST_PAGES - C.TOTAL_PAGES AS DOUBLE) * P.TBSP_PAGE_SIZE)
            OVER (PARTITION BY P.TBSP_NAME, C.MEMBER) / CAST(1073741824 AS DOUBLE) AS GROWTH_GB,
        C.FREE_BYTES - SUM(CAST(S.MOST_PAGES - C.TOTAL_PAGES AS DOUBLE) * P.TBSP_PAGE_SIZE)
            OVER (PARTITION BY P.TBSP_NAME, C.MEMBER, C.FS_ID) AS LEFT_BYTES,
        'FILE ''' || REPLACE(C.CONTAINER_NAME, '''', '''''') || ''' ' || CAST(C.TOTAL_PAGES AS VARCHAR(20))
            AS SIZE_TEXT,
        ROW_NUMBER() OVER (PARTITION BY P.TBSP_NAME, C.MEMBER ORDER BY C.CONTAINER_ID) AS N
    FROM SPACE AS P
    INNER JOIN TUNE.CONTAINER_SET AS S ON P.TBSP_NAME = S.TBSP_NAME
    INNER JOIN TUNE.CONTAINER AS C
        ON S.TBSP_NAME = C.TBSP_NAME AND S.MEMBER = C.MEMBER AND S.MOST_PAGES > C.TOTAL_PAGES
    INNER JOIN TUNE.L_TABLESPACE AS U ON S.TBSP_NAME = U.TBSP_NAME AND S.MEMBER = U.MEMBER
    CROSS JOIN TUNE.CONSTANT AS CONST
    WHERE
        COALESCE(P.TBSP_USING_AUTO_STORAGE, 0) = 0
        AND S.NAMED_BY_DB2 = 0
        AND U.TBSP_USED_PAGES > S.CONTAINERS * S.LEAST_PAGES
        AND COALESCE(S.STRIPE_SET, 0) = 0
        AND S.RAW = 0
        AND CAST(S.MOST_PAGES - S.LEAST_PAGES AS DOUBLE) / NULLIF(S.MOST_PAGES, 0) > CONST.EQUAL_PART
),
BY_MEMBER AS (
    -- one statement restores the old sizes, since Db2 accepts no other while it rebalances
    SELECT
        TBSP_NAME,
        MEMBER,
        ON_PARTITION,
        LEAST_PAGES,
        MOST_PAGES,
        GB,
        USED,
        GROWTH_GB,
        MIN(LEFT_BYTES) AS LEFT_BYTES,
        COUNT(*) AS GROWING,
        CASE WHEN STRIPE_SET = 0 AND GROWTH_GB <= QUICK_GB AND COUNT(*) <= 8 THEN 1 ELSE 0 END AS QUICK,
        MAX(CASE WHEN N = 1 THEN SIZE_TEXT END)
        || COALESCE(MAX(CASE WHEN N = 2 THEN ', ' || SIZE_TEXT END), '')
        || COALESCE(MAX(CASE WHEN N = 3 THEN ', ' || SIZE_TEXT END), '')
        || COALESCE(MAX(CASE WHEN N = 4 THEN ', ' || SIZE_TEXT END), '')
        || COALESCE(MAX(CASE WHEN N = 5 THEN ', ' || SIZE_TEXT END), '')
        || COALESCE(MAX(CASE WHEN N = 6 THEN ', ' || SIZE_TEXT END), '')
        || COALESCE(MAX(CASE WHEN N = 7 THEN ', ' || SIZE_TEXT END), '')
        || COALESCE(MAX(CASE WHEN N = 8 THEN ', ' || SIZE_TEXT END), '') AS OLD_SIZES
    FROM SMALL
    GROUP BY
        TBSP_NAME, MEMBER, ON_PARTITION, LEAST_PAGES, MOST_PAGES, GB, USED, GROWTH_GB, QUICK_GB, STRIPE_SET
),
FOUND (
    TBSP_NAME, MEMBER, ON_PARTITION, MOST_PAGES, SMALLEST, LARGEST, GB, USED, GROWTH_GB, QUICK, OLD_SIZES, PATH,
    PATHS
) AS (
    SELECT
        TBSP_NAME,
        MEMBER,
        ON_PARTITION,
        MOST_PAGES,
        MIN(LEAST_PAGES) OVER (PARTITION BY TBSP_NAME),
        MAX(MOST_PAGES) OVER (PARTITION BY TBSP_NAME),
        GB,
        USED,
        GROWTH_GB,
        QUICK,
        CASE WHEN QUICK = 1 THEN OLD_SIZES END,
        CAST(NULL AS VARCHAR(1000)),
        CAST(NULL AS BIGINT)
    FROM BY_MEMBER
    WHERE COALESCE(LEFT_BYTES, 0) >= 0
    UNION ALL
    SELECT
        P.TBSP_NAME,
        CAST(NULL AS SMALLINT),
        CAST(NULL AS SMALLINT),
        CAST(NULL AS BIGINT),
        CAST(NULL AS BIGINT),
        CAST(NULL AS BIGINT),
        P.GB,
        CAST(NULL AS BIGINT),
        CAST(NULL AS DOUBLE),
        0,
        CAST(NULL AS VARCHAR(1000)),
        MIN(A.DB_STORAGE_PATH),
        COUNT(DISTINCT A.DB_STORAGE_PATH)
    FROM SPACE AS P
    INNER JOIN TUNE.D_STORAGE_PATH AS A ON P.STORAGE_GROUP_NAME = A.STORAGE_GROUP_NAME
    INNER JOIN TUNE.CONTAINER_SET AS S ON P.TBSP_NAME = S.TBSP_NAME AND A.DBPARTITIONNUM = S.MEMBER
    LEFT JOIN TUNE.CONTAINER AS C
        ON S.TBSP_NAME = C.TBSP_NAME AND S.MEMBER = C.MEMBER
        AND SUBSTR(C.CONTAINER_NAME, 1, LENGTH(A.DB_STORAGE_PATH)) = A.DB_STORAGE_PATH
        AND SUBSTR(C.CONTAINER_NAME, LENGTH(A.DB_STORAGE_PATH) + 1, 1) IN ('/', '\')
    CROSS JOIN TUNE.O_TABLESPACE_CONTAINERS_UNEVEN AS O
    WHERE
        P.TBSP_USING_AUTO_STORAGE = 1
        AND P.DB2_LEVEL >= 9070000
        AND A.DB_STORAGE_PATH_STATE IN ('IN_USE', 'NOT_IN_USE')
        AND A.FS_TOTAL_SIZE - A.FS_USED_SIZE >= O.MIN_FREE_PART * A.FS_TOTAL_SIZE
        AND SUBSTR(A.DB_STORAGE_PATH, LENGTH(A.DB_STORAGE_PATH), 1) NOT IN ('/', '\')
        AND C.TBSP_NAME IS NULL
    GROUP BY P.TBSP_NAME, P.GB
)
SELECT * FROM FOUND
