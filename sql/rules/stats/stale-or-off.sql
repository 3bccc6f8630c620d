/*---
rule: stats.stale-or-off
title: Statistics of frequently read tables are missing or old
lane: performance
takes_effect: immediately
risk: medium
judged_by: load
needs: [table.STATS_ROWS_MODIFIED, cat_table.STATS_AGE_H, dbcfg.VALUE, workload.TOTAL_RQST_TIME]
object: '{OBJECT_TYPE:text} {OBJECT_NAME:text}'
claims: {PROCESSING: {events: ROWS_READ, cost_ms: ROW_MS}, POOL_READ: {events: ROWS_READ, cost_ms: ROW_READ_MS}}
recover: [0, LIKELY_PART, 0.9]
confidence: 0.3
defers_to:
  - {rule: sql.missing-index, within: object}
thresholds:
  min_rows_part: {default: 0.01, from: own, why: 1 % of all rows read; the plans of other tables matter little}
  large_mb: {default: 10000, from: own, why: RUNSTATS on 10 GB takes so long that the manual recommends sampling}
actions:
  - when: OBJECT_TYPE = 'TABLE'
    set: {kind: TABLE, object: '{OBJECT_NAME:text}', name: STATISTICS, from: '{STATS_AGE_H}', to: '0', unit: hours old}
  - choose:
      - {when: STATS_PROFILE = 1, command: 'RUNSTATS ON TABLE {TABSCHEMA:name}.{TABNAME:name} USE PROFILE'}
      - when: LARGE = 1
        command: >-
          RUNSTATS ON TABLE {TABSCHEMA:name}.{TABNAME:name} WITH DISTRIBUTION AND SAMPLED DETAILED INDEXES ALL ALLOW
          WRITE ACCESS TABLESAMPLE SYSTEM (10) INDEXSAMPLE SYSTEM (10)
      - when: OBJECT_TYPE = 'TABLE'
        command: >-
          RUNSTATS ON TABLE {TABSCHEMA:name}.{TABNAME:name} WITH DISTRIBUTION AND SAMPLED DETAILED INDEXES ALL ALLOW
          WRITE ACCESS
    undo:
      manual: 'Cannot be undone by command: save the table''s statistics first with db2look -d {DB_NAME:shell} -m'
  - set:
      - {kind: DBCFG, name: AUTO_MAINT, from: '{AUTO_MAINT:text}', to: '{NEW_AUTO_MAINT:text}'}
      - {kind: DBCFG, name: AUTO_TBL_MAINT, from: '{AUTO_TBL_MAINT:text}', to: '{NEW_AUTO_TBL_MAINT:text}'}
      - {kind: DBCFG, name: AUTO_RUNSTATS, from: '{AUTO_RUNSTATS:text}', to: '{NEW_AUTO_RUNSTATS:text}'}
finding:
  - choose:
      - {when: CARD < 0, text: 'The table has no statistics, but {ROWS_PCT:1} % of all rows read.'}
      - when: CARD >= 0
        text: >-
          {MODIFIED} of {CARD} rows changed since RUNSTATS {STATS_AGE_H} hours ago; the table has {ROWS_PCT:1} % of all
          rows read.
      - {when: AUTO_RUNSTATS = 'ON', text: 'AUTO_RUNSTATS is ON but has no effect, because a parent switch is OFF.'}
      - Automatic collection is off; {STALE_TABLES} of the most-read tables have no or old statistics.
  - when: AVOIDED_PCT IS NOT NULL
    text: >-
      Statements with {AVOIDED_PCT:1} % of database time read many rows of it for each one they use, although an index
      begins with a column that they name.
  - when: AUTO_MAINT = 'OFF' AND (AUTO_DB_BACKUP = 'ON' OR AUTO_REORG = 'ON')
    text: >-
      AUTO_MAINT ON also activates the switches below it that are ON (AUTO_DB_BACKUP {AUTO_DB_BACKUP:text}, AUTO_REORG
      {AUTO_REORG:text}).
evidence:
  - choose:
      - when: OBJECT_TYPE = 'TABLE'
        figures: [CARD, STATS_ROWS_MODIFIED=MODIFIED, age_hours=STATS_AGE_H, ROWS_READ, ROWS_READ_pct=ROWS_PCT:2]
      - figures: [AUTO_MAINT:text, AUTO_TBL_MAINT:text, AUTO_RUNSTATS:text, stale_tables=STALE_TABLES]
references:
  - vmware-netapp, appendices
  - IBM documentation of auto_maint (r0011479) and RUNSTATS
why: >-
  The optimizer uses statistics to choose indexes, join orders and sort memory. If they are missing or outdated, it
  guesses.
not_if: >-
  The statistics are younger than a day; fewer than 10,000 rows or a fifth of the rows changed; the table is volatile,
  column-organized, or hardly read; a change of the switches is pending or members differ.
note: >-
  The saving of another plan is unknown in advance, so the range starts at 0. More is expected if statements read many
  rows although an index begins with a column that they name. The table's time is its part of all rows
  read. RUNSTATS samples a tenth of the pages of a large table since 10.1. It may reset the count of changed rows on one
  member only, so the member with the fewest decides. A statistics profile is used if it exists. The switches form a
  tree: with AUTO_MAINT or AUTO_TBL_MAINT off, AUTO_RUNSTATS ON has no effect. If all of them are off, the rule reports
  it only when a table shows the effect.
---*/
WITH STALE AS (
    SELECT U.*
    FROM (
        SELECT
            A.*,
            ROW_NUMBER() OVER (ORDER BY A.ROWS_READ DESC, A.TABSCHEMA, A.TABNAME) AS PLACE
        FROM TUNE.TABLE_USE AS A
    ) AS U
    CROSS JOIN TUNE.O_STATS_STALE_OR_OFF AS O
    CROSS JOIN TUNE.O_SITE AS SITE
    WHERE U.PLACE <= SITE.LARGEST_INDEXES AND U.ROWS_PART >= O.MIN_ROWS_PART AND U.STALE = 1
),
SWITCH AS (
    SELECT
        MAX(CASE WHEN NAME = 'auto_maint' AND DIFFERS = 0 THEN CAST(VALUE AS VARCHAR(20)) END) AS AUTO_MAINT,
        MAX(CASE WHEN NAME = 'auto_tbl_maint' AND DIFFERS = 0 THEN CAST(VALUE AS VARCHAR(20)) END) AS AUTO_TBL_MAINT,
        MAX(CASE WHEN NAME = 'auto_runstats' AND DIFFERS = 0 THEN CAST(VALUE AS VARCHAR(20)) END) AS AUTO_RUNSTATS,
        MAX(CASE WHEN NAME = 'auto_db_backup' THEN CAST(VALUE AS VARCHAR(20)) END) AS AUTO_DB_BACKUP,
        MAX(CASE WHEN NAME = 'auto_reorg' THEN CAST(VALUE AS VARCHAR(20)) END) AS AUTO_REORG,
        MAX(PENDING) AS PENDING
    FROM TUNE.SETTING
    WHERE
        SCOPE = 'DB'
        AND NAME IN ('auto_maint', 'auto_tbl_maint', 'auto_runstats', 'auto_db_backup', 'auto_reorg')
),
SWITCHED_OFF AS (
    -- one of the three is off, and all three are known
    SELECT
        S.*,
        N.STALE_TABLES
    FROM SWITCH AS S
    CROSS JOIN (SELECT COUNT(*) AS STALE_TABLES FROM STALE) AS N
    WHERE
        S.PENDING = 0
        AND S.AUTO_MAINT || S.AUTO_TBL_MAINT || S.AUTO_RUNSTATS LIKE '%OFF%'
        AND (S.AUTO_RUNSTATS = 'ON' OR N.STALE_TABLES > 0)
),
AVOIDED AS (
    -- statements that read many rows for each one used, although an index begins with a column that they name
    SELECT
        R.TABSCHEMA,
        R.TABNAME,
        SUM(X.DBT_PCT) AS AVOIDED_PCT
    FROM TUNE.STATEMENT_TABLE AS R
    INNER JOIN TUNE.STATEMENT AS X ON R.STATEMENT = X.STATEMENT
    CROSS JOIN TUNE.CONSTANT AS CONST
    WHERE R.SURE = 1 AND R.HAS_INDEX = 1 AND X.ROWS_READ >= CONST.MANY_PER_ROW * X.ROWS_USED
    GROUP BY R.TABSCHEMA, R.TABNAME
),
FOUND (OBJECT_TYPE, TABSCHEMA, TABNAME) AS (
    SELECT 'TABLE' AS OBJECT_TYPE, TABSCHEMA, TABNAME FROM STALE
    UNION ALL
    SELECT 'DATABASE', CAST(NULL AS VARCHAR(128)), CAST(NULL AS VARCHAR(128)) FROM SWITCHED_OFF
)
SELECT
    F.OBJECT_TYPE,
    CASE WHEN F.TABNAME IS NULL THEN D.DB_NAME ELSE F.TABSCHEMA || '.' || F.TABNAME END AS OBJECT_NAME,
    F.TABSCHEMA,
    F.TABNAME,
    T.CARD,
    T.MODIFIED,
    T.STATS_AGE_H,
    T.STATS_PROFILE,
    T.ROWS_READ,
    100 * T.ROWS_PART AS ROWS_PCT,
    S.AUTO_MAINT,
    S.AUTO_TBL_MAINT,
    S.AUTO_RUNSTATS,
    S.AUTO_DB_BACKUP,
    S.AUTO_REORG,
    CASE WHEN S.AUTO_MAINT IS NOT NULL THEN 'ON' END AS NEW_AUTO_MAINT,
    CASE WHEN S.AUTO_TBL_MAINT IS NOT NULL THEN 'ON' END AS NEW_AUTO_TBL_MAINT,
    CASE WHEN S.AUTO_RUNSTATS IS NOT NULL THEN 'ON' END AS NEW_AUTO_RUNSTATS,
    S.STALE_TABLES,
    A.AVOIDED_PCT,
    -- half of the time of those statements
    LEAST(0.8, GREATEST(0.05, COALESCE(
        0.5 * A.AVOIDED_PCT
        / CAST(NULLIF(100 * T.ROWS_PART * B.MS / CAST(NULLIF(W.DBT_MS, 0) AS DOUBLE) + COALESCE(T.READ_PCT, 0), 0)
            AS DOUBLE), 0
    ))) AS LIKELY_PART,
    D.DB_NAME,
    CASE
        WHEN T.KB / CAST(NULLIF(T.MEMBERS, 0) AS DOUBLE) >= 1024 * O.LARGE_MB AND D.DB2_LEVEL >= 10010000 THEN 1
        ELSE 0
    END AS LARGE,
    T.ROWS_PART * B.MS / CAST(NULLIF(T.ROWS_READ, 0) AS DOUBLE) AS ROW_MS,
    T.READ_PCT * W.DBT_MS / CAST(NULLIF(100 * T.ROWS_READ, 0) AS DOUBLE) AS ROW_READ_MS
FROM FOUND AS F
LEFT JOIN STALE AS T ON F.TABSCHEMA = T.TABSCHEMA AND F.TABNAME = T.TABNAME
LEFT JOIN SWITCHED_OFF AS S ON F.OBJECT_TYPE = 'DATABASE'
LEFT JOIN AVOIDED AS A ON F.TABSCHEMA = A.TABSCHEMA AND F.TABNAME = A.TABNAME
CROSS JOIN TUNE.RUN_DATABASE AS D
CROSS JOIN TUNE.DATABASE_TIME AS W
CROSS JOIN TUNE.O_STATS_STALE_OR_OFF AS O
LEFT JOIN TUNE.TIME_BUCKET AS B ON B.BUCKET = 'PROCESSING'
