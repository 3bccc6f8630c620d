-- rule:      compress.candidate
-- title:     A large table that is read from disk is not compressed
-- area:      compress
-- lane:      H
-- effect:    OB
-- risk:      medium
-- applies:   from=10.1
-- evidence:  load
-- needs:     cat_table.COMPRESSION, cat_table.FPAGES, table.OBJECT_DATA_P_READS, system.CPU_USAGE_TOTAL,
--            workload.POOL_READ_TIME
-- threshold: min_gb = 1 -- [prop] a smaller table is not worth a rebuild
-- threshold: min_read_pct = 5 -- [prop] percent of database time that agents read pages of the table
-- threshold: max_cpu_pct = 60 -- [prop] compression pays with CPU, which must be to spare on every host
-- threshold: max_changed_part = 0.1 -- [prop] rows changed for rows read; each change compresses again
-- threshold: min_saved_pct = 40 -- [prop] what the estimate has to show before anybody goes on
-- source:    002_e991ec30bbd9209f.txt, sections 2.1, 4 and 5.4 (I/O costs more to virtualize than CPU); IBM
--            documentation of ADMIN_GET_TAB_COMPRESS_INFO (r0059160)
-- why:       Compressed rows fill fewer pages, on disk and in the buffer pool: the same reads bring more rows. It
--            takes CPU, which a database that waits for disks has to spare.
-- not-if:    The table is compressed, column-organized, below 1 GB, of unknown size, or takes less than 5 % of
--            database time to read; a host's CPU is at 60 % or not known; a tenth of the rows read is changed.
-- note:      What is saved is not known before it is estimated, and the estimate samples the whole table: too dear
--            to be run here for all tables. So the rule names candidates and claims no time, and the estimate
--            decides. Indexes are estimated by ADMIN_GET_INDEX_COMPRESS_INFO. The licence is not visible to SQL.
WITH CPU AS (
    SELECT
        MAX(CPU_USAGE_TOTAL) AS USED_PCT,
        COUNT(*) - COUNT(CPU_USAGE_TOTAL) AS NOT_KNOWN
    FROM TUNE.D_SYSTEM
)
SELECT
    'TABLE' AS OBJECT_TYPE,
    U.TABSCHEMA || '.' || U.TABNAME AS OBJECT_NAME,
    CAST(NULL AS SMALLINT) AS MEMBER,
    CAST(0 AS DOUBLE) AS CLAIMED_PCT,
    CAST(0 AS DOUBLE) AS RECOVER_LOW,
    CAST(0 AS DOUBLE) AS RECOVER_EXPECTED,
    CAST(0 AS DOUBLE) AS RECOVER_HIGH,
    CAST(0.3 AS DOUBLE) AS CONFIDENCE,
    'TABLE:' || U.TABSCHEMA || '.' || U.TABNAME || ':COMPRESS' AS TARGET,
    'NO' AS CURRENT_VALUE,
    'YES ADAPTIVE' AS PROPOSED_VALUE,
    CAST(NULL AS VARCHAR(40)) AS UNIT,
    CAST(0 AS BIGINT) AS MEMORY_DELTA_KB,
    '-- Estimate first, and go on only where it is ' || CAST(CAST(ROUND(O.MIN_SAVED_PCT) AS BIGINT) AS VARCHAR(20))
    || ' or more: SELECT PCTPAGESSAVED_ADAPTIVE FROM TABLE(SYSPROC.ADMIN_GET_TAB_COMPRESS_INFO('''
    || REPLACE(U.TABSCHEMA, '''', '''''') || ''', ''' || REPLACE(U.TABNAME, '''', '''''') || ''')) AS T'
    || CASE
        WHEN D.DB2_LEVEL < 11050000 THEN CHR(10) || '-- Make sure that the licence includes row compression.'
        ELSE ''
    END || CHR(10)
    || 'ALTER TABLE ' || U.QUOTED || ' COMPRESS YES ADAPTIVE' || CHR(10)
    || '-- The rows that are there: REORG TABLE ' || U.QUOTED
    || ' RESETDICTIONARY while nobody uses it, or online SYSPROC.ADMIN_MOVE_TABLE.' AS ACTION_TEXT,
    'ALTER TABLE ' || U.QUOTED || ' COMPRESS NO' || CHR(10)
    || '-- and reorganize or move it once more.' AS UNDO_TEXT,
    'COMPRESSION=N'
    || '; size_MB=' || CAST(CAST(ROUND(CAST(U.KB AS DOUBLE) / 1024) AS BIGINT) AS VARCHAR(20))
    || '; table_reads_pct=' || CAST(CAST(ROUND(U.READ_PCT, 2) AS DECIMAL(9, 2)) AS VARCHAR(20))
    || '; CPU_USAGE_TOTAL=' || CAST(CPU.USED_PCT AS VARCHAR(20))
    || '; ROWS_READ=' || CAST(U.ROWS_READ AS VARCHAR(20))
    || '; rows_changed=' || CAST(U.ROWS_CHANGED AS VARCHAR(20)) AS EVIDENCE,
    'Agents read pages of this table, which takes '
    || CAST(CAST(ROUND(CAST(U.KB AS DOUBLE) / 1024) AS BIGINT) AS VARCHAR(20))
    || ' MB uncompressed, for ' || CAST(CAST(ROUND(U.READ_PCT, 1) AS DECIMAL(9, 1)) AS VARCHAR(20))
    || ' % of database time, while the processors are busy for ' || CAST(CPU.USED_PCT AS VARCHAR(20)) || ' %.'
        AS FINDING,
    CAST(0 AS DOUBLE) AS CLAIM_2_PCT,
    CAST(0 AS DOUBLE) AS CLAIM_3_PCT
FROM TUNE.TABLE_USE AS U
CROSS JOIN CPU
CROSS JOIN TUNE.RUN_DATABASE AS D
CROSS JOIN TUNE.O_COMPRESS_CANDIDATE AS O
WHERE
    U.COMPRESSION = 'N'
    AND U.TABLEORG = 'R'
    AND U.KB >= 1048576 * O.MIN_GB
    AND U.READ_PCT >= O.MIN_READ_PCT
    AND CPU.NOT_KNOWN = 0
    AND CPU.USED_PCT < O.MAX_CPU_PCT
    AND U.ROWS_CHANGED <= O.MAX_CHANGED_PART * U.ROWS_READ
