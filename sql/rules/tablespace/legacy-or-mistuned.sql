-- rule:      tablespace.legacy-or-mistuned
-- title:     User data in SMS, or disk speeds that are far from what is measured
-- area:      tablespace
-- lane:      P
-- effect:    OB
-- risk:      medium
-- applies:   not=managed,purescale
-- evidence:  load
-- claims:    POOL_READ
-- exclusive: rebuild
-- needs:     tablespace.TBSP_TYPE, cat_tablespace.OVERHEAD, cat_tablespace.TRANSFERRATE, cat_table.TBSPACE,
--            workload.POOL_READ_TIME
-- threshold: min_gb = 1 -- [prop] a smaller table space is not worth a move
-- threshold: min_async_part = 0.3 -- [prop] scans gain most from containers that Db2 lays out itself
-- threshold: max_factor = 3 -- [prop] both speeds must be off by more than three times
-- threshold: min_sync_reads = 5000 -- [prop] fewer pages make no average
-- threshold: min_async_pages = 10000 -- [prop] fewer pages make no average
-- source:    000_9a1c354496f94ea4.txt (DMS preferred; overhead and transferrate in the DDL); IBM: SMS and DMS are
--            deprecated for user data since 10.1
-- why:       SMS leaves the layout to the file system. OVERHEAD and TRANSFERRATE tell the optimizer what a random
--            and what a sequential read costs: far from the truth, it picks the wrong access paths.
-- not-if:    Temporary or catalog table spaces; OVERHEAD or TRANSFERRATE are inherited; only one of them is off.
-- note:      The moves are advised from 9.7 on, with automatic storage for the new table space; a paper of 8.1
--            takes DMS. Speeds are housekeeping: what better plans save is not measured. Sites that keep
--            their access paths on purpose leave the speeds alone.
WITH SPACE AS (
    SELECT
        T.TBSP_NAME,
        T.TBSP_TYPE,
        T.TBSP_PAGE_SIZE,
        T.TBSP_EXTENT_SIZE,
        T.TBSP_USED_PAGES_ALL,
        T.BPNAME,
        T.OVERHEAD,
        T.TRANSFERRATE,
        T.SYNC_READS,
        T.ASYNC_READS,
        T.ASYNC_PART,
        T.SCAN_PCT,
        '"' || REPLACE(T.TBSP_NAME, '"', '""') || '"' AS SPACE_TEXT,
        '"' || REPLACE(T.TBSP_NAME || '_N', '"', '""') || '"' AS NEW_TEXT,
        CAST(T.SYNC_READ_MS AS DOUBLE) / NULLIF(T.SYNC_READS, 0) AS SYNC_READ_MS,
        CAST(T.ASYNC_READ_MS AS DOUBLE) / NULLIF(T.ASYNC_READS, 0) AS PAGE_MS
    FROM TUNE.TABLESPACE AS T
    WHERE T.TBSP_CONTENT_TYPE NOT IN ('SYSTEMP', 'USRTEMP') AND T.TBSP_NAME <> 'SYSCATSPACE'
),
MEASURED AS (
    SELECT
        SPACE.*,
        CAST(CAST(ROUND(GREATEST(0.01, COALESCE(SYNC_READ_MS, 0)), 2) AS DECIMAL(9, 2)) AS VARCHAR(20)) AS SYNC_TEXT,
        CAST(CAST(ROUND(GREATEST(0.01, COALESCE(PAGE_MS, 0)), 2) AS DECIMAL(9, 2)) AS VARCHAR(20)) AS PAGE_TEXT,
        CAST(CAST(ROUND(OVERHEAD, 6) AS DECIMAL(15, 6)) AS VARCHAR(20)) AS OVERHEAD_TEXT,
        CAST(CAST(ROUND(TRANSFERRATE, 6) AS DECIMAL(15, 6)) AS VARCHAR(20)) AS TRANSFERRATE_TEXT
    FROM SPACE
)
SELECT
    'TABLESPACE' AS OBJECT_TYPE,
    T.TBSP_NAME AS OBJECT_NAME,
    CAST(NULL AS SMALLINT) AS MEMBER,
    T.SCAN_PCT AS CLAIMED_PCT,
    CAST(0.02 AS DOUBLE) AS RECOVER_LOW,
    CAST(0.05 AS DOUBLE) AS RECOVER_EXPECTED,
    CAST(0.1 AS DOUBLE) AS RECOVER_HIGH,
    CAST(0.3 AS DOUBLE) AS CONFIDENCE,
    'TABLESPACE:' || T.TBSP_NAME || ':TYPE' AS TARGET,
    'SMS' AS CURRENT_VALUE,
    'automatic storage' AS PROPOSED_VALUE,
    CAST(NULL AS VARCHAR(40)) AS UNIT,
    CAST(0 AS BIGINT) AS MEMORY_DELTA_KB,
    'CREATE TABLESPACE ' || T.NEW_TEXT || M.IN_TEXT || ' PAGESIZE ' || CAST(T.TBSP_PAGE_SIZE AS VARCHAR(20))
    || ' MANAGED BY AUTOMATIC STORAGE EXTENTSIZE ' || CAST(T.TBSP_EXTENT_SIZE AS VARCHAR(20))
    || ' PREFETCHSIZE AUTOMATIC' || COALESCE(' BUFFERPOOL "' || REPLACE(T.BPNAME, '"', '""') || '"', '')
    || CHR(10) || REPLACE(M.MOVE_TEXT, '{to}', T.TBSP_NAME || '_N') AS ACTION_TEXT,
    REPLACE(M.BACK_TEXT, '{to}', T.TBSP_NAME || '_N')
    || CASE WHEN M.MOVE_NUMBER = 1 THEN CHR(10) || 'DROP TABLESPACE ' || T.NEW_TEXT ELSE '' END AS UNDO_TEXT,
    'TBSP_TYPE=SMS; TBSP_USED_PAGES=' || CAST(T.TBSP_USED_PAGES_ALL AS VARCHAR(20))
    || '; prefetched_part=' || CAST(CAST(ROUND(T.ASYNC_PART, 2) AS DECIMAL(9, 2)) AS VARCHAR(20)) AS EVIDENCE,
    'User data of ' || CAST(CAST(ROUND(
        CAST(T.TBSP_USED_PAGES_ALL AS DOUBLE) * T.TBSP_PAGE_SIZE / CAST(1073741824 AS DOUBLE), 0) AS BIGINT)
        AS VARCHAR(20))
    || ' GB that scans read lies in an SMS table space, which is deprecated for it.'
        AS FINDING,
    CAST(0 AS DOUBLE) AS CLAIM_2_PCT,
    CAST(0 AS DOUBLE) AS CLAIM_3_PCT
