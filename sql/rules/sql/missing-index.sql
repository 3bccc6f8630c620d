/*---
rule: sql.missing-index
title: Missing index
lane: performance
takes_effect: immediately
risk: medium
judged_by: load
needs: [statement.ROWS_READ, statement.ROWS_RETURNED, statement.ROWS_MODIFIED, statement.NUM_EXECUTIONS]
object: '{OBJECT_TYPE:text} {OBJECT_NAME:text}'
claims:
  PROCESSING: {events: SAVED_ROWS, cost_ms: ROW_CPU_MS}
  POOL_READ: {events: SAVED_READS, cost_ms: READ_MS}
  PREFETCH_WAIT: {events: SAVED_WAITS, cost_ms: WAIT_MS}
recover: [RECOVER_LOW, RECOVER_EXPECTED, RECOVER_HIGH]
confidence: CONFIDENCE
defers_to:
  - {rule: sql.skewed-literals, within: object}
thresholds:
  certain_per_row: {default: 100, from: vendors, why: 'rows read per row returned or changed: an index is missing'}
  min_per_execution:
    default: 1000
    from: own
    why: fewer rows are read as fast without an index, unless they are many for each one used
  usual_per_row: {default: 3, from: own, why: rows read per row returned or changed with a suitable index}
  few_returned:
    default: 10
    from: own
    why: 'in analytics: executions that return more rows are reports, which need their reads'
actions:
  - when: RUNSTATS_TEXT IS NOT NULL
    command: '{RUNSTATS_TEXT:text}'
    undo:
      manual: 'Cannot be undone by command: save the table''s statistics first with db2look -d {DB_NAME:shell} -m'
  - when: RUNSTATS_TEXT IS NOT NULL
    manual: >-
      Then advise again: with statistics, the index may have other columns than now: CREATE
      {UNIQUE_TEXT:text}INDEX {INDSCHEMA:name}.{INDNAME:name} ON {TABSCHEMA:name}.{TABNAME:name}
      ({KEY_TEXT:text}){INCLUDE_TEXT:text}
  - when: KEY_TEXT IS NOT NULL AND RUNSTATS_TEXT IS NULL
    command: >-
      CREATE {UNIQUE_TEXT:text}INDEX {INDSCHEMA:name}.{INDNAME:name} ON {TABSCHEMA:name}.{TABNAME:name}
      ({KEY_TEXT:text}){INCLUDE_TEXT:text} COLLECT SAMPLED DETAILED STATISTICS
    undo: {command: 'DROP INDEX {INDSCHEMA:name}.{INDNAME:name}'}
  - when: KEY_TEXT IS NOT NULL AND RUNSTATS_TEXT IS NULL
    manual: >-
      Dynamic statements use the index when they are compiled again, static ones after REBIND of their package.
  - when: WIDENS IS NOT NULL
    manual: >-
      The new index replaces {WIDENS:text}: drop that one when no statement uses it any more (sql.duplicate-index).
  - when: OTHER_TABLE IS NOT NULL
    manual: >-
      Create an index on the columns of {OTHER_TABLE:text} that refer to the changed table or that the trigger
      compares.
    undo: {manual: DROP INDEX if the statement does not read fewer rows.}
  - when: REMEDY IS NOT NULL
    manual: '{REMEDY:text}'
    undo: {manual: Undo it if the statement does not read fewer rows.}
  - when: KEY_TEXT IS NULL AND OTHER_TABLE IS NULL AND REMEDY IS NULL AND EXECUTABLE_ID IS NOT NULL
    manual: >-
      Check its plan: CALL EXPLAIN_FROM_SECTION(x'{EXECUTABLE_ID:text}', 'M', NULL, {MEMBER}, NULL, ?, ?, ?, ?, ?), then
      db2exfmt -d {DB_NAME:shell} -1 -o plan.txt
    undo: {manual: DROP INDEX if the statement does not read fewer rows.}
  - when: KEY_TEXT IS NULL AND OTHER_TABLE IS NULL AND REMEDY IS NULL
    manual: >-
      Find the columns: db2tune indexes --database {DB_NAME:shell}. Or let Db2 propose an index: db2tune statements
      --database {DB_NAME:shell} --advis statements.sql writes the file, db2advis -d {DB_NAME:shell} -i statements.sql
      -t 5 reads it. Create one index at a time.
finding:
  - >-
    {TIME_PCT:1} % of all statement time: {EXECUTIONS} executions of {MS_PER_EXECUTION:1} ms. Each execution reads
    {ROWS_PER_EXECUTION} rows to return or change {USED_PER_EXECUTION}[, probably from {TABLE_NAMES:text}].
  - when: SIBLINGS IS NOT NULL
    text: >-
      Together with {SIBLINGS} similar statements, each below {SMALL_PCT} % of database time, it takes {FAMILY_PCT:1} %.
  - {when: UNINDEXED IS NOT NULL, text: 'No index on {UNINDEXED:text} starts with a column used in its predicates.'}
  - when: OTHER_TABLE IS NOT NULL
    text: >-
      The statement does not name {OTHER_TABLE:text}, whose rows it reads: a foreign key or a trigger leads there.
  - when: KEY_TEXT IS NOT NULL AND AFTER_MS >= 0.1
    text: >-
      With the index, an execution is expected to take {AFTER_MS:1} instead of {BEFORE_MS:1} ms. The index takes
      {SIZE_MB} MB.
  - when: KEY_TEXT IS NOT NULL AND AFTER_MS < 0.1
    text: >-
      With the index, an execution is expected to take less than 0.1 instead of {BEFORE_MS:1} ms. The index takes
      {SIZE_MB} MB.
  - {when: OTHERS > 0, text: 'Other statements that gain: {OTHERS}.'}
  - {when: WRITE_PCT >= 0.1, text: 'Maintaining the index takes {WRITE_PCT:1} % of database time.'}
  - {when: DOUBTS IS NOT NULL, text: '{DOUBTS:text}'}
  - when: CERTAIN = 0
    text: If the statement counts or sums its rows, an index helps only if it contains all columns.
  - {when: SHORT_TEXT IS NOT NULL, text: '{SHORT_TEXT:text}'}
evidence: ['EXECUTABLE_ID:text?', executions=EXECUTIONS, 'statements_like_it=SIBLINGS?',
  TOTAL_ACT_TIME_pct=TIME_PCT:2, 'TOTAL_CPU_TIME_pct=CPU_PCT:2?', ROWS_READ, rows_returned_or_changed=ROWS_USED,
  'physical_reads=READS?', plans=PLANS, 'tables=TABLE_NAMES:text?', 'ms_before=BEFORE_MS:2?', 'ms_after=AFTER_MS:2?',
  'index_mb=SIZE_MB?', 'maintenance_ms=WRITE_MS?',
  'analyzed_statements=ANALYZED?', 'of_statements=GIVEN?', 'analyzed_time_pct=ANALYZED_PCT:1?']
references:
  - DBI on read efficiency
  - IBM documentation of rows_read, EXPLAIN_FROM_SECTION (r0056251) and db2advis (r0002452)
  - IBM documentation of CREATE INDEX (r0000919)
  - docs/indexes.md (how the index and its gain are estimated)
  - system-z ("Monitoring will show inefficient SQLs")
why: >-
  Without a suitable index Db2 reads a table, or most of an index, to find a few rows. That takes CPU time, pushes other
  pages out of the buffer pool and starts prefetchers. No pool size fixes it.
not_if: >-
  The statement takes less than 2 % of database time, together with similar statements on the same tables; it reads less
  than ten rows per row returned or changed; less than a thousand per execution and a hundred per row; its text has no
  predicate; an index begins with a column that it names, and its table's statistics are old (stats.stale-or-off comes
  first); statements that differ from it only in literals find their rows quickly (sql.skewed-literals); its tables are
  column-organized; in analytics: it may group its rows, and runs rarely or returns more than ten rows.
note: >-
  The claim is the rows read beyond three per row used, at this statement's CPU time per row. Its page reads and
  prefetch waits are added in the same proportion. If a capture lacks them per statement, its time is split as the
  database's time. Without the text, the returned rows show whether a statement groups: less than one per execution is a
  search. Its tables are those in its text from which as many rows were read. Small statements on the same tables are
  reported together under the largest one: literals and generated SQL split one statement into many. The rule names the
  index if the texts of statements and the statistics of columns were collected, but not inside Db2. The finding is then
  about the index, and claims what the model of docs/indexes.md expects.
---*/
WITH PROPOSED AS (
    SELECT
        P.*,
        100 * CAST(P.WRITE_MS AS DOUBLE) / NULLIF(T.DBT_MS, 0) AS WRITE_PCT,
        ROW_NUMBER() OVER (PARTITION BY P.TABSCHEMA, P.TABNAME ORDER BY P.INDEX_NO) AS OF_TABLE
    FROM TUNE.PROPOSED_INDEX AS P
    CROSS JOIN TUNE.DATABASE_TIME AS T
    CROSS JOIN TUNE.O_SITE AS SITE
    WHERE 100 * P.EXPECTED_PART * (P.CPU_MS + P.READ_MS + P.WAIT_MS) >= SITE.SMALL_PCT * T.DBT_MS
),
ANSWERED AS (
    -- statements that were analyzed: an index is proposed, or another remedy, or nothing
    SELECT STATEMENT, MAX(REMEDY) AS REMEDY
    FROM TUNE.PROPOSED_INDEX_USE
    GROUP BY STATEMENT
),
TABLES AS (
    SELECT
        STATEMENT,
        MAX(CASE WHEN PLACE = 1 THEN QUOTED END)
        || COALESCE(MAX(CASE WHEN PLACE = 2 THEN ', ' || QUOTED END), '')
        || COALESCE(MAX(CASE WHEN PLACE = 3 THEN ', ' || QUOTED END), '') AS TABLE_NAMES,
        MAX(CASE WHEN SURE = 1 AND NO_INDEX = 1 THEN QUOTED END) AS UNINDEXED,
        MAX(CASE WHEN TABLEORG = 'R' THEN 1 ELSE 0 END) AS BY_ROWS
    FROM TUNE.STATEMENT_TABLE
    GROUP BY STATEMENT
),
HIDDEN AS (
    -- a table that a change reads through a foreign key or a trigger: its text names none with as many rows read
    SELECT
        S.STATEMENT,
        U.QUOTED,
        ROW_NUMBER() OVER (PARTITION BY S.STATEMENT ORDER BY U.ROWS_READ DESC, U.QUOTED) AS PLACE
    FROM TUNE.STATEMENT AS S
    INNER JOIN TUNE.TABLE_USE AS U ON 2 * U.ROWS_READ >= S.ROWS_READ AND U.TABLE_SCANS > 0
    WHERE
        S.ROWS_MODIFIED > 0
        AND EXISTS (SELECT 1 FROM TUNE.STATEMENT_TABLE AS T WHERE S.STATEMENT = T.STATEMENT)
        AND NOT EXISTS (
            SELECT 1 FROM TUNE.STATEMENT_TABLE AS T
            WHERE S.STATEMENT = T.STATEMENT AND (T.MUCH_READ = 1 OR T.QUOTED = U.QUOTED)
        )
),
JUDGED AS (
    SELECT
        S.*,
        X.SHORT_TEXT,
        N.QUOTED AS OTHER_TABLE,
        CASE WHEN N.QUOTED IS NULL THEN V.REMEDY END AS REMEDY,
        CASE WHEN N.QUOTED IS NULL THEN A.TABLE_NAMES END AS TABLE_NAMES,
        CASE WHEN N.QUOTED IS NULL AND V.REMEDY IS NULL THEN A.UNINDEXED END AS UNINDEXED,
        K.CLASS,
        CASE
            WHEN X.AGGREGATES = 1 THEN 0
            WHEN X.AGGREGATES = 0 OR S.ROWS_MODIFIED > S.ROWS_RETURNED OR 100 * S.ROWS_RETURNED < 95 * S.EXECUTIONS
                THEN 1
            ELSE 0
        END AS CERTAIN,
        CASE WHEN 60 * S.EXECUTIONS >= CONST.PER_MINUTE * W.SECONDS THEN 1 ELSE 0 END AS FREQUENT,
        S.ROWS_READ - O.USUAL_PER_ROW * S.ROWS_USED AS SAVED_ROWS,
        1 - CAST(O.USUAL_PER_ROW * S.ROWS_USED AS DOUBLE) / NULLIF(S.ROWS_READ, 0) AS SAVED_PART,
        CAST(S.ACT_MS AS DOUBLE) / NULLIF(S.ROWS_READ, 0) AS ROW_MS
    FROM TUNE.STATEMENT AS S
    LEFT JOIN TUNE.STATEMENT_TEXT AS X ON S.STATEMENT = X.STATEMENT
    LEFT JOIN TABLES AS A ON S.STATEMENT = A.STATEMENT
    LEFT JOIN ANSWERED AS V ON S.STATEMENT = V.STATEMENT
    LEFT JOIN HIDDEN AS N ON S.STATEMENT = N.STATEMENT AND N.PLACE = 1
    CROSS JOIN TUNE.WORKLOAD_CLASS AS K
    CROSS JOIN TUNE.RUN_WINDOW AS W
    CROSS JOIN TUNE.O_SQL_MISSING_INDEX AS O
    CROSS JOIN TUNE.CONSTANT AS CONST
    WHERE
        (V.STATEMENT IS NULL OR V.REMEDY IS NOT NULL OR N.QUOTED IS NOT NULL)
        AND S.ROWS_READ >= CONST.MANY_PER_ROW * S.ROWS_USED
        AND (
            S.ROWS_READ >= O.MIN_PER_EXECUTION * S.EXECUTIONS
            OR S.ROWS_READ >= O.CERTAIN_PER_ROW * GREATEST(S.ROWS_USED, S.EXECUTIONS)
        )
        AND COALESCE(X.SEARCHES, 1) = 1
        AND NOT EXISTS (SELECT 1 FROM TUNE.STALE_PLAN AS Y WHERE S.STATEMENT = Y.STATEMENT AND Y.INDEXED = 1)
        AND 2 * COALESCE(S.COL_MS, 0) < S.ACT_MS
        AND COALESCE(A.BY_ROWS, 1) = 1
),
WEIGHED AS (
    SELECT
        J.*,
        SITE.SMALL_PCT,
        O.CERTAIN_PER_ROW,
        COALESCE(CAST(J.CPU_MS AS DOUBLE) / NULLIF(J.ROWS_READ, 0), J.ROW_MS * SPLIT.PROCESSING_PART) AS ROW_CPU_MS,
        CASE WHEN J.CPU_MS IS NULL THEN J.SAVED_ROWS ELSE COALESCE(J.READS, 0) * J.SAVED_PART END AS SAVED_READS,
        CASE
            WHEN J.CPU_MS IS NULL THEN J.ROW_MS * SPLIT.READ_PART
            ELSE COALESCE(CAST(J.READ_MS AS DOUBLE) / NULLIF(J.READS, 0), 0)
        END AS PAGE_MS,
        CASE WHEN J.CPU_MS IS NULL THEN J.SAVED_ROWS ELSE COALESCE(J.PREFETCH_WAITS, 0) * J.SAVED_PART END
            AS SAVED_WAITS,
        CASE
            WHEN J.CPU_MS IS NULL THEN J.ROW_MS * SPLIT.WAIT_PART
            ELSE COALESCE(CAST(J.PREFETCH_WAIT_MS AS DOUBLE) / NULLIF(J.PREFETCH_WAITS, 0), 0)
        END AS WAIT_MS,
        CASE WHEN J.DBT_PCT >= SITE.SMALL_PCT OR J.TABLE_NAMES IS NULL THEN J.STATEMENT ELSE J.TABLE_NAMES END AS FAMILY
    FROM JUDGED AS J
    CROSS JOIN TUNE.TIME_SPLIT AS SPLIT
    CROSS JOIN TUNE.O_SQL_MISSING_INDEX AS O
    CROSS JOIN TUNE.O_SITE AS SITE
    WHERE J.CERTAIN = 1 OR J.CLASS <> 'BI' OR (J.FREQUENT = 1 AND J.USED_PER_EXECUTION <= O.FEW_RETURNED)
),
PLACED AS (
    SELECT
        C.*,
        ROW_NUMBER() OVER (PARTITION BY FAMILY, CERTAIN ORDER BY DBT_PCT DESC, STATEMENT) AS PLACE,
        NULLIF(COUNT(*) OVER (PARTITION BY FAMILY, CERTAIN) - 1, 0) AS SIBLINGS,
        SUM(DBT_PCT) OVER (PARTITION BY FAMILY, CERTAIN) AS FAMILY_PCT,
        SUM(SAVED_ROWS) OVER (PARTITION BY FAMILY, CERTAIN) AS ALL_ROWS,
        SUM(SAVED_ROWS * ROW_CPU_MS) OVER (PARTITION BY FAMILY, CERTAIN) AS ALL_CPU_MS,
        SUM(SAVED_READS) OVER (PARTITION BY FAMILY, CERTAIN) AS ALL_READS,
        SUM(SAVED_READS * PAGE_MS) OVER (PARTITION BY FAMILY, CERTAIN) AS ALL_READ_MS,
        SUM(SAVED_WAITS) OVER (PARTITION BY FAMILY, CERTAIN) AS ALL_WAITS,
        SUM(SAVED_WAITS * WAIT_MS) OVER (PARTITION BY FAMILY, CERTAIN) AS ALL_WAIT_MS,
        SUM(ACT_MS) OVER (PARTITION BY FAMILY, CERTAIN) AS ALL_ACT_MS
    FROM WEIGHED AS C
),
BOUNDED AS (
    -- processor time of parallel agents and rounded times may add up to more than the statements took
    SELECT
        P.*,
        LEAST(1, COALESCE(CAST(P.ALL_ACT_MS AS DOUBLE) / NULLIF(
            P.ALL_CPU_MS + COALESCE(P.ALL_READ_MS, 0) + COALESCE(P.ALL_WAIT_MS, 0), 0
        ), 1)) AS BOUND
    FROM PLACED AS P
),
FOUND (
    OBJECT_TYPE, OBJECT_NAME, EXECUTABLE_ID, MEMBER, PLANS, EXECUTIONS, TIME_PCT, CPU_PCT, MS_PER_EXECUTION,
    ROWS_PER_EXECUTION, USED_PER_EXECUTION, ROWS_READ, ROWS_USED, READS, TABLE_NAMES, UNINDEXED, SHORT_TEXT,
    CERTAIN, SMALL_PCT, SIBLINGS, FAMILY_PCT, DB_NAME, CONFIDENCE, RECOVER_LOW, RECOVER_EXPECTED, RECOVER_HIGH,
    SAVED_ROWS, ROW_CPU_MS, SAVED_READS, READ_MS, SAVED_WAITS, WAIT_MS, INDSCHEMA, INDNAME, TABSCHEMA, TABNAME,
    KEY_TEXT, INCLUDE_TEXT, UNIQUE_TEXT, WIDENS, RUNSTATS_TEXT, DOUBTS, SIZE_MB, BEFORE_MS, AFTER_MS, WRITE_MS,
    WRITE_PCT, OTHERS, OTHER_TABLE, REMEDY,
    ANALYZED, GIVEN, ANALYZED_PCT
) AS (
    SELECT
        'STATEMENT',
        P.STATEMENT,
        P.EXECUTABLE_ID, P.MEMBER, P.PLANS, P.EXECUTIONS, P.TIME_PCT, P.CPU_PCT, P.MS_PER_EXECUTION,
        P.ROWS_PER_EXECUTION, P.USED_PER_EXECUTION, P.ROWS_READ, P.ROWS_USED, P.READS, P.TABLE_NAMES, P.UNINDEXED,
        P.SHORT_TEXT, P.CERTAIN, P.SMALL_PCT, P.SIBLINGS, P.FAMILY_PCT, D.DB_NAME,
        CASE
            WHEN
                P.CERTAIN = 1
                AND (
                    P.UNINDEXED IS NOT NULL
                    OR ((P.FREQUENT = 1 OR P.CLASS <> 'BI') AND P.ROWS_READ >= P.CERTAIN_PER_ROW * P.ROWS_USED)
                )
                THEN 0.6
            ELSE 0.3
        END,
        CASE WHEN P.CERTAIN = 1 THEN 0.7 ELSE 0.1 END,
        CASE WHEN P.CERTAIN = 1 THEN 0.9 ELSE 0.3 END,
        CASE WHEN P.CERTAIN = 1 THEN 1.0 ELSE 0.6 END,
        P.ALL_ROWS,
        P.BOUND * CAST(P.ALL_CPU_MS AS DOUBLE) / NULLIF(P.ALL_ROWS, 0),
        P.ALL_READS,
        COALESCE(P.BOUND * CAST(P.ALL_READ_MS AS DOUBLE) / NULLIF(P.ALL_READS, 0), 0),
        P.ALL_WAITS,
        COALESCE(P.BOUND * CAST(P.ALL_WAIT_MS AS DOUBLE) / NULLIF(P.ALL_WAITS, 0), 0),
        CAST(NULL AS VARCHAR(128)),
        CAST(NULL AS VARCHAR(128)),
        CAST(NULL AS VARCHAR(128)),
        CAST(NULL AS VARCHAR(128)),
        CAST(NULL AS VARCHAR(1500)),
        CAST(NULL AS VARCHAR(520)),
        CAST(NULL AS VARCHAR(7)),
        CAST(NULL AS VARCHAR(520)),
        CAST(NULL AS VARCHAR(2000)),
        CAST(NULL AS VARCHAR(1000)),
        CAST(NULL AS DOUBLE),
        CAST(NULL AS DOUBLE),
        CAST(NULL AS DOUBLE),
        CAST(NULL AS DOUBLE),
        CAST(NULL AS DOUBLE),
        CAST(NULL AS INTEGER) AS OTHERS,
        P.OTHER_TABLE,
        P.REMEDY,
        CAST(NULL AS INTEGER),
        CAST(NULL AS INTEGER),
        CAST(NULL AS DOUBLE)
    FROM BOUNDED AS P
    CROSS JOIN TUNE.RUN_DATABASE AS D
    WHERE P.PLACE = 1 AND P.FAMILY_PCT >= P.SMALL_PCT
    UNION ALL
    SELECT
        CASE WHEN P.RUNSTATS_TEXT IS NULL THEN 'INDEX' ELSE 'TABLE' END,
        CASE WHEN P.RUNSTATS_TEXT IS NULL THEN P.INDSCHEMA || '.' || P.INDNAME ELSE P.TABSCHEMA || '.' || P.TABNAME END,
        S.EXECUTABLE_ID, S.MEMBER, S.PLANS, S.EXECUTIONS, S.TIME_PCT, S.CPU_PCT, S.MS_PER_EXECUTION,
        S.ROWS_PER_EXECUTION, S.USED_PER_EXECUTION, S.ROWS_READ, S.ROWS_USED, S.READS,
        CAST(NULL AS VARCHAR(800)), CAST(NULL AS VARCHAR(260)), X.SHORT_TEXT, 1, SITE.SMALL_PCT,
        CAST(NULL AS BIGINT), CAST(NULL AS DOUBLE), D.DB_NAME,
        P.CONFIDENCE,
        P.LOW_PART,
        P.EXPECTED_PART,
        1.0,
        P.CPU_MS,
        1,
        P.READ_MS,
        1,
        P.WAIT_MS,
        1,
        P.INDSCHEMA,
        P.INDNAME,
        P.TABSCHEMA,
        P.TABNAME,
        P.KEY_TEXT,
        CASE WHEN P.INCLUDE_TEXT IS NULL THEN '' ELSE ' INCLUDE (' || P.INCLUDE_TEXT || ')' END,
        CASE WHEN P.IS_UNIQUE = 1 THEN 'UNIQUE ' ELSE '' END,
        P.WIDENS,
        P.RUNSTATS_TEXT,
        P.DOUBTS,
        P.SIZE_MB,
        P.BEFORE_MS,
        P.AFTER_MS,
        P.WRITE_MS,
        P.WRITE_PCT,
        P.STATEMENTS - 1,
        CAST(NULL AS VARCHAR(260)),
        CAST(NULL AS VARCHAR(1000)),
        P.ANALYZED,
        P.GIVEN,
        P.ANALYZED_PCT
    FROM PROPOSED AS P
    INNER JOIN TUNE.STATEMENT AS S ON P.STATEMENT = S.STATEMENT
    LEFT JOIN TUNE.STATEMENT_TEXT AS X ON P.STATEMENT = X.STATEMENT
    CROSS JOIN TUNE.RUN_DATABASE AS D
    CROSS JOIN TUNE.O_SITE AS SITE
    -- statistics come first, once per table: they may change its indexes
    WHERE P.RUNSTATS_TEXT IS NULL OR P.OF_TABLE = 1
)
SELECT F.*
FROM FOUND AS F
