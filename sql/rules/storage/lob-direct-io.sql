-- rule:       storage.lob-direct-io
-- title:      LOBs are read and written past the buffer pool
-- area:       storage
-- lane:       P
-- effect:     OB
-- risk:       medium
-- applies:    not=managed; from=9.7; quiet=yes
-- judged-by:  load
-- claims:     DIRECT_READ, DIRECT_WRITE
-- recover:    0.2, 0.5, 0.8
-- confidence: 0.6
-- needs:      tablespace.DIRECT_READ_TIME, tablespace.DIRECT_WRITE_TIME, workload.DIRECT_READ_TIME, lob_column.COLNAME,
--             cat_table.LONG_TBSPACE
-- threshold:  min_direct_pct = 5 -- [prop] of database time, direct I/O of the table space
-- object:     TABLESPACE {TBSP_NAME:text}
-- undo-by-hand: An inline length cannot be made shorter; only a new copy of the table has the old one.
-- undo-by-hand: when UNCACHED = 1: If it was off by default: Db2 has no way back to the default.
-- set:        when UNCACHED = 1: FS_CACHING: NO FILE SYSTEM CACHING -> FILE SYSTEM CACHING
-- by-hand:    See how many bytes would keep the LOBs in their rows: SELECT COUNT(*),
--             AVG(ADMIN_EST_INLINE_LENGTH({COLNAME:name})), MAX(ADMIN_EST_INLINE_LENGTH({COLNAME:name})) FROM
--             {TABSCHEMA:name}.{TABNAME:name}
-- by-hand:    Where that is short for most: ALTER TABLE {TABSCHEMA:name}.{TABNAME:name} ALTER COLUMN {COLNAME:name} SET
--             INLINE LENGTH <bytes>, then REORG TABLE {TABSCHEMA:name}.{TABNAME:name} LONGLOBDATA
-- by-hand:    when UNCACHED = 0 AND COALESCE(FS_CACHING, 1) <> 0: Where it is not: move the LOBs to a table space of
--             their own with FILE SYSTEM CACHING.
-- finding:    when TABLES = 1: Direct reads and writes of its LOBs take {DIRECT_PCT:2} % of database time; 1 table has
--             LOBs there, {TABSCHEMA:name}.{TABNAME:name}.
-- finding:    else: Direct reads and writes of its LOBs take {DIRECT_PCT:2} % of database time; {TABLES} tables have
--             LOBs there, of which {TABSCHEMA:name}.{TABNAME:name} is used most.
-- evidence:   DIRECT_READ_TIME_pct=CLAIM_DIRECT_READ:2, DIRECT_WRITE_TIME_pct=CLAIM_DIRECT_WRITE:2, FS_CACHING,
--             tables_with_LOBs=TABLES
-- source:     IBM documentation: inline LOBs improve performance (c0053761), direct I/O of table space containers
--             (c0052534), ADMIN_EST_INLINE_LENGTH (r0054083)
-- why:        A LOB that lies outside its row is no page of a buffer pool: each access goes to the file. A short one
--             fits into the row and is cached, logged and compressed with it; a long one is at least buffered by the
--             file system where the table space allows it.
-- not-if:     No LOB of a user table lies in the table space, or all are inline; direct I/O takes little time; a
--             utility ran (backup and load use direct I/O too).
-- note:       How long the LOBs are only their data says: the SELECT is given, and no length. Inlining helps statements
--             that read the LOB; to others the rows become longer. Reorganize at a quiet time: with LONGLOBDATA a REORG
--             is not online. Which table's LOBs are read is not counted: the one that is used most is named.
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
        COALESCE(R.PCT * D.READ_MS / CAST(NULLIF(SUM(D.READ_MS) OVER (), 0) AS DOUBLE), 0) AS READ_PCT,
        COALESCE(W.PCT * D.WRITE_MS / CAST(NULLIF(SUM(D.WRITE_MS) OVER (), 0) AS DOUBLE), 0) AS WRITE_PCT
    FROM DIRECT AS D
    INNER JOIN TUNE.TIME_BUCKET AS R ON R.BUCKET = 'DIRECT_READ'
    INNER JOIN TUNE.TIME_BUCKET AS W ON W.BUCKET = 'DIRECT_WRITE'
)
SELECT
    S.TBSP_NAME,
    L.TABSCHEMA,
    L.TABNAME,
    L.COLNAME,
    L.TABLES,
    T.FS_CACHING,
    CASE WHEN T.TBSP_TYPE = 'DMS' AND T.FS_CACHING > 0 AND L.ROWS_TOO = 0 THEN 1 ELSE 0 END AS UNCACHED,
    S.READ_PCT + S.WRITE_PCT AS DIRECT_PCT,
    S.READ_PCT AS CLAIM_DIRECT_READ,
    S.WRITE_PCT AS CLAIM_DIRECT_WRITE
FROM SHARED AS S
INNER JOIN TUNE.LOB_SPACE AS L ON S.TBSP_NAME = L.TBSP_NAME
INNER JOIN TUNE.TABLESPACE AS T ON S.TBSP_NAME = T.TBSP_NAME
CROSS JOIN TUNE.O_STORAGE_LOB_DIRECT_IO AS O
WHERE L.TABLES > 0 AND S.READ_PCT + S.WRITE_PCT >= O.MIN_DIRECT_PCT
