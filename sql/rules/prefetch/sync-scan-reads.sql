-- rule:       prefetch.sync-scan-reads
-- title:      Scans read page by page, without prefetchers
-- area:       prefetch
-- lane:       P
-- effect:     ON
-- applies:    workload=bi; from=8.2
-- judged-by:  load
-- claims:     POOL_READ = SCAN_READS x READ_MS
-- recover:    0.1, 0.25, 0.5
-- confidence: 0.6
-- needs:      dbcfg.VALUE, cat_tablespace.PREFETCHSIZE, table.TABLE_SCANS
-- threshold:  min_sync_part = 0.75 -- [prop] a warehouse whose prefetchers read a quarter of the pages is healthy
-- threshold:  min_share_pct = 10 -- [prop] percent of database time spent on reads of the table space
-- threshold:  max_fast_ms = 0.5 -- [prop] reads this fast gain nothing from prefetching
-- object:     TABLESPACE {TBSP_NAME:text}
-- set:        when PREFETCHSIZE = 0: PREFETCHSIZE: {PREFETCHSIZE} -> AUTOMATIC (pages)
-- set:        else: DBCFG SEQDETECT: {SEQDETECT:text} -> YES
-- finding:    Agents read {SYNC_PCT} % of the pages themselves, one by one, while tables are scanned:
-- finding:    when PREFETCHSIZE = 0: the prefetch size is 0.
-- finding:    else: SEQDETECT is {SEQDETECT:text}.
-- evidence:   SEQDETECT:text?, PREFETCHSIZE, synchronous_reads=SYNC_READS, physical_reads=PHYSICAL_READS, TABLE_SCANS,
--             POOL_READ_TIME_pct=SHARE_PCT:2
-- source:     000_9a1c354496f94ea4.txt, "Optimizing disk I/O": prefetch is most often effective for BI
-- why:        An agent that reads each page itself waits for each. With SEQDETECT off, or a prefetch size of 0,
--             nobody reads ahead for it.
-- not-if:     SEQDETECT is on (or on its way) and the table space has a prefetch size; no table of it was
--             scanned; reads take no more than 0.5 ms; transaction processing or temporary table space.
-- note:       How well an index is clustered, and whether the scans are driven by one, is not collected, so REORG
--             is not advised. Table scans are prefetched even with SEQDETECT NO, scans of indexes are not.
WITH SCANNED AS (
    SELECT
        TBSP_ID,
        SUM(TABLE_SCANS) AS TABLE_SCANS
    FROM TUNE.D_TABLE
    GROUP BY TBSP_ID
)
SELECT
    T.TBSP_NAME,
    T.PREFETCHSIZE,
    T.SYNC_READS,
    T.PHYSICAL_READS,
    T.SHARE_PCT,
    S.TABLE_SCANS,
    Q.VALUE AS SEQDETECT,
    100 * CAST(T.SYNC_READS AS DOUBLE) / NULLIF(T.PHYSICAL_READS, 0) AS SYNC_PCT,
    CAST(FLOOR(T.P_BI * T.SYNC_READS) AS BIGINT) AS SCAN_READS,
    T.READ_MS
FROM TUNE.TABLESPACE AS T
INNER JOIN SCANNED AS S ON T.TBSP_ID = S.TBSP_ID
CROSS JOIN TUNE.WORKLOAD_CLASS AS K
CROSS JOIN TUNE.O_PREFETCH_SYNC_SCAN_READS AS O
LEFT JOIN TUNE.SETTING AS Q ON Q.SCOPE = 'DB' AND Q.NAME = 'seqdetect'
WHERE
    (T.PREFETCHSIZE = 0 OR (Q.VALUE = 'NO' AND Q.FIXED = 1))
    AND T.BUSY = 1
    AND K.CLASS = 'BI'
    AND T.CLASS <> 'OLTP'
    AND T.TBSP_CONTENT_TYPE NOT IN ('SYSTEMP', 'USRTEMP')
    AND S.TABLE_SCANS > 0
    AND CAST(T.SYNC_READS AS DOUBLE) / NULLIF(T.PHYSICAL_READS, 0) > O.MIN_SYNC_PART
    AND T.SHARE_PCT >= O.MIN_SHARE_PCT
    AND T.READ_MS > O.MAX_FAST_MS
