-- rule:      tablespace.containers-uneven
-- title:     Containers of different size, or a storage path without one
-- area:      tablespace
-- lane:      H
-- effect:    ON
-- applies:   not=managed,purescale; from=9.7
-- evidence:  config
-- needs:     container.TOTAL_PAGES, tablespace.TBSP_REBALANCER_MODE, storage_path.DB_STORAGE_PATH
-- threshold: min_difference = 0.05 -- [prop] less than 5 % between the largest and the smallest is even
-- threshold: min_free_part = 0.1 -- [prop] a storage path that is nearly full gets no container
-- source:    000_9a1c354496f94ea4.txt, balanced containers; IBM documentation of automatic storage
-- why:       Db2 writes extents to the containers in turn until one is full. From there on the rest lies on fewer
--            containers, and is read from fewer devices.
-- not-if:    A rebalance runs; more than one stripe set; more than eight containers of a member would grow; raw
--            devices; SMS or temporary table spaces; a storage path that is being dropped or has no room.
-- note:      What uneven containers cost is the claim of storage.hot-container. With several stripe sets one size
--            for all would be wrong, so they are left alone.
WITH SPACE AS (
    SELECT
        T.TBSP_NAME,
        T.TBSP_USING_AUTO_STORAGE,
        T.STORAGE_GROUP_NAME,
        'ALTER TABLESPACE "' || REPLACE(T.TBSP_NAME, '"', '""') || '"' AS ALTER_SPACE,
        B.TOPOLOGY
    FROM TUNE.TABLESPACE AS T
    CROSS JOIN TUNE.RUN_DATABASE AS B
    WHERE
        T.TBSP_TYPE = 'DMS'
        AND T.TBSP_CONTENT_TYPE NOT IN ('SYSTEMP', 'USRTEMP')
        AND T.TBSP_REBALANCER_MODE = 'NO_REBAL'
),
SMALL AS (
    SELECT
        P.TBSP_NAME,
        P.ALTER_SPACE,
        C.MEMBER,
        S.LEAST_PAGES,
        S.MOST_PAGES,
        'FILE ''' || REPLACE(C.CONTAINER_NAME, '''', '''''') || ''' ' || CAST(C.TOTAL_PAGES AS VARCHAR(20))
            AS SIZE_TEXT,
        CASE WHEN P.TOPOLOGY = 'dpf' THEN ' ON DBPARTITIONNUM (' || CAST(C.MEMBER AS VARCHAR(20)) || ')' ELSE '' END
            AS ON_MEMBER,
        ROW_NUMBER() OVER (PARTITION BY P.TBSP_NAME, C.MEMBER ORDER BY C.CONTAINER_ID) AS N
    FROM SPACE AS P
    INNER JOIN TUNE.CONTAINER_SET AS S ON P.TBSP_NAME = S.TBSP_NAME
    INNER JOIN TUNE.CONTAINER AS C
        ON S.TBSP_NAME = C.TBSP_NAME AND S.MEMBER = C.MEMBER AND S.MOST_PAGES > C.TOTAL_PAGES
    CROSS JOIN TUNE.O_TABLESPACE_CONTAINERS_UNEVEN AS O
    WHERE
        P.TBSP_USING_AUTO_STORAGE = 0
        AND S.STRIPE_SET = 0
        AND S.RAW = 0
        AND CAST(S.MOST_PAGES - S.LEAST_PAGES AS DOUBLE) / NULLIF(S.MOST_PAGES, 0) > O.MIN_DIFFERENCE
),
UNEVEN AS (
    -- the old sizes go back in one statement, since Db2 takes no other while it rebalances
    SELECT
        TBSP_NAME,
        ALTER_SPACE,
        MEMBER,
        ON_MEMBER,
        MOST_PAGES,
        MIN(LEAST_PAGES) OVER (PARTITION BY TBSP_NAME) AS SMALLEST,
        MAX(MOST_PAGES) OVER (PARTITION BY TBSP_NAME) AS LARGEST,
        OLD_SIZES
    FROM (
        SELECT
            TBSP_NAME,
            ALTER_SPACE,
            MEMBER,
            ON_MEMBER,
            LEAST_PAGES,
            MOST_PAGES,
            MAX(CASE WHEN N = 1 THEN SIZE_TEXT END)
            || COALESCE(', ' || MAX(CASE WHEN N = 2 THEN SIZE_TEXT END), '')
            || COALESCE(', ' || MAX(CASE WHEN N = 3 THEN SIZE_TEXT END), '')
            || COALESCE(', ' || MAX(CASE WHEN N = 4 THEN SIZE_TEXT END), '')
            || COALESCE(', ' || MAX(CASE WHEN N = 5 THEN SIZE_TEXT END), '')
            || COALESCE(', ' || MAX(CASE WHEN N = 6 THEN SIZE_TEXT END), '')
            || COALESCE(', ' || MAX(CASE WHEN N = 7 THEN SIZE_TEXT END), '')
            || COALESCE(', ' || MAX(CASE WHEN N = 8 THEN SIZE_TEXT END), '') AS OLD_SIZES
        FROM SMALL
        GROUP BY TBSP_NAME, ALTER_SPACE, MEMBER, ON_MEMBER, LEAST_PAGES, MOST_PAGES
        HAVING COUNT(*) <= 8
    ) AS BY_MEMBER
),
EMPTY_PATH AS (
    SELECT
        P.TBSP_NAME,
        P.ALTER_SPACE,
        MIN(A.DB_STORAGE_PATH) AS PATH,
        COUNT(DISTINCT A.DB_STORAGE_PATH) AS PATHS
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
        AND A.DB_STORAGE_PATH_STATE IN ('IN_USE', 'NOT_IN_USE')
        AND A.FS_TOTAL_SIZE - A.FS_USED_SIZE >= O.MIN_FREE_PART * A.FS_TOTAL_SIZE
        AND SUBSTR(A.DB_STORAGE_PATH, LENGTH(A.DB_STORAGE_PATH), 1) NOT IN ('/', '\')
        AND C.TBSP_NAME IS NULL
    GROUP BY P.TBSP_NAME, P.ALTER_SPACE
)
SELECT
    'TABLESPACE' AS OBJECT_TYPE,
    U.TBSP_NAME AS OBJECT_NAME,
    U.MEMBER,
    CAST(0 AS DOUBLE) AS CLAIMED_PCT,
    CAST(0 AS DOUBLE) AS RECOVER_LOW,
    CAST(0 AS DOUBLE) AS RECOVER_EXPECTED,
    CAST(0 AS DOUBLE) AS RECOVER_HIGH,
    CAST(0.6 AS DOUBLE) AS CONFIDENCE,
    'TABLESPACE:' || U.TBSP_NAME || ':CONTAINERS' AS TARGET,
    CAST(U.SMALLEST AS VARCHAR(20)) AS CURRENT_VALUE,
    CAST(U.LARGEST AS VARCHAR(20)) AS PROPOSED_VALUE,
    'pages' AS UNIT,
    CAST(0 AS BIGINT) AS MEMORY_DELTA_KB,
    U.ALTER_SPACE || ' RESIZE (ALL CONTAINERS ' || CAST(U.MOST_PAGES AS VARCHAR(20)) || ')' || U.ON_MEMBER
        AS ACTION_TEXT,
    U.ALTER_SPACE || ' RESIZE (' || U.OLD_SIZES || ')' || U.ON_MEMBER AS UNDO_TEXT,
    'smallest_TOTAL_PAGES=' || CAST(U.SMALLEST AS VARCHAR(20))
    || '; largest_TOTAL_PAGES=' || CAST(U.LARGEST AS VARCHAR(20)) AS EVIDENCE,
    'The smallest container has ' || CAST(U.SMALLEST AS VARCHAR(20)) || ' pages, the largest '
    || CAST(U.LARGEST AS VARCHAR(20)) || ': what does not fit the small one lies on fewer containers.' AS FINDING,
    CAST(0 AS DOUBLE) AS CLAIM_2_PCT,
    CAST(0 AS DOUBLE) AS CLAIM_3_PCT
FROM UNEVEN AS U
UNION ALL
SELECT
    'TABLESPACE',
    E.TBSP_NAME,
    CAST(NULL AS SMALLINT),
    CAST(0 AS DOUBLE),
    CAST(0 AS DOUBLE),
    CAST(0 AS DOUBLE),
    CAST(0 AS DOUBLE),
    CAST(0.6 AS DOUBLE),
    'TABLESPACE:' || E.TBSP_NAME || ':CONTAINERS',
    'no container on ' || E.PATH,
    'rebalanced',
    CAST(NULL AS VARCHAR(40)),
    CAST(0 AS BIGINT),
    E.ALTER_SPACE || ' REBALANCE',
    '-- A rebalance cannot be undone.',
    'storage_paths_without_container=' || CAST(E.PATHS AS VARCHAR(20)) || '; DB_STORAGE_PATH=' || E.PATH,
    'Storage path ' || E.PATH || ' of its storage group holds no container of the table space.',
    CAST(0 AS DOUBLE),
    CAST(0 AS DOUBLE)
FROM EMPTY_PATH AS E
