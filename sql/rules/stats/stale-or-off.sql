-- rule:      stats.stale-or-off
-- title:     Statistics of much read tables are missing or old
-- area:      stats
-- lane:      P
-- effect:    ON
-- risk:      medium
-- evidence:  load
-- claims:    PROCESSING, POOL_READ
-- needs:     table.STATS_ROWS_MODIFIED, cat_table.STATS_AGE_H, dbcfg.VALUE, workload.TOTAL_RQST_TIME
-- threshold: top_tables = 20 -- [prop] the tables with most rows read; plans of the others cost little
-- threshold: min_rows_part = 0.01 -- [prop] 1 % of all rows read; a table that is read less changes no plan that counts
-- threshold: modified_part = 0.2 -- [prop] a fifth of the rows changed since the statistics were collected
-- threshold: min_modified = 10000 -- [prop] fewer changed rows change no plan
-- threshold: min_age_h = 24 -- [prop] automatic collection looks every two hours: within a day it had its chance
-- source:    002_e991ec30bbd9209f.txt, appendices; IBM documentation of auto_maint (r0011479) and of RUNSTATS
-- why:       The optimizer chooses indexes, join orders and sort memory by the statistics. Where a table has none, or
--            has changed since, it chooses by guesses.
-- not-if:    The statistics are younger than a day; fewer than 10,000 or a fifth of the rows changed; the table is
--            volatile, column-organized, or hardly read; a change of the switches is pending or members differ.
-- note:      What another plan saves cannot be known before, so the range begins at 0. The table's time is its part of
--            all rows read. RUNSTATS may reset the count of changed rows on one member alone, so the member with
--            fewest speaks for all. A statistics profile is used where there is one. The switches form a tree: with
--            AUTO_MAINT or AUTO_TBL_MAINT off, AUTO_RUNSTATS ON does nothing; a site that has all of them off is
--            told so only when a table shows it.
WITH SWITCHES AS (
    SELECT
        MIN(CASE WHEN NAME = 'auto_maint' THEN VALUE END) AS AUTO_MAINT,
        MIN(CASE WHEN NAME = 'auto_tbl_maint' THEN VALUE END) AS AUTO_TBL_MAINT,
        MIN(CASE WHEN NAME = 'auto_runstats' THEN VALUE END) AS AUTO_RUNSTATS,
        MAX(CASE WHEN NAME = 'auto_db_backup' AND VALUE = 'ON' THEN ' AUTO_DB_BACKUP' ELSE '' END)
        || MAX(CASE WHEN NAME = 'auto_reorg' AND VALUE = 'ON' THEN ' AUTO_REORG' ELSE '' END) AS WOKEN,
        MAX(PENDING) AS PENDING,
        COUNT(DISTINCT CASE WHEN NAME IN ('auto_maint', 'auto_tbl_maint', 'auto_runstats') THEN NAME || VALUE END)
            AS SETTINGS
    FROM TUNE.CONFIG
    WHERE
        SCOPE = 'DB'
        AND NAME IN ('auto_maint', 'auto_tbl_maint', 'auto_runstats', 'auto_db_backup', 'auto_reorg')
),
PLACED AS (
    SELECT
        U.*,
        ROW_NUMBER() OVER (ORDER BY U.ROWS_READ DESC, U.TABSCHEMA, U.TABNAME) AS PLACE
    FROM TUNE.TABLE_USE AS U
),
STALE AS (
    SELECT
        P.*,
        P.ROWS_PART * B.PCT AS PROCESSING_PCT,
        CASE
            WHEN P.CARD < 0 THEN 'The table has no statistics'
            ELSE CAST(P.MODIFIED AS VARCHAR(20)) || ' of ' || CAST(P.CARD AS VARCHAR(20))
                || ' rows have changed since the statistics were collected '
                || CAST(P.STATS_AGE_H AS VARCHAR(20)) || ' hours ago'
        END AS STATE_TEXT
    FROM PLACED AS P
    CROSS JOIN TUNE.O_STATS_STALE_OR_OFF AS O
    INNER JOIN TUNE.TIME_BUCKET AS B ON B.BUCKET = 'PROCESSING'
    WHERE
        P.PLACE <= O.TOP_TABLES
        AND P.ROWS_PART >= O.MIN_ROWS_PART
        AND P.TABLEORG = 'R'
        AND COALESCE(P.VOLATILE, ' ') <> 'C'
        AND P.STATS_AGE_H >= O.MIN_AGE_H
        AND (P.CARD < 0 OR (P.MODIFIED >= O.MIN_MODIFIED AND P.MODIFIED > O.MODIFIED_PART * P.CARD))
),
OFF AS (
    -- what has to be switched on, where something has
    SELECT
        S.*,
        CASE WHEN S.AUTO_MAINT = 'OFF' THEN ' AUTO_MAINT {v}' ELSE '' END
        || CASE WHEN S.AUTO_TBL_MAINT = 'OFF' THEN ' AUTO_TBL_MAINT {v}' ELSE '' END
        || CASE WHEN S.AUTO_RUNSTATS = 'OFF' THEN ' AUTO_RUNSTATS {v}' ELSE '' END AS WORDS,
        N.STALE_TABLES
    FROM SWITCHES AS S
    CROSS JOIN (SELECT COUNT(*) AS STALE_TABLES FROM STALE) AS N
    WHERE
        S.PENDING = 0 AND S.SETTINGS = 3
        AND (S.AUTO_MAINT = 'OFF' OR S.AUTO_TBL_MAINT = 'OFF' OR S.AUTO_RUNSTATS = 'OFF')
        AND (S.AUTO_RUNSTATS = 'ON' OR N.STALE_TABLES > 0)
),
FOUND (
    OBJECT_TYPE, OBJECT_NAME, CLAIMED_PCT, TARGET, CURRENT_VALUE, PROPOSED_VALUE, ACTION_TEXT, UNDO_TEXT, EVIDENCE,
    FINDING, CLAIM_2_PCT
) AS (
    SELECT
        'TABLE' AS OBJECT_TYPE,
        S.TABSCHEMA || '.' || S.TABNAME AS OBJECT_NAME,
        COALESCE(S.PROCESSING_PCT, 0) + COALESCE(S.READ_PCT, 0) AS CLAIMED_PCT,
        'TABLE:' || S.TABSCHEMA || '.' || S.TABNAME || ':STATISTICS' AS TARGET,
        CAST(NULL AS VARCHAR(200)) AS CURRENT_VALUE,
        CAST(NULL AS VARCHAR(200)) AS PROPOSED_VALUE,
        'RUNSTATS ON TABLE ' || S.QUOTED
        || CASE
            WHEN S.STATS_PROFILE = 1 THEN ' USE PROFILE'
            ELSE ' WITH DISTRIBUTION AND SAMPLED DETAILED INDEXES ALL ALLOW WRITE ACCESS'
        END AS ACTION_TEXT,
        '-- No command puts statistics back: save them before, for this table, with db2look -d ' || D.DB_NAME || ' -m'
            AS UNDO_TEXT,
        'CARD=' || CAST(S.CARD AS VARCHAR(20))
        || '; STATS_ROWS_MODIFIED=' || COALESCE(CAST(S.MODIFIED AS VARCHAR(20)), 'not known')
        || '; age_hours=' || CAST(S.STATS_AGE_H AS VARCHAR(20))
        || '; ROWS_READ=' || CAST(S.ROWS_READ AS VARCHAR(20))
        || '; ROWS_READ_pct=' || CAST(CAST(ROUND(100 * S.ROWS_PART, 2) AS DECIMAL(9, 2)) AS VARCHAR(20)) AS EVIDENCE,
        S.STATE_TEXT || '; ' || CAST(CAST(ROUND(100 * S.ROWS_PART, 1) AS DECIMAL(9, 1)) AS VARCHAR(20))
        || ' % of all rows read are its.' AS FINDING,
        COALESCE(S.READ_PCT, 0) AS CLAIM_2_PCT
    FROM STALE AS S
    CROSS JOIN TUNE.RUN_DATABASE AS D
    UNION ALL
    SELECT
        'DATABASE',
        D.DB_NAME,
        CAST(0 AS DOUBLE),
        'DBCFG:AUTO_' || CASE
            WHEN F.AUTO_MAINT = 'OFF' THEN 'MAINT'
            WHEN F.AUTO_TBL_MAINT = 'OFF' THEN 'TBL_MAINT'
            ELSE 'RUNSTATS'
        END,
        'OFF',
        'ON',
        'UPDATE DB CFG FOR ' || D.DB_NAME || ' USING' || REPLACE(F.WORDS, '{v}', 'ON'),
        'UPDATE DB CFG FOR ' || D.DB_NAME || ' USING' || REPLACE(F.WORDS, '{v}', 'OFF'),
        'AUTO_MAINT=' || F.AUTO_MAINT
        || '; AUTO_TBL_MAINT=' || F.AUTO_TBL_MAINT
        || '; AUTO_RUNSTATS=' || F.AUTO_RUNSTATS
        || '; stale_tables=' || CAST(F.STALE_TABLES AS VARCHAR(20)),
        CASE
            WHEN F.AUTO_RUNSTATS = 'ON' THEN 'AUTO_RUNSTATS is ON, but does nothing while a switch above it is OFF.'
            ELSE 'Db2 collects no statistics by itself, and ' || CAST(F.STALE_TABLES AS VARCHAR(20))
                || ' of the tables that are read most have none or old ones.'
        END
        || CASE
            WHEN F.AUTO_MAINT = 'OFF' AND LENGTH('x' || F.WOKEN) > 1
                THEN ' Mind that AUTO_MAINT also brings to life what is ON below it:' || F.WOKEN || '.'
            ELSE ''
        END,
        CAST(0 AS DOUBLE)
    FROM OFF AS F
    CROSS JOIN TUNE.RUN_DATABASE AS D
)
SELECT
    OBJECT_TYPE,
    OBJECT_NAME,
    CAST(NULL AS SMALLINT) AS MEMBER,
    CLAIMED_PCT,
    CAST(0 AS DOUBLE) AS RECOVER_LOW,
    CAST(0.1 AS DOUBLE) AS RECOVER_EXPECTED,
    CAST(0.5 AS DOUBLE) AS RECOVER_HIGH,
    CAST(0.3 AS DOUBLE) AS CONFIDENCE,
    TARGET,
    CURRENT_VALUE,
    PROPOSED_VALUE,
    CAST(NULL AS VARCHAR(40)) AS UNIT,
    CAST(0 AS BIGINT) AS MEMORY_DELTA_KB,
    ACTION_TEXT,
    UNDO_TEXT,
    EVIDENCE,
    FINDING,
    CLAIM_2_PCT,
    CAST(0 AS DOUBLE) AS CLAIM_3_PCT
FROM FOUND
