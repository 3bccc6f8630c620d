-- rule:      bufferpool.hit-ratio-low
-- title:     Buffer pool is too small for its random reads
-- area:      bufferpool
-- lane:      P
-- effect:    ON
-- applies:   workload=oltp,mixed; not=purescale
-- evidence:  load
-- claims:    POOL_READ
-- exclusive: bufferpool
-- yields:    bufferpool.system-pool-in-use@any, stats.scan-heavy-oltp@any+larger
-- after:     storage.fs-caching-data
-- needs:     bufferpool.POOL_DATA_LBP_PAGES_FOUND, bufferpool.POOL_INDEX_LBP_PAGES_FOUND,
--            cat_bufferpool.NPAGES, tablespace.TBSP_USED_PAGES,
--            system.MEMORY_FREE
-- threshold: min_share_pct = 3 -- [prop] below 3 % of database time the pool's reads are not worth memory
-- threshold: min_hr_index = 0.95 -- [prop] index pages are read again and again; vendors call 90 % good, 80 % low
-- threshold: min_hr_data = 0.9 -- [prop] vendors call 90 % good and 80 % low
-- threshold: growth = 2 -- [prop] one step doubles the pool; the next run sees what it did
-- threshold: min_growth = 1.1 -- [prop] where less than 10 % more fits, the change is not worth making
-- threshold: theta = 0.5 -- [prop] misses fall with the square root of the size
-- source:    000_9a1c354496f94ea4.txt, "Optimizing memory utilization"; 001_518820f6be7b57c0.txt, "Watch out for
--            buffer pools that are too small"; IBM documentation of the buffer pool hit ratio
-- why:       Every page that is not in the pool is a disk read that an agent waits for. Pages that are read at
--            random again and again stay in a pool that is large enough; scanned pages do not, so a scanning
--            workload gains only where it is index pages that are missed.
-- not-if:    The pool is AUTOMATIC, has another size pending or exceptions on members; it holds all pages of its
--            table spaces; it serves mostly temporary or column-organized data; memory or the site's cap
--            (bufferpool_cap_mb) leave no room.
-- note:      The benefit is a rule of thumb and always that of one step. Where IMMEDIATE finds too little
--            database memory, Db2 defers the new size to the next activation (SQLSTATE 01657).
WITH POOL AS (
    SELECT
        B.*,
        O.GROWTH,
        O.MIN_GROWTH,
        O.THETA,
        CAST(B.INDEX_LOGICAL_READS AS DOUBLE) / NULLIF(B.LOGICAL_READS, 0) AS INDEX_PART,
        CASE WHEN B.INDEX_HIT_RATIO < O.MIN_HR_INDEX THEN 1 ELSE 0 END AS INDEX_LOW,
        CAST(FLOOR(LEAST(
            O.GROWTH * B.BP_CUR_BUFFSZ, B.USED_PAGES,
            B.BP_CUR_BUFFSZ + CASE WHEN B.STMM = 1 THEN B.USED_PAGES ELSE B.GROW_PAGES END
        )) AS BIGINT) AS N
    FROM TUNE.SIZED_POOL AS B
    CROSS JOIN TUNE.O_BUFFERPOOL_HIT_RATIO_LOW AS O
    WHERE
        B.SIZEABLE = 1
        AND B.ANALYTICS = 0
        AND B.BUSY = 1
        AND B.SHARE_PCT >= O.MIN_SHARE_PCT
        AND (B.INDEX_HIT_RATIO < O.MIN_HR_INDEX OR (B.DATA_HIT_RATIO < O.MIN_HR_DATA AND B.CLASS <> 'BI'))
        AND B.USED_PAGES > B.BP_CUR_BUFFSZ
        AND B.TABLESPACES > B.TEMPORARY_TABLESPACES
        AND B.TEMP_LOGICAL_READS < 0.5 * B.LOGICAL_READS
        AND B.DATA_LOGICAL_READS + B.INDEX_LOGICAL_READS >= 0.5 * B.LOGICAL_READS
)
SELECT
    'BUFFERPOOL' AS OBJECT_TYPE,
    P.BP_NAME AS OBJECT_NAME,
    CAST(NULL AS SMALLINT) AS MEMBER,
    P.SHARE_PCT * GREATEST(P.P_OLTP, P.INDEX_LOW * COALESCE(P.INDEX_PART, 0)) AS CLAIMED_PCT,
    LEAST(0.1, 1 - POWER(CAST(P.N AS DOUBLE) / NULLIF(P.BP_CUR_BUFFSZ, 0), -P.THETA)) AS RECOVER_LOW,
    LEAST(0.95, 1 - POWER(CAST(P.N AS DOUBLE) / NULLIF(P.BP_CUR_BUFFSZ, 0), -P.THETA)) AS RECOVER_EXPECTED,
    CASE WHEN P.N >= P.USED_PAGES THEN CAST(0.95 AS DOUBLE) ELSE CAST(0.6 AS DOUBLE) END AS RECOVER_HIGH,
    CASE WHEN P.N >= P.USED_PAGES THEN CAST(0.9 AS DOUBLE) ELSE CAST(0.6 AS DOUBLE) END AS CONFIDENCE,
    'BUFFERPOOL:' || P.BP_NAME || ':SIZE' AS TARGET,
    CAST(P.BP_CUR_BUFFSZ AS VARCHAR(20)) AS CURRENT_VALUE,
    CASE WHEN P.STMM = 1 THEN 'AUTOMATIC' ELSE CAST(P.N AS VARCHAR(20)) END AS PROPOSED_VALUE,
    'pages' AS UNIT,
    CASE
        WHEN P.STMM = 1 THEN CAST(0 AS BIGINT)
        ELSE CAST(CEIL((P.N - P.BP_CUR_BUFFSZ) * CAST(P.PAGESIZE AS DOUBLE) / 1024) AS BIGINT)
    END AS MEMORY_DELTA_KB,
    'ALTER BUFFERPOOL ' || P.QUOTED || ' IMMEDIATE SIZE '
    || CASE WHEN P.STMM = 1 THEN 'AUTOMATIC' ELSE CAST(P.N AS VARCHAR(20)) END AS ACTION_TEXT,
    'ALTER BUFFERPOOL ' || P.QUOTED || ' IMMEDIATE SIZE ' || P.OLD_SIZE AS UNDO_TEXT,
    'BP_CUR_BUFFSZ=' || CAST(P.BP_CUR_BUFFSZ AS VARCHAR(20))
    || '; TBSP_USED_PAGES=' || CAST(P.USED_PAGES AS VARCHAR(20))
    || '; data_hit_ratio_pct='
    || COALESCE(CAST(CAST(ROUND(100 * P.DATA_HIT_RATIO, 2) AS DECIMAL(9, 2)) AS VARCHAR(20)), 'unknown')
    || '; index_hit_ratio_pct='
    || COALESCE(CAST(CAST(ROUND(100 * P.INDEX_HIT_RATIO, 2) AS DECIMAL(9, 2)) AS VARCHAR(20)), 'unknown')
    || '; logical_reads=' || CAST(P.LOGICAL_READS AS VARCHAR(20))
    || '; synchronous_reads=' || CAST(P.SYNC_READS AS VARCHAR(20))
    || '; POOL_READ_TIME_pct=' || CAST(CAST(ROUND(P.SHARE_PCT, 2) AS DECIMAL(9, 2)) AS VARCHAR(20)) AS EVIDENCE,
    'Agents spend ' || CAST(CAST(ROUND(P.SHARE_PCT, 1) AS DECIMAL(9, 1)) AS VARCHAR(20))
    || ' % of database time reading pages of ' || P.BP_NAME || ' from disk: '
    || CAST(P.BP_CUR_BUFFSZ AS VARCHAR(20)) || ' pages hold '
    || CAST(P.USED_PAGES AS VARCHAR(20)) || ' pages of data and indexes, hit ratio of data '
    || COALESCE(CAST(CAST(ROUND(100 * P.DATA_HIT_RATIO, 1) AS DECIMAL(9, 1)) AS VARCHAR(20)), 'unknown') || ' %, of indexes '
    || COALESCE(CAST(CAST(ROUND(100 * P.INDEX_HIT_RATIO, 1) AS DECIMAL(9, 1)) AS VARCHAR(20)), 'unknown') || ' %.' AS FINDING,
    CAST(0 AS DOUBLE) AS CLAIM_2_PCT,
    CAST(0 AS DOUBLE) AS CLAIM_3_PCT
FROM POOL AS P
WHERE P.N >= P.MIN_GROWTH * P.BP_CUR_BUFFSZ
