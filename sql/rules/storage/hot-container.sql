-- rule:      storage.hot-container
-- title:     One container is slower or busier than its siblings
-- area:      storage
-- lane:      P
-- effect:    HR
-- applies:   not=managed; quiet=yes
-- evidence:  load
-- claims:    POOL_READ
-- needs:     container.PAGES_READ, container.POOL_READ_TIME, tablespace.POOL_READ_TIME, workload.POOL_READ_TIME
-- threshold: min_share_pct = 3 -- [prop] percent of database time that agents read the table space
-- threshold: slow_factor = 2 -- [prop] milliseconds per page, against the other containers together
-- threshold: busy_factor = 1.5 -- [prop] pages read, against the average container
-- threshold: min_pages = 10000 -- [prop] fewer pages read from all containers compare nothing
-- threshold: min_container_pages = 1000 -- [prop] fewer pages read from one container make no average
-- source:    001_518820f6be7b57c0.txt, a balanced load on all paths and physical disks; 000_9a1c354496f94ea4.txt,
--            balanced containers; IBM documentation of MON_GET_CONTAINER (r0053944)
-- why:       Extents lie on the containers in turn, so each has its part in every scan and in the reads of most
--            tables. The slowest sets the pace of all.
-- not-if:    One container; the others are as slow, or as busy; a rebalance or a utility runs; the table space takes
--            little time.
-- note:      For a slow container the gain is exact: the time of all reads, had it been as fast as the others. For a
--            busy one it is the part above the average, at less confidence. Unequal sizes have a command of their own
--            (tablespace.containers-uneven), so the text here names no statement.
WITH CANDIDATE AS (
    SELECT
        T.TBSP_NAME,
        T.SHARE_PCT
    FROM TUNE.TABLESPACE AS T
    CROSS JOIN TUNE.O_STORAGE_HOT_CONTAINER AS O
    WHERE T.SHARE_PCT >= O.MIN_SHARE_PCT AND T.TBSP_REBALANCER_MODE = 'NO_REBAL'
),
CONTAINERS AS (
    SELECT
        C.TBSP_NAME,
        T.SHARE_PCT,
        C.MEMBER,
        C.CONTAINER_NAME,
        C.DEVICE,
        COALESCE(D.PAGES_READ, 0) AS PAGES,
        COALESCE(D.POOL_READ_TIME, 0) AS MS,
        COUNT(*) OVER (PARTITION BY C.TBSP_NAME, C.MEMBER) AS CONTAINERS,
        SUM(COALESCE(D.PAGES_READ, 0)) OVER (PARTITION BY C.TBSP_NAME, C.MEMBER) AS ALL_PAGES,
        SUM(COALESCE(D.POOL_READ_TIME, 0)) OVER (PARTITION BY C.TBSP_NAME, C.MEMBER) AS ALL_MS,
        SUM(COALESCE(D.POOL_READ_TIME, 0)) OVER (PARTITION BY C.TBSP_NAME) AS SPACE_MS,
        MAX(C.STRIPE_SET) OVER (PARTITION BY C.TBSP_NAME, C.MEMBER) AS STRIPE_SET,
        MAX(C.TOTAL_PAGES) OVER (PARTITION BY C.TBSP_NAME, C.MEMBER)
        - MIN(C.TOTAL_PAGES) OVER (PARTITION BY C.TBSP_NAME, C.MEMBER) AS DIFFERENCE
    FROM CANDIDATE AS T
    INNER JOIN TUNE.CONTAINER AS C ON T.TBSP_NAME = C.TBSP_NAME
    INNER JOIN TUNE.D_CONTAINER AS D
        ON C.TBSP_NAME = D.TBSP_NAME AND C.MEMBER = D.MEMBER AND C.CONTAINER_ID = D.CONTAINER_ID
),
COMPARED AS (
    SELECT
        CONTAINERS.*,
        CAST(MS AS DOUBLE) / NULLIF(PAGES, 0) AS MS_PER_PAGE,
        CAST(ALL_MS - MS AS DOUBLE) / NULLIF(ALL_PAGES - PAGES, 0) AS OTHER_MS,
        CONTAINERS * CAST(PAGES AS DOUBLE) / NULLIF(ALL_PAGES, 0) AS TIMES
    FROM CONTAINERS
),
JUDGED AS (
    SELECT
        K.*,
        CASE
            WHEN K.MS > 0 AND K.PAGES >= O.MIN_CONTAINER_PAGES AND K.MS_PER_PAGE >= O.SLOW_FACTOR * K.OTHER_MS THEN 1
            ELSE 0
        END AS SLOW,
        1 - K.ALL_PAGES * K.OTHER_MS / CAST(NULLIF(K.ALL_MS, 0) AS DOUBLE) AS SLOW_GAIN,
        1 - CAST(1 AS DOUBLE) / NULLIF(K.TIMES, 0) AS BUSY_GAIN,
        K.SHARE_PCT * K.ALL_MS / CAST(NULLIF(K.SPACE_MS, 0) AS DOUBLE) AS CLAIM_PCT
    FROM COMPARED AS K
    CROSS JOIN TUNE.O_STORAGE_HOT_CONTAINER AS O
    WHERE K.CONTAINERS > 1 AND K.ALL_PAGES >= O.MIN_PAGES
),
WORST AS (
    SELECT
        J.*,
        CASE WHEN J.SLOW = 1 THEN J.SLOW_GAIN ELSE J.BUSY_GAIN END AS GAIN,
        CAST(CAST(ROUND(J.MS_PER_PAGE, 2) AS DECIMAL(15, 2)) AS VARCHAR(20)) AS MS_TEXT,
        CAST(CAST(ROUND(J.OTHER_MS, 2) AS DECIMAL(15, 2)) AS VARCHAR(20)) AS OTHER_TEXT,
        ROW_NUMBER() OVER (
            PARTITION BY J.TBSP_NAME
            ORDER BY
                J.SLOW DESC, J.CLAIM_PCT * CASE WHEN J.SLOW = 1 THEN J.SLOW_GAIN ELSE J.BUSY_GAIN END DESC,
                J.MEMBER, J.CONTAINER_NAME
        ) AS PLACE
    FROM JUDGED AS J
    CROSS JOIN TUNE.O_STORAGE_HOT_CONTAINER AS O
    WHERE J.SLOW = 1 OR J.TIMES >= O.BUSY_FACTOR
)
SELECT
    'TABLESPACE' AS OBJECT_TYPE,
    W.TBSP_NAME AS OBJECT_NAME,
    W.MEMBER,
    W.CLAIM_PCT AS CLAIMED_PCT,
    (CASE WHEN W.SLOW = 1 THEN 0.5 ELSE 0.1 END) * W.GAIN AS RECOVER_LOW,
    (CASE WHEN W.SLOW = 1 THEN 1.0 ELSE 0.3 END) * W.GAIN AS RECOVER_EXPECTED,
    (CASE WHEN W.SLOW = 1 THEN 1.0 ELSE 0.6 END) * W.GAIN AS RECOVER_HIGH,
    CASE WHEN W.SLOW = 1 THEN CAST(0.9 AS DOUBLE) ELSE CAST(0.6 AS DOUBLE) END AS CONFIDENCE,
    CAST(NULL AS VARCHAR(400)) AS TARGET,
    CASE
        WHEN W.SLOW = 1 THEN W.MS_TEXT || ' ms a page'
        ELSE CAST(W.PAGES AS VARCHAR(20)) || ' pages'
    END AS CURRENT_VALUE,
    CASE
        WHEN W.SLOW = 1 THEN W.OTHER_TEXT || ' ms a page'
        ELSE CAST(CAST(ROUND(CAST(W.ALL_PAGES AS DOUBLE) / NULLIF(W.CONTAINERS, 0), 0) AS BIGINT) AS VARCHAR(20)) || ' pages'
    END AS PROPOSED_VALUE,
    CAST(NULL AS VARCHAR(40)) AS UNIT,
    CAST(0 AS BIGINT) AS MEMORY_DELTA_KB,
    CASE
        WHEN W.SLOW = 1
            THEN '-- Find what makes ' || W.CONTAINER_NAME || ' slow: who else uses '
            || COALESCE(W.DEVICE, 'its device')
            || ' (log, backup, another system), a failed disk or path; or move it to a device as fast as the others.'
        WHEN W.STRIPE_SET > 0
            THEN '-- Bring the containers into one stripe set of equal sizes: what was added with a new one'
            || ' takes no part in the reads of what was there.'
        WHEN W.DIFFERENCE > 0
            THEN '-- Give all containers the same size, so that extents are spread over all of them.'
        ELSE '-- The containers are even, so a few extents are read most: move the tables that are read most'
            || ' to a table space on more devices.'
    END AS ACTION_TEXT,
    '-- There is nothing to undo.' AS UNDO_TEXT,
    'CONTAINER_NAME=' || W.CONTAINER_NAME
    || COALESCE('; device=' || W.DEVICE, '')
    || '; PAGES_READ=' || CAST(W.PAGES AS VARCHAR(20))
    || '; PAGES_READ_of_all=' || CAST(W.ALL_PAGES AS VARCHAR(20))
    || '; containers=' || CAST(W.CONTAINERS AS VARCHAR(20))
    || COALESCE('; ms_per_page=' || W.MS_TEXT, '')
    || COALESCE('; ms_per_page_of_others=' || W.OTHER_TEXT, '') AS EVIDENCE,
    CASE
        WHEN W.SLOW = 1
            THEN 'Reading a page of ' || W.CONTAINER_NAME || ' takes ' || W.MS_TEXT || ' ms, of the other containers '
            || W.OTHER_TEXT || ' ms.'
        ELSE 'Of ' || CAST(W.ALL_PAGES AS VARCHAR(20)) || ' pages read from ' || CAST(W.CONTAINERS AS VARCHAR(20))
            || ' containers, ' || CAST(W.PAGES AS VARCHAR(20)) || ' came from ' || W.CONTAINER_NAME || '.'
    END AS FINDING,
    CAST(0 AS DOUBLE) AS CLAIM_2_PCT,
    CAST(0 AS DOUBLE) AS CLAIM_3_PCT
FROM WORST AS W
WHERE W.PLACE = 1
