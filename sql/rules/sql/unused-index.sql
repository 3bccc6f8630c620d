/*---
rule: sql.unused-index
title: An index that no query uses is kept up to date
lane: housekeeping
takes_effect: immediately
risk: medium
judged_by: config
needs: [index.UNUSED_D, index.AGE_D, index.FK_KEYS, index.SYSTEM_REQUIRED, database.UPTIME_S]
object: INDEX {INDSCHEMA:text}.{INDNAME:text}
confidence: 0.6
thresholds:
  unused_days: {default: 92, from: own, why: 'a quarter, so that what runs at its end counts as use'}
  min_pages: {default: 1000, from: own, why: 'a small index costs little, neither space nor writes'}
  most: {default: 20, from: own, why: 'so many are named, the largest'}
actions:
  - manual: >-
      Wait until all that runs once a year has run: Db2 counts the days since {UNUSED_SINCE:text}, and only while the
      database is active. Keep its definition: db2look -d {DB_NAME:shell} -z {TABSCHEMA:shellname} -t
      {TABNAME:shellname} -e -o index.sql
  - {when: HADR = 1, manual: 'Ask whether applications read on the standby: what they use there is not counted.'}
  - {command: 'DROP INDEX {INDSCHEMA:name}.{INDNAME:name}'}
  - undo: {manual: 'Create it again from index.sql, and collect its statistics.'}
finding:
  - choose:
      - {when: NEVER_USED = 1, text: 'No query has used it since it was created {AGE_D} days ago.'}
      - No query has used it for {UNUSED_D} days.
  - >-
    It has {NLEAF} leaf pages on table {QUOTED_TABLE:text}, of which {ROWS_CHANGED} rows were changed in the interval:
    each insert and delete changes the index, too.
evidence: [columns=COLNAMES:text, unused_days=UNUSED_DAYS:text, created_days_ago=AGE_D, NLEAF,
  rows_changed=ROWS_CHANGED, active_days=ACTIVE_D]
references:
  - IBM documentation of SYSCAT.INDEXES (r0001047) and of the date on which an object was last used (c0056434)
why: >-
  LASTUSED is the last day on which a statement scanned the index or a referential constraint was checked with it.
  Keeping an index costs page reads, log and locks with each change, space, and time of utilities.
not_if: >-
  It is unique or asked for by a constraint, its first column is that of a foreign key, it clusters, is one of blocks,
  of XML or of expressions; it was used or created within the last quarter, or scanned in the interval; it has less than
  a thousand leaf pages.
note: >-
  The catalog is written at most once a day and 15 minutes late. Rows that were inserted do not count as use. Nothing is
  claimed, since which reads and writes are those of one index is not measured.
---*/
WITH CANDIDATE AS (
    SELECT
        I.*,
        ROW_NUMBER() OVER (ORDER BY I.NLEAF DESC, I.INDSCHEMA, I.INDNAME) AS PLACE
    FROM TUNE.CATALOG_INDEX AS I
    CROSS JOIN TUNE.O_SQL_UNUSED_INDEX AS O
    WHERE
        I.DROPPABLE = 1
        AND I.SCANS = 0
        AND I.UNUSED_D >= O.UNUSED_DAYS
        AND I.AGE_D >= O.UNUSED_DAYS
        AND I.NLEAF >= O.MIN_PAGES
)
SELECT
    C.INDSCHEMA,
    C.INDNAME,
    C.TABSCHEMA,
    C.TABNAME,
    C.QUOTED_TABLE,
    C.COLNAMES,
    C.NLEAF,
    C.UNUSED_D,
    C.AGE_D,
    C.NEVER_USED,
    C.ROWS_CHANGED,
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
LEFT JOIN TUNE.SETTING AS H ON H.SCOPE = 'DB' AND H.NAME = 'hadr_local_host'
WHERE C.PLACE <= O.MOST
