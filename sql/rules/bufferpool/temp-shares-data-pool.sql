-- rule:      bufferpool.temp-shares-data-pool
-- title:     Temporary tables push user pages out of the buffer pool
-- area:      bufferpool
-- lane:      P
-- effect:    RA
-- applies:   workload=bi,mixed; not=purescale
-- evidence:  load
-- claims:    POOL_READ
-- yields:    bufferpool.system-pool-in-use@any, memory.sort-overflow@any+larger
-- needs:     bufferpool.POOL_TEMP_DATA_L_READS, cat_bufferpool.NPAGES, tablespace.TBSP_CONTENT_TYPE,
--            system.MEMORY_FREE
-- threshold: min_temp_part = 0.2 -- [prop] below a fifth of the reads, temporary pages evict little
-- threshold: max_user_hit_ratio = 0.9 -- [prop] user pages that are found are not being pushed out
-- threshold: temp_pages = 10000 -- [prop] size of the pool for temporary pages; those are read once or twice
-- source:    general practice; IBM documentation of the temporary read elements
-- why:       Sorts and joins that spill fill the pool with pages that are soon worthless, and user pages that
--            would be read again leave it.
-- not-if:    Curing the spills promises more (memory.sort-overflow); the pool is AUTOMATIC; the workload is
--            transaction processing; a pool of the name exists; the table space changes its pool at the next
--            activation; memory or the site's cap leave no room.
-- note:      The hit ratio of user pages takes all temporary reads off the synchronous ones, so it errs on the
--            side of silence. One table space is moved at a time, the one with the most temporary reads.
WITH SPACE AS (
    SELECT
        T.TBSP_NAME,
        T.BPNAME,
        ROW_NUMBER() OVER (PARTITION BY T.BPNAME ORDER BY T.TEMP_LOGICAL_READS DESC, T.TBSP_NAME) AS N
    FROM TUNE.TABLESPACE AS T
    WHERE
        T.TBSP_CONTENT_TYPE IN ('SYSTEMP', 'USRTEMP')
        AND T.TEMP_LOGICAL_READS > 0
        AND T.TBSP_NEXT_POOL_ID = T.TBSP_CUR_POOL_ID
),
POOL AS (
    SELECT
        B.*,
        S.TBSP_NAME,
        '"' || REPLACE(S.TBSP_NAME, '"', '""') || '"' AS QUOTED_SPACE,
        'BPTEMP' || CAST(CAST(FLOOR(B.PAGESIZE / CAST(1024 AS DOUBLE)) AS BIGINT) AS VARCHAR(20)) || 'K' AS TEMP_POOL,
        CAST(FLOOR(B.PAGESIZE / CAST(1024 AS DOUBLE)) AS BIGINT) AS PAGE_KB,
        CAST(FLOOR(O.TEMP_PAGES) AS BIGINT) AS N,
        O.MAX_USER_HIT_RATIO,
        1 - GREATEST(0, B.SYNC_READS - B.TEMP_PHYSICAL_READS) / CAST(NULLIF(B.LOGICAL_READS - B.TEMP_LOGICAL_READS, 0) AS DOUBLE) AS USER_HIT_RATIO
    FROM TUNE.SIZED_POOL AS B
    CROSS JOIN TUNE.O_BUFFERPOOL_TEMP_SHARES_DATA_POOL AS O
    INNER JOIN SPACE AS S ON B.BP_NAME = S.BPNAME AND S.N = 1
    WHERE
        B.AUTOMATIC = 0
        AND B.NPAGES <> -2
        AND B.BUSY = 1
        AND B.CLASS <> 'OLTP'
        AND B.TABLESPACES > B.TEMPORARY_TABLESPACES
        AND B.TEMP_LOGICAL_READS >= O.MIN_TEMP_PART * B.LOGICAL_READS
        AND B.GROW_PAGES >= O.TEMP_PAGES
)
SELECT
    'BUFFERPOOL' AS OBJECT_TYPE,
    P.BP_NAME AS OBJECT_NAME,
    CAST(NULL AS SMALLINT) AS MEMBER,
    P.SHARE_PCT * (1 - P.TEMP_PHYSICAL_READS / CAST(NULLIF(P.PHYSICAL_READS, 0) AS DOUBLE)) * P.P_BI AS CLAIMED_PCT,
    CAST(0.05 AS DOUBLE) AS RECOVER_LOW,
    CAST(0.1 AS DOUBLE) AS RECOVER_EXPECTED,
    CAST(0.25 AS DOUBLE) AS RECOVER_HIGH,
    CAST(0.6 AS DOUBLE) AS CONFIDENCE,
    'TABLESPACE:' || P.TBSP_NAME || ':BUFFERPOOL' AS TARGET,
    P.BP_NAME AS CURRENT_VALUE,
    P.TEMP_POOL AS PROPOSED_VALUE,
    'buffer pool' AS UNIT,
    P.N * P.PAGE_KB AS MEMORY_DELTA_KB,
    'CREATE BUFFERPOOL "' || P.TEMP_POOL || '" IMMEDIATE SIZE ' || CAST(P.N AS VARCHAR(20))
    || CASE WHEN P.STMM = 1 THEN ' AUTOMATIC' ELSE '' END
    || ' PAGESIZE ' || CAST(P.PAGE_KB AS VARCHAR(20)) || 'K' || CHR(10)
    || 'ALTER TABLESPACE ' || P.QUOTED_SPACE || ' BUFFERPOOL "' || P.TEMP_POOL || '"' AS ACTION_TEXT,
    'ALTER TABLESPACE ' || P.QUOTED_SPACE || ' BUFFERPOOL ' || P.QUOTED || CHR(10)
    || 'DROP BUFFERPOOL "' || P.TEMP_POOL || '"' AS UNDO_TEXT,
    'temporary_reads=' || CAST(P.TEMP_LOGICAL_READS AS VARCHAR(20))
    || '; logical_reads=' || CAST(P.LOGICAL_READS AS VARCHAR(20))
    || '; user_hit_ratio_pct=' || CAST(CAST(ROUND(100 * P.USER_HIT_RATIO, 2) AS DECIMAL(9, 2)) AS VARCHAR(20))
    || '; POOL_READ_TIME_pct=' || CAST(CAST(ROUND(P.SHARE_PCT, 2) AS DECIMAL(9, 2)) AS VARCHAR(20)) AS EVIDENCE,
    'Temporary pages are '
    || CAST(CAST(ROUND(100 * P.TEMP_LOGICAL_READS / CAST(NULLIF(P.LOGICAL_READS, 0) AS DOUBLE), 1) AS DECIMAL(9, 1)) AS VARCHAR(20))
    || ' % of the reads in ' || P.BP_NAME || ', and only '
    || CAST(CAST(ROUND(100 * P.USER_HIT_RATIO, 1) AS DECIMAL(9, 1)) AS VARCHAR(20))
    || ' % of user pages are found there. Give ' || P.TBSP_NAME || ' a pool of its own.' AS FINDING,
    CAST(0 AS DOUBLE) AS CLAIM_2_PCT,
    CAST(0 AS DOUBLE) AS CLAIM_3_PCT
FROM POOL AS P
WHERE
    P.USER_HIT_RATIO < P.MAX_USER_HIT_RATIO
    AND NOT EXISTS (SELECT 1 FROM TUNE.D_CAT_BUFFERPOOL AS C WHERE C.BPNAME = P.TEMP_POOL)
