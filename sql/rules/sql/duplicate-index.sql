/*---
rule: sql.duplicate-index
title: 'Redundant index: another index has the same leading columns'
lane: performance
takes_effect: immediately
risk: medium
judged_by: config
needs: [index.COLNAMES, index.AGE_D, index.FK_KEYS, index.SYSTEM_REQUIRED]
object: INDEX {INDSCHEMA:text}.{INDNAME:text}
confidence: CONFIDENCE
claims:
  POOL_READ: {events: WRITE_READS, cost_ms: READ_MS}
  PROCESSING: {events: ROWS_CHANGED, cost_ms: KEY_MS}
recover: [0.3, 0.7, 1.0]
defers_to:
  - {rule: sql.unused-index, within: object}
thresholds:
  key_us: {default: 10, from: own, why: 'processor time to insert or delete a key, with its log record'}
  min_age_days: {default: 7, from: own, why: a newer index may be the replacement of the other}
  most_larger:
    default: 2
    from: own
    why: 'the other index may be this many times as large: searches read hardly more pages'
actions:
  - include: drop-index
finding:
  - choose:
      - {when: SAME = 1, text: 'Index {OTHER:text} has the same columns in the same order: {COLNAMES:text}.'}
      - >-
        Index {OTHER:text} has columns {OTHER_COLNAMES:text}, which start with all columns of this index:
        {COLNAMES:text}.
  - >-
    This index has {NLEAF} leaf pages on table {QUOTED_TABLE:text}. {ROWS_CHANGED} rows changed in the interval: each
    insert and delete maintains both indexes.
evidence: [columns=COLNAMES:text, other_index=OTHER:text, other_columns=OTHER_COLNAMES:text, NLEAF,
  other_NLEAF=OTHER_NLEAF, rows_changed=ROWS_CHANGED]
references:
  - IBM documentation of SYSCAT.INDEXES (r0001047)
  - IBM's advice on designing indexes (c0024071)
why: >-
  An index that starts with the same columns serves the same searches. Each insert and delete maintains and logs both,
  and utilities read both.
not_if: >-
  The index is unique or required by a constraint, starts with a foreign key column, is a clustering, block, XML or
  expression-based index; one of the two is younger than a week; it has less than a thousand leaf pages; the other has
  INCLUDE columns, excludes NULL keys, or is more than twice as large.
note: >-
  Of two identical indexes, the unique one or the one that serves a constraint stays, otherwise the older one.
  Optimization profiles that name the index are not visible. Reads are claimed only if no query scanned the index:
  otherwise the other index takes over a part of them.
---*/
WITH PAIR AS (
    SELECT
        I.*,
        X.QUOTED AS OTHER,
        X.COLNAMES AS OTHER_COLNAMES,
        X.NLEAF AS OTHER_NLEAF,
        CASE WHEN X.COLNAMES = I.COLNAMES THEN 1 ELSE 0 END AS SAME,
        ROW_NUMBER() OVER (
            PARTITION BY I.TABSCHEMA, I.TABNAME, I.IID ORDER BY X.DROPPABLE, X.COLCOUNT, X.IID
        ) AS N
    FROM TUNE.CATALOG_INDEX AS I
    INNER JOIN TUNE.CATALOG_INDEX AS X ON I.TABSCHEMA = X.TABSCHEMA AND I.TABNAME = X.TABNAME
    CROSS JOIN TUNE.O_SQL_DUPLICATE_INDEX AS O
    CROSS JOIN TUNE.O_SITE AS SITE
    WHERE
        I.DROPPABLE = 1
        AND X.ORDERED = 1
        AND I.IID <> X.IID
        AND (
            (X.COLCOUNT > I.COLCOUNT AND INSTR(X.COLNAMES || '+', I.COLNAMES || '+') = 1)
            OR (X.COLCOUNT > I.COLCOUNT AND INSTR(X.COLNAMES || '-', I.COLNAMES || '-') = 1)
            OR (X.COLNAMES = I.COLNAMES AND (X.DROPPABLE = 0 OR X.IID < I.IID))
        )
        AND I.AGE_D >= O.MIN_AGE_DAYS
        AND X.AGE_D >= O.MIN_AGE_DAYS
        AND I.NLEAF >= SITE.SMALL_INDEX
        AND X.NLEAF <= O.MOST_LARGER * I.NLEAF
),
CHOSEN AS (
    SELECT
        P.*,
        ROW_NUMBER() OVER (ORDER BY P.ROWS_CHANGED DESC, P.NLEAF DESC, P.INDSCHEMA, P.INDNAME) AS PLACE
    FROM PAIR AS P
    WHERE P.N = 1
)
SELECT
    C.INDSCHEMA,
    C.INDNAME,
    C.TABSCHEMA,
    C.TABNAME,
    C.QUOTED_TABLE,
    C.COLNAMES,
    C.KEY_TEXT,
    C.INDEX_OPTIONS,
    C.NLEAF,
    C.ROWS_CHANGED,
    C.WRITE_READS,
    C.READ_MS,
    CAST(O.KEY_US AS DOUBLE) / 1000 AS KEY_MS,
    C.OTHER,
    C.OTHER_COLNAMES,
    C.OTHER_NLEAF,
    C.SAME,
    D.DB_NAME,
    CASE WHEN C.SAME = 1 THEN 0.9 ELSE 0.6 END AS CONFIDENCE
FROM CHOSEN AS C
CROSS JOIN TUNE.RUN_DATABASE AS D
CROSS JOIN TUNE.O_SQL_DUPLICATE_INDEX AS O
CROSS JOIN TUNE.O_SITE AS SITE
WHERE C.PLACE <= SITE.LARGEST_INDEXES
