/*---
rule: sql.plan-slower
title: A statement became slower with another access plan
lane: performance
takes_effect: immediately
risk: medium
judged_by: load
needs: [statement.PLANID, statement.STMT_KEY, statement.CACHED_S, statement.NUM_EXECUTIONS, statement.TOTAL_CPU_TIME,
  statement.ROWS_READ, statement.ROWS_RETURNED, statement.ROWS_MODIFIED]
object: STATEMENT {STATEMENT:text}
claims:
  PROCESSING: {events: NEW_EXECUTIONS, cost_ms: MORE_CPU_MS}
  POOL_READ: {events: NEW_EXECUTIONS, cost_ms: MORE_READ_MS}
  PREFETCH_WAIT: {events: NEW_EXECUTIONS, cost_ms: MORE_WAIT_MS}
recover: [0, 0.6, 0.9]
confidence: 0.6
defers_to:
  - {rule: sql.missing-index, within: object}
thresholds:
  slower: {default: 2, from: own, why: 'parameter values, a cold buffer pool and load explain less than this factor'}
  same_rows: {default: 2, from: own, why: 'with more rows returned per execution, other values explain the time'}
actions:
  - manual: >-
      Compare the plans: CALL EXPLAIN_FROM_SECTION(x'{NEW_ID:text}', 'M', NULL, {NEW_MEMBER}, NULL, ?, ?, ?, ?, ?) shows
      the slow plan, and the same call with x'{OLD_ID:text}' and member {OLD_MEMBER} the fast one. db2exfmt -d
      {DB_NAME:shell} -1 -o plan.txt writes the last one.
  - manual: >-
      Find the cause: new statistics (SYSCAT.TABLES.STATS_TIME), a dropped index, or another optimization class or
      degree in some sessions, which db2exfmt shows.
  - manual: >-
      If an index was dropped, create it again. If new statistics caused the plan, save them with db2look -d
      {DB_NAME:shell} -m -o statistics.sql. Then collect them with distribution and index statistics.
    undo:
      manual: >-
        DROP INDEX, or run the UPDATE statements of statistics.sql, if the plan does not become faster. Then run FLUSH
        PACKAGE CACHE DYNAMIC.
  - manual: >-
      If the slow plan stays, name the fast one in an optimization guideline or profile. For static SQL, rebind the Db2
      package. Once its plans are good, REBIND PACKAGE ... APREUSE YES keeps them.
    undo: {manual: 'Remove the guideline from the statement or its profile, or rebind with APREUSE NO.'}
finding:
  - >-
    {NEW_EXECUTIONS} executions with its newer access plan took {NEW_MS:1} ms each, {OLD_EXECUTIONS} with the older one
    {OLD_MS:1} ms, without lock waits. Rows read per execution: {NEW_ROWS} instead of {OLD_ROWS}.
  - {when: SHORT_TEXT IS NOT NULL, text: '{SHORT_TEXT:text}'}
evidence: [EXECUTABLE_ID=NEW_ID:text, older_EXECUTABLE_ID=OLD_ID:text, executions=NEW_EXECUTIONS,
  older_executions=OLD_EXECUTIONS, ms_per_execution=NEW_MS:2, older_ms_per_execution=OLD_MS:2, cached_s=NEW_CACHED_S,
  older_cached_s=OLD_CACHED_S, slower_pct=SLOWER_PCT:2]
references:
  - IBM documentation of MON_GET_PKG_CACHE_STMT (r0055017), stmtid, planid and semantic_env_id
  - IBM documentation of REBIND (r0001990), EXPLAIN_FROM_SECTION (r0056251) and db2look (r0002051)
why: >-
  Db2 compiles a statement again after RUNSTATS, DDL or its eviction from the package cache, and chooses the plan by the
  statistics of that moment. Sections with one STMTID and SEMANTIC_ENV_ID are the same statement; PLANID names the plan.
not_if: >-
  A plan ran less than ten times in the interval; the newer one takes less than twice the time, without lock waits, or
  returns or changes more than twice the rows per execution; the difference is less than 2 % of database time; an index
  is missing (sql.missing-index).
note: >-
  Both plans must be in the package cache at both ends of the interval, or the newer one must be younger. Plans of
  earlier days are compared by the nightly run. Parameter values can differ between the two: the range starts at 0.
  APREUSE keeps the plans of a package; it does not bring back earlier ones.
---*/
WITH PLAN AS (
    SELECT
        STMT_KEY,
        PLANID,
        MAX(CACHED_S) AS CACHED_S,
        CASE WHEN SUM(NUM_COORD_EXEC) > 0 THEN SUM(NUM_COORD_EXEC) ELSE SUM(NUM_EXECUTIONS) END AS EXECUTIONS,
        SUM(COALESCE(NULLIF(TOTAL_ACT_TIME, 0), STMT_EXEC_TIME)) - SUM(COALESCE(LOCK_WAIT_TIME, 0)) AS MS,
        CAST(SUM(TOTAL_CPU_TIME) AS DOUBLE) / 1000 AS CPU_MS,
        SUM(COALESCE(POOL_READ_TIME, 0)) AS READ_MS,
        SUM(COALESCE(PREFETCH_WAIT_TIME, 0)) AS WAIT_MS,
        SUM(ROWS_READ) AS ROWS_READ,
        SUM(ROWS_RETURNED) + SUM(ROWS_MODIFIED) AS ROWS_USED,
        MAX(EXECUTABLE_ID) AS EXECUTABLE_ID,
        MIN(MEMBER) AS MEMBER
    FROM TUNE.D_STATEMENT
    WHERE STMT_KEY IS NOT NULL AND PLANID <> 0 AND NUM_EXECUTIONS > 0
    GROUP BY STMT_KEY, PLANID
),
EACH_PLAN AS (
    SELECT
        PLAN.*,
        CAST(MS AS DOUBLE) / NULLIF(EXECUTIONS, 0) AS EACH_MS,
        CAST(CPU_MS AS DOUBLE) / NULLIF(EXECUTIONS, 0) AS EACH_CPU_MS,
        CAST(READ_MS AS DOUBLE) / NULLIF(EXECUTIONS, 0) AS EACH_READ_MS,
        CAST(WAIT_MS AS DOUBLE) / NULLIF(EXECUTIONS, 0) AS EACH_WAIT_MS,
        CAST(ROWS_READ AS DOUBLE) / NULLIF(EXECUTIONS, 0) AS EACH_ROWS,
        CAST(ROWS_USED AS DOUBLE) / NULLIF(EXECUTIONS, 0) AS EACH_USED
    FROM PLAN
    CROSS JOIN TUNE.CONSTANT AS CONST
    WHERE PLAN.EXECUTIONS >= CONST.RARE_EVENTS
),
PAIR AS (
    SELECT
        N.STMT_KEY AS STATEMENT,
        N.EXECUTABLE_ID AS NEW_ID,
        N.MEMBER AS NEW_MEMBER,
        N.EXECUTIONS AS NEW_EXECUTIONS,
        N.CACHED_S AS NEW_CACHED_S,
        N.EACH_MS AS NEW_MS,
        N.EACH_ROWS AS NEW_ROWS,
        F.EXECUTABLE_ID AS OLD_ID,
        F.MEMBER AS OLD_MEMBER,
        F.EXECUTIONS AS OLD_EXECUTIONS,
        F.CACHED_S AS OLD_CACHED_S,
        F.EACH_MS AS OLD_MS,
        F.EACH_ROWS AS OLD_ROWS,
        GREATEST(0, COALESCE(N.EACH_CPU_MS - F.EACH_CPU_MS, 0)) AS CPU_MS,
        GREATEST(0, N.EACH_READ_MS - F.EACH_READ_MS) AS READ_MS,
        GREATEST(0, N.EACH_WAIT_MS - F.EACH_WAIT_MS) AS WAIT_MS,
        100 * N.EXECUTIONS * (N.EACH_MS - F.EACH_MS) / CAST(NULLIF(T.DBT_MS, 0) AS DOUBLE) AS SLOWER_PCT,
        ROW_NUMBER() OVER (PARTITION BY N.STMT_KEY ORDER BY N.CACHED_S, F.CACHED_S, N.PLANID, F.PLANID) AS PLACE
    FROM EACH_PLAN AS N
    INNER JOIN EACH_PLAN AS F ON N.STMT_KEY = F.STMT_KEY AND N.PLANID <> F.PLANID AND N.CACHED_S < F.CACHED_S
    CROSS JOIN TUNE.DATABASE_TIME AS T
    CROSS JOIN TUNE.O_SQL_PLAN_SLOWER AS O
    WHERE N.EACH_MS >= O.SLOWER * F.EACH_MS AND N.EACH_USED <= O.SAME_ROWS * F.EACH_USED
)
SELECT
    P.STATEMENT, P.NEW_ID, P.NEW_MEMBER, P.NEW_EXECUTIONS, P.NEW_CACHED_S, P.NEW_MS, P.NEW_ROWS, P.OLD_ID, P.OLD_MEMBER,
    P.OLD_EXECUTIONS, P.OLD_CACHED_S, P.OLD_MS, P.OLD_ROWS, P.SLOWER_PCT, X.SHORT_TEXT, D.DB_NAME,
    B.BOUND * P.CPU_MS AS MORE_CPU_MS,
    B.BOUND * P.READ_MS AS MORE_READ_MS,
    B.BOUND * P.WAIT_MS AS MORE_WAIT_MS
FROM PAIR AS P
INNER JOIN (
    -- processor time of parallel agents may add up to more than the statement took
    SELECT
        STATEMENT,
        LEAST(1, (NEW_MS - OLD_MS) / CAST(NULLIF(CPU_MS + READ_MS + WAIT_MS, 0) AS DOUBLE)) AS BOUND
    FROM PAIR
    WHERE PLACE = 1 AND CPU_MS + READ_MS + WAIT_MS > 0
) AS B ON P.STATEMENT = B.STATEMENT
LEFT JOIN TUNE.STATEMENT_TEXT AS X ON P.STATEMENT = X.STATEMENT
CROSS JOIN TUNE.RUN_DATABASE AS D
CROSS JOIN TUNE.O_SITE AS SITE
WHERE P.PLACE = 1 AND P.SLOWER_PCT >= SITE.SMALL_PCT
