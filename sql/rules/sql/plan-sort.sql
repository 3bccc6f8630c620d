/*---
rule: sql.plan-sort
title: An access plan expects a sort to spill
lane: condition
severity: low
takes_effect: immediately
judged_by: config
needs: [plan_operator.SPILLED_PAGES]
object: STATEMENT {PLAN:text}
confidence: 0.3
thresholds:
  min_pages: {default: 1000, from: own, why: smaller spills stay in the buffer pool}
actions:
  - manual: >-
      Avoid the sort: an index in the order of the sort (SORTKEY in the plan, unless it is a computed value), fewer
      selected columns, or predicates that leave fewer rows.
  - manual: >-
      If many statements spill, raise SORTHEAP instead: memory.sort-overflow gives the size from counters of an
      interval[ (SORTHEAP is {SORTHEAP:text})].
finding: >-
  Sort operator {OPERATOR_ID} is expected to spill {SPILLED_PAGES} pages[: {STMT_TEXT:text}].
evidence: [OPERATOR_ID, SPILLED_PAGES, 'ROWS_ESTIMATED?', 'ROWS_ACTUAL?', 'TOTAL_COST?', sorts=SORTS,
  'EXPLAIN_TIME:text']
query: SELECT SUM(TOTAL_SORTS), SUM(SORT_OVERFLOWS) FROM TABLE(MON_GET_WORKLOAD(NULL, -2)) AS T
references:
  - IBM documentation of EXPLAIN_ARGUMENT (r0001099, SPILLED) and sortheap (r0000259)
why: >-
  A sort that does not fit into SORTHEAP writes its rows to a temporary table space and reads them again.
not_if: No sort of the plan is expected to spill 1,000 pages.
note: The pages are an estimate from the rows that the optimizer expects. Section actuals do not contain spills.
---*/
WITH SPILLING AS (
    SELECT
        P.*,
        ROW_NUMBER() OVER (
            PARTITION BY P.EXPLAIN_TIME, P.SECTION ORDER BY P.SPILLED_PAGES DESC, P.OPERATOR_ID
        ) AS PLACE,
        COUNT(*) OVER (PARTITION BY P.EXPLAIN_TIME, P.SECTION) AS SORTS
    FROM TUNE.D_PLAN_OPERATOR AS P
    CROSS JOIN TUNE.O_SQL_PLAN_SORT AS O
    WHERE P.OPERATOR_TYPE = 'SORT' AND P.SPILLED_PAGES >= O.MIN_PAGES
)
SELECT
    S.EXPLAIN_TIME || ' section ' || CAST(S.SECTION AS VARCHAR(20)) AS PLAN,
    S.EXPLAIN_TIME,
    S.OPERATOR_ID,
    S.SPILLED_PAGES,
    S.ROWS_ESTIMATED,
    S.ROWS_ACTUAL,
    S.TOTAL_COST,
    S.STMT_TEXT,
    S.SORTS,
    C.VALUE AS SORTHEAP
FROM SPILLING AS S
LEFT JOIN TUNE.SETTING AS C ON C.SCOPE = 'DB' AND C.NAME = 'sortheap'
WHERE S.PLACE = 1
