-- rule:       storage.hot-container
-- title:      One container is slower or busier than its siblings
-- area:       storage
-- lane:       P
-- effect:     HR
-- applies:    not=managed; quiet=yes
-- judged-by:  load
-- claims:     POOL_READ
-- recover:    LOW, EXPECTED, HIGH
-- confidence: CONFIDENCE
-- needs:      container.PAGES_READ, container.POOL_READ_TIME, tablespace.POOL_READ_TIME, workload.POOL_READ_TIME
-- threshold:  min_share_pct = 3 -- [prop] percent of database time that agents read the table space
-- threshold:  slow_factor = 2 -- [prop] milliseconds per page, against the other containers together
-- threshold:  busy_factor = 1.5 -- [prop] pages read, against the average container
-- threshold:  min_pages = 10000 -- [prop] fewer pages read from all containers compare nothing
-- threshold:  min_container_pages = 1000 -- [prop] fewer pages read from one container make no average
-- object:     TABLESPACE {TBSP_NAME:text}
-- member:     MEMBER
-- by-hand:    when SLOW = 1: Find what makes {CONTAINER_NAME:text} slow: who else uses {DEVICE:text|its device} (log,
--             backup, another system), a failed disk or path; or move it to a device as fast as the others.
-- by-hand:    else when STRIPE_SET > 0: Bring the containers into one stripe set of equal sizes: what was added with a
--             new one takes no part in the reads of what was there.
-- by-hand:    else when DIFFERENCE > 0: Give all containers the same size, so that extents are spread over all of them.
-- by-hand:    else: The containers are even, so a few extents are read most: move the tables that are read most to a
--             table space on more devices.
-- undo-by-hand: There is nothing to undo.
-- finding:    when SLOW = 1: Reading a page of {CONTAINER_NAME:text} takes {MS_PER_PAGE:2} ms, of the other containers
--             {OTHER_MS:2} ms.
-- finding:    else: Of {ALL_PAGES} pages read from {CONTAINERS} containers, {PAGES} came from {CONTAINER_NAME:text}.
-- evidence:   CONTAINER_NAME:text, device=DEVICE:text?, PAGES_READ=PAGES, PAGES_READ_of_all=ALL_PAGES,
--             containers=CONTAINERS, ms_per_page=MS_PER_PAGE:2?, ms_per_page_of_others=OTHER_MS:2?
-- source:     001_518820f6be7b57c0.txt, a balanced load on all paths and physical disks; 000_9a1c354496f94ea4.txt,
--             balanced containers; IBM documentation of MON_GET_CONTAINER (r0053944)
-- why:        Extents lie on the containers in turn, so each has its part in every scan and in the reads of most
--             tables. The slowest sets the pace of all.
-- not-if:     One container; the others are as slow, or as busy; a rebalance or a utility runs; the table space takes
--             little time.
-- note:       For a slow container the gain is exact: the time of all reads, had it been as fast as the others. For a
--             busy one it is the part above the average, at less confidence. Unequal sizes have a command of their own
--             (tablespace.containers-uneven), so the text here names no statement.
WITH CONTAINERS AS (
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
    FROM TUNE.TABLESPACE AS T
    CROSS JOIN TUNE.O_STORAGE_HOT_CONTAINER AS O
    INNER JOIN TUNE.CONTAINER AS C ON T.TBSP_NAME = C.TBSP_NAME
    INNER JOIN TUNE.D_CONTAINER AS D
        ON C.TBSP_NAME = D.TBSP_NAME AND C.MEMBER = D.MEMBER AND C.CONTAINER_ID = D.CONTAINER_ID
    WHERE T.SHARE_PCT >= O.MIN_SHARE_PCT AND T.TBSP_REBALANCER_MODE = 'NO_REBAL'
),
COMPARED AS (
    SELECT
        K.*,
        CAST(MS AS DOUBLE) / NULLIF(PAGES, 0) AS MS_PER_PAGE,
        CAST(ALL_MS - MS AS DOUBLE) / NULLIF(ALL_PAGES - PAGES, 0) AS OTHER_MS,
        CONTAINERS * CAST(PAGES AS DOUBLE) / NULLIF(ALL_PAGES, 0) AS TIMES,
        SHARE_PCT * ALL_MS / CAST(NULLIF(SPACE_MS, 0) AS DOUBLE) AS CLAIM_POOL_READ
    FROM CONTAINERS AS K
),
JUDGED AS (
    SELECT
        K.*,
        CASE
            WHEN K.MS > 0 AND K.PAGES >= O.MIN_CONTAINER_PAGES AND K.MS_PER_PAGE >= O.SLOW_FACTOR * K.OTHER_MS THEN 1
            ELSE 0
        END AS SLOW,
        1 - K.ALL_PAGES * K.OTHER_MS / CAST(NULLIF(K.ALL_MS, 0) AS DOUBLE) AS SLOW_GAIN,
        1 - CAST(1 AS DOUBLE) / NULLIF(K.TIMES, 0) AS BUSY_GAIN
    FROM COMPARED AS K
    CROSS JOIN TUNE.O_STORAGE_HOT_CONTAINER AS O
    WHERE K.CONTAINERS > 1 AND K.ALL_PAGES >= O.MIN_PAGES
),
WORST AS (
    SELECT
        J.*,
        (CASE WHEN SLOW = 1 THEN 0.5 ELSE 0.1 END) * CASE WHEN SLOW = 1 THEN SLOW_GAIN ELSE BUSY_GAIN END AS LOW,
        (CASE WHEN SLOW = 1 THEN 1.0 ELSE 0.3 END) * CASE WHEN SLOW = 1 THEN SLOW_GAIN ELSE BUSY_GAIN END AS EXPECTED,
        (CASE WHEN SLOW = 1 THEN 1.0 ELSE 0.6 END) * CASE WHEN SLOW = 1 THEN SLOW_GAIN ELSE BUSY_GAIN END AS HIGH,
        CASE WHEN SLOW = 1 THEN 0.9 ELSE 0.6 END AS CONFIDENCE,
        ROW_NUMBER() OVER (
            PARTITION BY TBSP_NAME
            ORDER BY
                SLOW DESC, CLAIM_POOL_READ * CASE WHEN SLOW = 1 THEN SLOW_GAIN ELSE BUSY_GAIN END DESC, MEMBER,
                CONTAINER_NAME
        ) AS PLACE
    FROM JUDGED AS J
    CROSS JOIN TUNE.O_STORAGE_HOT_CONTAINER AS O
    WHERE SLOW = 1 OR TIMES >= O.BUSY_FACTOR
)
SELECT
    TBSP_NAME, MEMBER, CONTAINER_NAME, DEVICE, SLOW, STRIPE_SET, DIFFERENCE, PAGES, ALL_PAGES, CONTAINERS, MS_PER_PAGE,
    OTHER_MS, LOW, EXPECTED, HIGH, CONFIDENCE, CLAIM_POOL_READ
FROM WORST
WHERE PLACE = 1
