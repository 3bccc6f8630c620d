-- rule:      bufferpool.oversized-idle
-- title:     Buffer pool is larger than all its table spaces
-- area:      bufferpool
-- lane:      P/P
-- effect:    ON
-- evidence:  config
-- yields:    bufferpool.system-pool-in-use@any
-- donor:     yes
-- needs:     bufferpool.BP_CUR_BUFFSZ, cat_bufferpool.NPAGES, tablespace.TBSP_USED_PAGES
-- threshold: min_mb = 256 -- [prop] a smaller pool frees too little to matter
-- threshold: over_used = 1.2 -- [prop] a fifth more than the pages that exist is room for growth, not waste
-- threshold: keep = 1.1 -- [prop] leaves a tenth for growth
-- threshold: min_pages = 1000 -- [doc] the default size of a pool
-- source:    002_e991ec30bbd9209f.txt, memory not to be over-allocated
-- why:       A pool cannot hold more pages than its table spaces have. The rest of it is memory that nothing
--            uses, while other advice of this list would.
-- not-if:    The pool is AUTOMATIC, has another size pending or exceptions on members; temporary table spaces
--            use it; a table space changes to it at the next activation.
-- note:      A pool that is idle but no larger than its data is left alone: one interval does not tell whether it
--            waits for the end of the month.
WITH POOL AS (
    SELECT
        B.*,
        O.OVER_USED,
        COALESCE(B.USED_PAGES, 0) AS USED,
        CAST(ROUND(GREATEST(O.MIN_PAGES, O.KEEP * COALESCE(B.USED_PAGES, 0))) AS BIGINT) AS N
    FROM TUNE.SIZED_POOL AS B
    CROSS JOIN TUNE.O_BUFFERPOOL_OVERSIZED_IDLE AS O
    WHERE
        B.SIZEABLE = 1
        AND B.TEMPORARY_TABLESPACES = 0
        AND B.BP_CUR_BUFFSZ * CAST(B.PAGESIZE AS DOUBLE) >= O.MIN_MB * 1048576
        AND NOT EXISTS (
            SELECT 1 FROM TUNE.TABLESPACE AS T
            WHERE T.TBSP_NEXT_POOL_ID = B.BUFFERPOOLID AND T.TBSP_CUR_POOL_ID <> B.BUFFERPOOLID
        )
)
SELECT
    'BUFFERPOOL' AS OBJECT_TYPE,
    P.BP_NAME AS OBJECT_NAME,
    CAST(NULL AS SMALLINT) AS MEMBER,
    CAST(0 AS DOUBLE) AS CLAIMED_PCT,
    CAST(0 AS DOUBLE) AS RECOVER_LOW,
    CAST(0 AS DOUBLE) AS RECOVER_EXPECTED,
    CAST(0 AS DOUBLE) AS RECOVER_HIGH,
    CAST(0.9 AS DOUBLE) AS CONFIDENCE,
    'BUFFERPOOL:' || P.BP_NAME || ':SIZE' AS TARGET,
    P.OLD_SIZE AS CURRENT_VALUE,
    CAST(P.N AS VARCHAR(20)) AS PROPOSED_VALUE,
    'pages' AS UNIT,
    CAST(CEIL((P.N - P.BP_CUR_BUFFSZ) * CAST(P.PAGESIZE AS DOUBLE) / 1024) AS BIGINT) AS MEMORY_DELTA_KB,
    'ALTER BUFFERPOOL ' || P.QUOTED || ' IMMEDIATE SIZE ' || CAST(P.N AS VARCHAR(20)) AS ACTION_TEXT,
    'ALTER BUFFERPOOL ' || P.QUOTED || ' IMMEDIATE SIZE ' || P.OLD_SIZE AS UNDO_TEXT,
    'BP_CUR_BUFFSZ=' || CAST(P.BP_CUR_BUFFSZ AS VARCHAR(20))
    || '; PAGESIZE=' || CAST(P.PAGESIZE AS VARCHAR(20))
    || '; TBSP_USED_PAGES=' || CAST(P.USED AS VARCHAR(20))
    || '; tablespaces=' || CAST(P.TABLESPACES AS VARCHAR(20))
    || '; logical_reads=' || CAST(P.LOGICAL_READS AS VARCHAR(20)) AS EVIDENCE,
    'Buffer pool ' || P.BP_NAME || ' has ' || CAST(P.BP_CUR_BUFFSZ AS VARCHAR(20))
    || ' pages, but its table spaces hold only ' || CAST(P.USED AS VARCHAR(20)) || '.' AS FINDING,
    CAST(0 AS DOUBLE) AS CLAIM_2_PCT,
    CAST(0 AS DOUBLE) AS CLAIM_3_PCT
FROM POOL AS P
WHERE
    P.BP_CUR_BUFFSZ > P.OVER_USED * P.USED
    AND P.BP_CUR_BUFFSZ > P.N
