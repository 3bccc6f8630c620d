-- rule:       prefetch.oltp-useless
-- title:      Prefetching hurts random reads
-- area:       prefetch
-- lane:       P
-- effect:     ON
-- applies:    workload=oltp,mixed; quiet=yes
-- judged-by:  load
-- claims:     PREFETCH_WAIT = SAVED_WAITS x WAIT_MS, POOL_READ = SAVED_READS x RANDOM_MS
-- recover:    0.5, 0.9, 1.0
-- confidence: CONFIDENCE
-- exclusive:  prefetch
-- needs:      cat_tablespace.PREFETCHSIZE, tablespace.UNREAD_PREFETCH_PAGES, workload.PREFETCH_WAIT_TIME,
--             workload.SELECT_SQL_STMTS, cat_table.TABLEORG
-- threshold:  min_async_pages = 10000 -- [prop] a quieter table space has too little prefetching to judge
-- threshold:  max_rows_per_select = 10 -- [prop] from 10 rows a SELECT on, scans are part of the work
-- threshold:  min_async_part = 0.15 -- [prop] below 15 % of the pages, prefetching is no burden
-- threshold:  min_unread_part = 0.1 -- [prop] a tenth of the prefetched pages is thrown away unread
-- threshold:  max_async_part = 0.8 -- [prop] where prefetchers read more than this, scans are its work
-- object:     TABLESPACE {TBSP_NAME:text}
-- set:        PREFETCHSIZE: {PREFETCHSIZE} -> 0 (pages)
-- finding:    Prefetchers read {ASYNC_PCT} % of the pages of a table space whose work is random, and {UNREAD_PCT} % of
--             those were never read; a SELECT returns {ROWS_PER_SELECT:1} rows. Agents wait {PREFETCH_WAITS} times,
--             {WAIT_MS:1} ms each, for pages that take {RANDOM_MS:1} ms to read themselves.
-- evidence:   pages_prefetched=ASYNC_READS, physical_reads=PHYSICAL_READS, UNREAD_PREFETCH_PAGES,
--             PREFETCH_WAIT_TIME_pct=PREFETCH_WAIT_PCT:2, rows_per_select=ROWS_PER_SELECT:2
-- source:     001_518820f6be7b57c0.txt, milestones and "Read-ahead setup" (prefetch and read-ahead off: +43 %)
-- why:        Transactions read single pages at random places. Pages that prefetchers bring in beside them are
--             seldom read, yet keep the disks busy and push pages out of the buffer pool that are wanted.
-- not-if:     Nothing that was prefetched goes unread; what agents would have to read themselves takes longer than
--             waiting for it does; prefetchers read most pages; prefetch is off already, or AUTOMATIC: what Db2 sets
--             itself is left to it; BI or temporary table space; column-organized tables; a utility ran.
-- note:       Without prefetching nobody waits for it, each page that is used is read by the agent, and each that is
--             not used takes no page out of the pool that is read again: the claim is what is left of the three. A
--             nightly batch that scans the same table space cannot be seen in one interval: look at a day. SEQDETECT NO
--             is the softer way, for index scans only. IBM's manual gives 0 as a prefetch size (dft_prefetch_sz)
--             without a word on what it does; that it stops prefetching is the paper's. From 10.1 Db2 also reads ahead
--             on its own (smart prefetching), which 0 may not stop: low confidence.
WITH SPACE AS (
    SELECT
        T.*,
        -- in milliseconds: the pages that agents would have to read themselves, less those that were pushed out
        GREATEST(0, T.USED_READS - T.UNREAD_READS) * T.RANDOM_MS AS MORE_MS
    FROM TUNE.PREFETCHING AS T
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
    S.UNREAD_READS AS UNREAD_PREFETCH_PAGES,
    S.PREFETCH_WAIT_PCT,
    S.PREFETCH_WAITS,
    100 * S.ASYNC_PART AS ASYNC_PCT,
    100 * S.UNREAD_PART AS UNREAD_PCT,
    K.ROWS_PER_SELECT,
    CASE WHEN B.DB2_LEVEL < 10010000 THEN 0.6 ELSE 0.3 END AS CONFIDENCE,
    CAST(FLOOR(ROUND(
        S.P_OLTP * GREATEST(0, S.PREFETCH_WAITS - COALESCE(S.MORE_MS / CAST(NULLIF(S.WAIT_MS, 0) AS DOUBLE), 0)), 6
    )) AS BIGINT) AS SAVED_WAITS,
    S.WAIT_MS,
    CAST(FLOOR(ROUND(S.P_OLTP * GREATEST(0, S.UNREAD_READS - S.USED_READS), 6)) AS BIGINT) AS SAVED_READS,
    S.RANDOM_MS
FROM SPACE AS S
CROSS JOIN TUNE.WORKLOAD_CLASS AS K
CROSS JOIN TUNE.RUN_DATABASE AS B
CROSS JOIN TUNE.O_PREFETCH_OLTP_USELESS AS O
WHERE
    (K.CLASS = 'OLTP' OR S.CLASS = 'OLTP')
    AND K.ROWS_PER_SELECT < O.MAX_ROWS_PER_SELECT
    AND S.ASYNC_READS >= O.MIN_ASYNC_PAGES
    AND S.ASYNC_PART BETWEEN O.MIN_ASYNC_PART AND O.MAX_ASYNC_PART
    AND S.UNREAD_PART >= O.MIN_UNREAD_PART
    AND (S.UNREAD_READS > S.USED_READS OR S.PREFETCH_WAITS * S.WAIT_MS > S.MORE_MS)
