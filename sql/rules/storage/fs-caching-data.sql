-- rule:      storage.fs-caching-data
-- title:     The file system caches what the buffer pool holds
-- area:      storage
-- lane:      P
-- effect:    RA
-- applies:   not=managed,purescale; from=8.2
-- evidence:  load
-- claims:    POOL_READ
-- needs:     tablespace.FS_CACHING, tablespace.TBSP_TYPE, tablespace.POOL_READ_TIME, container.CONTAINER_TYPE,
--            lob_column.COLNAME, cat_table.TBSPACE, workload.POOL_READ_TIME
-- threshold: min_page_part = 0.05 -- [prop] of the pages of the database that are read and written
-- threshold: copy_part = 0.2 -- [prop] of the time of a read, what the copy through the page cache can be
-- threshold: min_hit_ratio = 0.8 -- [prop] below it the page cache stands in for a pool that is too small
-- source:    001_518820f6be7b57c0.txt, direct I/O avoids caching the same data twice; 004_131ea73468d225e1.txt, file
--            systems mounted for direct I/O; IBM documentation of table spaces without file system caching
--            (c0052377, c0051304)
-- why:       A page that is read through the file system's cache is copied once more, and takes memory twice. Past
--            that cache Db2 uses concurrent I/O where there is any: writers of a file do not wait for each other.
-- not-if:    Raw devices; temporary table spaces; a DMS table space that may hold LOBs outside the rows, which only
--            this cache buffers; a file system without direct I/O (ZFS, NFS, JFS, tmpfs) or mounted for it; a small
--            part of the pages; a pool of fixed size that misses much, and no memory to enlarge it.
-- note:      The memory that the page cache gives back is left to the rules that size pools. It takes effect when all
--            connections have ended. Linux on System z and AIX JFS cache by default, since not all of their disks
--            take direct I/O: check that first. Where the LOBs of range-partitioned tables lie is not collected, so
--            one such table keeps all DMS table spaces as they are. XML goes through the buffer pool and is no LOB.
WITH KIND AS (
    SELECT
        TBSP_NAME,
        MAX(RAW) AS RAW
    FROM TUNE.CONTAINER_SET
    GROUP BY TBSP_NAME
),
TOTAL AS (
    SELECT SUM(PHYSICAL_READS + WRITES) AS PAGES FROM TUNE.TABLESPACE
),
MOUNTED AS (
    -- what is known of the file system of each container: that of the longest path
    SELECT
        C.TBSP_NAME,
        F.ITEM,
        ',' || LOWER(F.VALUE) || ',' AS VALUE,
        ROW_NUMBER() OVER (
            PARTITION BY C.TBSP_NAME, C.MEMBER, C.CONTAINER_ID, F.ITEM ORDER BY LENGTH(F.FACT_KEY) DESC
        ) AS PLACE
    FROM TUNE.CONTAINER AS C
    INNER JOIN TUNE.HOST AS H ON C.MEMBER = H.MEMBER
    INNER JOIN TUNE.HOST_FACT AS F
        ON H.HOST_NAME = F.HOST AND F.ITEM IN ('fs_type', 'mount_options') AND F.FACT_KEY LIKE 'path:%'
        AND SUBSTR(CAST(C.CONTAINER_NAME || '/' AS VARCHAR(400)), 1, GREATEST(1, LENGTH(F.FACT_KEY) - 4))
        = SUBSTR(F.FACT_KEY, 6) || '/'
),
UNFIT AS (
    SELECT DISTINCT TBSP_NAME
    FROM MOUNTED
    WHERE
        PLACE = 1
        AND (
            (ITEM = 'fs_type' AND VALUE IN (',zfs,', ',nfs,', ',nfs3,', ',nfs4,', ',jfs,', ',tmpfs,'))
            OR (
                ITEM = 'mount_options'
                AND (
                    VALUE LIKE '%,forcedirectio,%' OR VALUE LIKE '%,dio,%' OR VALUE LIKE '%,cio,%'
                    OR VALUE LIKE '%,convosync=direct,%'
                )
            )
        )
)
SELECT
    'TABLESPACE' AS OBJECT_TYPE,
    T.TBSP_NAME AS OBJECT_NAME,
    CAST(NULL AS SMALLINT) AS MEMBER,
    O.COPY_PART * T.SHARE_PCT AS CLAIMED_PCT,
    CAST(0.05 AS DOUBLE) AS RECOVER_LOW,
    CAST(0.15 AS DOUBLE) AS RECOVER_EXPECTED,
    CAST(0.3 AS DOUBLE) AS RECOVER_HIGH,
    CAST(0.6 AS DOUBLE) AS CONFIDENCE,
    'TABLESPACE:' || T.TBSP_NAME || ':FS_CACHING' AS TARGET,
    'on' AS CURRENT_VALUE,
    'off' AS PROPOSED_VALUE,
    CAST(NULL AS VARCHAR(40)) AS UNIT,
    CAST(0 AS BIGINT) AS MEMORY_DELTA_KB,
    'ALTER TABLESPACE "' || REPLACE(T.TBSP_NAME, '"', '""') || '" NO FILE SYSTEM CACHING' AS ACTION_TEXT,
    'ALTER TABLESPACE "' || REPLACE(T.TBSP_NAME, '"', '""') || '" FILE SYSTEM CACHING' || CHR(10)
    || '-- If it was on by default: Db2 has no way back to the default.' AS UNDO_TEXT,
    'FS_CACHING=' || CAST(T.FS_CACHING AS VARCHAR(20))
    || '; pages_read_and_written=' || CAST(T.PHYSICAL_READS + T.WRITES AS VARCHAR(20))
    || '; of_all=' || CAST(A.PAGES AS VARCHAR(20))
    || '; reads_pct=' || CAST(CAST(ROUND(T.SHARE_PCT, 2) AS DECIMAL(9, 2)) AS VARCHAR(20)) AS EVIDENCE,
    CAST(T.PHYSICAL_READS + T.WRITES AS VARCHAR(20)) || ' of ' || CAST(A.PAGES AS VARCHAR(20))
    || ' pages that were read and written went through the file system cache too, and lie in memory twice.' AS FINDING,
    CAST(0 AS DOUBLE) AS CLAIM_2_PCT,
    CAST(0 AS DOUBLE) AS CLAIM_3_PCT
