/*---
rule: tablespace.extent-vs-stripe
title: Extent size does not match the RAID stripe
lane: performance
lane_without_claim: condition
severity: low
takes_effect: object rebuilt or moved
risk: medium
applies: {workload: [bi, mixed], not: [purescale]}
judged_by: structure
needs: [tablespace.TBSP_EXTENT_SIZE, cat_tablespace.PREFETCHSIZE, container.CONTAINER_NAME, cat_table.TBSPACE,
  host.strip_kb, host.data_disks, system.HOST_NAME]
object: TABLESPACE {TBSP_NAME:text}
claims: {PREFETCH_WAIT: {events: SAVED_WAITS, cost_ms: WAIT_MS}}
recover: [0.1, 0.3, 0.6]
confidence: 0.6
exclusive: rebuild
actions:
  - set: {name: EXTENTSIZE, from: '{TBSP_EXTENT_SIZE}', to: '{EXTENT_STAR}', unit: pages}
  - when: MOVE_NUMBER = 1
    set: {kind: TABLESPACE, object: '{NEW_SPACE:text}', name: EXISTS, from: missing, to: there}
  - choose:
      - when: MOVE_NUMBER = 1 AND STORAGE IS NULL
        manual: >-
          Specify containers for the new table space, because {TBSP_NAME:name} does not use automatic storage: CREATE
          TABLESPACE {NEW_SPACE:name}[ IN {PARTITION_GROUP:name}] PAGESIZE {TBSP_PAGE_SIZE} MANAGED BY DATABASE USING
          (...) EXTENTSIZE {EXTENT_STAR} PREFETCHSIZE {NEW_PREFETCH|AUTOMATIC}[ BUFFERPOOL {BPNAME:name}][ OVERHEAD
          {NEW_OVERHEAD:6} TRANSFERRATE {NEW_TRANSFERRATE:6}]
        undo: {manual: 'Drop {NEW_SPACE:name} again.'}
      - when: MOVE_NUMBER = 1
        command: >-
          CREATE TABLESPACE {NEW_SPACE:name}[ IN {PARTITION_GROUP:name}] PAGESIZE {TBSP_PAGE_SIZE}{STORAGE:text}[ USING
          STOGROUP {STORAGE_GROUP:name}] EXTENTSIZE {EXTENT_STAR} PREFETCHSIZE {NEW_PREFETCH|AUTOMATIC}[ BUFFERPOOL
          {BPNAME:name}][ OVERHEAD {NEW_OVERHEAD:6} TRANSFERRATE {NEW_TRANSFERRATE:6}]
        undo: {command: 'DROP TABLESPACE {NEW_SPACE:name}'}
  - {include: table-move}
finding: >-
  The array's stripe has {STRIP_KB} KB x {DATA_DISKS} disks = {EXTENT_STAR} pages, the extent {TBSP_EXTENT_SIZE}:
  {LOST_PCT} % of the parallel read capacity is lost. The move takes {GB:1} GB.
evidence: [TBSP_EXTENT_SIZE, TBSP_PAGE_SIZE, strip_kb=STRIP_KB, data_disks=DATA_DISKS, containers=CONTAINERS,
  pages_prefetched=ASYNC_READS, PREFETCH_WAIT_TIME_pct=PREFETCH_WAIT_PCT:2, 'ms_per_prefetch=REQUEST_MS:1?']
query: SELECT TBSPACE, EXTENTSIZE, PAGESIZE FROM SYSCAT.TABLESPACES
references:
  - x445, extent size = strip x disks / page size, and the table space DDL
why: >-
  All disks of the array read an extent of one full stripe in parallel. If an extent starts or ends within a stripe,
  some disks read twice and others are idle.
not_if: >-
  Extent or stripe is a multiple of the other; prefetches are fast for rotating disks; strip or disks are unknown or
  differ; flash; temporary, transaction processing or column-organized tables; less than 1 GB; the new table space
  already exists.
note: >-
  Extent size cannot be altered, so the tables move. The paper counts all disks of the array, the manual the data disks:
  data_disks is the value in the host facts. The claim is the part of the prefetch waits lost to idle disks, while
  others read twice or a strip in two parts. It is an upper bound, because other prefetches may use them. OVERHEAD and
  TRANSFERRATE are copied from the present table space if they are set.
---*/
WITH STRIPS AS (
    SELECT
        S.*,
        CAST(S.TBSP_EXTENT_SIZE * S.TBSP_PAGE_SIZE AS DOUBLE) / NULLIF(1024 * S.STRIP_KB, 0) AS STRIPS
    FROM TUNE.TABLESPACE AS S
),
READ_FROM_STRIPS AS (
    -- idle disks while others read a second strip, or a strip that is read in two parts
    SELECT
        S.*,
        CASE
            WHEN MOD(S.TBSP_EXTENT_SIZE * S.TBSP_PAGE_SIZE, NULLIF(1024 * S.STRIP_KB, 0)) <> 0
                THEN CAST(1 AS DOUBLE) / NULLIF(S.STRIPS + 1, 0)
            ELSE 1 - S.STRIPS / CAST(NULLIF(
                S.DATA_DISKS * CEIL(ROUND(S.STRIPS / CAST(NULLIF(S.DATA_DISKS, 0) AS DOUBLE), 6)), 0
            ) AS DOUBLE)
        END AS LOST_PART
    FROM STRIPS AS S
)
SELECT
    T.TBSP_EXTENT_SIZE,
    T.EXTENT_STAR,
    T.STRIP_KB,
    T.DATA_DISKS,
    T.CONTAINERS,
    T.ASYNC_READS,
    T.BPNAME,
    T.TBSP_NAME || '_N' AS NEW_SPACE,
    CASE WHEN T.PREFETCHSIZE <> -1 THEN T.PREFETCH_STAR END AS NEW_PREFETCH,
    CASE WHEN T.OVERHEAD > 0 AND T.TRANSFERRATE > 0 THEN T.OVERHEAD END AS NEW_OVERHEAD,
    CASE WHEN T.OVERHEAD > 0 AND T.TRANSFERRATE > 0 THEN T.TRANSFERRATE END AS NEW_TRANSFERRATE,
    M.*,
    CASE WHEN M.DATA_SPACE = T.TBSP_NAME THEN T.TBSP_NAME || '_N' ELSE M.DATA_SPACE END AS TO_DATA,
    CASE WHEN M.INDEX_SPACE = T.TBSP_NAME THEN T.TBSP_NAME || '_N' ELSE M.INDEX_SPACE END AS TO_INDEX,
    CASE WHEN M.LONG_SPACE = T.TBSP_NAME THEN T.TBSP_NAME || '_N' ELSE M.LONG_SPACE END AS TO_LONG,
    CAST(ROUND(T.PREFETCH_WAITS * T.P_BI * T.LOST_PART, 0) AS BIGINT) AS SAVED_WAITS,
    T.WAIT_MS,
    T.PREFETCH_WAIT_PCT,
    T.REQUEST_MS,
    100 * T.LOST_PART AS LOST_PCT,
    CAST(T.TBSP_USED_PAGES_ALL AS DOUBLE) * T.TBSP_PAGE_SIZE / CAST(1073741824 AS DOUBLE) AS GB
