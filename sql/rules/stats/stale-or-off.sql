-- rule:       stats.stale-or-off
-- title:      Statistics of much read tables are missing or old
-- area:       stats
-- lane:       P
-- effect:     ON
-- risk:       medium
-- judged-by:  load
-- claims:     PROCESSING = ROWS_READ x ROW_MS, POOL_READ = ROWS_READ x ROW_READ_MS
-- recover:    0, 0.05, 0.5
-- confidence: 0.3
-- needs:      table.STATS_ROWS_MODIFIED, cat_table.STATS_AGE_H, dbcfg.VALUE, workload.TOTAL_RQST_TIME
-- threshold:  top_tables = 20 -- [prop] the tables with most rows read; plans of the others cost little
-- threshold:  min_rows_part = 0.01 -- [prop] 1 % of all rows read; a table read less changes no plan that counts
-- threshold:  modified_part = 0.2 -- [prop] a fifth of the rows changed since the statistics were collected
-- threshold:  min_modified = 10000 -- [prop] fewer changed rows change no plan
-- threshold:  large_mb = 10000 -- [prop] a table of 10 GB takes RUNSTATS so long that the manual samples it
-- threshold:  min_age_h = 24 -- [prop] automatic collection looks every two hours: within a day it had its chance
-- object:     {OBJECT_TYPE:text} {OBJECT_NAME:text}
-- set:        when OBJECT_TYPE = 'TABLE': TABLE {OBJECT_NAME:text} STATISTICS: {STATS_AGE_H} -> 0 (hours old)
-- do:         when STATS_PROFILE = 1: RUNSTATS ON TABLE {TABSCHEMA:name}.{TABNAME:name} USE PROFILE
-- do:         else when LARGE = 1: RUNSTATS ON TABLE {TABSCHEMA:name}.{TABNAME:name} WITH DISTRIBUTION AND SAMPLED
--             DETAILED INDEXES ALL ALLOW WRITE ACCESS TABLESAMPLE SYSTEM (10) INDEXSAMPLE SYSTEM (10)
-- do:         else when OBJECT_TYPE = 'TABLE': RUNSTATS ON TABLE {TABSCHEMA:name}.{TABNAME:name} WITH DISTRIBUTION AND
--             SAMPLED DETAILED INDEXES ALL ALLOW WRITE ACCESS
-- undo:       -- No command puts statistics back: save them before, for this table, with db2look -d {DB_NAME:shell} -m
-- set:        DBCFG AUTO_MAINT: {AUTO_MAINT:text} -> {NEW_AUTO_MAINT:text}; AUTO_TBL_MAINT: {AUTO_TBL_MAINT:text} ->
--             {NEW_AUTO_TBL_MAINT:text}; AUTO_RUNSTATS: {AUTO_RUNSTATS:text} -> {NEW_AUTO_RUNSTATS:text}
-- finding:    when CARD < 0: The table has no statistics; {ROWS_PCT:1} % of all rows read are its.
-- finding:    else when CARD >= 0: {MODIFIED} of {CARD} rows have changed since the statistics were collected
--             {STATS_AGE_H} hours ago; {ROWS_PCT:1} % of all rows read are its.
-- finding:    else when AUTO_RUNSTATS = 'ON': AUTO_RUNSTATS is ON, but does nothing while a switch above it is OFF.
-- finding:    else: Db2 collects no statistics by itself, and {STALE_TABLES} of the tables that are read most have none
--             or old ones.
-- finding:    when AUTO_MAINT = 'OFF' AND (AUTO_DB_BACKUP = 'ON' OR AUTO_REORG = 'ON'): Mind that AUTO_MAINT also
--             brings to life what is ON below it (AUTO_DB_BACKUP {AUTO_DB_BACKUP:text}, AUTO_REORG {AUTO_REORG:text}).
-- evidence:   when OBJECT_TYPE = 'TABLE': CARD, STATS_ROWS_MODIFIED=MODIFIED, age_hours=STATS_AGE_H, ROWS_READ,
--             ROWS_READ_pct=ROWS_PCT:2
-- evidence:   else: AUTO_MAINT:text, AUTO_TBL_MAINT:text, AUTO_RUNSTATS:text, stale_tables=STALE_TABLES
-- source:     002_e991ec30bbd9209f.txt, appendices; IBM documentation of auto_maint (r0011479) and of RUNSTATS
-- why:        The optimizer chooses indexes, join orders and sort memory by the statistics. Where a table has none, or
--             has changed since, it chooses by guesses.
-- not-if:     The statistics are younger than a day; fewer than 10,000 or a fifth of the rows changed; the table is
--             volatile, column-organized, or hardly read; a change of the switches is pending or members differ.
-- note:       What another plan saves cannot be known before, so the range begins at 0. The table's time is its part of
--             all rows read. Of a large table a tenth of the pages is read, from 10.1 on. RUNSTATS may reset the count
--             of changed rows on one member alone, so the member with fewest speaks for all. A statistics profile is
--             used where there is one. The switches form a tree: with AUTO_MAINT or AUTO_TBL_MAINT off, AUTO_RUNSTATS
--             ON does nothing; a site that has all of them off is told so only when a table shows it.
WITH STALE AS (
    SELECT U.*
    FROM (
        SELECT
            A.*,
            ROW_NUMBER() OVER (ORDER BY A.ROWS_READ DESC, A.TABSCHEMA, A.TABNAME) AS PLACE
        FROM TUNE.TABLE_USE AS A
    ) AS U
    CROSS JOIN TUNE.O_STATS_STALE_OR_OFF AS O
    WHERE
        U.PLACE <= O.TOP_TABLES
        AND U.ROWS_PART >= O.MIN_ROWS_PART
        AND U.TABLEORG = 'R'
        AND COALESCE(U.VOLATILE, ' ') <> 'C'
        AND U.STATS_AGE_H >= O.MIN_AGE_H
        AND (U.CARD < 0 OR (U.MODIFIED >= O.MIN_MODIFIED AND U.MODIFIED > O.MODIFIED_PART * U.CARD))
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
    COALESCE(F.TABSCHEMA || '.' || F.TABNAME, D.DB_NAME) AS OBJECT_NAME,
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
CROSS JOIN TUNE.RUN_DATABASE AS D
CROSS JOIN TUNE.DATABASE_TIME AS W
CROSS JOIN TUNE.O_STATS_STALE_OR_OFF AS O
LEFT JOIN TUNE.TIME_BUCKET AS B ON B.BUCKET = 'PROCESSING'
