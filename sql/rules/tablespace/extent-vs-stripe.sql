-- rule:      tablespace.extent-vs-stripe
-- title:     Extent size does not fit the stripe of the array
-- area:      tablespace
-- lane:      P
-- effect:    OB
-- risk:      medium
-- applies:   workload=bi,mixed; not=managed,purescale
-- evidence:  load
-- claims:    PREFETCH_WAIT, POOL_READ
-- exclusive: rebuild
-- needs:     tablespace.TBSP_EXTENT_SIZE, cat_tablespace.PREFETCHSIZE, container.CONTAINER_NAME, cat_table.TBSPACE,
--            workload.PREFETCH_WAIT_TIME, host.strip_kb, host.data_disks
-- threshold: min_async_pages = 10000 -- [prop] a quieter table space has too little prefetching to judge
-- threshold: min_async_part = 0.3 -- [prop] below 30 % of the pages, scans are not what it does
-- threshold: min_gb = 1 -- [prop] a smaller table space is not worth a move
-- threshold: overhead_ms = 3.0 -- [seed 000] what its arrays take to seek and turn
-- threshold: transferrate_ms = 0.40 -- [seed 000] what its arrays take to read a page
-- source:    000_9a1c354496f94ea4.txt, extent size = strip x disks / page size, and the table space DDL
-- why:       An extent that is one full stripe is read from all disks of the array at once. One that begins or
--            ends in the middle of a stripe makes some disks read twice and leaves others idle.
-- not-if:    Extent and stripe divide each other; strip or disks are not known or differ; flash; temporary,
--            transaction processing or column-organized tables; below 1 GB; the new table space exists already.
-- note:      The extent size cannot be altered, so the tables move. The paper counts all disks of the array, the
--            manual those that hold data: data_disks is what the host facts say. OVERHEAD and TRANSFERRATE are
--            given to the new table space only where the present one has values of its own.
SELECT
    'TABLESPACE' AS OBJECT_TYPE,
    T.TBSP_NAME AS OBJECT_NAME,
    CAST(NULL AS SMALLINT) AS MEMBER,
    (T.PREFETCH_WAIT_PCT + T.SCAN_PCT) * T.P_BI AS CLAIMED_PCT,
    CAST(0.02 AS DOUBLE) AS RECOVER_LOW,
    CAST(0.08 AS DOUBLE) AS RECOVER_EXPECTED,
    CAST(0.2 AS DOUBLE) AS RECOVER_HIGH,
    CAST(0.6 AS DOUBLE) AS CONFIDENCE,
    'TABLESPACE:' || T.TBSP_NAME || ':EXTENTSIZE' AS TARGET,
    CAST(T.TBSP_EXTENT_SIZE AS VARCHAR(20)) AS CURRENT_VALUE,
    CAST(T.EXTENT_STAR AS VARCHAR(20)) AS PROPOSED_VALUE,
    'pages' AS UNIT,
    CAST(0 AS BIGINT) AS MEMORY_DELTA_KB,
    M.HINT_TEXT
    || 'CREATE TABLESPACE "' || REPLACE(T.TBSP_NAME || '_N', '"', '""') || '"' || M.IN_TEXT
    || ' PAGESIZE ' || CAST(T.TBSP_PAGE_SIZE AS VARCHAR(20)) || M.STORAGE_TEXT
    || ' EXTENTSIZE ' || CAST(T.EXTENT_STAR AS VARCHAR(20))
    || ' PREFETCHSIZE ' || CASE WHEN T.PREFETCHSIZE = -1 THEN 'AUTOMATIC' ELSE CAST(T.PREFETCH_STAR AS VARCHAR(20)) END
    || COALESCE(' BUFFERPOOL "' || REPLACE(T.BPNAME, '"', '""') || '"', '')
    || CASE
        WHEN T.OVERHEAD > 0 AND T.TRANSFERRATE > 0
            THEN ' OVERHEAD ' || CAST(CAST(ROUND(O.OVERHEAD_MS, 1) AS DECIMAL(9, 1)) AS VARCHAR(20))
            || ' TRANSFERRATE ' || CAST(CAST(ROUND(O.TRANSFERRATE_MS, 2) AS DECIMAL(9, 2)) AS VARCHAR(20))
        ELSE ''
    END
    || CHR(10) || REPLACE(M.MOVE_TEXT, '{to}', T.TBSP_NAME || '_N') AS ACTION_TEXT,
    REPLACE(M.BACK_TEXT, '{to}', T.TBSP_NAME || '_N')
    -- the row that is given last when the order is reversed
    || CASE
        WHEN M.MOVE_NUMBER = 1
            THEN CHR(10) || 'DROP TABLESPACE "' || REPLACE(T.TBSP_NAME || '_N', '"', '""') || '"'
        ELSE ''
    END AS UNDO_TEXT,
    'TBSP_EXTENT_SIZE=' || CAST(T.TBSP_EXTENT_SIZE AS VARCHAR(20))
    || '; TBSP_PAGE_SIZE=' || CAST(T.TBSP_PAGE_SIZE AS VARCHAR(20))
    || '; strip_kb=' || CAST(T.STRIP_KB AS VARCHAR(20))
    || '; data_disks=' || CAST(T.DATA_DISKS AS VARCHAR(20))
    || '; containers=' || CAST(T.CONTAINERS AS VARCHAR(20))
    || '; pages_prefetched=' || CAST(T.ASYNC_READS AS VARCHAR(20)) AS EVIDENCE,
    'A stripe of the array is ' || CAST(T.STRIP_KB AS VARCHAR(20)) || ' KB x ' || CAST(T.DATA_DISKS AS VARCHAR(20))
    || ' disks = ' || CAST(T.EXTENT_STAR AS VARCHAR(20)) || ' pages, and an extent of '
    || CAST(T.TBSP_EXTENT_SIZE AS VARCHAR(20)) || ' pages fits it neither once nor evenly.' AS FINDING,
    T.SCAN_PCT * T.P_BI AS CLAIM_2_PCT,
    CAST(0 AS DOUBLE) AS CLAIM_3_PCT
