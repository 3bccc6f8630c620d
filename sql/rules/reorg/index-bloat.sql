/*---
rule: reorg.index-bloat
title: 'Index bloat: deleted keys or empty leaf pages'
lane: performance
takes_effect: immediately
applies: {from: '10.1', not: [purescale]}
judged_by: load
needs: [index.NUMRIDS_DELETED, index.NUM_EMPTY_LEAFS, index.INDCARD, index.NLEAF, index.OBJECT_INDEX_P_READS,
  cat_table.TBSPACE, workload.POOL_READ_TIME]
object: TABLE {TABSCHEMA:text}.{TABNAME:text}
claims: {POOL_READ: {events: SAVED_READS, cost_ms: READ_MS}, PROCESSING: {events: SAVED_PAGES, cost_ms: PAGE_CPU_MS}}
recover: [0.1, 0.3, 0.6]
confidence: 0.3
thresholds:
  min_share: {default: 0.03, from: own, why: 3 % of all index page reads; an index with fewer reads gains nothing}
  max_stats_days: {default: 60, from: own, why: older statistics do not describe the present index}
actions:
  - set: {name: INDEXES, from: '{WASTE_PCT:1}', to: '0', unit: percent deleted or empty}
  - command: REORG INDEXES ALL FOR TABLE {TABSCHEMA:name}.{TABNAME:name} ALLOW WRITE ACCESS CLEANUP ALL
    undo: {manual: 'Cannot be undone: a cleanup removes the deleted keys.'}
  - choose:
      - {when: STATS_PROFILE = 1, command: 'RUNSTATS ON TABLE {TABSCHEMA:name}.{TABNAME:name} USE PROFILE'}
      - command: >-
          RUNSTATS ON TABLE {TABSCHEMA:name}.{TABNAME:name} WITH DISTRIBUTION AND SAMPLED DETAILED INDEXES ALL ALLOW
          WRITE ACCESS
finding: >-
  {DELETED_PCT:1} % of the RIDs in index {INDNAME:text} are pseudo-deleted, and {EMPTY_PCT:1} % of its leaf pages are
  empty[; {INDEXES} indexes of the table qualify].
evidence: [index=INDNAME:text, NUMRIDS_DELETED, INDCARD, NUM_EMPTY_LEAFS, NLEAF, OBJECT_INDEX_L_READS=LOGICAL_READS,
  index_reads_pct=SHARE_PCT:2, statistics_age_hours=STATS_AGE_H]
references:
  - IBM documentation of REORGCHK (r0001971) and REORG INDEXES (r0001966)
why: >-
  Deleted keys and empty pages stay in an index until a cleanup. Range scans read them, and they take buffer pool from
  other pages.
not_if: >-
  Both parts are below a fifth; the index has less than 3 % of the index reads, or less than 1,000 leaf pages;
  statistics are missing or older than two months; the table is range-partitioned or column-organized.
note: >-
  The claim is the part of the index's disk reads in proportion to deleted keys or empty pages: an upper bound, because
  a search for one key does not pass all of them. Pages in memory cost a few microseconds each. Only pages read by scans
  count, not the one page per level that a probe or a changed row needs. F7 and F8 are as old as the statistics:
  confidence is low, and RUNSTATS follows. F4 (clustering) is excluded: detailed statistics omit CLUSTERRATIO, and the
  normalization of CLUSTERFACTOR is not documented. F5 and F6 need record lengths, which db2tune does not collect. REORG
  cleans all indexes of a table: one recommendation. pureScale does not support online index reorganization (SQL1419N).
  The CLEANUP option has this syntax since 10.1.
---*/
WITH EACH_INDEX AS (
    SELECT
        TABSCHEMA,
        TABNAME,
        IID,
        COALESCE(MIN(INDNAME), 'IID ' || CAST(IID AS VARCHAR(20))) AS INDNAME,
        MAX(INDCARD) AS INDCARD,
        MAX(NUMRIDS_DELETED) AS NUMRIDS_DELETED,
        MAX(NLEAF) AS NLEAF,
        MAX(NUM_EMPTY_LEAFS) AS NUM_EMPTY_LEAFS,
        SUM(OBJECT_INDEX_L_READS) AS LOGICAL_READS,
        SUM(OBJECT_INDEX_P_READS) AS PHYSICAL_READS,
        SUM(INDEX_SCANS) AS SCANS,
        MAX(NLEVELS) AS NLEVELS
    FROM TUNE.D_INDEX
    GROUP BY TABSCHEMA, TABNAME, IID
),
MEASURED AS (
    SELECT
        E.*,
        CAST(E.LOGICAL_READS AS DOUBLE) / NULLIF(SUM(E.LOGICAL_READS) OVER (), 0) AS SHARE,
        CASE
            WHEN E.NUMRIDS_DELETED >= 0 AND E.INDCARD >= 0
                THEN COALESCE(CAST(E.NUMRIDS_DELETED AS DOUBLE) / NULLIF(E.NUMRIDS_DELETED + E.INDCARD, 0), 0)
            ELSE 0
        END AS DELETED_PART,
        CASE
            WHEN E.NUM_EMPTY_LEAFS >= 0 THEN COALESCE(CAST(E.NUM_EMPTY_LEAFS AS DOUBLE) / NULLIF(E.NLEAF, 0), 0)
            ELSE 0
        END AS EMPTY_PART,
        COALESCE(E.PHYSICAL_READS, 0) * CAST(T.SYNC_READS AS DOUBLE) / NULLIF(T.PHYSICAL_READS, 0) AS SYNC_READS,
        T.READ_MS,
        C.TBSPACE,
        C.TABLEORG,
        CASE
            WHEN E.SCANS > 0 THEN GREATEST(0, E.LOGICAL_READS - E.NLEVELS * (E.SCANS + COALESCE(U.ROWS_CHANGED, 0)))
            ELSE 0
        END AS WALKED_PAGES,
        C.STATS_PROFILE,
        C.STATS_AGE_H
    FROM EACH_INDEX AS E
    LEFT JOIN TUNE.TABLE_USE AS U ON E.TABSCHEMA = U.TABSCHEMA AND E.TABNAME = U.TABNAME
    LEFT JOIN TUNE.D_CAT_TABLE AS C ON E.TABSCHEMA = C.TABSCHEMA AND E.TABNAME = C.TABNAME
    LEFT JOIN TUNE.TABLESPACE AS T ON COALESCE(C.INDEX_TBSPACE, C.TBSPACE) = T.TBSP_NAME
),
BLOATED AS (
    SELECT
        M.*,
        COUNT(*) OVER (PARTITION BY M.TABSCHEMA, M.TABNAME) AS INDEXES,
        SUM(M.SYNC_READS * LEAST(1, GREATEST(M.DELETED_PART, M.EMPTY_PART)))
            OVER (PARTITION BY M.TABSCHEMA, M.TABNAME) AS SAVED_READS,
        SUM(M.WALKED_PAGES * LEAST(1, GREATEST(M.DELETED_PART, M.EMPTY_PART)))
            OVER (PARTITION BY M.TABSCHEMA, M.TABNAME) AS SAVED_PAGES,
        CONST.PAGE_CPU_MS,
        ROW_NUMBER() OVER (PARTITION BY M.TABSCHEMA, M.TABNAME ORDER BY M.LOGICAL_READS DESC, M.IID) AS PLACE
    FROM MEASURED AS M
    CROSS JOIN TUNE.O_REORG_INDEX_BLOAT AS O
    CROSS JOIN TUNE.O_SITE AS SITE
    CROSS JOIN TUNE.CONSTANT AS CONST
    WHERE
        M.SHARE >= O.MIN_SHARE
        AND M.NLEAF >= SITE.SMALL_INDEX
        AND (M.DELETED_PART >= CONST.REORG_PART OR M.EMPTY_PART >= CONST.REORG_PART)
        AND M.TBSPACE IS NOT NULL
        AND M.TABLEORG = 'R'
        AND M.STATS_AGE_H <= 24 * O.MAX_STATS_DAYS
)
SELECT
    TABSCHEMA, TABNAME, INDNAME, INDCARD, NUMRIDS_DELETED, NLEAF, NUM_EMPTY_LEAFS, LOGICAL_READS, STATS_PROFILE,
    STATS_AGE_H, SAVED_READS, READ_MS, SAVED_PAGES, PAGE_CPU_MS,
    100 * SHARE AS SHARE_PCT,
    100 * DELETED_PART AS DELETED_PCT,
    100 * EMPTY_PART AS EMPTY_PCT,
    100 * GREATEST(DELETED_PART, EMPTY_PART) AS WASTE_PCT,
    CASE WHEN INDEXES > 1 THEN INDEXES END AS INDEXES
FROM BLOATED
WHERE PLACE = 1
