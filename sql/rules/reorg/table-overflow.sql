/*---
rule: reorg.table-overflow
title: 'Overflow rows or empty pages: table needs REORG'
lane: performance
takes_effect: immediately
risk: medium
judged_by: load
needs: [table.OVERFLOW_ACCESSES, cat_table.OVERFLOW, cat_table.FPAGES, transaction_log.TOTAL_LOG_AVAILABLE,
  workload.POOL_READ_TIME]
object: TABLE {TABSCHEMA:text}.{TABNAME:text}
claims:
  POOL_READ: {events: SAVED_READS, cost_ms: READ_MS}
  PREFETCH_WAIT: {events: SAVED_WAITS, cost_ms: WAIT_MS}
  PROCESSING: {events: SAVED_PAGES, cost_ms: PAGE_CPU_MS}
recover: [0.3, 0.6, 0.9]
confidence: 0.6
thresholds:
  access_part:
    default: 0.03
    from: vendors
    why: 3 % of the rows read needed a second page; several vendors use this limit
  overflow_part: {default: 0.05, from: manuals, why: 'formula F1 of REORGCHK: 5 % of the rows are overflow rows'}
  filled_part: {default: 0.8, from: manuals, why: 'formula F3 of REORGCHK: 80 % of the pages hold rows'}
  min_pages: {default: 1000000, from: own, why: unless scans read this many empty pages in the interval}
actions:
  - choose:
      - when: EMPTY_PAGES > 0
        set: {name: FPAGES, from: '{FPAGES}', to: '{NPAGES}', unit: pages}
      - set: {name: OVERFLOW_ACCESSES, from: '{OVERFLOW_ACCESSES}', to: '0', unit: rows read on a second page}
  - choose:
      - when: FITS_LOG = 1 AND EMPTY_PAGES IS NULL AND DB2_LEVEL >= 11010000
        command: REORG TABLE {TABSCHEMA:name}.{TABNAME:name} INPLACE ALLOW WRITE ACCESS CLEANUP OVERFLOWS
      - {when: FITS_LOG = 1, command: 'REORG TABLE {TABSCHEMA:name}.{TABNAME:name} INPLACE ALLOW WRITE ACCESS'}
    undo: {manual: 'Cannot be undone: REORG moves the rows permanently.'}
  - when: FITS_LOG = 0
    manual: >-
      The table is larger than the free log, and each moved row is logged at least twice. Start at a quiet time, with
      free space in the log archive: REORG TABLE {TABSCHEMA:name}.{TABNAME:name} INPLACE ALLOW WRITE ACCESS[
      {CLEANUP:text}] START. Watch db2pd -logs; if the log fills, replace START with PAUSE, and later with RESUME.
    undo: {manual: 'Cannot be undone: REORG moves the rows permanently.'}
  - manual: >-
      REORG runs in the background (db2pd -reorgs). When it has finished: RUNSTATS ON TABLE
      {TABSCHEMA:name}.{TABNAME:name}
  - when: MOVED_ROWS IS NOT NULL OR ACCESSED_PART > 0
    manual: Raise PCTFREE before the REORG if rows keep growing, or they overflow again.
finding: >-
  {OVERFLOW_ACCESSES} of {ROWS_READ} rows read needed a second page[; {EMPTY_PAGES} of {FPAGES} pages read by a scan are
  empty][; {MOVED_ROWS} of {CARD} rows are overflow rows].
evidence: [OVERFLOW_ACCESSES, ROWS_READ, OVERFLOW, CARD, NPAGES, FPAGES, TABLE_SCANS, table_reads_pct=READ_PCT:2]
references:
  - IBM documentation of REORGCHK (r0001971), REORG TABLE (r0001966) and c0024850
why: >-
  A row that outgrows its page is moved and leaves a pointer. Access through the pointer reads two pages for one row. A
  scan also reads empty pages.
not_if: >-
  Fewer than 10,000 overflow accesses, or 3 % of the rows read; F1 without such accesses and F3 without scans; the table
  has less than 100 MB and its scans read less than a million empty pages (F3); its size is unknown; it is
  range-partitioned, column-organized, or clustered by dimensions or insert time.
note: >-
  The claim has three parts: disk reads in proportion to accesses with a second page; prefetch waits in proportion to
  empty pages; a few microseconds for each empty page of each scan. The table's time is its part of the table space's
  physical reads. F1 alone is a statistic without time: housekeeping. F2 needs column lengths, which db2tune does not
  collect. CLEANUP OVERFLOWS is in the 11.1 manual, not in 10.1: before 11.1, or with empty pages, the whole table is
  reorganized in place. REORG commits often and holds little log (c0024860), but logs at least the table's size. If that
  exceeds the free log, a DBA must start and watch it.
---*/
WITH JUDGED AS (
    SELECT
        U.*,
        CASE
            WHEN U.OVERFLOW_ACCESSES >= CONST.ENOUGH_PAGES AND U.OVERFLOW_ACCESSES > O.ACCESS_PART * U.ROWS_READ
                THEN LEAST(1, CAST(U.OVERFLOW_ACCESSES AS DOUBLE) / NULLIF(U.ROWS_READ, 0))
        END AS ACCESSED_PART,
        CASE WHEN U.OVERFLOW > O.OVERFLOW_PART * U.CARD AND U.CARD > 0 AND U.OVERFLOW_ACCESSES > 0 THEN U.OVERFLOW END
            AS MOVED_ROWS,
        CASE
            WHEN
                U.NPAGES < O.FILLED_PART * U.FPAGES AND U.NPAGES >= 0 AND U.TABLE_SCANS > 0
                AND (U.KB >= 1024 * SITE.SMALL_MB OR (U.FPAGES - U.NPAGES) * U.TABLE_SCANS >= O.MIN_PAGES)
                THEN U.FPAGES - U.NPAGES
        END AS EMPTY_PAGES,
        CASE WHEN 1024 * U.KB > CAST(U.MEMBERS AS DOUBLE) * L.FREE_BYTES THEN 0 ELSE 1 END AS FITS_LOG
    FROM TUNE.TABLE_USE AS U
    CROSS JOIN TUNE.O_REORG_TABLE_OVERFLOW AS O
    CROSS JOIN TUNE.O_SITE AS SITE
    CROSS JOIN TUNE.CONSTANT AS CONST
    CROSS JOIN (
        SELECT MIN(CASE WHEN TOTAL_LOG_AVAILABLE >= 0 THEN TOTAL_LOG_AVAILABLE END) AS FREE_BYTES
        FROM TUNE.D_TRANSACTION_LOG
    ) AS L
    WHERE
        U.TABLEORG = 'R'
        AND U.RANGES = 1
        AND U.FPAGES >= 0
        AND COALESCE(U.CLUSTERED, ' ') NOT IN ('Y', 'T')
)
SELECT
    J.TABSCHEMA, J.TABNAME, J.OVERFLOW_ACCESSES, J.ROWS_READ, J.OVERFLOW, J.CARD, J.NPAGES, J.FPAGES, J.TABLE_SCANS,
    J.READ_PCT, J.ACCESSED_PART, J.MOVED_ROWS, J.EMPTY_PAGES, J.FITS_LOG, D.DB2_LEVEL,
    CASE WHEN J.EMPTY_PAGES IS NULL AND D.DB2_LEVEL >= 11010000 THEN 'CLEANUP OVERFLOWS' END AS CLEANUP,
    CAST(ROUND(
        T.SYNC_READS * J.ACCESSED_PART / CAST(NULLIF(1 + J.ACCESSED_PART, 0) AS DOUBLE)
        * J.READ_PCT / CAST(NULLIF(T.SHARE_PCT, 0) AS DOUBLE), 0
    ) AS BIGINT) AS SAVED_READS,
    T.READ_MS,
    CAST(ROUND(
        T.PREFETCH_WAITS * LEAST(1, J.READ_PCT / CAST(NULLIF(T.SHARE_PCT, 0) AS DOUBLE))
        * J.EMPTY_PAGES / CAST(NULLIF(J.FPAGES, 0) AS DOUBLE), 0
    ) AS BIGINT) AS SAVED_WAITS,
    T.WAIT_MS,
    COALESCE(J.EMPTY_PAGES, 0) * J.TABLE_SCANS + CASE WHEN J.ACCESSED_PART IS NULL THEN 0 ELSE J.OVERFLOW_ACCESSES END
        AS SAVED_PAGES,
    CONST.PAGE_CPU_MS
FROM JUDGED AS J
CROSS JOIN TUNE.RUN_DATABASE AS D
CROSS JOIN TUNE.CONSTANT AS CONST
LEFT JOIN TUNE.TABLESPACE AS T ON J.TBSP_ID = T.TBSP_ID
WHERE J.ACCESSED_PART IS NOT NULL OR J.MOVED_ROWS IS NOT NULL OR J.EMPTY_PAGES IS NOT NULL
