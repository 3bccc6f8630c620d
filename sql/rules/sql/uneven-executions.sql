/*---
rule: sql.uneven-executions
title: One access plan for all values, and one execution took far longer
lane: condition
severity: low
takes_effect: immediately
risk: medium
judged_by: load
needs: [statement.MAX_COORD_STMT_EXEC_TIME, statement.LONGEST_AGO_S, statement.STMT_TEXT, statement.NUM_COORD_EXEC,
  statement.COORD_STMT_EXEC_TIME, statement.LOCK_WAIT_TIME]
object: STATEMENT {STATEMENT:text}
confidence: 0.3
defers_to:
  - {rule: sql.missing-index, within: object}
  - {rule: sql.plan-slower, within: object}
thresholds:
  least_factor: {default: 100, from: own, why: 'caches, load and rows returned explain less than this factor'}
  least_part_pct: {default: 10, from: own, why: 'percent of the statement''s time: otherwise the rest matters more'}
actions:
  - manual: >-
      Show the values of the longest execution: SELECT XMLPARSE(DOCUMENT MAX_COORD_STMT_EXEC_TIME_ARGS) AS ARGS,
      MAX_COORD_STMT_EXEC_TIMESTAMP FROM TABLE(MON_GET_PKG_CACHE_STMT(NULL, x'{EXECUTABLE_ID:text}', NULL, -2)) AS T
  - manual: >-
      Explain the statement with these values as literals. If its plan differs, collect statistics of its tables WITH
      DISTRIBUTION, and let Db2 compile it with the values: REOPT ALWAYS as BIND option or in an optimization
      guideline. Each execution then costs a compilation.
    undo: {manual: Remove REOPT ALWAYS from the guideline or bind the Db2 package without it.}
  - when: CONCENTRATED = 1
    manual: >-
      The statement concentrator replaced its literals. Switch it off for connections that need literals
      (StmtConcentrator=OFF).
    undo: {manual: Remove StmtConcentrator=OFF from these connections.}
finding:
  - >-
    One of {EXECUTIONS} executions took {LONGEST_MS:0} ms, the others {OTHERS_MS:1} ms on average: {LONGEST_PCT:0} % of
    the statement's time was one execution. All values share one access plan.
  - {when: SHORT_TEXT IS NOT NULL, text: '{SHORT_TEXT:text}'}
evidence: [EXECUTABLE_ID:text, executions=EXECUTIONS, MAX_COORD_STMT_EXEC_TIME=LONGEST_MS:0,
  ms_of_the_others=OTHERS_MS:2, seconds_ago=LONGEST_AGO_S, LOCK_WAIT_TIME_ms=LOCK_WAIT_MS]
query: >-
  SELECT NUM_COORD_EXEC, COORD_STMT_EXEC_TIME, MAX_COORD_STMT_EXEC_TIME, MAX_COORD_STMT_EXEC_TIMESTAMP FROM
  TABLE(MON_GET_PKG_CACHE_STMT(NULL, NULL, NULL, -2)) AS T
references:
  - IBM documentation of max_coord_stmt_exec_time and max_coord_stmt_exec_time_args
  - IBM documentation of the REOPT bind option with input variables (c0055082) and optimization guidelines (c0024522)
why: >-
  With parameter markers Db2 chooses the plan before it knows the values, for a value of average frequency. If a few
  values occur in many rows, that plan is wrong for them.
not_if: >-
  The longest execution ended before the interval; it took less than a second, less than a hundred times the others, or
  less than 10 % of the statement's time; the statement takes less than 2 % of database time or ran less than a hundred
  times; its lock waits explain half of it; its text is unknown, has no parameter marker, or is a CALL.
note: >-
  Db2 keeps only the longest execution of each section. The rule cannot see its rows, its waits for disks, or how many
  executions are slow: a cold buffer pool or a large result look the same. So it claims no time.
---*/
WITH SECTION AS (
    SELECT
        COALESCE(STMT_KEY, EXECUTABLE_ID) AS STATEMENT,
        EXECUTABLE_ID,
        LONGEST_AGO_S,
        CAST(MAX_COORD_STMT_EXEC_TIME AS DOUBLE) AS LONGEST_MS,
        CAST(COORD_STMT_EXEC_TIME AS DOUBLE) AS MS,
        COALESCE(LOCK_WAIT_TIME, 0) AS LOCK_WAIT_MS,
        NUM_COORD_EXEC AS EXECUTIONS,
        CAST(COORD_STMT_EXEC_TIME - MAX_COORD_STMT_EXEC_TIME AS DOUBLE) / NULLIF(NUM_COORD_EXEC - 1, 0) AS OTHERS_MS,
        ROW_NUMBER() OVER (
            PARTITION BY COALESCE(STMT_KEY, EXECUTABLE_ID) ORDER BY MAX_COORD_STMT_EXEC_TIME DESC, EXECUTABLE_ID, MEMBER
        ) AS PLACE
    FROM TUNE.D_STATEMENT
    WHERE MAX_COORD_STMT_EXEC_TIME > 0 AND COORD_STMT_EXEC_TIME >= MAX_COORD_STMT_EXEC_TIME
)
SELECT
    S.STATEMENT, S.EXECUTABLE_ID, S.EXECUTIONS, S.LONGEST_MS, S.OTHERS_MS, S.LONGEST_AGO_S, S.LOCK_WAIT_MS,
    X.SHORT_TEXT,
    100 * S.LONGEST_MS / CAST(NULLIF(S.MS, 0) AS DOUBLE) AS LONGEST_PCT,
    CASE WHEN INSTR(X.WORDS, ' :L0') > 0 THEN 1 ELSE 0 END AS CONCENTRATED
FROM SECTION AS S
INNER JOIN TUNE.STATEMENT AS A ON S.STATEMENT = A.STATEMENT
INNER JOIN TUNE.STATEMENT_TEXT AS X ON S.STATEMENT = X.STATEMENT
CROSS JOIN TUNE.RUN_WINDOW AS W
CROSS JOIN TUNE.O_SQL_UNEVEN_EXECUTIONS AS O
CROSS JOIN TUNE.O_SITE AS SITE
CROSS JOIN TUNE.CONSTANT AS CONST
WHERE
    S.PLACE = 1
    AND S.LONGEST_AGO_S <= W.SECONDS
    AND S.EXECUTIONS >= CONST.FEW_EVENTS
    AND S.LONGEST_MS >= CONST.LONG_STATEMENT_MS
    AND S.LONGEST_MS >= O.LEAST_FACTOR * S.OTHERS_MS
    AND 100 * S.LONGEST_MS >= O.LEAST_PART_PCT * S.MS
    AND 2 * S.LOCK_WAIT_MS < S.LONGEST_MS
    AND A.DBT_PCT >= SITE.SMALL_PCT
    AND (INSTR(X.WORDS, '?') > 0 OR INSTR(X.WORDS, ' :L0') > 0)
    AND (
        INSTR(X.WORDS, ' SELECT ') = 1 OR INSTR(X.WORDS, ' WITH ') = 1 OR INSTR(X.WORDS, ' UPDATE ') = 1
        OR INSTR(X.WORDS, ' DELETE ') = 1 OR INSTR(X.WORDS, ' MERGE ') = 1
    )
