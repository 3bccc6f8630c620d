-- rule:       storage.fs-caching-data
-- title:      The file system caches what the buffer pool holds
-- area:       storage
-- lane:       P
-- effect:     RA
-- applies:    not=managed,purescale; from=8.2
-- judged-by:  load
-- claims:     POOL_READ
-- recover:    0.05, 0.15, 0.3
-- confidence: 0.6
-- needs:      tablespace.FS_CACHING, tablespace.TBSP_TYPE, tablespace.POOL_READ_TIME, container.CONTAINER_TYPE,
--             lob_column.COLNAME, cat_table.TBSPACE, workload.POOL_READ_TIME
-- threshold:  min_page_part = 0.05 -- [prop] of the pages of the database that are read and written
-- threshold:  copy_part = 0.2 -- [prop] of the time of a read, what the copy through the page cache can be
-- threshold:  min_hit_ratio = 0.8 -- [prop] below it the page cache stands in for a pool that is too small
-- object:     TABLESPACE {TBSP_NAME:text}
-- undo-by-hand: If it was on by default: Db2 has no way back to the default.
-- set:        FS_CACHING: FILE SYSTEM CACHING -> NO FILE SYSTEM CACHING
-- finding:    {PAGES} of {ALL_PAGES} pages that were read and written went through the file system cache too, and lie
--             in memory twice.
-- evidence:   FS_CACHING, pages_read_and_written=PAGES, of_all=ALL_PAGES, reads_pct=SHARE_PCT:2
-- source:     001_518820f6be7b57c0.txt, direct I/O avoids caching the same data twice; 004_131ea73468d225e1.txt, file
--             systems mounted for direct I/O; IBM documentation of table spaces without file system caching (c0052377,
--             c0051304)
-- why:        A page that is read through the file system's cache is copied once more, and takes memory twice. Past
--             that cache Db2 uses concurrent I/O where there is any: writers of a file do not wait for each other.
-- not-if:     Raw devices; temporary table spaces; a DMS table space that may hold LOBs outside the rows, which only
--             this cache buffers; a file system without direct I/O (ZFS, NFS, JFS, tmpfs) or mounted for it; a small
--             part of the pages; a pool of fixed size that misses much, and no memory to enlarge it.
-- note:       The memory that the page cache gives back is left to the rules that size pools. It takes effect when all
--             connections have ended. Linux on System z and AIX JFS cache by default, since not all of their disks take
--             direct I/O: check that first. Where the LOBs of range-partitioned tables lie is not collected, so one
--             such table keeps all DMS table spaces as they are. XML goes through the buffer pool and is no LOB.
WITH SPACES AS (
    SELECT
        T.*,
        T.PHYSICAL_READS + T.WRITES AS PAGES,
        SUM(T.PHYSICAL_READS + T.WRITES) OVER () AS ALL_PAGES
    FROM TUNE.TABLESPACE AS T
)
SELECT
    T.TBSP_NAME,
    T.FS_CACHING,
    T.PAGES,
    T.ALL_PAGES,
    T.SHARE_PCT,
    O.COPY_PART * T.SHARE_PCT AS CLAIM_POOL_READ
FROM SPACES AS T
INNER JOIN (
    SELECT
        TBSP_NAME,
        MAX(RAW) AS RAW
    FROM TUNE.CONTAINER_SET
    GROUP BY TBSP_NAME
) AS C ON T.TBSP_NAME = C.TBSP_NAME
CROSS JOIN TUNE.MEMORY_BUDGET AS M
CROSS JOIN TUNE.O_STORAGE_FS_CACHING_DATA AS O
LEFT JOIN TUNE.BUFFERPOOL AS B ON T.BPNAME = B.BP_NAME
WHERE
    T.FS_CACHING = 0
    AND (C.RAW = 0 OR T.TBSP_TYPE = 'SMS')
    AND T.TBSP_CONTENT_TYPE NOT IN ('SYSTEMP', 'USRTEMP')
    AND T.PAGES >= O.MIN_PAGE_PART * T.ALL_PAGES
    AND (COALESCE(B.DATA_HIT_RATIO, 1) >= O.MIN_HIT_RATIO OR B.AUTOMATIC = 1 OR M.BUDGET_KB > 0)
    AND NOT EXISTS (SELECT 1 FROM TUNE.DIRECT_FILE_SYSTEM AS F WHERE F.TBSP_NAME = T.TBSP_NAME)
    AND (
        T.TBSP_TYPE = 'SMS'
        OR NOT EXISTS (SELECT 1 FROM TUNE.LOB_SPACE AS L WHERE L.TBSP_NAME = T.TBSP_NAME OR L.TBSP_NAME IS NULL)
    )
