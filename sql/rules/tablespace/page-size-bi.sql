/*---
rule: tablespace.page-size-bi
title: Small pages for a large scanned table space
lane: performance
takes_effect: object rebuilt or moved
risk: medium
applies: {workload: [bi], not: [purescale], from: '9.1'}
judged_by: load
needs: [tablespace.TBSP_PAGE_SIZE, cat_tablespace.PREFETCHSIZE, cat_bufferpool.PAGESIZE, cat_table.TBSPACE,
  bufferpool.BP_CUR_BUFFSZ, workload.PREFETCH_WAIT_TIME, table.TABLE_SCANS, system.MEMORY_FREE]
object: TABLESPACE {TBSP_NAME:text}
claims: {PROCESSING: {events: SAVED_PAGES, cost_ms: PAGE_CPU_MS}}
recover: [0.1, 0.3, 0.6]
confidence: 0.3
memory: FIRST_POOL_KB
exclusive: rebuild
thresholds:
  max_page_kb: {default: 8, from: x445, why: the paper recommends pages of 16 KB}
  page_kb: {default: 16, from: x445, why: page size of the paper's table space}
  min_gb: {default: 10, from: own, why: below 10 GB a move is not justified}
  min_async_part: {default: 0.6, from: own, why: nearly all reads are scans}
  max_statements:
    default: 10
    from: own
    why: per second; a database with more processes transactions, even if it scans
  min_hours: {default: 24, from: own, why: a shorter time may show only the reports of a night}
actions:
  - set: {name: PAGESIZE, from: '{TBSP_PAGE_SIZE}', to: '{NEW_PAGE}', unit: bytes}
  - {include: larger-pages}
  - {include: table-move}
  - {include: memory-follows}
finding: >-
  Scans read {GB} GB in pages of {TBSP_PAGE_SIZE} bytes ({ASYNC_PCT} % prefetched). Larger pages reduce the number of
  pages to process.
evidence: [TBSP_PAGE_SIZE, size_gb=GB, pages_prefetched=ASYNC_READS, prefetched_part=ASYNC_PART:2]
references:
  - x445 ("large page size of 16KB is recommended")
why: >-
  A scan processes every page once: fewer, larger pages mean fewer latches and page headers. Disk reads stay the same,
  because prefetchers read extents of any page size.
not_if: >-
  Pages above 8 KB; transaction processing or mixed use; without a declared BI workload: less than a day observed, or
  more than ten statements per second (nightly scans are not its purpose, and scans among transactions need an index);
  none of its tables is scanned; column-organized tables; less than 10 GB; no memory for both pools until the tables
  have moved; the new table space already exists.
note: >-
  The claim is the reduction in pages processed, at a few microseconds each. Short rows do not waste space (255 rows per
  page), because the new table space is LARGE. An existing buffer pool with this page size is used if it is large
  enough. Otherwise a new pool takes the table space's part of the present pool, once its tables have moved.
---*/
WITH SPACE AS (
    SELECT
        T.*,
        P.NEW_PAGE,
        P.NEW_POOL_PAGES,
        P.FIRST_POOL_PAGES,
        P.FIRST_POOL_KB,
        P.POOL_REST,
        COALESCE(P.PRESENT_POOL, 'BP' || CAST(CAST(FLOOR(O.PAGE_KB) AS BIGINT) AS VARCHAR(20)) || 'K') AS NEW_POOL,
        CASE WHEN P.PRESENT_POOL IS NULL THEN 1 ELSE 0 END AS CREATES_POOL,
        T.TBSP_NAME || '_' || CAST(CAST(FLOOR(O.PAGE_KB) AS BIGINT) AS VARCHAR(20)) || 'K' AS NEW_SPACE,
        CONST.PAGE_CPU_MS,
        CAST(GREATEST(2, FLOOR(
            CAST(T.TBSP_EXTENT_SIZE * T.TBSP_PAGE_SIZE AS DOUBLE) / NULLIF(P.NEW_PAGE, 0)
        )) AS BIGINT) AS NEW_EXTENT
    FROM TUNE.TABLESPACE AS T
    CROSS JOIN TUNE.WORKLOAD_CLASS AS K
    CROSS JOIN TUNE.DATABASE_TIME AS A
    CROSS JOIN TUNE.O_TABLESPACE_PAGE_SIZE_BI AS O
    CROSS JOIN TUNE.O_SITE AS SITE
    CROSS JOIN TUNE.CONSTANT AS CONST
    INNER JOIN TUNE.MOVE_POOL AS P
        ON T.TBSP_NAME = P.TBSP_NAME AND 1024 * CAST(FLOOR(O.PAGE_KB) AS BIGINT) = P.NEW_PAGE AND P.POSSIBLE = 1
    WHERE
        T.TBSP_PAGE_SIZE <= 1024 * O.MAX_PAGE_KB
        AND K.CLASS = 'BI'
        AND (
            K.DECLARED = 'BI'
            OR (
                A.SECONDS >= 3600 * O.MIN_HOURS
                AND A.SELECT_SQL_STMTS + A.UID_SQL_STMTS < O.MAX_STATEMENTS * A.SECONDS
            )
        )
        AND T.CLASS = 'BI'
        AND T.BUSY = 1
        AND T.ASYNC_PART >= O.MIN_ASYNC_PART
        AND T.SHARE_PCT + T.PREFETCH_WAIT_PCT >= SITE.MAJOR_PCT
        AND T.TBSP_CONTENT_TYPE NOT IN ('SYSTEMP', 'USRTEMP')
        AND T.TBSP_NAME <> 'SYSCATSPACE'
        AND CAST(T.TBSP_USED_PAGES_ALL AS DOUBLE) * T.TBSP_PAGE_SIZE >= O.MIN_GB * 1073741824
        AND NOT EXISTS (SELECT 1 FROM TUNE.D_CAT_TABLE AS C WHERE C.TBSPACE = T.TBSP_NAME AND C.TABLEORG = 'C')
        AND EXISTS (SELECT 1 FROM TUNE.D_TABLE AS D WHERE D.TBSP_ID = T.TBSP_ID AND D.TABLE_SCANS > 0)
)
SELECT
    S.NEW_PAGE,
    S.NEW_SPACE,
    S.NEW_EXTENT,
    S.NEW_POOL,
    S.CREATES_POOL,
    S.NEW_POOL_PAGES,
    S.FIRST_POOL_PAGES,
    S.FIRST_POOL_KB,
    S.POOL_REST,
    S.ASYNC_READS,
    S.ASYNC_PART,
    100 * S.ASYNC_PART AS ASYNC_PCT,
    CAST(S.TBSP_USED_PAGES_ALL AS DOUBLE) * S.TBSP_PAGE_SIZE / CAST(1073741824 AS DOUBLE) AS GB,
    CASE WHEN S.PREFETCHSIZE > 0 AND S.CONTAINERS > 0 THEN S.NEW_EXTENT * S.CONTAINERS END AS NEW_PREFETCH,
    M.*,
    CASE WHEN M.DATA_SPACE = S.TBSP_NAME THEN S.NEW_SPACE ELSE M.DATA_SPACE END AS TO_DATA,
    CASE WHEN M.INDEX_SPACE = S.TBSP_NAME THEN S.NEW_SPACE ELSE M.INDEX_SPACE END AS TO_INDEX,
    CASE WHEN M.LONG_SPACE = S.TBSP_NAME THEN S.NEW_SPACE ELSE M.LONG_SPACE END AS TO_LONG,
    CAST(ROUND(
        (S.LOGICAL_READS - S.INDEX_LOGICAL_READS - S.TEMP_LOGICAL_READS) * S.P_BI
        * (1 - CAST(S.TBSP_PAGE_SIZE AS DOUBLE) / NULLIF(S.NEW_PAGE, 0)), 0
    ) AS BIGINT) AS SAVED_PAGES,
    S.PAGE_CPU_MS
FROM SPACE AS S
INNER JOIN TUNE.TABLE_MOVE AS M ON S.TBSP_NAME = M.TBSP_NAME
WHERE
    NOT EXISTS (SELECT 1 FROM TUNE.TABLESPACE AS N WHERE N.TBSP_NAME = S.NEW_SPACE)
    AND (S.CREATES_POOL = 0 OR NOT EXISTS (SELECT 1 FROM TUNE.D_CAT_BUFFERPOOL AS N WHERE N.BPNAME = S.NEW_POOL))
