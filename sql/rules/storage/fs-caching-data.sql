/*---
rule: storage.fs-caching-data
title: The file system caches what the buffer pool holds
lane: housekeeping
takes_effect: database reactivation
applies: {not: [managed, purescale], from: '8.2'}
judged_by: load
needs: [tablespace.FS_CACHING, tablespace.TBSP_TYPE, tablespace.POOL_READ_TIME, container.CONTAINER_TYPE,
  lob_column.COLNAME, cat_table.TBSPACE]
asks: [host.device]
object: TABLESPACE {TBSP_NAME:text}
confidence: 0.6
after: [bufferpool.hit-ratio-low, bufferpool.never-sized]
thresholds:
  min_page_part: {default: 0.05, from: own, why: of the pages of the database that are read and written}
  max_worse_pct: {default: 2, from: own, why: 'of database time, what reads from disk alone may cost more'}
  small_part: {default: 0.25, from: own, why: 'of the buffer pool: a page cache of this size adds little to it'}
actions:
  - undo: {manual: 'If it was on by default: Db2 has no way back to the default.'}
  - set: {name: FS_CACHING, from: FILE SYSTEM CACHING, to: NO FILE SYSTEM CACHING}
finding: >-
  {PAGES} of {ALL_PAGES} pages that were read and written went through the file system cache too, and lie in memory
  twice. [A read takes {READ_MS:2} ms; if each took {NORMAL_MS:1} ms, that would be {WORSE_PCT:1} % of database time
  more.]
evidence: [FS_CACHING, pages_read_and_written=PAGES, of_all=ALL_PAGES, reads_pct=SHARE_PCT:2,
  'ms_per_synchronous_read=READ_MS:2?', 'page_cache_MB=CACHE_MB?']
references:
  - system-z, direct I/O avoids caching the same data twice
  - x4470, file systems mounted for direct I/O
  - IBM documentation of table spaces without file system caching (c0052377, c0051304)
why: >-
  A page that is read through the file system's cache is copied once more, and takes memory twice. Past that cache Db2
  uses concurrent I/O where there is any: writers of a file do not wait for each other.
not_if: >-
  Reads come so fast that the page cache answers them, and would come from disk: then it is the larger buffer pool,
  which has to grow first; raw devices; temporary table spaces; a DMS table space that may hold LOBs outside the rows,
  which only this cache buffers; a file system without direct I/O (ZFS, NFS, JFS, tmpfs) or mounted for it; a small part
  of the pages.
note: >-
  What a copy costs is a few microseconds a page, and what writers wait for each other is not measured: no time is
  claimed. What might be lost is counted at its worst: each read, each prefetch and each write of an agent as slow as is
  normal at most for the medium. It may be more where all that the host can give out, its page cache included, is small
  beside the buffer pool. Pools grow before it, whose memory the page cache then gives back. It takes effect when all
  connections have ended, and from 12.1 on maybe earlier, when Db2 reopens files. Linux on System z and AIX JFS cache by
  default, since not all of their disks take direct I/O: check that first. Where the LOBs of range-partitioned tables
  lie is not collected, so one such table keeps all DMS table spaces as they are. XML goes through the buffer pool and
  is no LOB.
---*/
WITH SPACES AS (
    SELECT
        T.*,
        T.PHYSICAL_READS + T.WRITES AS PAGES,
        SUM(T.PHYSICAL_READS + T.WRITES) OVER () AS ALL_PAGES,
        100 * CAST(
            T.SYNC_READS * GREATEST(0, T.NORMAL_MS - COALESCE(T.READ_MS, T.NORMAL_MS))
            + (T.WRITES - T.ASYNC_WRITES) * GREATEST(0, T.NORMAL_MS - COALESCE(
                CAST(T.SYNC_WRITE_MS AS DOUBLE) / NULLIF(T.WRITES - T.ASYNC_WRITES, 0), T.NORMAL_MS
            ))
            + T.ASYNC_READ_REQS * GREATEST(0, T.NORMAL_MS - COALESCE(T.REQUEST_MS, T.NORMAL_MS)) AS DOUBLE
        ) / NULLIF(A.DBT_MS, 0) AS WORSE_PCT
    FROM TUNE.TABLESPACE AS T
    CROSS JOIN TUNE.DATABASE_TIME AS A
)
SELECT
    T.TBSP_NAME,
    T.FS_CACHING,
    T.PAGES,
    T.ALL_PAGES,
    T.SHARE_PCT,
    T.READ_MS,
    T.NORMAL_MS,
    T.WORSE_PCT,
    M.CACHE_KB / CAST(1024 AS DOUBLE) AS CACHE_MB
FROM SPACES AS T
INNER JOIN (
    SELECT
        TBSP_NAME,
        MAX(RAW) AS RAW
    FROM TUNE.CONTAINER_SET
    GROUP BY TBSP_NAME
) AS C ON T.TBSP_NAME = C.TBSP_NAME
CROSS JOIN (
    SELECT MAX(NUM) AS CACHE_KB
    FROM TUNE.HOST_FACT
    WHERE FACT_KEY = 'memory' AND ITEM = 'available_kb'
) AS M
CROSS JOIN TUNE.O_STORAGE_FS_CACHING_DATA AS O
LEFT JOIN TUNE.BUFFERPOOL AS B ON T.BPNAME = B.BP_NAME
WHERE
    T.FS_CACHING = 0
    AND (C.RAW = 0 OR T.TBSP_TYPE = 'SMS')
    AND T.TBSP_CONTENT_TYPE NOT IN ('SYSTEMP', 'USRTEMP')
    AND T.PAGES >= O.MIN_PAGE_PART * T.ALL_PAGES
    AND (
        T.WORSE_PCT <= O.MAX_WORSE_PCT
        OR 1024 * M.CACHE_KB <= O.SMALL_PART * CAST(B.BP_CUR_BUFFSZ AS DOUBLE) * B.PAGESIZE
    )
    AND NOT EXISTS (SELECT 1 FROM TUNE.DIRECT_FILE_SYSTEM AS F WHERE F.TBSP_NAME = T.TBSP_NAME)
    AND (
        T.TBSP_TYPE = 'SMS'
        OR NOT EXISTS (SELECT 1 FROM TUNE.LOB_SPACE AS L WHERE L.TBSP_NAME = T.TBSP_NAME OR L.TBSP_NAME IS NULL)
    )
