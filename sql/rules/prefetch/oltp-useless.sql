-- rule:      prefetch.oltp-useless
-- title:     Prefetching hurts random reads
-- area:      prefetch
-- lane:      P
-- effect:    ON
-- applies:   workload=oltp,mixed; quiet=yes
-- evidence:  load
-- claims:    PREFETCH_WAIT, POOL_READ
-- exclusive: prefetch
-- yields:    stats.scan-heavy-oltp@object+larger
-- needs:     cat_tablespace.PREFETCHSIZE, tablespace.UNREAD_PREFETCH_PAGES, workload.PREFETCH_WAIT_TIME,
--            workload.SELECT_SQL_STMTS, cat_table.TABLEORG
-- threshold: min_async_pages = 10000 -- [prop] a quieter table space has too little prefetching to judge
-- threshold: max_rows_per_select = 10 -- [prop] from 10 rows a SELECT on, scans are part of the work
-- threshold: min_async_part = 0.15 -- [prop] below 15 % of the pages, prefetching is no burden
-- threshold: min_unread_part = 0.1 -- [prop] a tenth of the prefetched pages is thrown away unread
-- threshold: min_wait_pct = 3 -- [prop] percent of database time spent waiting for prefetchers
-- source:    001_518820f6be7b57c0.txt, milestones and "Read-ahead setup" (prefetch and read-ahead off: +43 %)
-- why:       Transactions read single pages at random places. Pages that prefetchers bring in beside them are
--            seldom read, yet keep the disks busy and push pages out of the buffer pool that are wanted.
-- not-if:    Prefetch is off already, or AUTOMATIC: what Db2 sets itself is left to it; BI or temporary table
--            space; column-organized tables; a utility ran.
-- note:      A nightly batch that scans the same table space cannot be seen in one interval: look at a day.
--            SEQDETECT NO is the softer way, for index scans only. IBM's manual gives 0 as a prefetch size
--            (dft_prefetch_sz) without a word on what it does; that it stops prefetching is the paper's.
--            From 10.1 Db2 also reads ahead on its own (smart prefetching), which 0 may not stop: low confidence.
SELECT
    'TABLESPACE' AS OBJECT_TYPE,
    T.TBSP_NAME AS OBJECT_NAME,
    CAST(NULL AS SMALLINT) AS MEMBER,
    (T.PREFETCH_WAIT_PCT + T.SCAN_PCT) * T.P_OLTP AS CLAIMED_PCT,
    CAST(0.35 AS DOUBLE) AS RECOVER_LOW,
    CAST(0.67 AS DOUBLE) AS RECOVER_EXPECTED,
    CAST(0.95 AS DOUBLE) AS RECOVER_HIGH,
    CASE WHEN B.DB2_LEVEL < 10010000 THEN CAST(0.6 AS DOUBLE) ELSE CAST(0.3 AS DOUBLE) END AS CONFIDENCE,
    'TABLESPACE:' || T.TBSP_NAME || ':PREFETCHSIZE' AS TARGET,
    CAST(T.PREFETCHSIZE AS VARCHAR(20)) AS CURRENT_VALUE,
    '0' AS PROPOSED_VALUE,
    'pages' AS UNIT,
    CAST(0 AS BIGINT) AS MEMORY_DELTA_KB,
    'ALTER TABLESPACE "' || REPLACE(T.TBSP_NAME, '"', '""') || '" PREFETCHSIZE 0' AS ACTION_TEXT,
    'ALTER TABLESPACE "' || REPLACE(T.TBSP_NAME, '"', '""') || '" PREFETCHSIZE '
    || CAST(T.PREFETCHSIZE AS VARCHAR(20)) AS UNDO_TEXT,
    'pages_prefetched=' || CAST(T.ASYNC_READS AS VARCHAR(20))
    || '; physical_reads=' || CAST(T.PHYSICAL_READS AS VARCHAR(20))
    || '; UNREAD_PREFETCH_PAGES=' || CAST(COALESCE(T.UNREAD_PREFETCH_PAGES, 0) AS VARCHAR(20))
    || '; PREFETCH_WAIT_TIME_pct=' || CAST(CAST(ROUND(T.PREFETCH_WAIT_PCT, 2) AS DECIMAL(9, 2)) AS VARCHAR(20))
    || '; rows_per_select=' || CAST(CAST(ROUND(K.ROWS_PER_SELECT, 2) AS DECIMAL(15, 2)) AS VARCHAR(20)) AS EVIDENCE,
    'Prefetchers read ' || CAST(CAST(ROUND(100 * T.ASYNC_PART, 0) AS INTEGER) AS VARCHAR(20))
    || ' % of the pages of a table space whose work is random, and '
    || CAST(CAST(ROUND(100 * CAST(COALESCE(T.UNREAD_PREFETCH_PAGES, 0) AS DOUBLE) / NULLIF(T.ASYNC_READS, 0), 0) AS INTEGER)
        AS VARCHAR(20))
    || ' % of those were never read; a SELECT returns '
    || CAST(CAST(ROUND(K.ROWS_PER_SELECT, 1) AS DECIMAL(15, 1)) AS VARCHAR(20)) || ' rows.' AS FINDING,
    T.SCAN_PCT * T.P_OLTP AS CLAIM_2_PCT,
    CAST(0 AS DOUBLE) AS CLAIM_3_PCT
FROM TUNE.TABLESPACE AS T
CROSS JOIN TUNE.WORKLOAD_CLASS AS K
CROSS JOIN TUNE.DATABASE_TIME AS D
CROSS JOIN TUNE.RUN_DATABASE AS B
CROSS JOIN TUNE.O_PREFETCH_OLTP_USELESS AS O
WHERE
    T.PREFETCHSIZE > 0
    AND (K.CLASS = 'OLTP' OR T.CLASS = 'OLTP')
    AND T.CLASS <> 'BI'
    AND T.TBSP_CONTENT_TYPE NOT IN ('SYSTEMP', 'USRTEMP')
    AND K.ROWS_PER_SELECT < O.MAX_ROWS_PER_SELECT
    AND T.ASYNC_READS >= O.MIN_ASYNC_PAGES
    AND T.ASYNC_PART >= O.MIN_ASYNC_PART
    AND (
        CAST(COALESCE(T.UNREAD_PREFETCH_PAGES, 0) AS DOUBLE) / NULLIF(T.ASYNC_READS, 0) >= O.MIN_UNREAD_PART
        OR D.PREFETCH_WAIT_PCT >= O.MIN_WAIT_PCT
    )
    AND NOT EXISTS (
        SELECT 1 FROM TUNE.D_CAT_TABLE AS C WHERE C.TBSPACE = T.TBSP_NAME AND C.TABLEORG = 'C'
    )
