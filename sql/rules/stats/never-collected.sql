/*---
rule: stats.never-collected
title: A table in a top statement has no statistics
lane: condition
severity: low
takes_effect: immediately
risk: medium
judged_by: load
needs: [statement.STMT_TEXT, table.ROWS_READ, cat_table.CARD, cat_table.STATS_AGE_H]
object: TABLE {TABSCHEMA:text}.{TABNAME:text}
confidence: 0.6
defers_to:
  - {rule: stats.stale-or-off, within: object}
  - {rule: sql.missing-index, within: object}
actions:
  - choose:
      - {when: STATS_PROFILE = 1, command: 'RUNSTATS ON TABLE {TABSCHEMA:name}.{TABNAME:name} USE PROFILE'}
      - command: >-
          RUNSTATS ON TABLE {TABSCHEMA:name}.{TABNAME:name} WITH DISTRIBUTION AND SAMPLED DETAILED INDEXES ALL ALLOW
          WRITE ACCESS
    undo:
      manual: >-
        Cannot be undone by command: save the statistics of the table and its plans first with db2look -d
        {DB_NAME:shell} -m
finding: >-
  Statistics of {QUOTED:text} were never collected. A statement with {TIME_PCT:1} % of all statement time names it[:
  {SHORT_TEXT:text}].
evidence: [CARD, table_age_hours=STATS_AGE_H, ROWS_READ, TOTAL_ACT_TIME_pct=TIME_PCT:2, statements=STATEMENTS]
query: >-
  SELECT TABSCHEMA, TABNAME, CARD, STATS_TIME, VOLATILE, CREATE_TIME FROM SYSCAT.TABLES WHERE TYPE = 'T' AND CARD < 0
references:
  - IBM documentation of SYSCAT.TABLES (r0001063), CARD and STATS_TIME
  - IBM documentation of RUNSTATS (r0001980)
why: >-
  Without statistics the optimizer guesses the rows of a table. It then chooses the join order, the join method and the
  index of the whole statement by a guess, even if the table itself is small.
not_if: >-
  The table has statistics, is younger than a day, volatile, or column-organized; no statement with 2 % of database time
  names it; it has a measured part of all rows read (stats.stale-or-off).
note: >-
  The rule finds tables by their names in the texts of statements, and does not see views and aliases of them. The
  effect of another plan is unknown in advance, so it claims no time. Declare tables VOLATILE that fill and empty often.
---*/
WITH NAMED AS (
    SELECT
        R.TABSCHEMA,
        R.TABNAME,
        S.TIME_PCT,
        X.SHORT_TEXT,
        ROW_NUMBER() OVER (PARTITION BY R.TABSCHEMA, R.TABNAME ORDER BY S.TIME_PLACE) AS PLACE,
        COUNT(*) OVER (PARTITION BY R.TABSCHEMA, R.TABNAME) AS STATEMENTS
    FROM TUNE.STATEMENT_TABLE AS R
    INNER JOIN TUNE.STATEMENT AS S ON R.STATEMENT = S.STATEMENT
    INNER JOIN TUNE.STATEMENT_TEXT AS X ON R.STATEMENT = X.STATEMENT
    CROSS JOIN TUNE.O_SITE AS SITE
    WHERE R.STALE = 1 AND R.CARD < 0 AND S.DBT_PCT >= SITE.SMALL_PCT
)
SELECT
    N.TABSCHEMA,
    N.TABNAME,
    U.QUOTED,
    U.CARD,
    U.STATS_AGE_H,
    U.STATS_PROFILE,
    U.ROWS_READ,
    N.TIME_PCT,
    N.SHORT_TEXT,
    N.STATEMENTS,
    D.DB_NAME
FROM NAMED AS N
INNER JOIN TUNE.TABLE_USE AS U ON N.TABSCHEMA = U.TABSCHEMA AND N.TABNAME = U.TABNAME
CROSS JOIN TUNE.RUN_DATABASE AS D
WHERE N.PLACE = 1
