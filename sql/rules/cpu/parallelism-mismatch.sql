-- rule:      cpu.parallelism-mismatch
-- title:     Intra-partition parallelism does not fit the work or the hardware
-- area:      cpu
-- lane:      P
-- effect:    IR
-- risk:      medium
-- applies:   not=managed
-- evidence:  load
-- claims:    PROCESSING
-- needs:     dbmcfg.VALUE, dbcfg.VALUE, system.CPU_ONLINE, system.CPU_USAGE_TOTAL, workload.TOTAL_CPU_TIME,
--            cat_table.TABLEORG
-- threshold: max_cpu_pct = 40 -- [prop] busier processors have nothing to spare for subagents
-- threshold: sessions_per_core = 0.5 -- [prop] with more active sessions than that, they use the cores themselves
-- threshold: min_cores = 4 -- [prop] fewer cores cannot share a query
-- source:    002_e991ec30bbd9209f.txt, appendix A (INTRA_PARALLEL NO with a partition a core); IBM documentation of
--            intra_parallel (r0000146), dft_degree (r0000346), max_querydegree (r0000140)
-- why:       Subagents split one query over several cores. A transaction is too short to gain from it and pays for
--            starting them; where each core has a partition already, there is nothing left to split over; one long
--            query on an idle machine uses a single core without it.
-- not-if:    Column-organized tables, which need it, or DB2_WORKLOAD=ANALYTICS; mixed work; the degree is 1
--            already (transactions); more cores than partitions on each host (partitioned); busy processors or
--            many sessions (analysis on one partition); the setting is SYSTEM, waits, or differs between members.
-- note:      What WLM (MAXIMUM DEGREE), a connection or a bind option sets instead cannot be seen here: low confidence.
--            DFT_DEGREE alone takes effect with new connections; INTRA_PARALLEL needs db2start and may rebind
--            packages.
WITH SETTINGS AS (
    SELECT
        MAX(CASE WHEN SCOPE = 'DBM' AND NAME = 'intra_parallel' AND FIXED = 1 THEN VALUE END) AS INTRA,
        MAX(CASE WHEN SCOPE = 'DB' AND NAME = 'dft_degree' AND FIXED = 1 THEN VALUE END) AS DEGREE
    FROM TUNE.SETTING
),
HOSTS AS (
    SELECT
        MIN(CORES - MEMBERS) AS SPARE_CORES,
        MIN(CORES) AS CORES,
        MAX(CPU_USAGE_TOTAL) AS CPU_USAGE_TOTAL
    FROM TUNE.HOST_PROCESSOR
),
MISFIT AS (
    SELECT
        CASE
            WHEN D.TOPOLOGY = 'dpf' AND S.INTRA = 'YES' AND H.SPARE_CORES <= 0 THEN 'partitions'
            WHEN K.CLASS = 'OLTP' AND S.INTRA = 'YES' AND S.DEGREE <> '1' THEN 'transactions'
            WHEN
                K.CLASS = 'BI' AND D.TOPOLOGY = 'single' AND S.INTRA = 'NO' AND S.DEGREE IS NOT NULL
                AND H.CORES >= O.MIN_CORES AND H.CPU_USAGE_TOTAL < O.MAX_CPU_PCT
                AND T.ACTIVE_SESSIONS <= O.SESSIONS_PER_CORE * H.CORES
                THEN 'analysis'
        END AS KIND,
        S.INTRA,
        S.DEGREE,
        H.CORES,
        H.CPU_USAGE_TOTAL,
        T.ACTIVE_SESSIONS,
        T.CPU_PCT,
        K.P_BI,
        K.P_OLTP,
        D.DB_NAME
    FROM SETTINGS AS S
    CROSS JOIN HOSTS AS H
    CROSS JOIN TUNE.WORKLOAD_CLASS AS K
    CROSS JOIN TUNE.DATABASE_TIME AS T
    CROSS JOIN TUNE.RUN_DATABASE AS D
    CROSS JOIN TUNE.O_CPU_PARALLELISM_MISMATCH AS O
    WHERE
        NOT EXISTS (SELECT 1 FROM TUNE.D_CAT_TABLE AS C WHERE C.TABLEORG = 'C')
        AND NOT EXISTS (
            SELECT 1 FROM TUNE.CONFIG AS R
            WHERE R.SCOPE = 'REG' AND R.NAME = 'DB2_WORKLOAD' AND R.VALUE = 'ANALYTICS'
        )
)
SELECT
    'DATABASE' AS OBJECT_TYPE,
    M.DB_NAME AS OBJECT_NAME,
    CAST(NULL AS SMALLINT) AS MEMBER,
    M.CPU_PCT * CASE M.KIND WHEN 'transactions' THEN M.P_OLTP WHEN 'analysis' THEN M.P_BI ELSE 1 END AS CLAIMED_PCT,
    CAST(0.02 AS DOUBLE) AS RECOVER_LOW,
    CAST(0.05 AS DOUBLE) AS RECOVER_EXPECTED,
    CAST(0.15 AS DOUBLE) AS RECOVER_HIGH,
    CAST(0.3 AS DOUBLE) AS CONFIDENCE,
    CASE M.KIND WHEN 'transactions' THEN 'DBCFG:DFT_DEGREE' ELSE 'DBMCFG:INTRA_PARALLEL' END AS TARGET,
    CASE M.KIND WHEN 'transactions' THEN M.DEGREE ELSE M.INTRA END AS CURRENT_VALUE,
    CASE M.KIND WHEN 'transactions' THEN '1' WHEN 'partitions' THEN 'NO' ELSE 'YES' END AS PROPOSED_VALUE,
    CAST(NULL AS VARCHAR(40)) AS UNIT,
    CAST(0 AS BIGINT) AS MEMORY_DELTA_KB,
    CASE
        WHEN M.KIND = 'transactions' THEN 'UPDATE DB CFG FOR ' || M.DB_NAME || ' USING DFT_DEGREE 1'
        WHEN M.KIND = 'partitions' THEN 'UPDATE DBM CFG USING INTRA_PARALLEL NO'
        WHEN M.DEGREE = '1'
            THEN 'UPDATE DBM CFG USING INTRA_PARALLEL YES' || CHR(10)
                || 'UPDATE DB CFG FOR ' || M.DB_NAME || ' USING DFT_DEGREE -1'
        ELSE 'UPDATE DBM CFG USING INTRA_PARALLEL YES'
    END AS ACTION_TEXT,
    CASE
        WHEN M.KIND = 'transactions' THEN 'UPDATE DB CFG FOR ' || M.DB_NAME || ' USING DFT_DEGREE ' || M.DEGREE
        WHEN M.KIND = 'partitions' THEN 'UPDATE DBM CFG USING INTRA_PARALLEL YES'
        WHEN M.DEGREE = '1'
            THEN 'UPDATE DB CFG FOR ' || M.DB_NAME || ' USING DFT_DEGREE 1' || CHR(10)
                || 'UPDATE DBM CFG USING INTRA_PARALLEL NO'
        ELSE 'UPDATE DBM CFG USING INTRA_PARALLEL NO'
    END AS UNDO_TEXT,
    'INTRA_PARALLEL=' || M.INTRA || '; DFT_DEGREE=' || COALESCE(M.DEGREE, 'not the same everywhere')
    || '; cores=' || COALESCE(CAST(M.CORES AS VARCHAR(20)), 'not known')
    || '; CPU_USAGE_TOTAL=' || COALESCE(CAST(M.CPU_USAGE_TOTAL AS VARCHAR(20)), 'not known')
    || '; active_sessions=' || CAST(CAST(ROUND(M.ACTIVE_SESSIONS, 1) AS DECIMAL(15, 1)) AS VARCHAR(20)) AS EVIDENCE,
    CASE M.KIND
        WHEN 'transactions'
            THEN 'Transactions are split over subagents: INTRA_PARALLEL YES, DFT_DEGREE ' || M.DEGREE || '.'
        WHEN 'partitions' THEN 'Every core has a partition already, and INTRA_PARALLEL YES splits its work once more.'
        ELSE 'Queries run on one core each, while ' || CAST(M.CORES AS VARCHAR(20)) || ' cores are '
            || CAST(M.CPU_USAGE_TOTAL AS VARCHAR(20)) || ' % busy with '
            || CAST(CAST(ROUND(M.ACTIVE_SESSIONS, 1) AS DECIMAL(15, 1)) AS VARCHAR(20)) || ' active sessions.'
    END AS FINDING,
    CAST(0 AS DOUBLE) AS CLAIM_2_PCT,
    CAST(0 AS DOUBLE) AS CLAIM_3_PCT
FROM MISFIT AS M
WHERE M.KIND IS NOT NULL AND M.CPU_PCT > 0
