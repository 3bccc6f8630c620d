-- rule:      prefetch.sync-scan-reads
-- title:     Scans read page by page, without prefetchers
-- area:      prefetch
-- lane:      P
-- effect:    ON
-- applies:   workload=bi; from=8.2
-- evidence:  load
-- claims:    POOL_READ
-- needs:     dbcfg.VALUE, cat_tablespace.PREFETCHSIZE, table.TABLE_SCANS
-- threshold: min_sync_part = 0.75 -- [prop] a warehouse whose prefetchers read a quarter of the pages is healthy
-- threshold: min_share_pct = 10 -- [prop] percent of database time spent on reads of the table space
-- threshold: max_fast_ms = 0.5 -- [prop] reads this fast gain nothing from prefetching
-- source:    000_9a1c354496f94ea4.txt, "Optimizing disk I/O": prefetch is most often effective for BI
-- why:       An agent that reads each page itself waits for each. With SEQDETECT off, or a prefetch size of 0,
--            nobody reads ahead for it.
-- not-if:    SEQDETECT is on (or on its way) and the table space has a prefetch size; no table of it was
--            scanned; reads take no more than 0.5 ms; transaction processing or temporary table space.
-- note:      How well an index is clustered, and whether the scans are driven by one, is not collected, so REORG
--            is not advised. Table scans are prefetched even with SEQDETECT NO, scans of indexes are not.
SELECT
    'TABLESPACE' AS OBJECT_TYPE,
    T.TBSP_NAME AS OBJECT_NAME,
    CAST(NULL AS SMALLINT) AS MEMBER,
    T.SHARE_PCT * T.P_BI AS CLAIMED_PCT,
    CAST(0.1 AS DOUBLE) AS RECOVER_LOW,
    CAST(0.25 AS DOUBLE) AS RECOVER_EXPECTED,
    CAST(0.5 AS DOUBLE) AS RECOVER_HIGH,
    CAST(0.6 AS DOUBLE) AS CONFIDENCE,
    CASE WHEN T.PREFETCHSIZE = 0 THEN 'TABLESPACE:' || T.TBSP_NAME || ':PREFETCHSIZE' ELSE 'DBCFG:SEQDETECT' END
        AS TARGET,
    CASE WHEN T.PREFETCHSIZE = 0 THEN '0' ELSE 'NO' END AS CURRENT_VALUE,
    CASE WHEN T.PREFETCHSIZE = 0 THEN 'AUTOMATIC' ELSE 'YES' END AS PROPOSED_VALUE,
    CASE WHEN T.PREFETCHSIZE = 0 THEN 'pages' END AS UNIT,
    CAST(0 AS BIGINT) AS MEMORY_DELTA_KB,
    CASE
        WHEN T.PREFETCHSIZE = 0
            THEN 'ALTER TABLESPACE "' || REPLACE(T.TBSP_NAME, '"', '""') || '" PREFETCHSIZE AUTOMATIC'
        ELSE 'UPDATE DB CFG FOR ' || B.DB_NAME || ' USING SEQDETECT YES'
    END AS ACTION_TEXT,
    CASE
        WHEN T.PREFETCHSIZE = 0 THEN 'ALTER TABLESPACE "' || REPLACE(T.TBSP_NAME, '"', '""') || '" PREFETCHSIZE 0'
        ELSE 'UPDATE DB CFG FOR ' || B.DB_NAME || ' USING SEQDETECT NO'
    END AS UNDO_TEXT,
    'SEQDETECT=' || Q.VALUE
    || '; PREFETCHSIZE=' || CAST(T.PREFETCHSIZE AS VARCHAR(20))
    || '; synchronous_reads=' || CAST(T.SYNC_READS AS VARCHAR(20))
    || '; physical_reads=' || CAST(T.PHYSICAL_READS AS VARCHAR(20))
    || '; TABLE_SCANS=' || CAST(S.TABLE_SCANS AS VARCHAR(20))
    || '; POOL_READ_TIME_pct=' || CAST(CAST(ROUND(T.SHARE_PCT, 2) AS DECIMAL(9, 2)) AS VARCHAR(20)) AS EVIDENCE,
    'Agents read ' || CAST(CAST(ROUND(100 * CAST(T.SYNC_READS AS DOUBLE) / NULLIF(T.PHYSICAL_READS, 0), 0) AS INTEGER) AS VARCHAR(20))
    || ' % of the pages themselves, one by one, while tables are scanned: '
    || CASE WHEN T.PREFETCHSIZE = 0 THEN 'the prefetch size is 0.' ELSE 'SEQDETECT is NO.' END AS FINDING,
    CAST(0 AS DOUBLE) AS CLAIM_2_PCT,
    CAST(0 AS DOUBLE) AS CLAIM_3_PCT
FROM TUNE.TABLESPACE AS T
INNER JOIN (
    SELECT
        TBSP_ID,
        SUM(TABLE_SCANS) AS TABLE_SCANS
    FROM TUNE.D_TABLE
    GROUP BY TBSP_ID
) AS S ON T.TBSP_ID = S.TBSP_ID
CROSS JOIN (
    -- NO only when no member has or gets another value
    SELECT
        MAX(VALUE) AS VALUE,
        MAX(PENDING) AS PENDING
    FROM TUNE.CONFIG
    WHERE SCOPE = 'DB' AND NAME = 'seqdetect'
) AS Q
CROSS JOIN TUNE.WORKLOAD_CLASS AS K
CROSS JOIN TUNE.RUN_DATABASE AS B
CROSS JOIN TUNE.O_PREFETCH_SYNC_SCAN_READS AS O
WHERE
    (T.PREFETCHSIZE = 0 OR (Q.VALUE = 'NO' AND Q.PENDING = 0))
    AND T.BUSY = 1
    AND K.CLASS = 'BI'
    AND T.CLASS <> 'OLTP'
    AND T.TBSP_CONTENT_TYPE NOT IN ('SYSTEMP', 'USRTEMP')
    AND S.TABLE_SCANS > 0
    AND CAST(T.SYNC_READS AS DOUBLE) / NULLIF(T.PHYSICAL_READS, 0) > O.MIN_SYNC_PART
    AND T.SHARE_PCT >= O.MIN_SHARE_PCT
    AND CAST(T.SYNC_READ_MS AS DOUBLE) / NULLIF(T.SYNC_READS, 0) > O.MAX_FAST_MS
