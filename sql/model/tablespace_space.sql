-- The space of every DMS table space on every member, in bytes except FULL_PART. Automatic storage fills all its paths;
-- manually created containers grow by the same number of pages each. If automatic storage is unknown, a table space
-- counts as such if its containers are named as automatic storage names them. Temporary table spaces, and those in a
-- rebalance, are left out: their space varies.
--
-- USED_BYTES, USABLE_BYTES, TOTAL_BYTES: used, usable and allocated space
-- TOP_BYTES: space up to the high-water mark
-- FREE_PAGES: free pages, also if the page size is unknown
-- GROWS: 1 if it grows automatically; NULL if that is unknown
-- MAX_BYTES: its limit; NULL without one
-- FAILED: 1 if the last resize failed
-- UNWRITTEN_S: seconds without a page written to it although an extent was free, as far as counted (since activation);
--   NULL if a page was written, or writes were not counted
-- FREE_BYTES: free space of the file systems that it can grow into; NULL if one of them is unknown
WITH PATH_ROOM AS (
    -- paths of the same size and use are on as many file systems as their containers show, otherwise on one
    SELECT
        STORAGE_GROUP_NAME,
        MEMBER,
        CASE WHEN COUNT(*) = COUNT(FREE_BYTES) THEN SUM(FREE_BYTES) END AS FREE_BYTES
    FROM (
        SELECT
            STORAGE_GROUP_NAME,
            MEMBER,
            (FS_TOTAL_SIZE - FS_USED_SIZE) * GREATEST(COUNT(DISTINCT FS_ID), 1) AS FREE_BYTES
        FROM TUNE.STORAGE_PLACE
        GROUP BY STORAGE_GROUP_NAME, MEMBER, FS_TOTAL_SIZE, FS_USED_SIZE
    ) AS P
    GROUP BY STORAGE_GROUP_NAME, MEMBER
),
FILE_ROOM AS (
    SELECT
        TBSP_NAME,
        MEMBER,
        CASE WHEN SUM(KNOWN) = COUNT(*) THEN COUNT(*) * MIN(FREE_BYTES) END AS FREE_BYTES,
        MAX(NAMED_BY_DB2) AS NAMED_BY_DB2
    FROM (
        SELECT
            TBSP_NAME,
            MEMBER,
            FS_ID,
            MIN(FREE_BYTES) AS FREE_BYTES,
            MAX(CASE WHEN CONTAINER_NAME LIKE '%/T_______/C_______.___' THEN 1 END) AS NAMED_BY_DB2,
            MIN(CASE WHEN FREE_BYTES IS NULL OR CONTAINER_TYPE NOT LIKE 'FILE%' THEN 0 ELSE 1 END) AS KNOWN
        FROM TUNE.CONTAINER
        GROUP BY TBSP_NAME, MEMBER, FS_ID
    ) AS F
    GROUP BY TBSP_NAME, MEMBER
),
UNWRITTEN AS (
    SELECT
        S.TBSP_NAME,
        S.MEMBER,
        D.UPTIME_S
    FROM TUNE.S_TABLESPACE AS S
    INNER JOIN TUNE.RUN_SNAPSHOT AS W ON S.SNAP_ID = W.END_ID
    INNER JOIN TUNE.L_DATABASE AS D ON S.MEMBER = D.MEMBER
    WHERE
        S.POOL_DATA_WRITES + S.POOL_INDEX_WRITES + S.DIRECT_WRITES = 0
        AND COALESCE(S.POOL_XDA_WRITES, 0) + COALESCE(S.POOL_COL_WRITES, 0) = 0
        AND S.TBSP_USABLE_PAGES - S.TBSP_USED_PAGES >= S.TBSP_EXTENT_SIZE
)
SELECT
    T.TBSP_NAME,
    T.MEMBER,
    COALESCE(T.TBSP_USING_AUTO_STORAGE, F.NAMED_BY_DB2) AS AUTO_STORAGE,
    T.STORAGE_GROUP_NAME,
    T.RECLAIMABLE_SPACE_ENABLED AS RECLAIMABLE,
    CAST(T.TBSP_USED_PAGES AS DOUBLE) * T.TBSP_PAGE_SIZE AS USED_BYTES,
    CAST(T.TBSP_USABLE_PAGES AS DOUBLE) * T.TBSP_PAGE_SIZE AS USABLE_BYTES,
    CAST(T.TBSP_TOTAL_PAGES AS DOUBLE) * T.TBSP_PAGE_SIZE AS TOTAL_BYTES,
    CAST(T.TBSP_PAGE_TOP AS DOUBLE) * T.TBSP_PAGE_SIZE AS TOP_BYTES,
    CAST(T.TBSP_USED_PAGES AS DOUBLE) / NULLIF(T.TBSP_USABLE_PAGES, 0) AS FULL_PART,
    T.TBSP_USABLE_PAGES - T.TBSP_USED_PAGES AS FREE_PAGES,
    T.TBSP_AUTO_RESIZE_ENABLED AS GROWS,
    CASE WHEN T.TBSP_AUTO_RESIZE_ENABLED = 1 AND T.TBSP_MAX_SIZE > 0 THEN CAST(T.TBSP_MAX_SIZE AS DOUBLE) END
        AS MAX_BYTES,
    COALESCE(T.TBSP_LAST_RESIZE_FAILED, 0) AS FAILED,
    U.UPTIME_S AS UNWRITTEN_S,
    CAST(CASE WHEN T.TBSP_USING_AUTO_STORAGE = 1 THEN P.FREE_BYTES ELSE F.FREE_BYTES END AS DOUBLE) AS FREE_BYTES
FROM TUNE.L_TABLESPACE AS T
LEFT JOIN PATH_ROOM AS P ON T.STORAGE_GROUP_NAME = P.STORAGE_GROUP_NAME AND T.MEMBER = P.MEMBER
LEFT JOIN FILE_ROOM AS F ON T.TBSP_NAME = F.TBSP_NAME AND T.MEMBER = F.MEMBER
LEFT JOIN UNWRITTEN AS U ON T.TBSP_NAME = U.TBSP_NAME AND T.MEMBER = U.MEMBER
WHERE
    T.TBSP_TYPE = 'DMS'
    AND COALESCE(T.TBSP_CONTENT_TYPE, 'ANY') NOT IN ('SYSTEMP', 'USRTEMP')
    AND COALESCE(T.TBSP_REBALANCER_MODE, 'NO_REBAL') = 'NO_REBAL'
