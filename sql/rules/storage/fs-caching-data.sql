/*---
rule: storage.fs-caching-data
title: 'Double caching: file system cache and buffer pool'
lane: housekeeping
takes_effect: database reactivation
applies: {not: [purescale], from: '8.2'}
judged_by: load
needs: [tablespace.FS_CACHING, tablespace.TBSP_TYPE, tablespace.POOL_READ_TIME, container.CONTAINER_TYPE,
  lob_column.COLNAME, cat_table.TBSPACE, bufferpool.BP_CUR_BUFFSZ, cat_bufferpool.NPAGES]
asks: [host.device]
object: TABLESPACE {TBSP_NAME:text}
confidence: 0.6
memory: GROWTH_KB
after: [bufferpool.hit-ratio-low, bufferpool.never-sized]
thresholds:
  min_page_part: {default: 0.05, from: own, why: part of the database's pages read and written}
  max_worse_pct: {default: 2, from: own, why: percent of database time that reads from disk alone may cost more}
  small_part: {default: 0.25, from: own, why: 'part of the buffer pool size: a page cache of this size adds little'}
actions:
  - undo: {manual: 'If it was on by default, there is no command to return to the default.'}
  - when: POOL_FIRST = 1
    takes_effect: immediately
    set: {kind: BUFFERPOOL, object: '{BPNAME:text}', name: SIZE, from: '{NPAGES}', to: '{NEW_PAGES}', unit: pages}
  - set: {name: FS_CACHING, from: FILE SYSTEM CACHING, to: NO FILE SYSTEM CACHING}
finding:
  - '{PAGES} of {ALL_PAGES} pages read and written also went through the file system cache: two copies in memory.'
  - choose:
      - when: POOL_FIRST = 1
        text: >-
          That cache answers reads in {READ_MS:2} ms; from disk they would cost {WORSE_PCT:1} % more database time.
          Therefore the pool first grows to all {NEW_PAGES} pages of its table spaces.
      - >-
        [A read takes {READ_MS:2} ms; if each took {NORMAL_MS:1} ms, that would cost {WORSE_PCT:1} % more database
        time.]
evidence: [FS_CACHING, pages_read_and_written=PAGES, of_all=ALL_PAGES, reads_pct=SHARE_PCT:2,
  'ms_per_synchronous_read=READ_MS:2?', 'page_cache_MB=CACHE_MB?']
references:
  - system-z, direct I/O avoids caching the same data twice
  - x4470, file systems mounted for direct I/O
  - IBM documentation of table spaces without file system caching (c0052377, c0051304)
why: >-
  A page read through the file system cache is copied once more and takes memory twice. Without the cache Db2 uses
  concurrent I/O if available: writers of a file do not wait for each other.
not_if: >-
  The page cache answers reads that would otherwise go to disk, and memory does not suffice for a buffer pool with all
  pages; raw devices; temporary
  table spaces; a DMS table space that may hold LOBs outside the rows, which only this cache buffers; a file system
  without direct I/O (ZFS, NFS, JFS, tmpfs) or mounted for it; a small part of the pages.
note: >-
  A copy costs a few microseconds per page, and waits between writers are not measured: the rule claims no time. The
  possible loss is a worst case: each read, prefetch and agent write as slow as the medium's normal maximum. It may be
  higher if all available host memory, page cache included, is small compared with the buffer pool. Pools grow first;
  the page cache then releases the memory. The change takes effect when all connections have ended, since 12.1 possibly
  earlier, when Db2 reopens files. Linux on System z and AIX JFS cache by default, because some of their disks do not
  support direct I/O: check that first. db2tune does not collect the location of LOBs of range-partitioned tables, so
  one such table leaves all DMS table spaces unchanged. XML uses the buffer pool and is not a LOB.
---*/
WITH MOUNTED AS (
    SELECT
        CONTAINER.TBSP_NAME,
        FACT.ITEM,
        ',' || LOWER(FACT.VALUE) || ',' AS VALUE,
        ROW_NUMBER() OVER (
            PARTITION BY CONTAINER.TBSP_NAME, CONTAINER.MEMBER, CONTAINER.CONTAINER_ID, FACT.ITEM
            ORDER BY LENGTH(FACT.FACT_KEY) DESC
        ) AS PLACE
    FROM TUNE.CONTAINER AS CONTAINER
    INNER JOIN TUNE.HOST AS HOST ON CONTAINER.MEMBER = HOST.MEMBER
    INNER JOIN TUNE.HOST_FACT AS FACT
        ON HOST.HOST_NAME = FACT.HOST AND FACT.ITEM IN ('fs_type', 'mount_options') AND FACT.FACT_KEY LIKE 'path:%'
        AND SUBSTR(CAST(CONTAINER.CONTAINER_NAME || '/' AS VARCHAR(400)), 1, GREATEST(1, LENGTH(FACT.FACT_KEY) - 4))
        = SUBSTR(FACT.FACT_KEY, 6) || '/'
),
DIRECT_FILE_SYSTEM AS (
    -- Every table space with a container in a file system whose caching Db2 cannot switch off: it does not support
    -- direct I/O, or is already mounted for it. A container's file system is the one with the longest path above it.
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
),
SPACES AS (
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
),
SERVED AS (
    SELECT
        T.*,
        M.CACHE_KB / CAST(1024 AS DOUBLE) AS CACHE_MB,
        CASE
            WHEN T.WORSE_PCT <= O.MAX_WORSE_PCT THEN 0
            WHEN 1024 * M.CACHE_KB <= O.SMALL_PART * CAST(B.BP_CUR_BUFFSZ AS DOUBLE) * B.PAGESIZE THEN 0
            WHEN T.WORSE_PCT > O.MAX_WORSE_PCT THEN 1
        END AS POOL_FIRST
    FROM SPACES AS T
    CROSS JOIN (
        SELECT MAX(NUM) AS CACHE_KB
        FROM TUNE.HOST_FACT
        WHERE FACT_KEY = 'memory' AND ITEM = 'available_kb'
    ) AS M
    CROSS JOIN TUNE.O_STORAGE_FS_CACHING_DATA AS O
    LEFT JOIN TUNE.BUFFERPOOL AS B ON T.BPNAME = B.BP_NAME
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
    T.CACHE_MB,
    T.BPNAME,
    T.POOL_FIRST,
    G.NPAGES,
    G.NEW_PAGES,
    CASE WHEN T.POOL_FIRST = 1 THEN G.GROWTH_KB ELSE 0 END AS GROWTH_KB
FROM SERVED AS T
INNER JOIN (
    SELECT
        TBSP_NAME,
        MAX(RAW) AS RAW
    FROM TUNE.CONTAINER_SET
    GROUP BY TBSP_NAME
) AS C ON T.TBSP_NAME = C.TBSP_NAME
CROSS JOIN TUNE.O_STORAGE_FS_CACHING_DATA AS O
LEFT JOIN TUNE.POOL_GROWTH AS G
    ON
        T.BPNAME = G.BP_NAME AND G.HOLDS_ALL = 1 AND G.SIZEABLE = 1 AND G.STMM = 0
        AND G.ROOM_KNOWN = 1 AND G.HAS_ROOM = 1
WHERE
    T.FS_CACHING = 0
    AND (C.RAW = 0 OR T.TBSP_TYPE = 'SMS')
    AND T.TBSP_CONTENT_TYPE NOT IN ('SYSTEMP', 'USRTEMP')
    AND T.PAGES >= O.MIN_PAGE_PART * T.ALL_PAGES
    AND (T.POOL_FIRST = 0 OR (T.POOL_FIRST = 1 AND G.BP_NAME IS NOT NULL))
    AND NOT EXISTS (SELECT 1 FROM DIRECT_FILE_SYSTEM AS F WHERE F.TBSP_NAME = T.TBSP_NAME)
    AND (
        T.TBSP_TYPE = 'SMS'
        OR NOT EXISTS (SELECT 1 FROM TUNE.LOB_SPACE AS L WHERE L.TBSP_NAME = T.TBSP_NAME OR L.TBSP_NAME IS NULL)
    )
