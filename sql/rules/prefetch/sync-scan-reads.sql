/*---
rule: prefetch.sync-scan-reads
title: Scans read page by page, without prefetching
lane: performance
takes_effect: immediately
applies: {workload: [bi], from: '8.2'}
judged_by: load
needs: [dbcfg.VALUE, cat_tablespace.PREFETCHSIZE, table.TABLE_SCANS, tablespace.POOL_READ_TIME]
object: TABLESPACE {TBSP_NAME:text}
claims: {POOL_READ: {events: SCAN_READS, cost_ms: READ_MS}}
recover: [0.1, 0.25, 0.5]
confidence: 0.6
thresholds:
  min_sync_part: {default: 0.75, from: own, why: a warehouse is healthy if prefetchers read a quarter of the pages}
  max_fast_ms: {default: 0.5, from: own, why: reads this fast gain nothing from prefetching}
actions:
  - choose:
      - when: PREFETCHSIZE = 0
        set: {name: PREFETCHSIZE, from: '{PREFETCHSIZE}', to: AUTOMATIC, unit: pages}
      - set: {kind: DBCFG, name: SEQDETECT, from: '{SEQDETECT:text}', to: 'YES'}
finding:
  - Agents read {SYNC_PCT} % of the pages themselves, page by page.
  - choose:
      - when: PREFETCHSIZE = 0
        text: The prefetch size is 0; {TABLE_SCANS} table scans read up to {SCANNED_PAGES|all} pages.
      - 'SEQDETECT is {SEQDETECT:text}: index scans are not prefetched.'
evidence: ['SEQDETECT:text?', PREFETCHSIZE, synchronous_reads=SYNC_READS, physical_reads=PHYSICAL_READS, TABLE_SCANS,
  'pages_of_scanned_tables=SCANNED_PAGES?', POOL_READ_TIME_pct=SHARE_PCT:2]
references:
  - 'x445, "Optimizing disk I/O": prefetch is most often effective for BI'
why: >-
  An agent that reads its own pages waits for each. With SEQDETECT off, or a prefetch size of 0, Db2 does not prefetch
  for it.
not_if: >-
  SEQDETECT is on (or pending) and the table space has a prefetch size; the prefetch size is 0 and no scanned table is
  large enough to explain the reads; reads take at most 0.5 ms; transaction processing or temporary table space.
note: >-
  db2tune does not collect index clustering, so the rule does not advise REORG. SEQDETECT NO stops prefetching of index
  scans, not of table scans. The claim is limited to the pages of the scanned tables if statistics contain them.
---*/
WITH SCANNED AS (
    SELECT
        U.TBSP_ID,
        SUM(U.TABLE_SCANS) AS TABLE_SCANS,
        CASE
            WHEN COUNT(CASE WHEN C.FPAGES >= 0 THEN 1 END) = COUNT(*)
                THEN SUM(U.TABLE_SCANS * CAST(C.FPAGES AS DOUBLE))
        END AS SCANNED_PAGES
    FROM TUNE.D_TABLE AS U
    LEFT JOIN TUNE.D_CAT_TABLE AS C ON U.TABSCHEMA = C.TABSCHEMA AND U.TABNAME = C.TABNAME
    WHERE U.TABLE_SCANS > 0
    GROUP BY U.TBSP_ID
),
SPACE AS (
    SELECT
        T.*,
        S.TABLE_SCANS,
        S.SCANNED_PAGES,
        CASE
            WHEN T.PREFETCHSIZE = 0 THEN LEAST(T.SYNC_READS, COALESCE(S.SCANNED_PAGES, T.SYNC_READS))
            ELSE T.SYNC_READS
        END AS PAGES
    FROM TUNE.TABLESPACE AS T
    LEFT JOIN SCANNED AS S ON T.TBSP_ID = S.TBSP_ID
)
SELECT
    T.TBSP_NAME,
    T.PREFETCHSIZE,
    T.SYNC_READS,
    T.PHYSICAL_READS,
    T.SHARE_PCT,
    COALESCE(T.TABLE_SCANS, 0) AS TABLE_SCANS,
    CAST(FLOOR(T.SCANNED_PAGES) AS BIGINT) AS SCANNED_PAGES,
    Q.VALUE AS SEQDETECT,
    100 * CAST(T.SYNC_READS AS DOUBLE) / NULLIF(T.PHYSICAL_READS, 0) AS SYNC_PCT,
    CAST(FLOOR(T.P_BI * T.PAGES) AS BIGINT) AS SCAN_READS,
    T.READ_MS
FROM SPACE AS T
CROSS JOIN TUNE.WORKLOAD_CLASS AS K
CROSS JOIN TUNE.O_PREFETCH_SYNC_SCAN_READS AS O
CROSS JOIN TUNE.O_SITE AS SITE
LEFT JOIN TUNE.SETTING AS Q ON Q.SCOPE = 'DB' AND Q.NAME = 'seqdetect'
WHERE
    ((T.PREFETCHSIZE = 0 AND T.TABLE_SCANS > 0) OR (Q.VALUE = 'NO' AND Q.FIXED = 1))
    AND T.BUSY = 1
    AND K.CLASS = 'BI'
    AND T.CLASS <> 'OLTP'
    AND T.TBSP_CONTENT_TYPE NOT IN ('SYSTEMP', 'USRTEMP')
    AND CAST(T.SYNC_READS AS DOUBLE) / NULLIF(T.PHYSICAL_READS, 0) > O.MIN_SYNC_PART
    AND T.SHARE_PCT >= SITE.MAJOR_PCT
    AND T.SHARE_PCT * T.PAGES >= SITE.MAJOR_PCT * T.SYNC_READS
    AND T.READ_MS > O.MAX_FAST_MS
