/*---
rule: sql.plan-misestimate
title: The optimizer's estimate of rows is far from the actual rows
lane: condition
severity: low
takes_effect: immediately
judged_by: config
needs: [plan_operator.ROWS_ESTIMATED, plan_operator.ROWS_ACTUAL]
object: STATEMENT {PLAN:text}
confidence: 0.6
thresholds:
  min_factor: {default: 10, from: field, why: a plan seldom changes with smaller errors}
  min_rows: {default: 1000, from: own, why: 'with fewer rows, every plan is fast'}
actions:
  - when: TABNAME IS NOT NULL
    manual: >-
      Collect statistics: RUNSTATS ON TABLE {TABSCHEMA:name}.{TABNAME:name} WITH DISTRIBUTION AND SAMPLED DETAILED
      INDEXES ALL. If several predicates depend on each other, add a column group: ON ALL COLUMNS AND COLUMNS ((A, B)).
  - when: TABNAME IS NULL
    manual: >-
      Collect statistics of the tables below this operator. For a join of tables whose columns depend on each other,
      create a statistical view (CREATE VIEW, ALTER VIEW ... ENABLE QUERY OPTIMIZATION, RUNSTATS ON VIEW).
  - manual: Explain the statement again with section actuals.
finding: >-
  Operator {OPERATOR_ID} ({OPERATOR_TYPE:text}[ on {QUOTED:text}]) returned {ROWS_ACTUAL} rows; the optimizer expected
  {ROWS_ESTIMATED}. Operators that returned {MIN_FACTOR} times as many rows as expected or more: {OPERATORS}[.
  Statement: {STMT_TEXT:text}].
evidence: [OPERATOR_ID, 'OPERATOR_TYPE:text', ROWS_ESTIMATED, ROWS_ACTUAL, 'TOTAL_COST?', 'EXPLAIN_TIME:text']
query: >-
  SELECT TABSCHEMA, TABNAME, CARD, STATS_TIME FROM SYSCAT.TABLES WHERE TYPE = 'T'; SELECT TABSCHEMA, TABNAME,
  COLGROUPID FROM SYSCAT.COLGROUPCOLS
references:
  - IBM documentation of section actuals (c0056464), column group statistics and statistical views
why: >-
  Costs follow from rows: an operator that returns many more rows than expected makes a nested-loop join, a sort in
  memory or an index access expensive.
not_if: >-
  The plan has no section actuals; no operator differs by a factor of 10; fewer than 1,000 rows; fewer rows than
  expected, since the statement may have stopped early (FETCH FIRST); the operator is below the inner side of a
  nested-loop join.
note: >-
  The operators of an inner side run once per outer row, so their numbers cannot be compared. Table accesses come first:
  errors above them often follow from theirs. In a partitioned database both numbers are averages per partition.
---*/
WITH WRONG AS (
    SELECT
        P.*,
        O.MIN_FACTOR,
        ROW_NUMBER() OVER (
            PARTITION BY P.EXPLAIN_TIME, P.SECTION
            ORDER BY CASE WHEN P.TABNAME IS NULL THEN 1 ELSE 0 END, P.OPERATOR_ID DESC
        ) AS PLACE,
        COUNT(*) OVER (PARTITION BY P.EXPLAIN_TIME, P.SECTION) AS OPERATORS
    FROM TUNE.D_PLAN_OPERATOR AS P
    CROSS JOIN TUNE.O_SQL_PLAN_MISESTIMATE AS O
    WHERE
        P.IN_LOOP = 0
        AND P.ROWS_ACTUAL >= O.MIN_ROWS
        AND P.ROWS_ACTUAL >= O.MIN_FACTOR * P.ROWS_ESTIMATED
)
SELECT
    W.EXPLAIN_TIME || ' section ' || CAST(W.SECTION AS VARCHAR(20)) AS PLAN,
    W.EXPLAIN_TIME,
    W.OPERATOR_ID,
    W.OPERATOR_TYPE,
    W.TABSCHEMA,
    W.TABNAME,
    '"' || REPLACE(W.TABSCHEMA, '"', '""') || '"."' || REPLACE(W.TABNAME, '"', '""') || '"' AS QUOTED,
    W.ROWS_ESTIMATED,
    W.ROWS_ACTUAL,
    W.TOTAL_COST,
    W.STMT_TEXT,
    W.MIN_FACTOR,
    W.OPERATORS
FROM WRONG AS W
WHERE W.PLACE = 1
