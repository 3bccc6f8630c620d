/*---
rule: sql.unused-index
title: 'Unused index: maintained, but no query uses it'
lane: performance
takes_effect: immediately
risk: medium
judged_by: config
needs: [index.UNUSED_D, index.AGE_D, index.FK_KEYS, index.SYSTEM_REQUIRED, database.UPTIME_S]
object: INDEX {INDSCHEMA:text}.{INDNAME:text}
confidence: 0.6
claims:
  POOL_READ: {events: WRITE_READS, cost_ms: READ_MS}
  PROCESSING: {events: ROWS_CHANGED, cost_ms: KEY_MS}
recover: [0.3, 0.7, 1.0]
thresholds:
  key_us: {default: 10, from: own, why: 'processor time to insert or delete a key, with its log record'}
  unused_days: {default: 92, from: own, why: 'a quarter, so that work at the end of a quarter counts as use'}
actions:
  - manual: >-
      Wait until all yearly work has run: Db2 counts the days since {UNUSED_SINCE:text}, only while the database is
      active.
  - {when: HADR = 1, manual: 'Check whether applications read on the standby: index use there is not counted.'}
  - include: drop-index
finding:
  - choose:
      - {when: NEVER_USED = 1, text: 'No query has used the index since its creation {AGE_D} days ago.'}
      - No query has used the index for {UNUSED_D} days.
  - {when: WRITE_READS > 0, text: 'Agents read {WRITE_READS} pages of it, {READ_MS:1} ms each, only to maintain it.'}
  - >-
    It has {NLEAF} leaf pages on table {QUOTED_TABLE:text}. {ROWS_CHANGED} rows changed in the interval: each insert and
    delete maintains the index.
evidence: [columns=COLNAMES:text, unused_days=UNUSED_DAYS:text, created_days_ago=AGE_D, NLEAF,
  rows_changed=ROWS_CHANGED, active_days=ACTIVE_D]
references:
  - IBM documentation of SYSCAT.INDEXES (r0001047) and the date when an object was last used (c0056434)
why: >-
  LASTUSED is the last day on which a statement scanned the index or Db2 used it to check a referential constraint. Each
  change to an indexed row costs page reads, log and locks; the index also costs space and utility time.
not_if: >-
  The index is unique or required by a constraint, starts with a foreign key column, is a clustering, block, XML or
  expression-based index; it was used or created within the last quarter, or scanned in the interval; it has less than a
  thousand leaf pages.
note: >-
  Db2 updates LASTUSED at most once a day, 15 minutes late. Inserts do not count as use. The claim is the
  time of its physical reads, since only changes of the table read it, and the processor time of its keys, which Db2
  does not measure. Its log records and page writes are not counted.
---*/
WITH CANDIDATE AS (
    SELECT
        I.*,
        ROW_NUMBER() OVER (ORDER BY I.ROWS_CHANGED DESC, I.NLEAF DESC, I.INDSCHEMA, I.INDNAME) AS PLACE
    FROM TUNE.CATALOG_INDEX AS I
    CROSS JOIN TUNE.O_SQL_UNUSED_INDEX AS O
    CROSS JOIN TUNE.O_SITE AS SITE
    WHERE
        I.DROPPABLE = 1
        AND I.SCANS = 0
        AND I.UNUSED_D >= O.UNUSED_DAYS
        AND I.AGE_D >= O.UNUSED_DAYS
        AND I.NLEAF >= SITE.SMALL_INDEX
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
    C.UNUSED_D,
    C.AGE_D,
    C.NEVER_USED,
    C.ROWS_CHANGED,
    C.WRITE_READS,
    C.READ_MS,
    CAST(O.KEY_US AS DOUBLE) / 1000 AS KEY_MS,
    CASE WHEN C.NEVER_USED = 1 THEN 'never used' ELSE CAST(C.UNUSED_D AS VARCHAR(20)) END AS UNUSED_DAYS,
    CASE
        WHEN C.NEVER_USED = 1 THEN 'it was created, ' || CAST(C.AGE_D AS VARCHAR(20)) || ' days ago'
        ELSE 'its last use, ' || CAST(C.UNUSED_D AS VARCHAR(20)) || ' days ago'
    END AS UNUSED_SINCE,
    U.ACTIVE_D,
    D.DB_NAME,
    CASE WHEN H.VALUE IS NULL THEN 0 ELSE 1 END AS HADR
FROM CANDIDATE AS C
CROSS JOIN (
    SELECT CAST(FLOOR(CAST(MAX(UPTIME_S) AS DOUBLE) / 86400) AS BIGINT) AS ACTIVE_D FROM TUNE.L_DATABASE
) AS U
CROSS JOIN TUNE.RUN_DATABASE AS D
CROSS JOIN TUNE.O_SQL_UNUSED_INDEX AS O
CROSS JOIN TUNE.O_SITE AS SITE
LEFT JOIN TUNE.SETTING AS H ON H.SCOPE = 'DB' AND H.NAME = 'hadr_local_host'
WHERE C.PLACE <= SITE.LARGEST_INDEXES
