/*---
rule: sql.plan-no-statistics
title: An access plan was chosen without statistics
lane: condition
severity: low
takes_effect: immediately
risk: medium
judged_by: config
needs: [plan_operator.OPERATOR_TYPE]
object: '{OBJECT_TYPE:text} {TABSCHEMA:text}.{NAME:text}'
confidence: 0.6
defers_to:
  - {rule: stats.stale-or-off, within: object}
  - {rule: stats.never-collected, within: object}
actions:
  - when: OBJECT_TYPE = 'TABLE'
    command: >-
      RUNSTATS ON TABLE {TABSCHEMA:name}.{NAME:name} WITH DISTRIBUTION AND SAMPLED DETAILED INDEXES ALL ALLOW WRITE
      ACCESS
    undo:
      manual: >-
        Cannot be undone by command: save the statistics of the table and its plans first with db2look -d
        {DB_NAME:shell} -m
  - when: OBJECT_TYPE = 'INDEX'
    manual: >-
      Find the table of the index (query), and collect its statistics: RUNSTATS ON TABLE ... WITH DISTRIBUTION AND
      SAMPLED DETAILED INDEXES ALL.
finding: >-
  The optimizer reports no statistics of {WHAT:text} {QUOTED:text}[ for: {STMT_TEXT:text}].
evidence: ['EXPLAIN_TIME:text', 'TOTAL_COST?', plans=PLANS]
query: SELECT INDSCHEMA, INDNAME, TABSCHEMA, TABNAME, NLEAF, STATS_TIME FROM SYSCAT.INDEXES WHERE NLEAF < 0
references:
  - IBM documentation of EXP messages (rexpmsg) and RUNSTATS (r0001980)
why: >-
  Without statistics the optimizer guesses how many rows a predicate leaves. It then chooses the join order, the join
  method and the index by a guess.
not_if: >-
  The text has newer statistics of the table; the plan's diagnostics have no EXP0020W, EXP0021W or EXP0022W; a declared
  temporary table (SESSION), which only its own connection can see.
note: The plan may be older than the statistics. Explain the statement again after RUNSTATS.
---*/
WITH REPORTED AS (
    SELECT
        P.*,
        COALESCE(P.TABNAME, P.INDNAME) AS NAME,
        CASE WHEN P.TABNAME IS NULL THEN 'INDEX' ELSE 'TABLE' END AS OBJECT_TYPE,
        CASE WHEN P.TABNAME IS NULL THEN 'index' ELSE 'table' END AS WHAT,
        ROW_NUMBER() OVER (
            PARTITION BY P.TABSCHEMA, P.TABNAME, P.INDNAME
            ORDER BY P.TOTAL_COST DESC NULLS LAST, P.EXPLAIN_TIME, P.SECTION
        ) AS PLACE,
        COUNT(*) OVER (PARTITION BY P.TABSCHEMA, P.TABNAME, P.INDNAME) AS PLANS
    FROM TUNE.D_PLAN_OPERATOR AS P
    WHERE P.OPERATOR_TYPE = 'NO_STATISTICS' AND P.TABSCHEMA NOT LIKE 'SYS%' AND P.TABSCHEMA <> 'SESSION'
)
SELECT
    R.OBJECT_TYPE,
    R.WHAT,
    R.TABSCHEMA,
    R.NAME,
    '"' || REPLACE(R.TABSCHEMA, '"', '""') || '"."' || REPLACE(R.NAME, '"', '""') || '"' AS QUOTED,
    R.STMT_TEXT,
    R.EXPLAIN_TIME,
    R.TOTAL_COST,
    R.PLANS,
    D.DB_NAME
FROM REPORTED AS R
LEFT JOIN TUNE.D_CAT_TABLE AS C ON R.TABSCHEMA = C.TABSCHEMA AND R.TABNAME = C.TABNAME
CROSS JOIN TUNE.RUN_DATABASE AS D
WHERE R.PLACE = 1 AND COALESCE(C.CARD, -1) < 0
