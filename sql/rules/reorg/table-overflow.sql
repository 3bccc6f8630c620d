-- rule:      reorg.table-overflow
-- title:     Rows lie on other pages than their addresses say, or pages are empty
-- area:      reorg
-- lane:      P
-- effect:    ON
-- risk:      medium
-- evidence:  load
-- claims:    POOL_READ
-- needs:     table.OVERFLOW_ACCESSES, cat_table.OVERFLOW, cat_table.FPAGES, transaction_log.TOTAL_LOG_AVAILABLE,
--            workload.POOL_READ_TIME
-- threshold: access_part = 0.03 -- [doc DBI] 3 % of the rows read took the second page; so say several vendors
-- threshold: min_accesses = 10000 -- [prop] fewer second pages cost nothing
-- threshold: overflow_part = 0.05 -- [doc] formula F1 of REORGCHK: 5 % of the rows are overflow rows
-- threshold: filled_part = 0.8 -- [doc] formula F3 of REORGCHK: 80 % of the pages hold rows
-- threshold: min_mb = 100 -- [prop] empty pages of a smaller table are soon read
-- source:    IBM documentation of REORGCHK (r0001971), of REORG TABLE (r0001966) and of c0024850
-- why:       A row that grew and did not fit its page any more was moved and left a pointer: whoever comes by the
--            pointer reads two pages for one row. A scan reads empty pages too.
-- not-if:    Fewer than 10,000 accesses, or 3 % of the rows read; F1 without such accesses and F3 without scans;
--            the table is below 100 MB (F3), larger than the free log or of unknown size; it is range-partitioned,
--            column-organized, or clustered by dimensions or insert time.
-- note:      F1 and F3 alone, which are statistics and no time, are housekeeping; F2 needs column lengths that are
--            not collected. CLEANUP OVERFLOWS is in the manual of 11.1 and not in that of 10.1; below 11.1, or where
--            pages are empty, the whole table is reorganized in place. What it logs is taken to be the size of the
--            table. The table's time is its part of the physical reads of its table space.
WITH LOG_SPACE AS (
    SELECT MIN(CASE WHEN TOTAL_LOG_AVAILABLE >= 0 THEN TOTAL_LOG_AVAILABLE END) AS BYTES FROM TUNE.D_TRANSACTION_LOG
),
JUDGED AS (
    SELECT
        U.*,
        CASE
            WHEN U.OVERFLOW_ACCESSES >= O.MIN_ACCESSES AND U.OVERFLOW_ACCESSES > O.ACCESS_PART * U.ROWS_READ
                THEN LEAST(1, CAST(U.OVERFLOW_ACCESSES AS DOUBLE) / NULLIF(U.ROWS_READ, 0))
            ELSE CAST(0 AS DOUBLE)
        END AS ACCESSED_PART,
        CASE
            WHEN U.OVERFLOW > O.OVERFLOW_PART * U.CARD AND U.CARD > 0 AND U.OVERFLOW_ACCESSES > 0 THEN 1
            ELSE 0
        END AS F1,
        CASE
            WHEN
                U.NPAGES < O.FILLED_PART * U.FPAGES AND U.NPAGES >= 0 AND U.TABLE_SCANS > 0
                AND U.KB >= 1024 * O.MIN_MB
                THEN 1
            ELSE 0
        END AS F3
    FROM TUNE.TABLE_USE AS U
    CROSS JOIN TUNE.O_REORG_TABLE_OVERFLOW AS O
    CROSS JOIN LOG_SPACE AS L
    WHERE
        U.TABLEORG = 'R'
        AND U.RANGES = 1
        AND U.FPAGES >= 0
        AND COALESCE(U.CLUSTERED, ' ') NOT IN ('Y', 'T')
        AND (L.BYTES IS NULL OR 1024 * U.KB <= CAST(U.MEMBERS AS DOUBLE) * L.BYTES)
)
SELECT
    'TABLE' AS OBJECT_TYPE,
    J.TABSCHEMA || '.' || J.TABNAME AS OBJECT_NAME,
    CAST(NULL AS SMALLINT) AS MEMBER,
    J.ACCESSED_PART * COALESCE(J.READ_PCT, 0) AS CLAIMED_PCT,
    CAST(0.3 AS DOUBLE) AS RECOVER_LOW,
    CAST(0.6 AS DOUBLE) AS RECOVER_EXPECTED,
    CAST(0.9 AS DOUBLE) AS RECOVER_HIGH,
    CAST(0.6 AS DOUBLE) AS CONFIDENCE,
    'TABLE:' || J.TABSCHEMA || '.' || J.TABNAME || ':REORG' AS TARGET,
    CAST(NULL AS VARCHAR(200)) AS CURRENT_VALUE,
    CAST(NULL AS VARCHAR(200)) AS PROPOSED_VALUE,
    CAST(NULL AS VARCHAR(40)) AS UNIT,
    CAST(0 AS BIGINT) AS MEMORY_DELTA_KB,
    'REORG TABLE ' || J.QUOTED || ' INPLACE ALLOW WRITE ACCESS'
    || CASE WHEN J.F3 = 0 AND D.DB2_LEVEL >= 11010000 THEN ' CLEANUP OVERFLOWS' ELSE '' END || CHR(10)
    || '-- It runs in the background (db2pd -reorgs); when it is done: RUNSTATS ON TABLE ' || J.QUOTED
    || CASE
        WHEN J.F1 = 1 OR J.ACCESSED_PART > 0
            THEN CHR(10) || '-- Rows that go on growing overflow again: a larger PCTFREE, set before, leaves them room.'
        ELSE ''
    END AS ACTION_TEXT,
    '-- A reorganization is not taken back.' AS UNDO_TEXT,
    'OVERFLOW_ACCESSES=' || CAST(J.OVERFLOW_ACCESSES AS VARCHAR(20))
    || '; ROWS_READ=' || CAST(J.ROWS_READ AS VARCHAR(20))
    || '; OVERFLOW=' || CAST(COALESCE(J.OVERFLOW, -1) AS VARCHAR(20))
    || '; CARD=' || CAST(COALESCE(J.CARD, -1) AS VARCHAR(20))
    || '; NPAGES=' || CAST(COALESCE(J.NPAGES, -1) AS VARCHAR(20))
    || '; FPAGES=' || CAST(COALESCE(J.FPAGES, -1) AS VARCHAR(20))
    || '; TABLE_SCANS=' || CAST(J.TABLE_SCANS AS VARCHAR(20))
    || '; table_reads_pct='
    || COALESCE(CAST(CAST(ROUND(J.READ_PCT, 2) AS DECIMAL(9, 2)) AS VARCHAR(20)), 'not known') AS EVIDENCE,
    CAST(J.OVERFLOW_ACCESSES AS VARCHAR(20)) || ' of ' || CAST(J.ROWS_READ AS VARCHAR(20))
    || ' rows read were found on a second page'
    || CASE
        WHEN J.F3 = 1
            THEN '; of ' || CAST(J.FPAGES AS VARCHAR(20)) || ' pages that a scan reads, '
                || CAST(J.FPAGES - J.NPAGES AS VARCHAR(20)) || ' held no row'
        ELSE ''
    END
    || CASE
        WHEN J.F1 = 1
            THEN '; of ' || CAST(J.CARD AS VARCHAR(20)) || ' rows, ' || CAST(J.OVERFLOW AS VARCHAR(20))
                || ' had been moved off their page'
        ELSE ''
    END || '.' AS FINDING,
    CAST(0 AS DOUBLE) AS CLAIM_2_PCT,
    CAST(0 AS DOUBLE) AS CLAIM_3_PCT
FROM JUDGED AS J
CROSS JOIN TUNE.RUN_DATABASE AS D
WHERE J.ACCESSED_PART > 0 OR J.F1 = 1 OR J.F3 = 1
