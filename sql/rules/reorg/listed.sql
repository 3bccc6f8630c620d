/*---
rule: reorg.listed
title: REORGCHK lists a large table with wasted space
lane: condition
severity: low
takes_effect: immediately
risk: medium
applies: {not: [purescale]}
judged_by: config
needs: [reorg_check.FLAGS]
object: TABLE {TABSCHEMA:text}.{TABNAME:text}
confidence: 0.3
thresholds:
  min_pages: {default: 10000, from: own, why: 'smaller tables are read in a moment, in whatever state'}
  min_leaf_pages: {default: 1000, from: own, why: 'smaller indexes stay in memory'}
  most_tables: {default: 10, from: own, why: the largest ones; REORGCHK lists every table}
actions:
  - when: MOVED_ROWS IS NOT NULL OR EMPTY_PAGES IS NOT NULL OR USED_PCT IS NOT NULL
    manual: >-
      If statements scan the table or read many of its rows: REORG TABLE {TABSCHEMA:name}.{TABNAME:name} INPLACE ALLOW
      WRITE ACCESS. It logs each moved row: compare {FPAGES} pages with the free log space first.
    undo: {manual: 'Cannot be undone: REORG moves the rows permanently.'}
  - when: MOVED_ROWS IS NOT NULL
    manual: Raise PCTFREE before the REORG if rows keep growing, or they overflow again.
  - when: BLOATED > 0 AND SPARSE = 0
    manual: >-
      Clean the indexes up online: REORG INDEXES ALL FOR TABLE {TABSCHEMA:name}.{TABNAME:name} ALLOW WRITE ACCESS
      CLEANUP ALL.
    undo: {manual: 'Cannot be undone: a cleanup removes the deleted keys.'}
  - when: SPARSE > 0
    manual: >-
      Rebuild the indexes: REORG INDEXES ALL FOR TABLE {TABSCHEMA:name}.{TABNAME:name} ALLOW WRITE ACCESS. It needs
      space for copies of them.
    undo: {manual: 'Cannot be undone: the indexes are rebuilt.'}
  - manual: >-
      Then: RUNSTATS ON TABLE {TABSCHEMA:name}.{TABNAME:name} WITH DISTRIBUTION AND SAMPLED DETAILED INDEXES ALL.
finding:
  - when: MOVED_ROWS IS NOT NULL
    text: '{MOVED_ROWS} of {CARD} rows are overflow rows (F1: 5 % or more).'
  - when: EMPTY_PAGES IS NOT NULL
    text: '{EMPTY_PAGES} of {FPAGES} pages hold no rows (F3: 20 % or more).'
  - when: USED_PCT IS NOT NULL
    text: 'Only {USED_PCT} % of the space in its {FPAGES} pages is used (F2: 70 % or less).'
  - when: BLOATED > 0
    text: >-
      Deleted keys or empty leaf pages are 20 % or more of {BLOATED} of its {INDEXES} indexes (F7, F8), such as
      {BLOATED_NAME:text}.
  - when: SPARSE > 0
    text: 'Leaf pages are half empty in {SPARSE} of its {INDEXES} indexes (F5), such as {SPARSE_NAME:text}.'
  - when: UNCLUSTERED > 0 AND INDEXES > 1
    text: >-
      F4 is outside of its limit for {UNCLUSTERED} of {INDEXES} indexes: no action by itself, because rows can be in the
      order of one index only.
evidence: ['CARD?', 'OVERFLOW?', 'NPAGES?', 'FPAGES?', table_flags=FLAGS:text, indexes=INDEXES,
  indexes_outside_F4=UNCLUSTERED]
query: SELECT TABSCHEMA, TABNAME, CARD, OVERFLOW, NPAGES, FPAGES, STATS_TIME FROM SYSCAT.TABLES WHERE TYPE = 'T'
references:
  - IBM documentation of REORGCHK (r0001971), REORG TABLE (r0001966) and c0024850
why: >-
  Reading an overflow row takes two pages, a scan reads empty pages too, and range scans of an index pass deleted keys.
  REORGCHK compares statistics with fixed limits. It does not know whether statements read these pages.
not_if: >-
  No formula other than F4 and F6 is outside of its bounds; the table has less than 10,000 pages (F3: less than 10,000
  pages are empty), and its listed indexes have less than 1,000 leaf pages; it is partitioned, clustered in blocks
  or, by its row in SYSCAT.TABLES, column-organized;
  pureScale, which does not support online index reorganization (SQL1419N).
note: >-
  F4 is outside of its bounds for nearly every table with several indexes. It matters only for the index of large range
  scans: REORG with INDEX orders the rows by it. With counters of an interval, reorg.table-overflow and
  reorg.index-bloat give the time that a REORG saves.
---*/
WITH OF_INDEXES AS (
    SELECT
        R.TABSCHEMA,
        R.TABNAME,
        COUNT(*) AS INDEXES,
        SUM(CASE WHEN SUBSTR(R.FLAGS, 1, 1) = '*' THEN 1 ELSE 0 END) AS UNCLUSTERED,
        SUM(CASE WHEN SUBSTR(R.FLAGS, 2, 1) = '*' AND R.NLEAF >= O.MIN_LEAF_PAGES THEN 1 ELSE 0 END) AS SPARSE,
        MIN(CASE WHEN SUBSTR(R.FLAGS, 2, 1) = '*' AND R.NLEAF >= O.MIN_LEAF_PAGES THEN R.INDNAME END) AS SPARSE_NAME,
        SUM(CASE WHEN INSTR(SUBSTR(R.FLAGS, 4, 2), '*') > 0 AND R.NLEAF >= O.MIN_LEAF_PAGES THEN 1 ELSE 0 END)
            AS BLOATED,
        MIN(CASE WHEN INSTR(SUBSTR(R.FLAGS, 4, 2), '*') > 0 AND R.NLEAF >= O.MIN_LEAF_PAGES THEN R.INDNAME END)
            AS BLOATED_NAME
    FROM TUNE.D_REORG_CHECK AS R
    CROSS JOIN TUNE.O_REORG_LISTED AS O
    WHERE R.INDNAME <> '-' AND LENGTH(R.FLAGS) = 5
    GROUP BY R.TABSCHEMA, R.TABNAME
),
OF_TABLES AS (
    SELECT
        R.TABSCHEMA,
        R.TABNAME,
        R.FLAGS,
        R.CARD,
        R.OVERFLOW,
        R.NPAGES,
        R.FPAGES,
        COALESCE(X.INDEXES, 0) AS INDEXES,
        COALESCE(X.UNCLUSTERED, 0) AS UNCLUSTERED,
        COALESCE(X.SPARSE, 0) AS SPARSE,
        COALESCE(X.BLOATED, 0) AS BLOATED,
        X.SPARSE_NAME,
        X.BLOATED_NAME,
        CASE WHEN SUBSTR(R.FLAGS, 1, 1) = '*' AND R.FPAGES >= O.MIN_PAGES THEN R.OVERFLOW END AS MOVED_ROWS,
        CASE WHEN SUBSTR(R.FLAGS, 2, 1) = '*' AND R.FPAGES >= O.MIN_PAGES THEN R.F2 END AS USED_PCT,
        CASE WHEN SUBSTR(R.FLAGS, 3, 1) = '*' AND R.FPAGES - R.NPAGES >= O.MIN_PAGES THEN R.FPAGES - R.NPAGES END
            AS EMPTY_PAGES
    FROM TUNE.D_REORG_CHECK AS R
    LEFT JOIN OF_INDEXES AS X ON R.TABSCHEMA = X.TABSCHEMA AND R.TABNAME = X.TABNAME
    LEFT JOIN TUNE.D_CAT_TABLE AS C ON R.TABSCHEMA = C.TABSCHEMA AND R.TABNAME = C.TABNAME
    CROSS JOIN TUNE.O_REORG_LISTED AS O
    WHERE R.INDNAME = '-' AND R.TABSCHEMA NOT LIKE 'SYS%' AND COALESCE(C.TABLEORG, 'R') <> 'C'
),
PLACED AS (
    SELECT
        T.*,
        ROW_NUMBER() OVER (ORDER BY T.FPAGES DESC NULLS LAST, T.TABSCHEMA, T.TABNAME) AS PLACE
    FROM OF_TABLES AS T
    WHERE
        T.MOVED_ROWS IS NOT NULL OR T.USED_PCT IS NOT NULL OR T.EMPTY_PAGES IS NOT NULL OR T.SPARSE > 0 OR T.BLOATED > 0
)
SELECT
    P.TABSCHEMA, P.TABNAME, P.FLAGS, P.CARD, P.OVERFLOW, P.NPAGES, P.FPAGES, P.INDEXES, P.UNCLUSTERED, P.SPARSE,
    P.BLOATED, P.SPARSE_NAME, P.BLOATED_NAME, P.MOVED_ROWS, P.USED_PCT, P.EMPTY_PAGES
FROM PLACED AS P
CROSS JOIN TUNE.O_REORG_LISTED AS O
WHERE P.PLACE <= O.MOST_TABLES
