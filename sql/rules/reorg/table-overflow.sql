/*---
rule: reorg.table-overflow
title: Rows lie on other pages than their addresses say, or pages are empty
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
  access_part: {default: 0.03, from: vendors, why: 3 % of the rows read took the second page; so say several vendors}
  min_accesses: {default: 10000, from: own, why: fewer second pages cost nothing}
  overflow_part: {default: 0.05, from: manuals, why: 'formula F1 of REORGCHK: 5 % of the rows are overflow rows'}
  filled_part: {default: 0.8, from: manuals, why: 'formula F3 of REORGCHK: 80 % of the pages hold rows'}
  min_mb: {default: 100, from: own, why: empty pages of a smaller table are soon read}
  min_pages: {default: 1000000, from: own, why: unless it is scanned so often that these are so many in the interval}
  page_cpu_ms: {default: 0.005, from: field, why: 'five microseconds to find, latch and leave a page of the pool'}
actions:
  - choose:
      - when: EMPTY_PAGES > 0
        set: {name: FPAGES, from: '{FPAGES}', to: '{NPAGES}', unit: pages}
      - set: {name: OVERFLOW_ACCESSES, from: '{OVERFLOW_ACCESSES}', to: '0', unit: rows read on a second page}
  - choose:
      - when: FITS_LOG = 1 AND EMPTY_PAGES IS NULL AND DB2_LEVEL >= 11010000
        command: REORG TABLE {TABSCHEMA:name}.{TABNAME:name} INPLACE ALLOW WRITE ACCESS CLEANUP OVERFLOWS
      - {when: FITS_LOG = 1, command: 'REORG TABLE {TABSCHEMA:name}.{TABNAME:name} INPLACE ALLOW WRITE ACCESS'}
    undo: {manual: A reorganization is not taken back.}
  - when: FITS_LOG = 0
    manual: >-
      It is larger than the log that is free, and each row that moves is logged, twice and more: begin at a quiet time,
      with room where the log is archived, REORG TABLE {TABSCHEMA:name}.{TABNAME:name} INPLACE ALLOW WRITE ACCESS[
      {CLEANUP:text}] START; look at db2pd -logs, and use PAUSE and RESUME in place of START where the log fills.
    undo: {manual: A reorganization is not taken back.}
  - manual: >-
      It runs in the background (db2pd -reorgs); when it is done: RUNSTATS ON TABLE {TABSCHEMA:name}.{TABNAME:name}
  - when: MOVED_ROWS IS NOT NULL OR ACCESSED_PART > 0
    manual: 'Rows that go on growing overflow again: a larger PCTFREE, set before, leaves them room.'
finding: >-
  {OVERFLOW_ACCESSES} of {ROWS_READ} rows read were found on a second page[; of {FPAGES} pages that a scan reads,
  {EMPTY_PAGES} held no row][; of {CARD} rows, {MOVED_ROWS} had been moved off their page].
evidence: [OVERFLOW_ACCESSES, ROWS_READ, OVERFLOW, CARD, NPAGES, FPAGES, TABLE_SCANS, table_reads_pct=READ_PCT:2]
references:
  - IBM documentation of REORGCHK (r0001971), of REORG TABLE (r0001966) and of c0024850
why: >-
  A row that grew and did not fit its page any more was moved and left a pointer: whoever comes by the pointer reads two
  pages for one row. A scan reads empty pages too.
not_if: >-
  Fewer than 10,000 accesses, or 3 % of the rows read; F1 without such accesses and F3 without scans; the table is below
  100 MB and its scans read less than a million empty pages (F3); it is of unknown size; it is range-partitioned,
  column-organized, or clustered by dimensions or insert time.
note: >-
  Claimed are its reads from disk by the part of all accesses that took a second page, the waits for prefetchers by the
  part of its pages that are empty, and a few microseconds for each page that was handled for nothing: empty pages times
  scans. F1 alone is a statistic and no time: housekeeping. F2 needs column lengths that are not collected. CLEANUP
  OVERFLOWS is in the manual of 11.1 and not in that of 10.1; below 11.1, or where pages are empty, the whole table is
  reorganized in place. It commits as it goes and holds little of the log (c0024860), but what it logs is at least the
  table: where that is more than the free log it is for a person to begin and to watch. The table's time is its part of
  the physical reads of its table space.
---*/
WITH JUDGED AS (
    SELECT
        U.*,
        CASE
            WHEN U.OVERFLOW_ACCESSES >= O.MIN_ACCESSES AND U.OVERFLOW_ACCESSES > O.ACCESS_PART * U.ROWS_READ
                THEN LEAST(1, CAST(U.OVERFLOW_ACCESSES AS DOUBLE) / NULLIF(U.ROWS_READ, 0))
        END AS ACCESSED_PART,
        CASE WHEN U.OVERFLOW > O.OVERFLOW_PART * U.CARD AND U.CARD > 0 AND U.OVERFLOW_ACCESSES > 0 THEN U.OVERFLOW END
            AS MOVED_ROWS,
        CASE
            WHEN
                U.NPAGES < O.FILLED_PART * U.FPAGES AND U.NPAGES >= 0 AND U.TABLE_SCANS > 0
                AND (U.KB >= 1024 * O.MIN_MB OR (U.FPAGES - U.NPAGES) * U.TABLE_SCANS >= O.MIN_PAGES)
                THEN U.FPAGES - U.NPAGES
        END AS EMPTY_PAGES,
        CASE WHEN 1024 * U.KB > CAST(U.MEMBERS AS DOUBLE) * L.FREE_BYTES THEN 0 ELSE 1 END AS FITS_LOG
    FROM TUNE.TABLE_USE AS U
    CROSS JOIN TUNE.O_REORG_TABLE_OVERFLOW AS O
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
    COALESCE(J.EMPTY_PAGES, 0) * J.TABLE_SCANS + CASE WHEN J.ACCESSED_PART > 0 THEN J.OVERFLOW_ACCESSES ELSE 0 END
        AS SAVED_PAGES,
    O.PAGE_CPU_MS
FROM JUDGED AS J
CROSS JOIN TUNE.RUN_DATABASE AS D
CROSS JOIN TUNE.O_REORG_TABLE_OVERFLOW AS O
LEFT JOIN TUNE.TABLESPACE AS T ON J.TBSP_ID = T.TBSP_ID
WHERE J.ACCESSED_PART IS NOT NULL OR J.MOVED_ROWS IS NOT NULL OR J.EMPTY_PAGES IS NOT NULL
