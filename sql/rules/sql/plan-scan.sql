/*---
rule: sql.plan-scan
title: An access plan scans a large table for few rows
lane: condition
severity: low
takes_effect: immediately
judged_by: config
needs: [plan_operator.TABLE_ROWS, plan_operator.ROWS_ESTIMATED]
object: TABLE {TABSCHEMA:text}.{TABNAME:text}
confidence: 0.3
defers_to:
  - {rule: sql.missing-index, within: object}
thresholds:
  min_rows: {default: 100000, from: own, why: a scan of fewer rows takes milliseconds}
  few_part: {default: 0.01, from: field, why: 'above 1 % of the rows, scattered reads cost as much as a scan'}
  min_loop_rows: {default: 1000, from: own, why: 'smaller tables are scanned in memory, once per outer row'}
actions:
  - manual: >-
      Find an index: db2tune indexes --database {DB_NAME:shell}, or let Db2 propose one: db2advis -d {DB_NAME:shell} -s
      with the statement.
  - {when: LOOPED = 1, manual: An index on the join columns of the inner table avoids the repeated scan.}
finding:
  - >-
    Operator {OPERATOR_ID} scans all {TABLE_ROWS} rows of {QUOTED:text}. Its predicates keep {KEPT} of them[:
    {STMT_TEXT:text}].
  - {when: LOOPED = 1, text: 'It is below the inner side of a nested-loop join: the scan is repeated for outer rows.'}
evidence: [OPERATOR_ID, TABLE_ROWS, kept=KEPT, ROWS_ESTIMATED, 'ROWS_ACTUAL?', 'TOTAL_COST?', plans=PLANS,
  'EXPLAIN_TIME:text']
query: SELECT INDSCHEMA, INDNAME, COLNAMES, STATS_TIME FROM SYSCAT.INDEXES
references:
  - IBM documentation of db2exfmt (r0002353) and the TBSCAN operator
why: >-
  A table scan reads every page, however few rows the predicates keep. An index with the columns of the predicates reads
  a few pages.
not_if: >-
  The table has less than 100,000 rows, or the scan keeps 1 % of them or more (1,000 rows in a nested-loop join); the
  rows kept are not known; a declared temporary table (SESSION).
note: >-
  The actual rows count if the plan has them; otherwise both numbers are estimates. How often the statement runs is not
  in a plan: sql.missing-index measures statements.
---*/
WITH KEEPING AS (
    SELECT
        P.*,
        CASE WHEN P.IN_LOOP = 0 THEN COALESCE(P.ROWS_ACTUAL, P.ROWS_ESTIMATED) ELSE P.ROWS_ESTIMATED END AS KEPT
    FROM TUNE.D_PLAN_OPERATOR AS P
    WHERE P.OPERATOR_TYPE = 'TBSCAN' AND P.TABNAME IS NOT NULL AND P.TABSCHEMA NOT LIKE 'SYS%'
        AND P.TABSCHEMA <> 'SESSION'
),
SCANNED AS (
    SELECT
        P.*,
        CASE WHEN P.IN_LOOP = 1 AND P.TABLE_ROWS >= O.MIN_LOOP_ROWS THEN 1 ELSE 0 END AS LOOPED,
        ROW_NUMBER() OVER (
            PARTITION BY P.TABSCHEMA, P.TABNAME ORDER BY P.TOTAL_COST DESC NULLS LAST, P.EXPLAIN_TIME, P.OPERATOR_ID
        ) AS PLACE,
        COUNT(*) OVER (PARTITION BY P.TABSCHEMA, P.TABNAME) AS PLANS
    FROM KEEPING AS P
    CROSS JOIN TUNE.O_SQL_PLAN_SCAN AS O
    WHERE
        P.KEPT < O.FEW_PART * P.TABLE_ROWS
        AND (P.TABLE_ROWS >= O.MIN_ROWS OR (P.IN_LOOP = 1 AND P.TABLE_ROWS >= O.MIN_LOOP_ROWS))
)
SELECT
    S.TABSCHEMA,
    S.TABNAME,
    '"' || REPLACE(S.TABSCHEMA, '"', '""') || '"."' || REPLACE(S.TABNAME, '"', '""') || '"' AS QUOTED,
    S.OPERATOR_ID,
    S.TABLE_ROWS,
    S.KEPT,
    S.ROWS_ESTIMATED,
    S.ROWS_ACTUAL,
    S.TOTAL_COST,
    S.EXPLAIN_TIME,
    S.STMT_TEXT,
    S.LOOPED,
    S.PLANS,
    D.DB_NAME
FROM SCANNED AS S
CROSS JOIN TUNE.RUN_DATABASE AS D
WHERE S.PLACE = 1
