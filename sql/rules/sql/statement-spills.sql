/*---
rule: sql.statement-spills
title: A statement spills its sorts or joins to temporary tables
lane: performance
takes_effect: immediately
risk: medium
judged_by: load
needs: [statement.SORT_OVERFLOWS, statement.TOTAL_SORTS, statement.TOTAL_SECTION_SORT_TIME, statement.NUM_EXECUTIONS]
object: STATEMENT {STATEMENT:text}
claims:
  SORT: {events: SORT_OVERFLOWS, cost_ms: SORT_COST_MS}
  POOL_READ: {events: TEMP_READS, cost_ms: TEMP_READ_MS}
  PREFETCH_WAIT: {events: TEMP_WAITS, cost_ms: TEMP_WAIT_MS}
recover: [0.1, 0.4, 0.9]
confidence: 0.3
defers_to:
  - {rule: sql.missing-index, within: object}
  - {rule: memory.sort-threshold-exceeded, within: any, only_if_larger: true}
  - {rule: memory.sort-overflow, within: any, only_if_larger: true}
actions:
  - when: EXECUTABLE_ID IS NOT NULL
    manual: >-
      Find the sort or join in its plan: CALL EXPLAIN_FROM_SECTION(x'{EXECUTABLE_ID:text}', 'M', NULL, {MEMBER}, NULL,
      ?, ?, ?, ?, ?), then db2exfmt -d {DB_NAME:shell} -1 -o plan.txt
  - choose:
      - when: SORT_OVERFLOWS > 0 AND AGGREGATES = 1
        manual: >-
          Sort less: select only the needed columns, and limit the rows before they are grouped. An index helps only if
          its key has the columns of the equality predicates and then those of GROUP BY: none has the order of a sum.
        undo: {manual: DROP INDEX if the statement does not become faster.}
      - when: SORT_OVERFLOWS > 0
        manual: >-
          Sort less: select only the needed columns, limit the rows with predicates or FETCH FIRST, or create an index
          whose key has the columns of the equality predicates and then those of ORDER BY or GROUP BY.
        undo: {manual: DROP INDEX if the statement does not become faster.}
  - when: OTHER_SPILLS > 0
    manual: >-
      Select only the needed columns from the joined tables, and limit their rows before the join. If the plan expects
      far fewer rows than there are, collect statistics of the joined tables with RUNSTATS.
  - choose:
      - {when: SELF_TUNED = 1, manual: 'Leave SORTHEAP AUTOMATIC: self-tuning memory sizes it.'}
      - when: SMALLEST = 0
        manual: >-
          Leave SORTHEAP as it is for one statement: its value applies to every sort of the database.
finding:
  - >-
    {TIME_PCT:1} % of all statement time: {EXECUTIONS} executions of {MS_PER_EXECUTION:1} ms with {SPILLS} spills,
    {SPILLS_PER_EXECUTION:1} per execution ({SORT_OVERFLOWS} sorts, {JOIN_SPILLS} hash joins, {GROUP_SPILLS} groupings).
    Spilled sorts and reads of temporary pages take {SPILL_PCT:1} % of database time.
  - {when: SHORT_TEXT IS NOT NULL, text: '{SHORT_TEXT:text}'}
evidence: ['EXECUTABLE_ID:text?', executions=EXECUTIONS, TOTAL_ACT_TIME_pct=TIME_PCT:2, spills=SPILLS, SORT_OVERFLOWS,
  TOTAL_SORTS, TOTAL_SECTION_SORT_TIME_ms=SORT_MS, temporary_reads=TEMP_READS, spills_pct=SPILL_PCT:2,
  'tables=TABLE_NAMES:text?']
references:
  - IBM documentation of sort_overflows (r0001221), hash_join_overflows and total_section_sort_time
  - IBM documentation of EXPLAIN_FROM_SECTION (r0056251)
why: >-
  A sort that exceeds its memory is written to a temporary table in runs and merged. A hash join or grouping writes
  partitions and reads them again. Rows that are not sorted, and columns that are not selected, need no memory.
not_if: >-
  Its spilled sorts and reads of temporary pages take less than 2 % of database time; it spilled fewer than ten times,
  or in less than half of its executions; column-organized tables take half of its time; an index is missing
  (sql.missing-index); more sort memory helps more (memory.sort-overflow, memory.sort-threshold-exceeded).
note: >-
  The claim is the statement's sort time in proportion to its spilled sorts, without the time of temporary reads, and
  the temporary pages' part of its reads and prefetch waits. Writes of spills, and the processor time of spilled joins
  and groupings, are not measured. An index in the sort order avoids the sort but can read more pages: hence the range.
---*/
WITH NAMED AS (
    SELECT
        STATEMENT,
        MAX(CASE WHEN PLACE = 1 THEN QUOTED END)
        || COALESCE(MAX(CASE WHEN PLACE = 2 THEN ', ' || QUOTED END), '')
        || COALESCE(MAX(CASE WHEN PLACE = 3 THEN ', ' || QUOTED END), '') AS TABLE_NAMES
    FROM TUNE.STATEMENT_TABLE
    GROUP BY STATEMENT
),
TEMPORARY AS (
    SELECT
        S.*,
        COALESCE(S.TEMP_READS, 0) * CAST(S.READ_MS AS DOUBLE) / NULLIF(S.READS, 0) AS ALL_READ_MS,
        COALESCE(S.PREFETCH_WAITS, 0) * CAST(S.TEMP_READS AS DOUBLE) / NULLIF(S.READS, 0) AS TEMP_WAITS,
        CAST(S.PREFETCH_WAIT_MS AS DOUBLE) / NULLIF(S.PREFETCH_WAITS, 0) AS TEMP_WAIT_MS
    FROM TUNE.STATEMENT AS S
    CROSS JOIN TUNE.CONSTANT AS CONST
    WHERE
        S.SPILLS >= CONST.RARE_EVENTS
        AND S.SPILLS >= CONST.MAIN_PART * S.EXECUTIONS
        AND 2 * COALESCE(S.COL_MS, 0) < S.ACT_MS
),
COSTED AS (
    SELECT
        P.*,
        CAST(GREATEST(
            0, P.SORT_MS - COALESCE(P.ALL_READ_MS, 0) - COALESCE(P.TEMP_WAITS * P.TEMP_WAIT_MS, 0)
        ) AS DOUBLE) / NULLIF(P.TOTAL_SORTS, 0) AS SORT_COST_MS
    FROM TEMPORARY AS P
),
WEIGHED AS (
    SELECT
        C.*,
        100 * (
            C.SORT_OVERFLOWS * COALESCE(C.SORT_COST_MS, 0) + COALESCE(C.ALL_READ_MS, 0)
            + COALESCE(C.TEMP_WAITS * C.TEMP_WAIT_MS, 0)
        ) / CAST(NULLIF(T.DBT_MS, 0) AS DOUBLE) AS SPILL_PCT
    FROM COSTED AS C
    CROSS JOIN TUNE.DATABASE_TIME AS T
)
SELECT
    W.STATEMENT, W.EXECUTABLE_ID, W.MEMBER, W.EXECUTIONS, W.TIME_PCT, W.MS_PER_EXECUTION, W.SPILLS, W.SORT_OVERFLOWS,
    W.TOTAL_SORTS, W.SORT_MS, W.SORT_COST_MS, W.SPILL_PCT, N.TABLE_NAMES, X.SHORT_TEXT, D.DB_NAME,
    COALESCE(W.JOIN_SPILLS, 0) AS JOIN_SPILLS,
    COALESCE(W.GROUP_SPILLS, 0) AS GROUP_SPILLS,
    W.SPILLS - W.SORT_OVERFLOWS AS OTHER_SPILLS,
    CAST(W.SPILLS AS DOUBLE) / NULLIF(W.EXECUTIONS, 0) AS SPILLS_PER_EXECUTION,
    COALESCE(W.TEMP_READS, 0) AS TEMP_READS,
    COALESCE(W.ALL_READ_MS / CAST(NULLIF(W.TEMP_READS, 0) AS DOUBLE), 0) AS TEMP_READ_MS,
    COALESCE(W.TEMP_WAITS, 0) AS TEMP_WAITS,
    COALESCE(W.TEMP_WAIT_MS, 0) AS TEMP_WAIT_MS,
    COALESCE(X.AGGREGATES, 0) AS AGGREGATES,
    CASE WHEN H.AUTOMATIC = 1 THEN 1 ELSE 0 END AS SELF_TUNED,
    -- the default or less is too small for any sort
    CASE WHEN H.NUM <= 256 THEN 1 ELSE 0 END AS SMALLEST
FROM WEIGHED AS W
LEFT JOIN TUNE.STATEMENT_TEXT AS X ON W.STATEMENT = X.STATEMENT
LEFT JOIN NAMED AS N ON W.STATEMENT = N.STATEMENT
LEFT JOIN TUNE.SETTING AS H ON H.SCOPE = 'DB' AND H.NAME = 'sortheap'
CROSS JOIN TUNE.RUN_DATABASE AS D
CROSS JOIN TUNE.O_SITE AS SITE
WHERE W.SPILL_PCT >= SITE.SMALL_PCT
