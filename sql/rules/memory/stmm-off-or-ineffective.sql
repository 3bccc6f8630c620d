-- rule:      memory.stmm-off-or-ineffective
-- title:     Self-tuning memory is off, or has nothing that it may tune
-- area:      memory
-- lane:      P
-- effect:    ON
-- risk:      medium
-- applies:   from=9.1
-- evidence:  load
-- claims:    POOL_READ, SORT, COMPILE
-- exclusive: sortheap
-- needs:     cat_bufferpool.NPAGES, dbcfg.VALUE, dbmcfg.VALUE
-- threshold: min_hr_index = 0.95 -- [prop] a pool with a lower hit ratio of indexes lacks memory
-- threshold: min_hr_data = 0.9 -- [prop] a pool with a lower hit ratio of data lacks memory, except for scans
-- threshold: oltp_pct = 3 -- [doc] transaction processing: more sorts that spill lack memory
-- threshold: bi_pct = 30 -- [doc] a warehouse: more sorts that spill lack memory
-- threshold: min_operations = 500 -- [prop] fewer sorts and hash joins, or lookups by ten, give no ratio
-- threshold: min_hit_pct = 90 -- [prop] a package cache that finds fewer statements lacks memory
-- source:    002_e991ec30bbd9209f.txt, 2.1 and 5.4, "use DB2 automatic parameters whenever possible"; IBM documentation
--            of self_tuning_mem (r0021626), self-tuning memory (c0021627) and sheapthres (r0000260)
-- why:       Self-tuning memory measures which area would gain most from a page and moves pages there, every few
--            minutes. It moves them only between areas that are AUTOMATIC, and needs two of them; the sort heap
--            only where all sorts are shared, which SHEAPTHRES 0 says.
-- not-if:    The site sizes memory by hand on purpose (stmm=OFF); no area lacks memory by the measures of the rules
--            for pools, sorts and the package cache; DB2_WORKLOAD is ANALYTICS; DB2_LARGE_PAGE_MEM is set; the
--            database is partitioned; SELF_TUNING_MEM waits for the next activation, or members differ. Pools of
--            pureScale do not count: what they miss may lie in the group buffer pool.
-- note:      Half of what those rules expect back is claimed, since self-tuning finds its sizes by itself and in
--            time. A fixed size for one area and AUTOMATIC exclude each other: the better score is shown. Where a cap
--            on pools is declared they stay fixed. In a partitioned database self-tuning is off by default, starts
--            only with ACTIVATE DATABASE and takes one member's sizes for all: nothing is said there. It counts on the
--            free memory of the host: where several instances share one, each needs INSTANCE_MEMORY.
WITH LACK AS (
    SELECT
        COALESCE((
            SELECT SUM(B.SHARE_PCT * B.P_OLTP)
            FROM TUNE.SIZED_POOL AS B
            WHERE
                B.BUSY = 1 AND B.USED_PAGES > B.BP_CUR_BUFFSZ AND I.BUFFERPOOL_CAP_MB IS NULL
                AND D.TOPOLOGY <> 'purescale'
                AND (B.INDEX_HIT_RATIO < O.MIN_HR_INDEX OR (B.DATA_HIT_RATIO < O.MIN_HR_DATA AND B.CLASS <> 'BI'))
        ), 0) AS POOL_PCT,
        CASE
            WHEN
                T.TOTAL_SORTS + T.TOTAL_HASH_JOINS >= O.MIN_OPERATIONS
                AND 100 * (T.SORT_OVERFLOWS + T.HASH_JOIN_OVERFLOWS)
                > (O.OLTP_PCT + (O.BI_PCT - O.OLTP_PCT) * K.P_BI) * (T.TOTAL_SORTS + T.TOTAL_HASH_JOINS)
                THEN T.SORT_PCT * (CAST(T.SORT_OVERFLOWS + T.HASH_JOIN_OVERFLOWS AS DOUBLE)
                    / NULLIF(T.TOTAL_SORTS + T.TOTAL_HASH_JOINS, 0))
            ELSE CAST(0 AS DOUBLE)
        END AS SORT_PCT,
        CASE
            WHEN
                T.PKG_CACHE_LOOKUPS >= 10 * O.MIN_OPERATIONS
                AND 100 * T.PKG_CACHE_INSERTS > (100 - O.MIN_HIT_PCT) * T.PKG_CACHE_LOOKUPS
                THEN T.COMPILE_PCT * K.P_OLTP
            ELSE CAST(0 AS DOUBLE)
        END AS COMPILE_PCT
    FROM TUNE.DATABASE_TIME AS T
    CROSS JOIN TUNE.WORKLOAD_CLASS AS K
    CROSS JOIN TUNE.O_SITE AS I
    CROSS JOIN TUNE.RUN_DATABASE AS D
    CROSS JOIN TUNE.O_MEMORY_STMM_OFF_OR_INEFFECTIVE AS O
),
STATE AS (
    SELECT
        M.SWITCH,
        M.CONSUMERS,
        D.DB_NAME,
        L.POOL_PCT,
        CASE WHEN A.PRIVATE_SORTS = 1 AND (M.SWITCH = 'OFF' OR M.ACTIVE = 0) THEN CAST(0 AS DOUBLE) ELSE L.SORT_PCT END
            AS SORT_PCT,
        L.COMPILE_PCT,
        CASE WHEN M.SWITCH = 'OFF' THEN 'off' WHEN M.ACTIVE = 0 THEN 'idle' ELSE 'private' END AS PROBLEM
    FROM TUNE.STMM AS M
    CROSS JOIN TUNE.RUN_DATABASE AS D
    CROSS JOIN LACK AS L
    CROSS JOIN (
        SELECT COALESCE(MAX(CASE WHEN NAME = 'sheapthres' AND NUM > 0 THEN 1 ELSE 0 END), 0) AS PRIVATE_SORTS
        FROM TUNE.SETTING
    ) AS A
    WHERE M.WANTED = 1 AND M.SWITCH IS NOT NULL AND M.ANALYTICS = 0 AND M.LARGE_PAGES = 0 AND D.TOPOLOGY <> 'dpf'
),
STEP (PROBLEM, TARGET, OLD_VALUE, NEW_VALUE, ACTION_TEXT, UNDO_TEXT) AS (
    SELECT
        'off' AS PROBLEM,
        'DBCFG:SELF_TUNING_MEM' AS TARGET,
        'OFF' AS OLD_VALUE,
        'ON' AS NEW_VALUE,
        'UPDATE DB CFG FOR ' || DB_NAME || ' USING SELF_TUNING_MEM ON' AS ACTION_TEXT,
        'UPDATE DB CFG FOR ' || DB_NAME || ' USING SELF_TUNING_MEM OFF' AS UNDO_TEXT
    FROM TUNE.RUN_DATABASE
    UNION ALL
    SELECT
        S.PROBLEM,
        N.TARGET,
        N.OLD_VALUE,
        CASE WHEN N.AREA = 'private sorts' THEN '0' ELSE 'AUTOMATIC' END,
        N.ACTION_TEXT,
        N.UNDO_TEXT
    FROM STATE AS S
    INNER JOIN TUNE.STMM_STEP AS N
        ON
            (S.PROBLEM = 'private' AND N.AREA = 'private sorts')
            OR (S.PROBLEM IN ('off', 'idle') AND N.AREA <> 'private sorts')
),
CLAIM AS (
    SELECT
        S.*,
        CASE WHEN PROBLEM = 'private' THEN CAST(0 AS DOUBLE) ELSE POOL_PCT END AS POOL_CLAIM,
        CASE WHEN PROBLEM = 'private' THEN CAST(0 AS DOUBLE) ELSE COMPILE_PCT END AS COMPILE_CLAIM
    FROM STATE AS S
)
SELECT
    'DATABASE' AS OBJECT_TYPE,
    S.DB_NAME AS OBJECT_NAME,
    CAST(NULL AS SMALLINT) AS MEMBER,
    S.POOL_CLAIM + S.SORT_PCT + S.COMPILE_CLAIM AS CLAIMED_PCT,
    CAST(0.05 AS DOUBLE) AS RECOVER_LOW,
    CAST(0.15 AS DOUBLE) AS RECOVER_EXPECTED,
    CAST(0.3 AS DOUBLE) AS RECOVER_HIGH,
    CAST(0.6 AS DOUBLE) AS CONFIDENCE,
    P.TARGET,
    P.OLD_VALUE AS CURRENT_VALUE,
    P.NEW_VALUE AS PROPOSED_VALUE,
    CASE WHEN P.NEW_VALUE = 'ON' THEN 'switch' ELSE 'pages' END AS UNIT,
    CAST(0 AS BIGINT) AS MEMORY_DELTA_KB,
    P.ACTION_TEXT,
    P.UNDO_TEXT,
    'SELF_TUNING_MEM=' || S.SWITCH
    || '; automatic_areas=' || CAST(S.CONSUMERS AS VARCHAR(20))
    || '; pools_lacking_pct=' || CAST(CAST(ROUND(S.POOL_PCT, 2) AS DECIMAL(9, 2)) AS VARCHAR(20))
    || '; sorts_lacking_pct=' || CAST(CAST(ROUND(S.SORT_PCT, 2) AS DECIMAL(9, 2)) AS VARCHAR(20))
    || '; package_cache_lacking_pct=' || CAST(CAST(ROUND(S.COMPILE_PCT, 2) AS DECIMAL(9, 2)) AS VARCHAR(20))
        AS EVIDENCE,
    CASE S.PROBLEM
        WHEN 'off' THEN 'Self-tuning memory is off'
        WHEN 'idle' THEN 'Self-tuning memory is on, but fewer than two areas are AUTOMATIC, so nothing is tuned'
        ELSE 'SORTHEAP is AUTOMATIC, but SHEAPTHRES is not 0, so sorts are not tuned'
    END
    || ', while areas lack memory: reads of small pools take '
    || CAST(CAST(ROUND(S.POOL_PCT, 1) AS DECIMAL(9, 1)) AS VARCHAR(20)) || ' % of database time, sorts that spill '
    || CAST(CAST(ROUND(S.SORT_PCT, 1) AS DECIMAL(9, 1)) AS VARCHAR(20)) || ' %, statements that the cache lost '
    || CAST(CAST(ROUND(S.COMPILE_PCT, 1) AS DECIMAL(9, 1)) AS VARCHAR(20)) || ' %.' AS FINDING,
    S.SORT_PCT AS CLAIM_2_PCT,
    S.COMPILE_CLAIM AS CLAIM_3_PCT
FROM CLAIM AS S
INNER JOIN STEP AS P ON S.PROBLEM = P.PROBLEM
WHERE S.POOL_CLAIM + S.SORT_PCT + S.COMPILE_CLAIM > 0