FROM READ_FROM_STRIPS AS T
INNER JOIN TUNE.TABLE_MOVE AS M ON T.TBSP_NAME = M.TBSP_NAME
CROSS JOIN TUNE.O_SITE AS SITE
CROSS JOIN TUNE.CONSTANT AS CONST
CROSS JOIN (SELECT COUNT(*) AS REASONS FROM TUNE.NO_LOAD) AS U
WHERE
    T.CONTAINERS > 0
    AND T.EXTENT_STAR BETWEEN 2 AND 256
    AND (
        MOD(T.TBSP_EXTENT_SIZE * T.TBSP_PAGE_SIZE, NULLIF(1024 * T.STRIP_KB, 0)) <> 0
        OR (
            MOD(T.TBSP_EXTENT_SIZE, NULLIF(T.EXTENT_STAR, 0)) <> 0
            AND MOD(T.EXTENT_STAR, NULLIF(T.TBSP_EXTENT_SIZE, 0)) <> 0
        )
    )
    AND T.TBSP_EXTENT_SIZE <> T.EXTENT_STAR
    AND COALESCE(T.ROTATIONAL, 1) <> 0
    AND (
        U.REASONS > 0
        OR (
            T.ASYNC_READS >= CONST.ENOUGH_PAGES
            AND T.ASYNC_PART >= SITE.SCAN_PART
            AND (T.REQUEST_MS IS NULL OR 2 * T.REQUEST_MS > T.NORMAL_MS)
        )
    )
    AND T.CLASS <> 'OLTP'
    AND T.TBSP_CONTENT_TYPE NOT IN ('SYSTEMP', 'USRTEMP')
    AND T.TBSP_NAME <> 'SYSCATSPACE'
    AND CAST(T.TBSP_USED_PAGES_ALL AS DOUBLE) * T.TBSP_PAGE_SIZE >= SITE.SMALL_GB * 1073741824
    AND NOT EXISTS (SELECT 1 FROM TUNE.TABLESPACE AS N WHERE N.TBSP_NAME = T.TBSP_NAME || '_N')
    AND NOT EXISTS (SELECT 1 FROM TUNE.D_CAT_TABLE AS C WHERE C.TBSPACE = T.TBSP_NAME AND C.TABLEORG = 'C')
