-- rule:      tablespace.page-size-oltp-index
-- title:     Deep or splitting indexes on 4 KB pages
-- area:      tablespace
-- lane:      P
-- effect:    OB
-- risk:      medium
-- applies:   workload=oltp,mixed; not=managed,purescale
-- evidence:  load
-- claims:    POOL_READ, PROCESSING
-- exclusive: rebuild
-- needs:     tablespace.TBSP_PAGE_SIZE, cat_bufferpool.PAGESIZE, cat_table.INDEX_TBSPACE, index.NLEVELS,
--            bufferpool.BP_CUR_BUFFSZ, workload.TOTAL_CPU_TIME
-- threshold: min_read_part = 0.2 -- [prop] its part of the time that agents spend on reads
-- threshold: min_levels = 4 -- [prop] one level less saves a page of every probe
-- threshold: min_split_part = 0.01 -- [prop] splits of a page for each row inserted
-- threshold: min_inserts = 10000 -- [prop] fewer make no rate
-- threshold: min_index_reads = 50000 -- [prop] logical reads of an index that matters
-- threshold: max_latch_pct = 5 -- [prop] above, larger pages make hot leaf pages hotter
-- source:    001_518820f6be7b57c0.txt, milestones: indexes on 8 KB pages, +11 %
-- why:       Twice the page holds twice the keys: fewer levels to walk, fewer splits, and the upper levels of the
--            index stay in less memory.
-- not-if:    The page is larger than 4 KB; data and indexes share the table space; agents wait for latches; BI; the
--            new table space exists already.
-- note:      Up to 8.2 a LARGE table space held LOBs only, and from 9.1 on it is the default: CREATE TABLESPACE says
--            neither. The pool is paid for by the present one, in proportion to the logical reads that go.
--            An index cannot change its table space in place, so the tables are moved onto themselves.
WITH INDEXES AS (
    SELECT
        I.TABSCHEMA,
        I.TABNAME,
        MAX(CASE WHEN I.READS >= O.MIN_INDEX_READS THEN I.NLEVELS ELSE 0 END) AS NLEVELS,
        SUM(I.SPLITS) AS SPLITS
    FROM (
        SELECT
            TABSCHEMA,
            TABNAME,
            IID,
            MAX(NLEVELS) AS NLEVELS,
            SUM(OBJECT_INDEX_L_READS) AS READS,
            SUM(COALESCE(INT_NODE_SPLITS, 0) + COALESCE(BOUNDARY_LEAF_NODE_SPLITS, 0)
                + COALESCE(NONBOUNDARY_LEAF_NODE_SPLITS, 0)) AS SPLITS
        FROM TUNE.D_INDEX
        GROUP BY TABSCHEMA, TABNAME, IID
    ) AS I
    CROSS JOIN TUNE.O_TABLESPACE_PAGE_SIZE_OLTP_INDEX AS O
    GROUP BY I.TABSCHEMA, I.TABNAME
),
INSERTS AS (
    SELECT
        TABSCHEMA,
        TABNAME,
        SUM(ROWS_INSERTED) AS ROWS_INSERTED
    FROM TUNE.D_TABLE
    GROUP BY TABSCHEMA, TABNAME
),
KEPT AS (
    SELECT
        K.INDEX_TBSPACE AS TBSP_NAME,
        MAX(I.NLEVELS) AS NLEVELS,
        SUM(I.SPLITS) AS SPLITS,
        SUM(COALESCE(N.ROWS_INSERTED, 0)) AS ROWS_INSERTED
    FROM TUNE.D_CAT_TABLE AS K
    INNER JOIN INDEXES AS I ON K.TABSCHEMA = I.TABSCHEMA AND K.TABNAME = I.TABNAME
    LEFT JOIN INSERTS AS N ON K.TABSCHEMA = N.TABSCHEMA AND K.TABNAME = N.TABNAME
    WHERE K.INDEX_TBSPACE IS NOT NULL AND K.INDEX_TBSPACE <> K.TBSPACE
    GROUP BY K.INDEX_TBSPACE
),
TOTAL AS (
    SELECT
        SUM(SYNC_READ_MS) AS SYNC_READ_MS,
        SUM(LOGICAL_READS) AS LOGICAL_READS
    FROM TUNE.TABLESPACE
),
POOL AS (
    SELECT MIN(BPNAME) AS BPNAME FROM TUNE.D_CAT_BUFFERPOOL WHERE PAGESIZE = 8192
),
SPACE AS (
    SELECT
        T.TBSP_NAME,
        T.TBSP_NAME
        || CASE WHEN SUBSTR('  ' || T.TBSP_NAME, LENGTH(T.TBSP_NAME)) = '_IX' THEN '8K' ELSE '_IX8K' END AS NEW_NAME,
        COALESCE(POOL.BPNAME, 'BPIX8K') AS NEW_POOL,
        POOL.BPNAME AS PRESENT_POOL,
        CASE
            WHEN T.TBSP_EXTENT_SIZE < 4 THEN CAST(2 AS BIGINT)
            ELSE CAST(FLOOR(CAST(T.TBSP_EXTENT_SIZE AS DOUBLE) / CAST(2 AS DOUBLE)) AS BIGINT)
        END AS NEW_EXTENT,
        T.PREFETCHSIZE,
        T.SHARE_PCT,
        T.P_OLTP,
        100 * CAST(T.SYNC_READ_MS AS DOUBLE) / NULLIF(TOTAL.SYNC_READ_MS, 0) AS READ_PCT,
        100 * CAST(T.INDEX_LOGICAL_READS AS DOUBLE) / NULLIF(TOTAL.LOGICAL_READS, 0) AS INDEX_PCT,
        D.CPU_PCT * CAST(T.INDEX_LOGICAL_READS AS DOUBLE) / NULLIF(TOTAL.LOGICAL_READS, 0) AS CPU_PCT,
        KEPT.NLEVELS,
        KEPT.SPLITS,
        KEPT.ROWS_INSERTED,
        B.BP_NAME,
        B.AUTOMATIC,
        B.NPAGES,
        B.BP_CUR_BUFFSZ,
        CAST(FLOOR(LEAST(0.5, COALESCE(CAST(T.LOGICAL_READS AS DOUBLE) / NULLIF(B.LOGICAL_READS, 0), 0)) * B.BP_CUR_BUFFSZ) AS BIGINT) AS PART
    FROM TUNE.TABLESPACE AS T
    INNER JOIN KEPT ON T.TBSP_NAME = KEPT.TBSP_NAME
    INNER JOIN TUNE.BUFFERPOOL AS B ON T.BPNAME = B.BP_NAME
    CROSS JOIN TOTAL
    CROSS JOIN POOL
    CROSS JOIN TUNE.DATABASE_TIME AS D
    CROSS JOIN TUNE.WORKLOAD_CLASS AS W
    CROSS JOIN TUNE.O_TABLESPACE_PAGE_SIZE_OLTP_INDEX AS O
    WHERE
        T.TBSP_PAGE_SIZE = 4096
        AND (W.CLASS = 'OLTP' OR T.CLASS = 'OLTP')
        AND T.CLASS <> 'BI'
        AND T.BUSY = 1
        AND CAST(T.SYNC_READ_MS AS DOUBLE) / NULLIF(TOTAL.SYNC_READ_MS, 0) >= O.MIN_READ_PART
        AND (
            KEPT.NLEVELS >= O.MIN_LEVELS
            OR (
                KEPT.ROWS_INSERTED >= O.MIN_INSERTS
                AND CAST(KEPT.SPLITS AS DOUBLE) / NULLIF(KEPT.ROWS_INSERTED, 0) >= O.MIN_SPLIT_PART
            )
        )
        AND COALESCE(D.LATCH_PCT, 0) <= O.MAX_LATCH_PCT
),
PLAN AS (
    SELECT
        SPACE.*,
        CASE
            WHEN PRESENT_POOL IS NOT NULL THEN ''
            WHEN AUTOMATIC = 1 THEN 'CREATE BUFFERPOOL "BPIX8K" IMMEDIATE SIZE AUTOMATIC PAGESIZE 8192' || CHR(10)
            ELSE 'ALTER BUFFERPOOL "' || REPLACE(BP_NAME, '"', '""') || '" IMMEDIATE SIZE '
                || CAST(BP_CUR_BUFFSZ - PART AS VARCHAR(20)) || CHR(10)
                || 'CREATE BUFFERPOOL "BPIX8K" IMMEDIATE SIZE '
                || CAST(CAST(FLOOR(CAST(PART AS DOUBLE) / CAST(2 AS DOUBLE)) AS BIGINT) AS VARCHAR(20))
                || ' PAGESIZE 8192' || CHR(10)
        END AS POOL_TEXT,
        CASE
            WHEN PRESENT_POOL IS NOT NULL THEN ''
            WHEN AUTOMATIC = 1 THEN CHR(10) || 'DROP BUFFERPOOL "BPIX8K"'
            ELSE CHR(10) || 'DROP BUFFERPOOL "BPIX8K"' || CHR(10)
                || 'ALTER BUFFERPOOL "' || REPLACE(BP_NAME, '"', '""') || '" IMMEDIATE SIZE '
                || CAST(COALESCE(NPAGES, BP_CUR_BUFFSZ) AS VARCHAR(20))
        END AS POOL_UNDO,
        'CREATE TABLESPACE "' || REPLACE(NEW_NAME, '"', '""') || '"' AS CREATE_SPACE,
        ' EXTENTSIZE ' || CAST(NEW_EXTENT AS VARCHAR(20))
        || ' PREFETCHSIZE ' || CASE WHEN PREFETCHSIZE = -1 THEN 'AUTOMATIC' ELSE '0' END
        || ' BUFFERPOOL "' || REPLACE(NEW_POOL, '"', '""') || '"' AS SIZE_TEXT
    FROM SPACE
    WHERE PRESENT_POOL IS NOT NULL OR AUTOMATIC = 1 OR PART >= 1000
)
SELECT
    'TABLESPACE' AS OBJECT_TYPE,
    P.TBSP_NAME AS OBJECT_NAME,
    CAST(NULL AS SMALLINT) AS MEMBER,
    (P.SHARE_PCT + COALESCE(P.CPU_PCT, 0)) * P.P_OLTP AS CLAIMED_PCT,
    CAST(0.05 AS DOUBLE) AS RECOVER_LOW,
    CAST(0.4 AS DOUBLE) AS RECOVER_EXPECTED,
    CAST(0.6 AS DOUBLE) AS RECOVER_HIGH,
    CAST(0.3 AS DOUBLE) AS CONFIDENCE,
    'TABLESPACE:' || P.TBSP_NAME || ':PAGESIZE' AS TARGET,
    '4096' AS CURRENT_VALUE,
    '8192' AS PROPOSED_VALUE,
    'bytes' AS UNIT,
    CAST(0 AS BIGINT) AS MEMORY_DELTA_KB,
    P.POOL_TEXT || M.HINT_TEXT || P.CREATE_SPACE || M.IN_TEXT || ' PAGESIZE 8192' || M.STORAGE_TEXT || P.SIZE_TEXT
    || CHR(10) || REPLACE(M.MOVE_TEXT, '{to}', P.NEW_NAME) AS ACTION_TEXT,
    REPLACE(M.BACK_TEXT, '{to}', P.NEW_NAME)
    || CASE
        WHEN M.MOVE_NUMBER = 1
            THEN CHR(10) || 'DROP TABLESPACE "' || REPLACE(P.NEW_NAME, '"', '""') || '"' || P.POOL_UNDO
        ELSE ''
    END AS UNDO_TEXT,
    'TBSP_PAGE_SIZE=4096; NLEVELS=' || CAST(P.NLEVELS AS VARCHAR(20))
    || '; page_splits=' || CAST(P.SPLITS AS VARCHAR(20))
    || '; ROWS_INSERTED=' || CAST(P.ROWS_INSERTED AS VARCHAR(20))
    || '; synchronous_read_time_pct=' || CAST(CAST(ROUND(P.READ_PCT, 2) AS DECIMAL(9, 2)) AS VARCHAR(20))
    || '; logical_reads_pct=' || CAST(CAST(ROUND(P.INDEX_PCT, 2) AS DECIMAL(9, 2)) AS VARCHAR(20)) AS EVIDENCE,
    'Indexes of up to ' || CAST(P.NLEVELS AS VARCHAR(20)) || ' levels, with ' || CAST(P.SPLITS AS VARCHAR(20))
    || ' page splits for ' || CAST(P.ROWS_INSERTED AS VARCHAR(20)) || ' rows inserted, lie on 4 KB pages and take '
    || CAST(CAST(ROUND(P.READ_PCT, 0) AS INTEGER) AS VARCHAR(20)) || ' % of the time that agents read.' AS FINDING,
    COALESCE(P.CPU_PCT, 0) * P.P_OLTP AS CLAIM_2_PCT,
    CAST(0 AS DOUBLE) AS CLAIM_3_PCT
FROM PLAN AS P
INNER JOIN TUNE.TABLE_MOVE AS M ON P.TBSP_NAME = M.TBSP_NAME
WHERE NOT EXISTS (SELECT 1 FROM TUNE.TABLESPACE AS N WHERE N.TBSP_NAME = P.NEW_NAME)
