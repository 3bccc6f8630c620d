-- rule:      memory.sort-overflow
-- title:     Sorts and hash joins spill to temporary tables
-- area:      memory
-- lane:      P
-- effect:    ON
-- evidence:  load
-- claims:    SORT, POOL_READ
-- exclusive: sortheap
-- yields:    memory.sort-threshold-exceeded@any
-- after:     memory.sort-threshold-exceeded
-- needs:     workload.TOTAL_SECTION_SORT_PROC_TIME, workload.SORT_OVERFLOWS, workload.TOTAL_HASH_JOINS,
--            dbcfg.VALUE, dbmcfg.VALUE, system.MEMORY_FREE
-- threshold: min_operations = 500 -- [prop] fewer sorts and hash joins give no ratio
-- threshold: oltp_pct = 3 -- [doc] transaction processing: more spills than this hurt
-- threshold: bi_pct = 30 -- [doc] a warehouse: large sorts spill, a third of them should not
-- threshold: min_share_pct = 5 -- [prop] sorting and reading spilled data, in percent of database time
-- threshold: one_statement = 0.7 -- [prop] a statement with more of the overflows needs an index, not memory
-- threshold: min_statements = 5 -- [prop] fewer statements say nothing about what most of them need
-- threshold: oltp_pages = 2048 -- [seed 002] the most that transaction processing was ever given
-- source:    000_9a1c354496f94ea4.txt, "Optimizing memory utilization"; 002_e991ec30bbd9209f.txt, appendices; IBM
--            documentation of sortheap, sheapthres (r0000290) and sheapthres_shr (r0006014)
-- why:       A sort that does not fit into SORTHEAP is written to a temporary table in runs and merged again.
-- not-if:    SORTHEAP is AUTOMATIC, pending, or differs between members; the threshold of all sorts leaves no
--            room; nine of ten spilling statements never used more than they may; one statement makes most of the
--            overflows; DB2_WORKLOAD is ANALYTICS.
-- note:      The size is what nine of ten spilling statements in the package cache used at their peak, or one
--            doubling where too few of them are there. It stays below half of SHEAPTHRES_SHR (of
--            SHEAPTHRES in the private model), since how many sorts run at a time is not collected. With
--            SHEAPTHRES_SHR AUTOMATIC Db2 refuses a fixed SORTHEAP, so there the rule is silent. Between the two
--            classes of workload the bound is interpolated.
WITH SETTING AS (
    SELECT
        MIN(CASE WHEN NAME = 'sortheap' THEN NUM END) AS SORTHEAP,
        MAX(CASE WHEN NAME = 'sortheap' THEN NUM END) AS MAX_SORTHEAP,
        MIN(CASE WHEN NAME = 'sheapthres_shr' THEN NUM END) AS SHEAPTHRES_SHR,
        COALESCE(MAX(CASE WHEN NAME = 'sheapthres_shr' THEN AUTOMATIC END), 0) AS SHR_AUTOMATIC,
        COALESCE(MAX(CASE WHEN NAME = 'sheapthres' THEN NUM END), 0) AS SHEAPTHRES,
        MAX(CASE WHEN NAME = 'sortheap' THEN AUTOMATIC END) AS AUTOMATIC,
        MAX(CASE WHEN NAME = 'sortheap' THEN PENDING END) AS PENDING,
        MAX(CASE WHEN NAME = 'DB2_WORKLOAD' AND VALUE = 'ANALYTICS' THEN 1 ELSE 0 END) AS ANALYTICS
    FROM TUNE.CONFIG
    WHERE NAME IN ('sortheap', 'sheapthres_shr', 'sheapthres', 'DB2_WORKLOAD')
),
SPILLING AS (
    SELECT
        EXECUTABLE_ID,
        MAX(SORT_SHRHEAP_TOP) AS PAGES,
        SUM(SORT_OVERFLOWS) AS SORT_OVERFLOWS
    FROM TUNE.D_STATEMENT
    WHERE SORT_OVERFLOWS > 0
    GROUP BY EXECUTABLE_ID
),
PLACED AS (
    SELECT
        PAGES,
        ROW_NUMBER() OVER (ORDER BY PAGES) AS N,
        COUNT(*) OVER () AS STATEMENTS
    FROM SPILLING
    WHERE PAGES > 0
),
NEED AS (
    SELECT
        MIN(CASE WHEN 10 * N >= 9 * STATEMENTS THEN PAGES END) AS P90,
        COALESCE(MAX(STATEMENTS), 0) AS STATEMENTS
    FROM PLACED
),
WORST AS (
    SELECT COALESCE(MAX(SORT_OVERFLOWS), 0) AS SORT_OVERFLOWS FROM SPILLING
),
TEMPORARY AS (
    SELECT COALESCE(SUM(SHARE_PCT), 0) AS SHARE_PCT
    FROM TUNE.TABLESPACE
    WHERE TBSP_CONTENT_TYPE = 'SYSTEMP'
),
SPILL AS (
    SELECT
        T.SORT_OVERFLOWS + T.HASH_JOIN_OVERFLOWS AS OVERFLOWS,
        T.TOTAL_SORTS + T.TOTAL_HASH_JOINS AS OPERATIONS,
        T.SORT_OVERFLOWS,
        CASE
            WHEN T.TOTAL_SORTS > 0 THEN CAST(T.SORT_OVERFLOWS AS DOUBLE) / NULLIF(T.TOTAL_SORTS, 0)
            ELSE CAST(0 AS DOUBLE)
        END AS SORT_PART,
        T.SORT_PCT,
        P.SHARE_PCT AS TEMP_PCT
    FROM TUNE.DATABASE_TIME AS T
    CROSS JOIN TEMPORARY AS P
),
SIZED AS (
    SELECT
        S.SORTHEAP,
        S.SHEAPTHRES,
        S.SHEAPTHRES_SHR,
        N.P90,
        N.STATEMENTS,
        L.*,
        -- at the least of: the need, half of the threshold that holds, and in transaction processing its bound
        CAST(LEAST(
            CASE WHEN N.STATEMENTS >= O.MIN_STATEMENTS THEN N.P90 ELSE 2 * S.SORTHEAP END,
            CAST(FLOOR(
                CASE WHEN S.SHEAPTHRES > 0 THEN S.SHEAPTHRES ELSE COALESCE(S.SHEAPTHRES_SHR, 0) END / CAST(2 AS DOUBLE)
            ) AS BIGINT),
            CASE WHEN K.CLASS = 'OLTP' THEN CAST(FLOOR(O.OLTP_PAGES) AS BIGINT) ELSE CAST(4194303 AS BIGINT) END
        ) AS BIGINT) AS PAGES
    FROM SETTING AS S
    CROSS JOIN NEED AS N
    CROSS JOIN WORST AS W
    CROSS JOIN SPILL AS L
    CROSS JOIN TUNE.WORKLOAD_CLASS AS K
    CROSS JOIN TUNE.O_MEMORY_SORT_OVERFLOW AS O
    WHERE
        S.SORTHEAP = S.MAX_SORTHEAP AND S.AUTOMATIC = 0 AND S.PENDING = 0 AND S.ANALYTICS = 0
        AND (S.SHEAPTHRES > 0 OR S.SHR_AUTOMATIC = 0)
        AND L.OPERATIONS >= O.MIN_OPERATIONS
        AND 100 * L.OVERFLOWS > (O.OLTP_PCT + (O.BI_PCT - O.OLTP_PCT) * K.P_BI) * L.OPERATIONS
        AND L.SORT_PCT + L.TEMP_PCT >= O.MIN_SHARE_PCT
        AND W.SORT_OVERFLOWS <= O.ONE_STATEMENT * L.SORT_OVERFLOWS
)
SELECT
    'DATABASE' AS OBJECT_TYPE,
    D.DB_NAME AS OBJECT_NAME,
    CAST(NULL AS SMALLINT) AS MEMBER,
    S.SORT_PCT * S.SORT_PART + S.TEMP_PCT AS CLAIMED_PCT,
    CAST(0.2 AS DOUBLE) AS RECOVER_LOW,
    CAST(0.5 AS DOUBLE) AS RECOVER_EXPECTED,
    CAST(0.8 AS DOUBLE) AS RECOVER_HIGH,
    CAST(0.6 AS DOUBLE) AS CONFIDENCE,
    'DBCFG:SORTHEAP' AS TARGET,
    CAST(S.SORTHEAP AS VARCHAR(20)) AS CURRENT_VALUE,
    CAST(S.PAGES AS VARCHAR(20)) AS PROPOSED_VALUE,
    '4 KB pages' AS UNIT,
    CAST(4 * (S.PAGES - S.SORTHEAP) AS BIGINT) AS MEMORY_DELTA_KB,
    'UPDATE DB CFG FOR ' || D.DB_NAME || ' USING SORTHEAP ' || CAST(S.PAGES AS VARCHAR(20)) AS ACTION_TEXT,
    'UPDATE DB CFG FOR ' || D.DB_NAME || ' USING SORTHEAP ' || CAST(S.SORTHEAP AS VARCHAR(20)) AS UNDO_TEXT,
    'SORTHEAP=' || CAST(S.SORTHEAP AS VARCHAR(20))
    || '; overflows=' || CAST(S.OVERFLOWS AS VARCHAR(20))
    || '; sorts_and_hash_joins=' || CAST(S.OPERATIONS AS VARCHAR(20))
    || '; TOTAL_SECTION_SORT_PROC_TIME_pct=' || CAST(CAST(ROUND(S.SORT_PCT, 2) AS DECIMAL(9, 2)) AS VARCHAR(20))
    || '; temporary_reads_pct=' || CAST(CAST(ROUND(S.TEMP_PCT, 2) AS DECIMAL(9, 2)) AS VARCHAR(20))
    || '; spilling_statements=' || CAST(S.STATEMENTS AS VARCHAR(20))
    || '; SORT_SHRHEAP_TOP_p90=' || COALESCE(CAST(S.P90 AS VARCHAR(20)), 'not known')
    || '; SHEAPTHRES=' || CAST(S.SHEAPTHRES AS VARCHAR(20))
    || '; SHEAPTHRES_SHR=' || COALESCE(CAST(S.SHEAPTHRES_SHR AS VARCHAR(20)), 'not known') AS EVIDENCE,
    CAST(S.OVERFLOWS AS VARCHAR(20)) || ' of ' || CAST(S.OPERATIONS AS VARCHAR(20))
    || ' sorts and hash joins did not fit into SORTHEAP ' || CAST(S.SORTHEAP AS VARCHAR(20))
    || '; sorting takes ' || CAST(CAST(ROUND(S.SORT_PCT, 2) AS DECIMAL(9, 2)) AS VARCHAR(20))
    || ' % of database time.' AS FINDING,
    S.TEMP_PCT AS CLAIM_2_PCT,
    CAST(0 AS DOUBLE) AS CLAIM_3_PCT
FROM SIZED AS S
CROSS JOIN TUNE.RUN_DATABASE AS D
WHERE S.PAGES > S.SORTHEAP