FROM TUNE.TABLESPACE AS T
INNER JOIN KIND AS K ON T.TBSP_NAME = K.TBSP_NAME
CROSS JOIN TOTAL AS A
CROSS JOIN TUNE.MEMORY_BUDGET AS M
CROSS JOIN TUNE.O_STORAGE_FS_CACHING_DATA AS O
LEFT JOIN TUNE.BUFFERPOOL AS B ON T.BPNAME = B.BP_NAME
LEFT JOIN UNFIT AS U ON T.TBSP_NAME = U.TBSP_NAME
WHERE
    T.FS_CACHING = 0
    AND (K.RAW = 0 OR T.TBSP_TYPE = 'SMS')
    AND T.TBSP_CONTENT_TYPE NOT IN ('SYSTEMP', 'USRTEMP')
    AND T.PHYSICAL_READS + T.WRITES >= O.MIN_PAGE_PART * A.PAGES
    AND U.TBSP_NAME IS NULL
    AND (COALESCE(B.DATA_HIT_RATIO, 1) >= O.MIN_HIT_RATIO OR B.AUTOMATIC = 1 OR M.BUDGET_KB > 0)
    AND (
        T.TBSP_TYPE = 'SMS'
        OR NOT EXISTS (SELECT 1 FROM TUNE.LOB_SPACE AS L WHERE L.TBSP_NAME = T.TBSP_NAME OR L.TBSP_NAME IS NULL)
    )
