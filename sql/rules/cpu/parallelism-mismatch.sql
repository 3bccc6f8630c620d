/*---
rule: cpu.parallelism-mismatch
title: Intra-partition parallelism does not fit the workload
lane: performance
takes_effect: instance restart
risk: medium
judged_by: load
needs: [dbmcfg.VALUE, dbcfg.VALUE, system.CPU_ONLINE, system.CPU_USAGE_TOTAL, workload.TOTAL_CPU_TIME,
  cat_table.TABLEORG]
object: DATABASE
claims: {PROCESSING: {events: LONG_QUERIES, cost_ms: SPLIT_MS}}
recover: [0.1, 0.3, 0.6]
confidence: 0.3
thresholds:
  sessions_per_core:
    default: 0.5
    from: own
    why: with more active sessions per core, the sessions use the cores themselves
  min_cores: {default: 4, from: own, why: fewer cores cannot share a query}
  min_query_ms: {default: 1000, from: own, why: CPU time; a shorter query does not pay for its subagents}
  max_degree: {default: 8, from: field, why: 'above it, subagents of one query mostly wait for each other'}
actions:
  - when: MISFIT = 'transactions'
    takes_effect: immediately
    set: {kind: DBCFG, name: DFT_DEGREE, from: '{DFT_DEGREE:text}', to: '1'}
  - when: MISFIT = 'partitions'
    set: {kind: DBMCFG, name: INTRA_PARALLEL, from: '{INTRA_PARALLEL:text}', to: 'NO'}
  - when: MISFIT = 'analysis'
    set: {kind: DBMCFG, name: INTRA_PARALLEL, from: '{INTRA_PARALLEL:text}', to: 'YES'}
  - when: MISFIT = 'analysis' AND DFT_DEGREE = '1'
    takes_effect: immediately
    set: {kind: DBCFG, name: DFT_DEGREE, from: '{DFT_DEGREE:text}', to: '-1'}
finding:
  - when: MISFIT = 'transactions'
    text: 'Transactions are split over subagents: INTRA_PARALLEL YES, DFT_DEGREE {DFT_DEGREE:text}.'
  - when: MISFIT = 'partitions'
    text: Every core already has a partition, and INTRA_PARALLEL YES splits its work again.
  - when: MISFIT = 'analysis'
    text: >-
      Each long query runs on one core and takes {QUERY_MS} ms of CPU time on average. {CORES} cores are
      {CPU_USAGE_TOTAL} % busy with {ACTIVE_SESSIONS:1} active sessions.
evidence: [INTRA_PARALLEL:text, DFT_DEGREE:text, cores=CORES, CPU_USAGE_TOTAL, active_sessions=ACTIVE_SESSIONS:1]
references:
  - vmware-netapp, appendix A (INTRA_PARALLEL NO with a partition a core)
  - IBM documentation of intra_parallel (r0000146), dft_degree (r0000346), max_querydegree (r0000140)
why: >-
  Subagents split one query over several cores. A transaction is too short to gain and pays for starting them. If each
  core has a partition, no core is left to split over. Without subagents one long query on an idle server uses a single
  core.
not_if: >-
  Column-organized tables, which need it, or DB2_WORKLOAD=ANALYTICS; mixed workload; the degree is already 1 (OLTP);
  more cores than partitions on each host (partitioned); busy processors, many sessions or queries of less than a second
  (analysis on one partition); the setting is SYSTEM, pending, or differs between members.
note: >-
  The claim is the CPU time of a query that idle cores could take over if all of it could be split: an upper bound. The
  cost of useless splitting was not measured: housekeeping. Degrees set by WLM (MAXIMUM DEGREE), a connection or a bind
  option are not visible: low confidence. DFT_DEGREE alone takes effect with new connections; INTRA_PARALLEL needs
  db2start and may rebind packages.
---*/
WITH HOSTS AS (
    SELECT
        MIN(CORES - MEMBERS) AS SPARE_CORES,
        MIN(CORES) AS CORES,
        MAX(CPU_USAGE_TOTAL) AS CPU_USAGE_TOTAL
    FROM TUNE.HOST_PROCESSOR
),
-- short statements must not hide long queries
LONG_STATEMENT AS (
    SELECT
        SUM(X.CPU_MS) AS CPU_MS,
        SUM(X.EXECUTIONS) AS EXECUTIONS
    FROM TUNE.STATEMENT AS X
    CROSS JOIN TUNE.O_CPU_PARALLELISM_MISMATCH AS O
    WHERE X.CPU_MS >= O.MIN_QUERY_MS * X.EXECUTIONS
),
QUERY AS (
    SELECT
        T.ACTIVE_SESSIONS,
        T.CPU_PCT,
        COALESCE(L.CPU_MS, T.TOTAL_CPU_TIME / CAST(1000 AS DOUBLE)) AS QUERIES_MS,
        CAST(COALESCE(L.EXECUTIONS, T.ACT_COMPLETED_TOTAL) AS DOUBLE) AS QUERIES
    FROM TUNE.DATABASE_TIME AS T
    CROSS JOIN TUNE.CONSTANT AS CONST
    LEFT JOIN LONG_STATEMENT AS L ON CONST.MAIN_PART * T.TOTAL_CPU_TIME <= 1000 * L.CPU_MS
),
JUDGED AS (
    SELECT
        CASE
            WHEN D.TOPOLOGY = 'dpf' AND I.VALUE = 'YES' AND H.SPARE_CORES <= 0 THEN 'partitions'
            WHEN K.CLASS = 'OLTP' AND I.VALUE = 'YES' AND P.FIXED = 1 AND P.VALUE <> '1' THEN 'transactions'
            WHEN
                K.CLASS = 'BI' AND D.TOPOLOGY = 'single' AND I.VALUE = 'NO' AND P.FIXED = 1
                AND H.CORES >= O.MIN_CORES AND H.CPU_USAGE_TOTAL < SITE.IDLE_CPU_PCT
                AND T.ACTIVE_SESSIONS <= O.SESSIONS_PER_CORE * H.CORES
                AND T.QUERIES_MS >= O.MIN_QUERY_MS * T.QUERIES
                THEN 'analysis'
        END AS MISFIT,
        I.VALUE AS INTRA_PARALLEL,
        CASE WHEN P.FIXED = 1 THEN P.VALUE ELSE 'not the same everywhere' END AS DFT_DEGREE,
        H.CORES,
        H.CPU_USAGE_TOTAL,
        T.ACTIVE_SESSIONS,
        T.CPU_PCT,
        T.QUERIES,
        CAST(T.QUERIES_MS AS DOUBLE) / NULLIF(T.QUERIES, 0) AS QUERY_MS,
        -- for each session its own core and an equal part of the idle cores
        GREATEST(1, LEAST(O.MAX_DEGREE, COALESCE(
            1 + H.CORES * CAST(100 - H.CPU_USAGE_TOTAL AS DOUBLE) / NULLIF(100 * GREATEST(1, T.ACTIVE_SESSIONS), 0), 1
        ))) AS DEGREE,
        K.P_BI
    FROM HOSTS AS H
    CROSS JOIN TUNE.RUN_DATABASE AS D
    CROSS JOIN QUERY AS T
    CROSS JOIN TUNE.WORKLOAD_CLASS AS K
    CROSS JOIN TUNE.O_CPU_PARALLELISM_MISMATCH AS O
    CROSS JOIN TUNE.O_SITE AS SITE
    INNER JOIN TUNE.SETTING AS I ON I.SCOPE = 'DBM' AND I.NAME = 'intra_parallel' AND I.FIXED = 1
    LEFT JOIN TUNE.SETTING AS P ON P.SCOPE = 'DB' AND P.NAME = 'dft_degree'
    WHERE
        NOT EXISTS (SELECT 1 FROM TUNE.D_CAT_TABLE AS C WHERE C.TABLEORG = 'C')
        AND NOT EXISTS (
            SELECT 1 FROM TUNE.SETTING AS R
            WHERE R.SCOPE = 'REG' AND R.NAME = 'DB2_WORKLOAD' AND R.VALUE = 'ANALYTICS'
        )
)
SELECT
    MISFIT,
    INTRA_PARALLEL,
    DFT_DEGREE,
    CORES,
    CPU_USAGE_TOTAL,
    ACTIVE_SESSIONS,
    QUERY_MS,
    CASE WHEN MISFIT = 'analysis' THEN QUERIES * P_BI END AS LONG_QUERIES,
    QUERY_MS * (1 - 1 / CAST(NULLIF(DEGREE, 0) AS DOUBLE)) AS SPLIT_MS
FROM JUDGED
WHERE MISFIT IS NOT NULL AND CPU_PCT > 0
