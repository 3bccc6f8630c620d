/*---
rule: compress.candidate
title: Large uncompressed table is read from disk
lane: housekeeping
takes_effect: object rebuilt or moved
risk: medium
applies: {from: '10.1'}
judged_by: load
needs: [cat_table.COMPRESSION, cat_table.FPAGES, table.OBJECT_DATA_P_READS, system.CPU_USAGE_TOTAL,
  workload.POOL_READ_TIME, workload.PREFETCH_WAIT_TIME, tablespace.POOL_READ_TIME]
object: TABLE {TABSCHEMA:text}.{TABNAME:text}
confidence: 0.3
thresholds:
  max_changed_part: {default: 0.1, from: own, why: 'rows changed per row read: each change compresses again'}
  min_saved_pct: {default: 40, from: own, why: the estimate must show this saving before the table is compressed}
actions:
  - undo: {manual: Reorganize or move the table once more to uncompress its rows.}
  - manual: >-
      Estimate the saving first, and continue only if it is {MIN_SAVED_PCT} or more: SELECT PCTPAGESSAVED_ADAPTIVE FROM
      TABLE(SYSPROC.ADMIN_GET_TAB_COMPRESS_INFO({TABSCHEMA:literal}, {TABNAME:literal})) AS T
  - {when: DB2_LEVEL < 11050000, manual: Check that the licence includes row compression.}
  - set: {kind: TABLE, object: '{TABSCHEMA:text}.{TABNAME:text}', name: COMPRESS, from: 'NO', to: YES ADAPTIVE}
  - manual: >-
      Compress the existing rows: REORG TABLE {TABSCHEMA:name}.{TABNAME:name} RESETDICTIONARY in a maintenance window,
      or online with SYSPROC.ADMIN_MOVE_TABLE.
finding: >-
  Reading this table takes {READ_PCT:1} % of database time[, {WAIT_PCT:1} % in waits for prefetchers]. It has {SIZE_MB}
  MB uncompressed, and the processors are only {CPU_USAGE_TOTAL} % busy.
evidence: [COMPRESSION:text, size_MB=SIZE_MB, table_reads_pct=READ_PCT:2, 'prefetch_waits_pct=WAIT_PCT:2?',
  CPU_USAGE_TOTAL, ROWS_READ, rows_changed=ROWS_CHANGED]
references:
  - vmware-netapp, sections 2.1, 4 and 5.4 (I/O costs more to virtualize than CPU)
  - IBM documentation of ADMIN_GET_TAB_COMPRESS_INFO (r0059160)
why: >-
  Compressed rows fill fewer pages on disk and in the buffer pool, so the same reads bring more rows. It costs CPU,
  which a database that waits for disks has to spare.
not_if: >-
  The table is compressed, column-organized, smaller than 1 GB, of unknown size, or takes less than 5 % of database time
  (reads by agents and waits for prefetchers); a host's CPU is at 60 % or more, or not known; more than a tenth of the
  rows read is changed.
note: >-
  Only an estimate shows the saving, and it samples the whole table: too expensive to run for all tables. The rule names
  candidates and claims no time. The waits for the prefetchers of a table space count for its tables by the pages read
  of each. ADMIN_GET_INDEX_COMPRESS_INFO estimates indexes. SQL does not show the licence.
---*/
SELECT
    U.TABSCHEMA,
    U.TABNAME,
    U.COMPRESSION,
    U.ROWS_READ,
    U.ROWS_CHANGED,
    COALESCE(U.READ_PCT, 0) + COALESCE(U.WAIT_PCT, 0) AS READ_PCT,
    NULLIF(U.WAIT_PCT, 0) AS WAIT_PCT,
    CAST(U.KB AS DOUBLE) / 1024 AS SIZE_MB,
    H.CPU_USAGE_TOTAL,
    D.DB2_LEVEL,
    O.MIN_SAVED_PCT
FROM TUNE.TABLE_USE AS U
CROSS JOIN (
    SELECT
        MAX(CPU_USAGE_TOTAL) AS CPU_USAGE_TOTAL,
        COUNT(*) - COUNT(CPU_USAGE_TOTAL) AS NOT_KNOWN
    FROM TUNE.D_SYSTEM
) AS H
CROSS JOIN TUNE.RUN_DATABASE AS D
CROSS JOIN TUNE.O_COMPRESS_CANDIDATE AS O
CROSS JOIN TUNE.O_SITE AS SITE
WHERE
    U.COMPRESSION = 'N'
    AND U.TABLEORG = 'R'
    AND U.KB >= 1048576 * SITE.SMALL_GB
    AND COALESCE(U.READ_PCT, 0) + COALESCE(U.WAIT_PCT, 0) >= SITE.HIGH_PCT
    AND H.NOT_KNOWN = 0
    AND H.CPU_USAGE_TOTAL < SITE.BUSY_PCT
    AND U.ROWS_CHANGED <= O.MAX_CHANGED_PART * U.ROWS_READ
