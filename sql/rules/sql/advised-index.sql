/*---
rule: sql.advised-index
title: db2advis recommends an index that does not exist
lane: condition
severity: low
takes_effect: immediately
risk: medium
judged_by: config
needs: [index_advice.ACTION]
object: INDEX {INDSCHEMA:text}.{INDNAME:text}
confidence: 0.3
thresholds:
  min_improvement_pct:
    default: 10
    from: own
    why: 'smaller improvements are within the error of estimates, and each index costs time for every change'
actions:
  - when: UNIQUE_TEXT = 'UNIQUE '
    manual: 'UNIQUE is a constraint: check that no application inserts duplicates of the key.'
  - when: INDEXTYPE = 'CLUS'
    manual: >-
      CLUSTER places new rows near rows with a similar key. Existing rows move only when REORG TABLE runs, and a table
      in append mode cannot have a clustering index.
  - command: >-
      CREATE {UNIQUE_TEXT:text}INDEX {INDSCHEMA:name}.{INDNAME:name} ON {TABSCHEMA:name}.{TABNAME:name}
      ({KEY_TEXT:text}){INCLUDE_CLAUSE:text}{OPTIONS_TEXT:text} COLLECT SAMPLED DETAILED STATISTICS
    undo: {command: 'DROP INDEX {INDSCHEMA:name}.{INDNAME:name}'}
  - when: INDEXES > 1
    manual: >-
      Create one index at a time and explain the statements after each: often one index brings most of the improvement.
finding:
  - 'db2advis recommends an index on {QUOTED_TABLE:text} ({KEY_TEXT:text})[ of {SIZE_MB:1} MB].'
  - when: IMPROVEMENT_PCT IS NOT NULL AND INDEXES = 1
    text: >-
      It estimates {IMPROVEMENT_PCT} % lower cost for its statements ({COST_BEFORE} to {COST_AFTER} timerons).
  - when: IMPROVEMENT_PCT IS NOT NULL AND INDEXES > 1
    text: >-
      It estimates {IMPROVEMENT_PCT} % lower cost for its statements with all {INDEXES} recommended indexes together
      ({COST_BEFORE} to {COST_AFTER} timerons).
  - The estimate is the optimizer's, not a measurement, and only for the statements of that call.
evidence: ['TABLE=QUOTED_TABLE:text', 'columns=COLNAMES:text', 'SIZE_MB?', 'COST_BEFORE?', 'COST_AFTER?',
  recommended_indexes=INDEXES]
query: SELECT INDSCHEMA, INDNAME, TABSCHEMA, TABNAME, COLNAMES, UNIQUERULE FROM SYSCAT.INDEXES
references:
  - IBM documentation of db2advis (r0002452) and CREATE INDEX (r0000919)
why: >-
  The design advisor asks the optimizer for the cost of each statement with indexes that do not exist, and recommends
  the set with the lowest cost. The cost is as good as the statistics of the tables.
not_if: >-
  An index of the table begins with the same columns in the same order; the estimated improvement is below 10 %; the
  index is a clustering index, but the table already has another.
note: >-
  The cost of maintaining the index counts only if the call contained the statements that change its table, with their
  frequency. An index that db2tune proposes from measured statements is under sql.missing-index.
---*/
WITH ADVISED AS (
    SELECT
        A.*,
        100 * CAST(A.COST_BEFORE - A.COST_AFTER AS DOUBLE) / NULLIF(A.COST_BEFORE, 0) AS IMPROVEMENT_PCT,
        COUNT(*) OVER () AS INDEXES
    FROM TUNE.D_INDEX_ADVICE AS A
    WHERE A.ACTION = 'CREATE'
)
SELECT
    A.INDSCHEMA,
    A.INDNAME,
    A.TABSCHEMA,
    A.TABNAME,
    '"' || REPLACE(A.TABSCHEMA, '"', '""') || '"."' || REPLACE(A.TABNAME, '"', '""') || '"' AS QUOTED_TABLE,
    A.COLNAMES,
    A.KEY_TEXT,
    CASE WHEN A.INCLUDE_TEXT IS NULL THEN '' ELSE ' INCLUDE (' || A.INCLUDE_TEXT || ')' END AS INCLUDE_CLAUSE,
    CASE WHEN A.UNIQUERULE = 'U' THEN 'UNIQUE ' ELSE '' END AS UNIQUE_TEXT,
    CASE WHEN A.INDEXTYPE = 'CLUS' THEN ' CLUSTER' ELSE '' END
    || CASE WHEN A.PCTFREE >= 0 THEN ' PCTFREE ' || CAST(A.PCTFREE AS VARCHAR(6)) ELSE '' END AS OPTIONS_TEXT,
    A.INDEXTYPE,
    A.SIZE_MB,
    A.IMPROVEMENT_PCT,
    A.COST_BEFORE,
    A.COST_AFTER,
    A.INDEXES
FROM ADVISED AS A
LEFT JOIN TUNE.CATALOG_INDEX AS I
    ON
        A.TABSCHEMA = I.TABSCHEMA AND A.TABNAME = I.TABNAME
        AND (
            A.COLNAMES = I.COLNAMES
            OR INSTR(I.COLNAMES, A.COLNAMES || '+') = 1
            OR INSTR(I.COLNAMES, A.COLNAMES || '-') = 1
        )
CROSS JOIN TUNE.O_SQL_ADVISED_INDEX AS O
WHERE
    I.INDNAME IS NULL AND A.KEY_TEXT IS NOT NULL
    AND NOT EXISTS ( -- a table can have only one clustering index
        SELECT 1
        FROM TUNE.L_INDEX AS C
        WHERE
            C.TABSCHEMA = A.TABSCHEMA AND C.TABNAME = A.TABNAME
            AND C.INDEXTYPE = 'CLUS' AND A.INDEXTYPE = 'CLUS'
    )
    AND COALESCE(A.IMPROVEMENT_PCT, O.MIN_IMPROVEMENT_PCT) >= O.MIN_IMPROVEMENT_PCT
