-- rule:       prefetch.oltp-useless
-- title:      Prefetching hurts random reads
-- area:       prefetch
-- lane:       P
-- effect:     ON
-- applies:    workload=oltp,mixed; quiet=yes
-- judged-by:  load
-- claims:     PREFETCH_WAIT, POOL_READ
-- recover:    0.35, 0.67, 0.95
-- confidence: CONFIDENCE
-- exclusive:  prefetch
-- needs:      cat_tablespace.PREFETCHSIZE, tablespace.UNREAD_PREFETCH_PAGES, workload.PREFETCH_WAIT_TIME,
--             workload.SELECT_SQL_STMTS, cat_table.TABLEORG
-- threshold:  min_async_pages = 10000 -- [prop] a quieter table space has too little prefetching to judge
-- threshold:  max_rows_per_select = 10 -- [prop] from 10 rows a SELECT on, scans are part of the work
-- threshold:  min_async_part = 0.15 -- [prop] below 15 % of the pages, prefetching is no burden
-- threshold:  min_unread_part = 0.1 -- [prop] a tenth of the prefetched pages is thrown away unread
-- threshold:  min_wait_pct = 3 -- [prop] percent of database time spent waiting for prefetchers
-- object:     TABLESPACE {TBSP_NAME:text}
-- set:        PREFETCHSIZE: {PREFETCHSIZE} -> 0 (pages)
-- finding:    Prefetchers read {ASYNC_PCT} % of the pages of a table space whose work is random, and {UNREAD_PCT} % of
--             those were never read; a SELECT returns {ROWS_PER_SELECT:1} rows.
-- evidence:   pages_prefetched=ASYNC_READS, physical_reads=PHYSICAL_READS, UNREAD_PREFETCH_PAGES,
--             PREFETCH_WAIT_TIME_pct=PREFETCH_WAIT_PCT:2, rows_per_select=ROWS_PER_SELECT:2
-- source:     001_518820f6be7b57c0.txt, milestones and "Read-ahead setup" (prefetch and read-ahead off: +43 %)
-- why:        Transactions read single pages at random places. Pages that prefetchers bring in beside them are
--             seldom read, yet keep the disks busy and push pages out of the buffer pool that are wanted.
-- not-if:     Prefetch is off already, or AUTOMATIC: what Db2 sets itself is left to it; BI or temporary table
--             space; column-organized tables; a utility ran.
-- note:       A nightly batch that scans the same table space cannot be seen in one interval: look at a day.
--             SEQDETECT NO is the softer way, for index scans only. IBM's manual gives 0 as a prefetch size
--             (dft_prefetch_sz) without a word on what it does; that it stops prefetching is the paper's.
--             From 10.1 Db2 also reads ahead on its own (smart prefetching), which 0 may not stop: low confidence.
WITH SPACE AS (
    SELECT
        T.*,
        COALESCE(T.UNREAD_PREFETCH_PAGES, 0) AS UNREAD_PAGES,
        CAST(COALESCE(T.UNREAD_PREFETCH_PAGES, 0) AS DOUBLE) / NULLIF(T.ASYNC_READS, 0) AS UNREAD_PART
    FROM TUNE.TABLESPACE AS T
    WHERE
        T.PREFETCHSIZE > 0
        AND T.CLASS <> 'BI'
        AND T.TBSP_CONTENT_TYPE NOT IN ('SYSTEMP', 'USRTEMP')
        AND NOT EXISTS (SELECT 1 FROM TUNE.D_CAT_TABLE AS C WHERE C.TBSPACE = T.TBSP_NAME AND C.TABLEORG = 'C')
)
SELECT
    S.TBSP_NAME,
    S.PREFETCHSIZE,
    S.ASYNC_READS,
    S.PHYSICAL_READS,
    S.UNREAD_PAGES AS UNREAD_PREFETCH_PAGES,
    S.PREFETCH_WAIT_PCT,
    100 * S.ASYNC_PART AS ASYNC_PCT,
    100 * S.UNREAD_PART AS UNREAD_PCT,
    K.ROWS_PER_SELECT,
    CASE WHEN B.DB2_LEVEL < 10010000 THEN 0.6 ELSE 0.3 END AS CONFIDENCE,
    S.PREFETCH_WAIT_PCT * S.P_OLTP AS CLAIM_PREFETCH_WAIT,
    S.SCAN_PCT * S.P_OLTP AS CLAIM_POOL_READ
FROM SPACE AS S
CROSS JOIN TUNE.WORKLOAD_CLASS AS K
CROSS JOIN TUNE.DATABASE_TIME AS D
CROSS JOIN TUNE.RUN_DATABASE AS B
CROSS JOIN TUNE.O_PREFETCH_OLTP_USELESS AS O
WHERE
    (K.CLASS = 'OLTP' OR S.CLASS = 'OLTP')
    AND K.ROWS_PER_SELECT < O.MAX_ROWS_PER_SELECT
    AND S.ASYNC_READS >= O.MIN_ASYNC_PAGES
    AND S.ASYNC_PART >= O.MIN_ASYNC_PART
    AND (S.UNREAD_PART >= O.MIN_UNREAD_PART OR D.PREFETCH_WAIT_PCT >= O.MIN_WAIT_PCT)
