/*---
rule: stats.stale-or-off
title: Statistics of frequently read tables are missing or old
lane: performance
takes_effect: immediately
risk: medium
judged_by: load
needs: [table.STATS_ROWS_MODIFIED, cat_table.STATS_AGE_H, dbcfg.VALUE, workload.TOTAL_RQST_TIME]
object: '{OBJECT_TYPE:text} {OBJECT_NAME:text}'
claims:
  PROCESSING: {events: ROWS_READ, cost_ms: ROW_MS}
  POOL_READ: {events: ROWS_READ, cost_ms: ROW_READ_MS}
  PREFETCH_WAIT: {events: ROWS_READ, cost_ms: ROW_WAIT_MS}
recover: [0, LIKELY_PART, 0.9]
confidence: CONFIDENCE
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
  - choose:
      - when: INDEXED = 1
        text: >-
          Statements with {BAD_PCT:1} % of database time name it and read many rows for each one they use, although
          indexes begin with columns that they name.
      - when: BAD_PCT IS NOT NULL
        text: >-
          Statements with {BAD_PCT:1} % of database time name it and read many rows for each one they use, or spill. Its
          statistics are one possible cause.
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
  column-organized, or hardly read and in no statement with a bad plan; a change of the switches is pending or members
  differ.
note: >-
  The saving of another plan is unknown in advance, so the range starts at 0. If statements that name the table read
  many rows for each one they use, or spill, half of their measured time is expected, or a quarter if other causes are
  as likely. Otherwise the claim is a twentieth of the table's time: its part of all rows read. RUNSTATS samples a tenth
  of the pages of a large table since 10.1. It may reset the count of changed rows on one member only, so the member
  with the fewest decides. A statistics profile is used if it exists. The switches form a tree: with AUTO_MAINT or
  AUTO_TBL_MAINT off, AUTO_RUNSTATS ON has no effect. If all of them are off, the rule reports it only when a table
  shows the effect.
---*/
WITH BAD AS (
    SELECT
        TABSCHEMA,
        TABNAME,
        SUM(DBT_PCT) AS BAD_PCT,
        MAX(INDEXED) AS INDEXED,
        SUM(CPU_MS) AS CPU_MS,
        SUM(READ_MS) AS READ_MS,
        SUM(WAIT_MS) AS WAIT_MS,
        SUM(LIKELY_MS) AS LIKELY_MS
    FROM TUNE.STALE_PLAN
    GROUP BY TABSCHEMA, TABNAME
),
STALE AS (
    SELECT
        U.*,
        B.BAD_PCT,
        B.INDEXED,
        GREATEST(COALESCE(U.ROWS_PART * P.MS, 0), COALESCE(B.CPU_MS, 0)) AS CPU_MS,
        GREATEST(COALESCE(U.READ_PCT * W.DBT_MS / CAST(100 AS DOUBLE), 0), COALESCE(B.READ_MS, 0)) AS READ_MS,
        COALESCE(B.WAIT_MS, 0) AS WAIT_MS,
        COALESCE(B.LIKELY_MS, 0) AS LIKELY_MS
    FROM (
        SELECT
            A.*,
            ROW_NUMBER() OVER (ORDER BY A.ROWS_READ DESC, A.TABSCHEMA, A.TABNAME) AS PLACE
        FROM TUNE.TABLE_USE AS A
    ) AS U
    LEFT JOIN BAD AS B ON U.TABSCHEMA = B.TABSCHEMA AND U.TABNAME = B.TABNAME
    LEFT JOIN TUNE.TIME_BUCKET AS P ON P.BUCKET = 'PROCESSING'
    CROSS JOIN TUNE.DATABASE_TIME AS W
    CROSS JOIN TUNE.O_STATS_STALE_OR_OFF AS O
    CROSS JOIN TUNE.O_SITE AS SITE
    WHERE
        U.STALE = 1
        AND (
            (U.PLACE <= SITE.LARGEST_INDEXES AND U.ROWS_PART >= O.MIN_ROWS_PART)
            OR B.BAD_PCT >= SITE.SMALL_PCT
        )
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
    T.BAD_PCT,
    T.INDEXED,
    CASE WHEN T.INDEXED = 1 THEN 0.6 ELSE 0.3 END AS CONFIDENCE,
    GREATEST(0.05, COALESCE(
        CAST(T.LIKELY_MS AS DOUBLE) / NULLIF(T.CPU_MS + T.READ_MS + T.WAIT_MS, 0), 0
    )) AS LIKELY_PART,
    D.DB_NAME,
    CASE
        WHEN T.KB / CAST(NULLIF(T.MEMBERS, 0) AS DOUBLE) >= 1024 * O.LARGE_MB AND D.DB2_LEVEL >= 10010000 THEN 1
        ELSE 0
    END AS LARGE,
    CAST(T.CPU_MS AS DOUBLE) / NULLIF(T.ROWS_READ, 0) AS ROW_MS,
    CAST(T.READ_MS AS DOUBLE) / NULLIF(T.ROWS_READ, 0) AS ROW_READ_MS,
    CAST(T.WAIT_MS AS DOUBLE) / NULLIF(T.ROWS_READ, 0) AS ROW_WAIT_MS
FROM FOUND AS F
LEFT JOIN STALE AS T ON F.TABSCHEMA = T.TABSCHEMA AND F.TABNAME = T.TABNAME
LEFT JOIN SWITCHED_OFF AS S ON F.OBJECT_TYPE = 'DATABASE'
CROSS JOIN TUNE.RUN_DATABASE AS D
CROSS JOIN TUNE.O_STATS_STALE_OR_OFF AS O
