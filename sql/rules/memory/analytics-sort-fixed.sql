-- rule:      memory.analytics-sort-fixed
-- title:     Column-organized tables need sort memory that is large and fixed
-- area:      memory
-- lane:      P
-- effect:    ON
-- applies:   from=10.5
-- evidence:  load
-- claims:    COL
-- needs:     workload.TOTAL_COL_PROC_TIME, workload.HASH_JOIN_OVERFLOWS, workload.TOTAL_HASH_JOINS, dbcfg.VALUE,
--            dbmcfg.VALUE, system.MEMORY_FREE
-- threshold: min_col_pct = 10 -- [prop] work on columns in percent of database time; below it they are a guest
-- threshold: shr_pages = 1000000 -- [doc] the least SHEAPTHRES_SHR that the Configuration Advisor sets for them
-- threshold: sort_pages = 32768 -- [doc] the least SORTHEAP that the Configuration Advisor sets for them
-- threshold: shr_part = 0.4 -- [gk] of the database's memory for all sorts, hash joins and aggregations together
-- threshold: at_a_time = 20 -- [gk] operations that may hold a full SORTHEAP together
-- threshold: min_pages = 100000 -- [prop] a database with less than 400 MB has no memory to fix for sorts
-- source:    IBM documentation of sheapthres_shr (r0006014) and sortheap (r0000259)
-- why:       Joins and aggregations of column-organized tables work in sort memory. Self-tuning of sort memory is
--            not supported for them: Db2's manual warns of worse performance and of running out of memory.
-- not-if:    Both are fixed and as large as the manual's least, or as the memory of the database allows; one of them
--            is pending or differs between members; sorts are private; how large the database's memory is is not
--            known.
-- note:      The two parts of the memory are general knowledge; the least sizes are the manual's. Only work that
--            spilled can gain, so that part of the time on columns is claimed; without any it is housekeeping. The
--            utility heap for loading such tables is memory.util-heap-starved.
WITH SETTING AS (
    SELECT
        MAX(CASE WHEN NAME = 'sortheap' AND (FIXED = 1 OR (AUTOMATIC = 1 AND PENDING = 0)) THEN NUM END) AS SORTHEAP,
        MAX(CASE WHEN NAME = 'sortheap' THEN AUTOMATIC END) AS SORT_AUTOMATIC,
        MAX(CASE WHEN NAME = 'sheapthres_shr' AND (FIXED = 1 OR (AUTOMATIC = 1 AND PENDING = 0)) THEN NUM END)
            AS SHEAPTHRES_SHR,
        MAX(CASE WHEN NAME = 'sheapthres_shr' THEN AUTOMATIC END) AS SHR_AUTOMATIC,
        MAX(CASE WHEN NAME = 'database_memory' THEN NUM END) AS DATABASE_MEMORY,
        MAX(CASE WHEN NAME = 'sheapthres' THEN NUM END) AS SHEAPTHRES
    FROM TUNE.SETTING
),
LARGE AS (
    SELECT
        S.*,
        O.SHR_PAGES,
        O.SORT_PAGES,
        CAST(FLOOR(ROUND(O.SHR_PART * S.DATABASE_MEMORY, 6)) AS BIGINT) AS ALL_PAGES,
        CAST(FLOOR(ROUND(CAST(O.SHR_PART * S.DATABASE_MEMORY AS DOUBLE) / NULLIF(O.AT_A_TIME, 0), 6)) AS BIGINT)
            AS ONE_PAGES,
        T.COL_PCT,
        T.SORT_OVERFLOWS + T.HASH_JOIN_OVERFLOWS AS OVERFLOWS,
        T.TOTAL_SORTS + T.TOTAL_HASH_JOINS AS OPERATIONS
    FROM SETTING AS S
    CROSS JOIN TUNE.DATABASE_TIME AS T
    CROSS JOIN TUNE.O_MEMORY_ANALYTICS_SORT_FIXED AS O
    WHERE
        T.COL_PCT >= O.MIN_COL_PCT
        AND S.SHEAPTHRES = 0 AND S.SORTHEAP > 0 AND S.SHEAPTHRES_SHR > 0
        AND S.DATABASE_MEMORY >= O.MIN_PAGES
),
SIZED AS (
    SELECT
        L.*,
        CASE
            WHEN L.SHR_AUTOMATIC = 1 THEN L.ALL_PAGES
            WHEN L.SHEAPTHRES_SHR < L.SHR_PAGES AND L.SHEAPTHRES_SHR < L.ALL_PAGES THEN L.ALL_PAGES
            ELSE L.SHEAPTHRES_SHR
        END AS NEW_SHR,
        CASE
            WHEN L.SORT_AUTOMATIC = 1 THEN L.ONE_PAGES
            WHEN L.SORTHEAP < L.SORT_PAGES AND L.SORTHEAP < L.ONE_PAGES THEN L.ONE_PAGES
            ELSE L.SORTHEAP
        END AS NEW_SORT
    FROM LARGE AS L
),
SAID AS (
    SELECT
        S.*,
        D.DB_NAME,
        COALESCE(CAST(S.OVERFLOWS AS DOUBLE) / NULLIF(S.OPERATIONS, 0), 0) AS SPILL_PART,
        'UPDATE DB CFG FOR ' || D.DB_NAME || ' USING SHEAPTHRES_SHR ' AS COMMAND,
        CASE WHEN S.SHR_AUTOMATIC = 1 THEN ' AUTOMATIC' ELSE '' END AS SHR_FLAG,
        CASE WHEN S.SORT_AUTOMATIC = 1 THEN ' AUTOMATIC' ELSE '' END AS SORT_FLAG
    FROM SIZED AS S
    CROSS JOIN TUNE.RUN_DATABASE AS D
)
SELECT
    'DATABASE' AS OBJECT_TYPE,
    S.DB_NAME AS OBJECT_NAME,
    CAST(NULL AS SMALLINT) AS MEMBER,
    S.COL_PCT * S.SPILL_PART AS CLAIMED_PCT,
    CAST(0.1 AS DOUBLE) AS RECOVER_LOW,
    CAST(0.3 AS DOUBLE) AS RECOVER_EXPECTED,
    CAST(0.6 AS DOUBLE) AS RECOVER_HIGH,
    CAST(0.6 AS DOUBLE) AS CONFIDENCE,
    'DBCFG:SHEAPTHRES_SHR' AS TARGET,
    CAST(S.SHEAPTHRES_SHR AS VARCHAR(20)) || S.SHR_FLAG AS CURRENT_VALUE,
    CAST(S.NEW_SHR AS VARCHAR(20)) AS PROPOSED_VALUE,
    '4 KB pages' AS UNIT,
    CAST(4 * (S.NEW_SHR - S.SHEAPTHRES_SHR) AS BIGINT) AS MEMORY_DELTA_KB,
    S.COMMAND || CAST(S.NEW_SHR AS VARCHAR(20)) || ' SORTHEAP ' || CAST(S.NEW_SORT AS VARCHAR(20)) AS ACTION_TEXT,
    S.COMMAND || CAST(S.SHEAPTHRES_SHR AS VARCHAR(20)) || S.SHR_FLAG
    || ' SORTHEAP ' || CAST(S.SORTHEAP AS VARCHAR(20)) || S.SORT_FLAG AS UNDO_TEXT,
    'SHEAPTHRES_SHR=' || CAST(S.SHEAPTHRES_SHR AS VARCHAR(20)) || S.SHR_FLAG
    || '; SORTHEAP=' || CAST(S.SORTHEAP AS VARCHAR(20)) || S.SORT_FLAG
    || '; DATABASE_MEMORY=' || CAST(S.DATABASE_MEMORY AS VARCHAR(20))
    || '; TOTAL_COL_PROC_TIME_pct=' || CAST(CAST(ROUND(S.COL_PCT, 2) AS DECIMAL(9, 2)) AS VARCHAR(20))
    || '; overflows=' || CAST(S.OVERFLOWS AS VARCHAR(20))
    || '; sorts_and_hash_joins=' || CAST(S.OPERATIONS AS VARCHAR(20)) AS EVIDENCE,
    'Work on column-organized tables takes ' || CAST(CAST(ROUND(S.COL_PCT, 1) AS DECIMAL(9, 1)) AS VARCHAR(20))
    || ' % of database time with SHEAPTHRES_SHR ' || CAST(S.SHEAPTHRES_SHR AS VARCHAR(20)) || S.SHR_FLAG
    || ' and SORTHEAP ' || CAST(S.SORTHEAP AS VARCHAR(20)) || S.SORT_FLAG || '; '
    || CAST(S.OVERFLOWS AS VARCHAR(20)) || ' of ' || CAST(S.OPERATIONS AS VARCHAR(20))
    || ' sorts and hash joins spilled.' AS FINDING,
    CAST(0 AS DOUBLE) AS CLAIM_2_PCT,
    CAST(0 AS DOUBLE) AS CLAIM_3_PCT
FROM SAID AS S
WHERE S.SHR_AUTOMATIC = 1 OR S.SORT_AUTOMATIC = 1 OR S.NEW_SHR > S.SHEAPTHRES_SHR OR S.NEW_SORT > S.SORTHEAP