FROM MEASURED AS T
INNER JOIN TUNE.TABLE_MOVE AS M ON T.TBSP_NAME = M.TBSP_NAME
CROSS JOIN TUNE.RUN_DATABASE AS B
CROSS JOIN TUNE.O_TABLESPACE_LEGACY_OR_MISTUNED AS O
WHERE
    T.TBSP_TYPE = 'SMS'
    AND B.DB2_LEVEL >= 9070000
    AND T.ASYNC_PART >= O.MIN_ASYNC_PART
    AND T.ASYNC_READS >= O.MIN_ASYNC_PAGES
    AND CAST(T.TBSP_USED_PAGES_ALL AS DOUBLE) * T.TBSP_PAGE_SIZE >= O.MIN_GB * 1073741824
    AND NOT EXISTS (SELECT 1 FROM TUNE.TABLESPACE AS N WHERE N.TBSP_NAME = T.TBSP_NAME || '_N')
UNION ALL
SELECT
    'TABLESPACE',
    T.TBSP_NAME,
    CAST(NULL AS SMALLINT),
    CAST(0 AS DOUBLE),
    CAST(0 AS DOUBLE),
    CAST(0 AS DOUBLE),
    CAST(0 AS DOUBLE),
    CAST(0.3 AS DOUBLE),
    'TABLESPACE:' || T.TBSP_NAME || ':OVERHEAD',
    T.OVERHEAD_TEXT || ' / ' || T.TRANSFERRATE_TEXT,
    T.SYNC_TEXT || ' / ' || T.PAGE_TEXT,
    'ms',
    CAST(0 AS BIGINT),
    'ALTER TABLESPACE ' || T.SPACE_TEXT || ' OVERHEAD ' || T.SYNC_TEXT || ' TRANSFERRATE ' || T.PAGE_TEXT
    || CHR(10) || '-- Rebind the packages of static SQL, so that they are planned with the new speeds.',
    'ALTER TABLESPACE ' || T.SPACE_TEXT || ' OVERHEAD ' || T.OVERHEAD_TEXT || ' TRANSFERRATE ' || T.TRANSFERRATE_TEXT
    || CHR(10) || '-- Rebind the packages again.',
    'OVERHEAD=' || T.OVERHEAD_TEXT || '; TRANSFERRATE=' || T.TRANSFERRATE_TEXT
    || '; ms_per_synchronous_read=' || T.SYNC_TEXT || '; ms_per_prefetched_page=' || T.PAGE_TEXT,
    'The optimizer reckons with ' || CAST(CAST(ROUND(T.OVERHEAD, 2) AS DECIMAL(9, 2)) AS VARCHAR(20))
    || ' ms for a random read and ' || CAST(CAST(ROUND(T.TRANSFERRATE, 2) AS DECIMAL(9, 2)) AS VARCHAR(20))
    || ' ms for a page of a sequential one; measured are ' || T.SYNC_TEXT || ' and ' || T.PAGE_TEXT || ' ms.',
    CAST(0 AS DOUBLE),
    CAST(0 AS DOUBLE)
FROM MEASURED AS T
CROSS JOIN TUNE.O_TABLESPACE_LEGACY_OR_MISTUNED AS O
WHERE
    T.OVERHEAD > 0
    AND T.TRANSFERRATE > 0
    AND T.TBSP_TYPE <> 'SMS'
    AND T.SYNC_READS >= O.MIN_SYNC_READS
    AND T.ASYNC_READS >= O.MIN_ASYNC_PAGES
    AND (T.SYNC_READ_MS > O.MAX_FACTOR * T.OVERHEAD OR O.MAX_FACTOR * T.SYNC_READ_MS < T.OVERHEAD)
    AND (T.PAGE_MS > O.MAX_FACTOR * T.TRANSFERRATE OR O.MAX_FACTOR * T.PAGE_MS < T.TRANSFERRATE)
    AND (T.SYNC_READ_MS > 0 AND T.PAGE_MS > 0)