FROM TUNE.TABLESPACE AS T
INNER JOIN TUNE.TABLE_MOVE AS M ON T.TBSP_NAME = M.TBSP_NAME
CROSS JOIN TUNE.O_TABLESPACE_EXTENT_VS_STRIPE AS O
WHERE
    T.CONTAINERS > 0
    AND T.EXTENT_STAR BETWEEN 2 AND 256
    AND (
        MOD(T.TBSP_EXTENT_SIZE * T.TBSP_PAGE_SIZE, NULLIF(1024 * T.STRIP_KB, 0)) <> 0
        OR (
            MOD(T.TBSP_EXTENT_SIZE, NULLIF(T.EXTENT_STAR, 0)) <> 0
            AND MOD(T.EXTENT_STAR, NULLIF(T.TBSP_EXTENT_SIZE, 0)) <> 0
        )
    )
    AND T.TBSP_EXTENT_SIZE <> T.EXTENT_STAR
    AND COALESCE(T.ROTATIONAL, 1) <> 0
    AND T.ASYNC_READS >= O.MIN_ASYNC_PAGES
    AND T.ASYNC_PART >= O.MIN_ASYNC_PART
    AND T.CLASS <> 'OLTP'
    AND T.TBSP_CONTENT_TYPE NOT IN ('SYSTEMP', 'USRTEMP')
    AND T.TBSP_NAME <> 'SYSCATSPACE'
    AND CAST(T.TBSP_USED_PAGES_ALL AS DOUBLE) * T.TBSP_PAGE_SIZE >= O.MIN_GB * 1073741824
    AND NOT EXISTS (SELECT 1 FROM TUNE.TABLESPACE AS N WHERE N.TBSP_NAME = T.TBSP_NAME || '_N')
    AND NOT EXISTS (SELECT 1 FROM TUNE.D_CAT_TABLE AS C WHERE C.TBSPACE = T.TBSP_NAME AND C.TABLEORG = 'C')
