-- rule:      storage.lob-direct-io
-- title:     LOBs are read and written past the buffer pool
-- area:      storage
-- lane:      P
-- effect:    OB
-- risk:      medium
-- applies:   not=managed; from=9.7; quiet=yes
-- evidence:  load
-- claims:    DIRECT_READ, DIRECT_WRITE
-- needs:     tablespace.DIRECT_READ_TIME, tablespace.DIRECT_WRITE_TIME, workload.DIRECT_READ_TIME,
--            lob_column.COLNAME, cat_table.LONG_TBSPACE
-- threshold: min_direct_pct = 5 -- [prop] of database time, direct I/O of the table space
-- source:    IBM documentation: inline LOBs improve performance (c0053761), direct I/O of table space containers
--            (c0052534), ADMIN_EST_INLINE_LENGTH (r0054083)
-- why:       A LOB that lies outside its row is no page of a buffer pool: each access goes to the file. A short one
--            fits into the row and is cached, logged and compressed with it; a long one is at least buffered by the
--            file system where the table space allows it.
-- not-if:    No LOB of a user table lies in the table space, or all are inline; direct I/O takes little time; a utility
--            ran (backup and load use direct I/O too).
-- note:      How long the LOBs are only their data says: the SELECT is given, and no length. Inlining helps statements
--            that read the LOB; to others the rows become longer. Reorganize at a quiet time: with LONGLOBDATA a
--            REORG is not online. Which table's LOBs are read is not counted: the one that is used most is named.
WITH DIRECT AS (
    SELECT
        TBSP_NAME,
        SUM(COALESCE(DIRECT_READ_TIME, 0)) AS READ_MS,
        SUM(COALESCE(DIRECT_WRITE_TIME, 0)) AS WRITE_MS
    FROM TUNE.D_TABLESPACE
    GROUP BY TBSP_NAME
),
SHARED AS (
    SELECT
        D.TBSP_NAME,
        R.PCT * COALESCE(D.READ_MS / CAST(NULLIF(A.READ_MS, 0) AS DOUBLE), 0) AS READ_PCT,
        W.PCT * COALESCE(D.WRITE_MS / CAST(NULLIF(A.WRITE_MS, 0) AS DOUBLE), 0) AS WRITE_PCT
    FROM DIRECT AS D
    CROSS JOIN (
        SELECT
            SUM(READ_MS) AS READ_MS,
            SUM(WRITE_MS) AS WRITE_MS
        FROM DIRECT
    ) AS A
    INNER JOIN TUNE.TIME_BUCKET AS R ON R.BUCKET = 'DIRECT_READ'
    INNER JOIN TUNE.TIME_BUCKET AS W ON W.BUCKET = 'DIRECT_WRITE'
),
FOUND AS (
    SELECT
        S.*,
        L.TABLE_TEXT,
        L.COLUMN_TEXT,
        L.TABLES,
        T.FS_CACHING,
        '"' || REPLACE(S.TBSP_NAME, '"', '""') || '"' AS SPACE_TEXT,
        CASE WHEN T.TBSP_TYPE = 'DMS' AND T.FS_CACHING > 0 AND L.ROWS_TOO = 0 THEN 1 ELSE 0 END AS UNCACHED
    FROM SHARED AS S
    INNER JOIN TUNE.LOB_SPACE AS L ON S.TBSP_NAME = L.TBSP_NAME
    INNER JOIN TUNE.TABLESPACE AS T ON S.TBSP_NAME = T.TBSP_NAME
    CROSS JOIN TUNE.O_STORAGE_LOB_DIRECT_IO AS O
    WHERE L.TABLES > 0 AND S.READ_PCT + S.WRITE_PCT >= O.MIN_DIRECT_PCT
)
SELECT
    'TABLESPACE' AS OBJECT_TYPE,
    F.TBSP_NAME AS OBJECT_NAME,
    CAST(NULL AS SMALLINT) AS MEMBER,
    F.READ_PCT + F.WRITE_PCT AS CLAIMED_PCT,
    CAST(0.2 AS DOUBLE) AS RECOVER_LOW,
    CAST(0.5 AS DOUBLE) AS RECOVER_EXPECTED,
    CAST(0.8 AS DOUBLE) AS RECOVER_HIGH,
    CAST(0.6 AS DOUBLE) AS CONFIDENCE,
    CASE WHEN F.UNCACHED = 1 THEN 'TABLESPACE:' || F.TBSP_NAME || ':FS_CACHING' END AS TARGET,
    CASE WHEN F.UNCACHED = 1 THEN 'off' END AS CURRENT_VALUE,
    CASE WHEN F.UNCACHED = 1 THEN 'on' END AS PROPOSED_VALUE,
    CAST(NULL AS VARCHAR(40)) AS UNIT,
    CAST(0 AS BIGINT) AS MEMORY_DELTA_KB,
    CASE
        WHEN F.UNCACHED = 1 THEN 'ALTER TABLESPACE ' || F.SPACE_TEXT || ' FILE SYSTEM CACHING' || CHR(10)
        ELSE ''
    END
    || '-- See how many bytes would keep the LOBs in their rows: SELECT COUNT(*), AVG(ADMIN_EST_INLINE_LENGTH('
    || F.COLUMN_TEXT || ')), MAX(ADMIN_EST_INLINE_LENGTH(' || F.COLUMN_TEXT || ')) FROM ' || F.TABLE_TEXT || CHR(10)
    || '-- Where that is short for most: ALTER TABLE ' || F.TABLE_TEXT || ' ALTER COLUMN ' || F.COLUMN_TEXT
    || ' SET INLINE LENGTH <bytes>, then REORG TABLE ' || F.TABLE_TEXT || ' LONGLOBDATA'
    || CASE
        WHEN F.UNCACHED = 1 OR F.FS_CACHING = 0 THEN ''
        ELSE CHR(10) || '-- Where it is not: move the LOBs to a table space of their own with FILE SYSTEM CACHING.'
    END AS ACTION_TEXT,
    CASE
        WHEN F.UNCACHED = 1
            THEN 'ALTER TABLESPACE ' || F.SPACE_TEXT || ' NO FILE SYSTEM CACHING' || CHR(10)
            || '-- If it was off by default: Db2 has no way back to the default.' || CHR(10)
        ELSE ''
    END
    || '-- An inline length cannot be made shorter; only a new copy of the table has the old one.' AS UNDO_TEXT,
    'DIRECT_READ_TIME_pct=' || CAST(CAST(ROUND(F.READ_PCT, 2) AS DECIMAL(9, 2)) AS VARCHAR(20))
    || '; DIRECT_WRITE_TIME_pct=' || CAST(CAST(ROUND(F.WRITE_PCT, 2) AS DECIMAL(9, 2)) AS VARCHAR(20))
    || '; FS_CACHING=' || CAST(COALESCE(F.FS_CACHING, -1) AS VARCHAR(20))
    || '; tables_with_LOBs=' || CAST(F.TABLES AS VARCHAR(20)) AS EVIDENCE,
    'Direct reads and writes of its LOBs take '
    || CAST(CAST(ROUND(F.READ_PCT + F.WRITE_PCT, 2) AS DECIMAL(9, 2)) AS VARCHAR(20)) || ' % of database time; '
    || CAST(F.TABLES AS VARCHAR(20)) || CASE WHEN F.TABLES = 1 THEN ' table has' ELSE ' tables have' END
    || ' LOBs there, of which ' || F.TABLE_TEXT || ' is used most.' AS FINDING,
    F.WRITE_PCT AS CLAIM_2_PCT,
    CAST(0 AS DOUBLE) AS CLAIM_3_PCT
FROM FOUND AS F
