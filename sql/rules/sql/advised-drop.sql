/*---
rule: sql.advised-drop
title: db2advis lists indexes that its statements do not use
lane: condition
severity: low
takes_effect: immediately
judged_by: config
needs: [index_advice.ACTION]
object: DATABASE
confidence: 0.3
thresholds:
  unused_days: {default: 92, from: own, why: 'a quarter, as in sql.unused-index'}
actions:
  - manual: >-
      Do not drop them by this list: db2advis knows only the statements of its call. Drop an index only if LASTUSED in
      the query is old and no constraint needs it (SYSTEM_REQUIRED 0, UNIQUERULE D).
finding:
  - choose:
      - {when: INDEXES = 1, text: 'db2advis lists one index that the statements of its call do not use: {NAMES:text}.'}
      - 'db2advis lists {INDEXES} indexes that the statements of its call do not use, such as {NAMES:text}.'
evidence: [indexes=INDEXES, names=NAMES:text]
query: SELECT INDSCHEMA, INDNAME, TABNAME, UNIQUERULE, SYSTEM_REQUIRED, LASTUSED, CREATE_TIME FROM SYSCAT.INDEXES
references:
  - IBM documentation of db2advis (r0002452) and the date when an object was last used (c0056434)
why: >-
  An index that no statement uses costs time for each change, log space and disk space. Whether other statements use it
  is not known to the design advisor.
not_if: The index is unique, required by a constraint, serves a foreign key, or was used in the last quarter.
note: With the catalog's data in the text, sql.unused-index judges the same indexes by their last use.
---*/
WITH LISTED AS (
    SELECT
        '"' || REPLACE(A.INDSCHEMA, '"', '""') || '"."' || REPLACE(A.INDNAME, '"', '""') || '"' AS QUOTED,
        ROW_NUMBER() OVER (ORDER BY A.INDSCHEMA, A.INDNAME) AS PLACE
    FROM TUNE.D_INDEX_ADVICE AS A
    LEFT JOIN TUNE.CATALOG_INDEX AS I ON A.INDSCHEMA = I.INDSCHEMA AND A.INDNAME = I.INDNAME
    CROSS JOIN TUNE.O_SQL_ADVISED_DROP AS O
    WHERE A.ACTION = 'DROP' AND COALESCE(I.DROPPABLE, 1) = 1 AND COALESCE(I.UNUSED_D, O.UNUSED_DAYS) >= O.UNUSED_DAYS
)
SELECT
    L.INDEXES,
    L.NAMES
FROM (
    SELECT
        COUNT(*) AS INDEXES,
        MAX(CASE WHEN PLACE = 1 THEN QUOTED END)
        || COALESCE(MAX(CASE WHEN PLACE = 2 THEN ', ' || QUOTED END), '')
        || COALESCE(MAX(CASE WHEN PLACE = 3 THEN ', ' || QUOTED END), '') AS NAMES
    FROM LISTED
) AS L
WHERE L.INDEXES > 0
