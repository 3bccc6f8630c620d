/*---
rule: tablespace.extent-small
title: Tiny extents split scans into tiny reads
lane: performance
takes_effect: object rebuilt or moved
risk: medium
applies: {workload: [bi, mixed], not: [purescale], from: '9.7', quiet: true}
judged_by: load
needs: [tablespace.TBSP_EXTENT_SIZE, cat_tablespace.PREFETCHSIZE, cat_table.TBSPACE, workload.PREFETCH_WAIT_TIME,
  workload.PREFETCH_WAITS]
object: TABLESPACE {TBSP_NAME:text}
claims: {PREFETCH_WAIT: {events: SAVED_WAITS, cost_ms: WAIT_MS}}
recover: [0.1, 0.3, 0.6]
confidence: 0.3
exclusive: rebuild
after: [prefetch.ioservers-low, prefetch.parallel-io-unset, prefetch.size-misaligned, prefetch.wait-high]
defers_to:
  - {rule: tablespace.extent-vs-stripe, within: object}
  - {rule: storage.io-latency-high, within: any, only_if_larger: true}
thresholds:
  max_kb: {default: 16, from: own, why: 'larger extents are usual: SAP has 2 pages of 16 KB'}
  new_kb: {default: 128, from: manuals, why: the default extent of 32 pages of 4 KB}
  full_part: {default: 0.5, from: own, why: requests below this part of an extent are for scattered pages}
actions:
  - set: {name: EXTENTSIZE, from: '{TBSP_EXTENT_SIZE}', to: '{NEW_EXTENT}', unit: pages}
  - when: MOVE_NUMBER = 1
    set: {kind: TABLESPACE, object: '{NEW_SPACE:text}', name: EXISTS, from: missing, to: there}
  - when: MOVE_NUMBER = 1
    command: >-
      CREATE TABLESPACE {NEW_SPACE:name}[ IN {PARTITION_GROUP:name}] PAGESIZE {TBSP_PAGE_SIZE}{STORAGE:text}[ USING
      STOGROUP {STORAGE_GROUP:name}] EXTENTSIZE {NEW_EXTENT} PREFETCHSIZE AUTOMATIC[ BUFFERPOOL {BPNAME:name}][ OVERHEAD
      {NEW_OVERHEAD:6} TRANSFERRATE {NEW_TRANSFERRATE:6}]
    undo: {command: 'DROP TABLESPACE {NEW_SPACE:name}'}
  - {include: table-move}
finding: >-
  Agents wait {PREFETCH_WAIT_PCT:1} % of database time for prefetchers, which read only {REQUEST_KB:1} KB per request:
  an extent has {TBSP_EXTENT_SIZE} pages of {TBSP_PAGE_SIZE} bytes. The move takes {GB:1} GB.
evidence: [TBSP_EXTENT_SIZE, TBSP_PAGE_SIZE, pages_prefetched=ASYNC_READS, 'pages_per_request=PAGES_PER_REQUEST:1',
  PREFETCH_WAIT_TIME_pct=PREFETCH_WAIT_PCT:2, PREFETCH_WAITS, ms_per_wait=WAIT_MS:2, 'ms_per_request=REQUEST_MS:2?']
references:
  - IBM documentation of dft_extent_sz (r0000325), dft_prefetch_sz (r0000327) and ADMIN_MOVE_TABLE (r0055069)
  - 'Malte Schuenemann (IBM), Db2 Prefetching: Understanding, Configuring, Monitoring, Tuning (WP102804)'
why: >-
  Db2 splits each prefetch along the extents, and every part is a read of its own. With extents of a few KB, the cost of
  a request and the device's requests per second limit the scan, also on flash.
not_if: >-
  Extents above 16 KB; requests for more than an extent, or for less than half of one (scattered pages); agents wait
  less than 10 % of the time; less than 1 GB; tables below 100 MB on average, which would waste larger extents;
  transaction processing, temporary or column-organized tables; no automatic storage; the new table space already
  exists.
note: >-
  The extent size cannot be altered, so the tables move. The claim is the waits for the requests that larger extents
  save: an upper bound, because a larger request takes longer.
---*/
WITH SPACE AS (
    SELECT
        S.*,
        CAST(FLOOR(1024 * O.NEW_KB / CAST(NULLIF(S.TBSP_PAGE_SIZE, 0) AS DOUBLE)) AS BIGINT) AS NEW_EXTENT,
        CAST(S.TBSP_USED_PAGES_ALL AS DOUBLE) * S.TBSP_PAGE_SIZE AS BYTES
    FROM TUNE.PREFETCHING AS S
    CROSS JOIN TUNE.O_TABLESPACE_EXTENT_SMALL AS O
)
SELECT
    S.TBSP_EXTENT_SIZE,
    S.NEW_EXTENT,
    S.ASYNC_READS,
    S.PAGES_PER_REQUEST,
    S.PAGES_PER_REQUEST * S.TBSP_PAGE_SIZE / CAST(1024 AS DOUBLE) AS REQUEST_KB,
    S.REQUEST_MS,
    S.BPNAME,
    S.TBSP_NAME || '_N' AS NEW_SPACE,
    CASE WHEN S.OVERHEAD > 0 AND S.TRANSFERRATE > 0 THEN S.OVERHEAD END AS NEW_OVERHEAD,
    CASE WHEN S.OVERHEAD > 0 AND S.TRANSFERRATE > 0 THEN S.TRANSFERRATE END AS NEW_TRANSFERRATE,
    M.*,
    CASE WHEN M.DATA_SPACE = S.TBSP_NAME THEN S.TBSP_NAME || '_N' ELSE M.DATA_SPACE END AS TO_DATA,
    CASE WHEN M.INDEX_SPACE = S.TBSP_NAME THEN S.TBSP_NAME || '_N' ELSE M.INDEX_SPACE END AS TO_INDEX,
    CASE WHEN M.LONG_SPACE = S.TBSP_NAME THEN S.TBSP_NAME || '_N' ELSE M.LONG_SPACE END AS TO_LONG,
    CAST(ROUND(
        S.PREFETCH_WAITS * S.P_BI * (1 - CAST(S.TBSP_EXTENT_SIZE AS DOUBLE) / NULLIF(S.NEW_EXTENT, 0)), 0
    ) AS BIGINT) AS SAVED_WAITS,
    S.PREFETCH_WAITS,
    S.WAIT_MS,
    S.PREFETCH_WAIT_PCT,
    S.BYTES / CAST(1073741824 AS DOUBLE) AS GB
