/*---
rule: sql.skewed-literals
title: A statement scans for a few literals, and finds the others quickly
lane: performance
takes_effect: immediately
risk: medium
judged_by: load
needs: [statement.STMT_TEXT, statement.ROWS_READ, statement.ROWS_RETURNED, statement.ROWS_MODIFIED,
  statement.NUM_EXECUTIONS, statement.TOTAL_CPU_TIME]
object: STATEMENT {STATEMENT:text}
claims: {PROCESSING: {events: SLOW_EXECUTIONS, cost_ms: MORE_CPU_MS}}
recover: [0, 0.5, 0.9]
confidence: 0.3
defers_to:
  - {rule: stats.stale-or-off, within: any, only_if_larger: true}
thresholds:
  scans_per_row: {default: 100, from: vendors, why: 'rows read per row returned or changed: its plan scans'}
actions:
  - when: EXECUTABLE_ID IS NOT NULL
    manual: >-
      Compare the estimated and the actual rows of its plan: CALL EXPLAIN_FROM_SECTION(x'{EXECUTABLE_ID:text}', 'M',
      NULL, {MEMBER}, NULL, ?, ?, ?, ?, ?), then db2exfmt -d {DB_NAME:shell} -1 -o plan.txt
  - manual: >-
      Save the statistics of its tables with db2look -d {DB_NAME:shell} -m -o statistics.sql. Then collect them with
      RUNSTATS ... WITH DISTRIBUTION, with a larger NUM_FREQVALUES for the column that the literal restricts.
    undo: {manual: Run the UPDATE statements of statistics.sql. Then run FLUSH PACKAGE CACHE DYNAMIC.}
  - manual: >-
      Keep the literals of this statement: with one plan for all values, from parameter markers or STMT_CONC LITERALS,
      the rest could become slow too.
finding:
  - >-
    {STATEMENTS} statements differ only in literals. {SLOW} of them read {SLOW_ROWS:0} rows per execution for each row
    that they return or change, the others {FAST_ROWS:1}. They take {SLOW_PCT:1} % of database time.
  - {when: SHORT_TEXT IS NOT NULL, text: '{SHORT_TEXT:text}'}
evidence: ['EXECUTABLE_ID:text?', statements=STATEMENTS, slow_statements=SLOW, slow_executions=SLOW_EXECUTIONS,
  CPU_ms_each=SLOW_CPU_MS:2, CPU_ms_each_of_the_others=FAST_CPU_MS:2]
references:
  - IBM documentation of distribution statistics (c0005087) and RUNSTATS (r0001980)
  - IBM documentation of the statement concentrator (c0054137)
why: >-
  Db2 compiles each literal by itself. Without distribution statistics it assumes that all values of a column are
  equally frequent, and may scan a table for a literal that an index finds.
not_if: >-
  Fewer than five statements differ only in literals; less than half of them find their rows with fewer than ten rows
  read for each; the others read less than a hundred for each, or take less than 2 % of database time beyond the usual
  time per execution.
note: >-
  Statements count as one family if their texts are equal without digits up to the first quoted literal, with the same
  number of quotes and blanks. Literals with blanks, and lists of different length, are not recognized. A literal that
  is frequent but excluded by another predicate looks the same: the range starts at 0.
---*/
WITH TEXTS AS (
    SELECT
        COALESCE(STMT_KEY, EXECUTABLE_ID) AS STATEMENT,
        MAX(STMT_TEXT) AS STMT_TEXT
    FROM TUNE.L_STATEMENT
    WHERE STMT_TEXT IS NOT NULL AND STMT_TEXT_LENGTH <= 1000 AND INSTR(STMT_TEXT, '?') = 0
    GROUP BY COALESCE(STMT_KEY, EXECUTABLE_ID)
),
DIGITLESS AS (
    SELECT
        STATEMENT,
        LENGTH('x' || STMT_TEXT) - LENGTH('x' || REPLACE(STMT_TEXT, '''', '')) AS QUOTES,
        LENGTH('x' || STMT_TEXT) - LENGTH('x' || REPLACE(STMT_TEXT, ' ', '')) AS BLANKS,
        REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(
            STMT_TEXT, '0', ''), '1', ''), '2', ''), '3', ''), '4', ''), '5', ''), '6', ''), '7', ''), '8', ''), '9', ''
        ) AS REST
    FROM TEXTS
),
MEMBERS AS (
    SELECT
        S.*,
        CAST(CASE WHEN INSTR(D.REST, '''') > 0 THEN SUBSTR(D.REST, 1, INSTR(D.REST, '''')) ELSE D.REST END
            AS VARCHAR(1000)) AS FAMILY,
        D.QUOTES,
        D.BLANKS,
        CASE WHEN S.ROWS_READ < CONST.MANY_PER_ROW * GREATEST(S.ROWS_USED, S.EXECUTIONS) THEN 1 ELSE 0 END AS FAST,
        CASE
            WHEN S.ROWS_READ >= O.SCANS_PER_ROW * GREATEST(S.ROWS_USED, S.EXECUTIONS) THEN 1
            ELSE 0
        END AS SCANS
    FROM DIGITLESS AS D
    INNER JOIN TUNE.STATEMENT AS S ON D.STATEMENT = S.STATEMENT
    CROSS JOIN TUNE.CONSTANT AS CONST
    CROSS JOIN TUNE.O_SQL_SKEWED_LITERALS AS O
    WHERE S.CPU_MS > 0 AND S.ROWS_READ >= 0 AND S.ROWS_USED >= 0 AND 2 * COALESCE(S.COL_MS, 0) < S.ACT_MS
),
JUDGED AS (
    SELECT
        M.*,
        COUNT(*) OVER (PARTITION BY FAMILY, QUOTES, BLANKS) AS STATEMENTS,
        SUM(FAST) OVER (PARTITION BY FAMILY, QUOTES, BLANKS) AS QUICK,
        SUM(SCANS) OVER (PARTITION BY FAMILY, QUOTES, BLANKS) AS SLOW,
        SUM(FAST * CPU_MS) OVER (PARTITION BY FAMILY, QUOTES, BLANKS) AS QUICK_CPU_MS,
        SUM(FAST * EXECUTIONS) OVER (PARTITION BY FAMILY, QUOTES, BLANKS) AS QUICK_EXECUTIONS,
        SUM(FAST * ROWS_READ) OVER (PARTITION BY FAMILY, QUOTES, BLANKS) AS QUICK_READ,
        SUM(FAST * GREATEST(ROWS_USED, EXECUTIONS)) OVER (PARTITION BY FAMILY, QUOTES, BLANKS) AS QUICK_USED,
        SUM(SCANS * CPU_MS) OVER (PARTITION BY FAMILY, QUOTES, BLANKS) AS ALL_CPU_MS,
        SUM(SCANS * EXECUTIONS) OVER (PARTITION BY FAMILY, QUOTES, BLANKS) AS SLOW_EXECUTIONS,
        SUM(SCANS * ROWS_READ) OVER (PARTITION BY FAMILY, QUOTES, BLANKS) AS ALL_READ,
        SUM(SCANS * GREATEST(ROWS_USED, EXECUTIONS)) OVER (PARTITION BY FAMILY, QUOTES, BLANKS) AS ALL_USED,
        SUM(SCANS * DBT_PCT) OVER (PARTITION BY FAMILY, QUOTES, BLANKS) AS SLOW_PCT,
        ROW_NUMBER() OVER (PARTITION BY FAMILY, QUOTES, BLANKS ORDER BY SCANS DESC, DBT_PCT DESC, STATEMENT) AS PLACE
    FROM MEMBERS AS M
),
COSTED AS (
    SELECT
        J.*,
        CAST(J.ALL_CPU_MS AS DOUBLE) / NULLIF(J.SLOW_EXECUTIONS, 0) AS SLOW_CPU_MS,
        CAST(J.QUICK_CPU_MS AS DOUBLE) / NULLIF(J.QUICK_EXECUTIONS, 0) AS FAST_CPU_MS,
        CAST(J.ALL_READ AS DOUBLE) / NULLIF(J.ALL_USED, 0) AS SLOW_ROWS,
        CAST(J.QUICK_READ AS DOUBLE) / NULLIF(J.QUICK_USED, 0) AS FAST_ROWS,
        -- as many rows as the slow ones return cost the quick ones this much
        CAST(J.QUICK_CPU_MS AS DOUBLE) * J.ALL_USED / NULLIF(J.QUICK_USED * CAST(J.SLOW_EXECUTIONS AS DOUBLE), 0)
            AS USUAL_CPU_MS
    FROM JUDGED AS J
    CROSS JOIN TUNE.CONSTANT AS CONST
    WHERE J.PLACE = 1 AND J.SLOW > 0 AND J.STATEMENTS >= CONST.SEVERAL AND J.QUICK >= CONST.MAIN_PART * J.STATEMENTS
)
SELECT
    C.STATEMENT, C.EXECUTABLE_ID, C.MEMBER, C.STATEMENTS, C.SLOW, C.SLOW_EXECUTIONS, C.SLOW_PCT, C.SLOW_CPU_MS,
    C.FAST_CPU_MS, C.SLOW_ROWS, C.FAST_ROWS, X.SHORT_TEXT, D.DB_NAME,
    GREATEST(0, C.SLOW_CPU_MS - GREATEST(C.FAST_CPU_MS, C.USUAL_CPU_MS)) AS MORE_CPU_MS
FROM COSTED AS C
LEFT JOIN TUNE.STATEMENT_TEXT AS X ON C.STATEMENT = X.STATEMENT
CROSS JOIN TUNE.RUN_DATABASE AS D
CROSS JOIN TUNE.DATABASE_TIME AS T
CROSS JOIN TUNE.O_SITE AS SITE
WHERE
    100 * C.SLOW_EXECUTIONS * (C.SLOW_CPU_MS - GREATEST(C.FAST_CPU_MS, C.USUAL_CPU_MS)) >= SITE.SMALL_PCT * T.DBT_MS