FROM SPACE AS S
INNER JOIN TUNE.TABLE_MOVE AS M ON S.TBSP_NAME = M.TBSP_NAME
CROSS JOIN TUNE.O_TABLESPACE_EXTENT_SMALL AS O
CROSS JOIN TUNE.O_SITE AS SITE
CROSS JOIN TUNE.CONSTANT AS CONST
WHERE
    S.TBSP_EXTENT_SIZE * S.TBSP_PAGE_SIZE <= 1024 * O.MAX_KB
    AND S.NEW_EXTENT > S.TBSP_EXTENT_SIZE
    AND S.PAGES_PER_REQUEST >= O.FULL_PART * S.TBSP_EXTENT_SIZE
    AND S.PAGES_PER_REQUEST <= S.TBSP_EXTENT_SIZE
    AND S.ASYNC_READS >= CONST.ENOUGH_PAGES
    AND S.PREFETCH_WAITS >= CONST.ENOUGH_EVENTS
    AND S.PREFETCH_WAIT_PCT >= SITE.MAJOR_PCT
    AND S.CLASS <> 'OLTP'
    AND S.TBSP_CONTENT_TYPE NOT IN ('SYSTEMP', 'USRTEMP')
    AND S.TBSP_NAME <> 'SYSCATSPACE'
    AND S.BYTES >= SITE.SMALL_GB * 1073741824
    AND M.TABNAME IS NOT NULL
    AND M.STORAGE IS NOT NULL
    AND S.BYTES >= SITE.SMALL_MB * 1048576 * M.MOVES
    AND NOT EXISTS (SELECT 1 FROM TUNE.TABLESPACE AS N WHERE N.TBSP_NAME = S.TBSP_NAME || '_N')
    AND NOT EXISTS (SELECT 1 FROM TUNE.D_CAT_TABLE AS C WHERE C.TBSPACE = S.TBSP_NAME AND C.TABLEORG = 'C')
