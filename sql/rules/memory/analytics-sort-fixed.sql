/*---
rule: memory.analytics-sort-fixed
title: 'Column-organized tables: sort memory too small or AUTOMATIC'
lane: performance
takes_effect: immediately
applies: {from: '10.5'}
judged_by: load
needs: [workload.TOTAL_COL_PROC_TIME, workload.HASH_JOIN_OVERFLOWS, workload.TOTAL_HASH_JOINS, dbcfg.VALUE,
  dbmcfg.VALUE, system.MEMORY_FREE]
object: DATABASE
claims:
  COL: {events: OVERFLOWS, cost_ms: OPERATION_MS}
  POOL_READ: {events: SPILL_READS, cost_ms: SPILL_READ_MS}
  PREFETCH_WAIT: {events: SPILL_WAITS, cost_ms: SPILL_WAIT_MS}
recover: [0.1, 0.3, 0.6]
confidence: 0.6
memory: GROWTH_KB
unit: 4 KB pages
exclusive: sortheap
thresholds:
  host_col_pct:
    default: 50
    from: own
    why: above it the database is mainly column-organized, and gets its sort memory at once
  shr_part:
    default: 0.4
    from: field
    why: part of the database's memory for all sorts, hash joins and aggregations together
  at_a_time: {default: 20, from: field, why: operations that may hold a full SORTHEAP at the same time}
  least_at_a_time: {default: 5, from: field, why: fewer at the same time leave no memory for the next query}
  min_pages: {default: 100000, from: own, why: a database with less than 400 MB has no memory to reserve for sorts}
actions:
  - set:
      - {kind: DBCFG, name: SHEAPTHRES_SHR, from: '{SHEAPTHRES_SHR:text}', to: '{NEW_SHEAPTHRES_SHR}'}
      - {kind: DBCFG, name: SORTHEAP, from: '{SORTHEAP:text}', to: '{NEW_SORTHEAP}'}
  - when: AUTOMATIC_REFUSED = 1
    undo:
      manual: >-
        Db2 refuses AUTOMATIC for SHEAPTHRES_SHR while DB2_WORKLOAD is ANALYTICS or WLM_ADMISSION_CTRL is YES
        (SQL1668N). Set the old sizes as fixed values instead.
finding: >-
  Column-organized tables take {COL_PCT:1} % of database time with SHEAPTHRES_SHR {SHEAPTHRES_SHR:text} and SORTHEAP
  {SORTHEAP:text}. {OVERFLOWS} of {OPERATIONS} sorts, joins and aggregations spilled.
evidence: [SHEAPTHRES_SHR:text, SORTHEAP:text, DATABASE_MEMORY, TOTAL_COL_PROC_TIME_pct=COL_PCT:2,
  overflows=OVERFLOWS, operations=OPERATIONS, spills_pct=SPILL_PCT:2]
references:
  - IBM documentation of sheapthres_shr (r0006014) and sortheap (r0000259)
why: >-
  Joins and aggregations of column-organized tables work in sort memory. Self-tuning of sort memory is not supported for
  them: the Db2 manual warns of worse performance and of running out of memory.
not_if: >-
  Both settings are fixed, at least the manual's minimum or all that database memory allows, and spills cost little or
  SORTHEAP is a fifth of SHEAPTHRES_SHR; both are fixed, column-organized tables are a minor part and fewer than 10
  operations spilled; one setting is pending or differs between members; sorts are private; the size of database memory
  is unknown.
note: >-
  The smallest sizes are the manual's, the two parts of memory general knowledge. Neither setting is ever reduced. If
  column-organized tables are a minor part, SHEAPTHRES_SHR at most doubles. A spill does the work about twice, so the
  claim is the average time of one operation per spill, plus the reads of temporary table spaces. Without spills the
  finding is housekeeping. For the utility heap see memory.util-heap-starved.
---*/
WITH SETTING AS (
    SELECT
        A.NUM AS SHR_PAGES,
        A.AUTOMATIC AS SHR_AUTOMATIC,
        S.NUM AS SORT_PAGES,
        S.AUTOMATIC AS SORT_AUTOMATIC,
        M.NUM AS DATABASE_MEMORY,
        W.*,
        -- the limit for all sorts: by the database's memory, by the free memory, and for guests by one doubling
        GREATEST(A.NUM, FLOOR(ROUND(LEAST(
            O.SHR_PART * M.NUM,
            A.NUM + COALESCE(B.BUDGET_KB / CAST(4 AS DOUBLE), M.NUM),
            CASE WHEN W.COL_PCT >= O.HOST_COL_PCT OR T.ANALYTICS = 1 THEN M.NUM ELSE 2 * A.NUM END
        ), 6))) AS ALL_PAGES,
        CASE WHEN W.OVERFLOWS >= CONST.RARE_EVENTS AND W.SPILL_PCT >= SITE.HIGH_PCT THEN 1 ELSE 0 END AS SPILLS,
        CASE
            WHEN W.COL_PCT >= O.HOST_COL_PCT OR T.ANALYTICS = 1 OR W.OVERFLOWS >= CONST.RARE_EVENTS THEN 1 ELSE 0
        END AS IN_NEED
    FROM TUNE.SETTING AS A
    INNER JOIN TUNE.SETTING AS S
        ON
            S.SCOPE = 'DB' AND S.NAME = 'sortheap' AND S.NUM > 0
            AND (S.FIXED = 1 OR (S.AUTOMATIC = 1 AND S.PENDING = 0))
    INNER JOIN TUNE.SETTING AS M ON M.SCOPE = 'DB' AND M.NAME = 'database_memory'
    INNER JOIN TUNE.SETTING AS P ON P.SCOPE = 'DBM' AND P.NAME = 'sheapthres' AND P.NUM = 0
    CROSS JOIN TUNE.SORT_WORK AS W
    CROSS JOIN TUNE.STMM AS T
    CROSS JOIN TUNE.MEMORY_BUDGET AS B
    CROSS JOIN TUNE.O_MEMORY_ANALYTICS_SORT_FIXED AS O
    CROSS JOIN TUNE.O_SITE AS SITE
    CROSS JOIN TUNE.CONSTANT AS CONST
    WHERE
        A.SCOPE = 'DB' AND A.NAME = 'sheapthres_shr' AND A.NUM > 0
        AND (A.FIXED = 1 OR (A.AUTOMATIC = 1 AND A.PENDING = 0))
        AND M.NUM >= O.MIN_PAGES
        AND W.COL_PCT >= SITE.COLUMN_PCT
),
ALL_SIZED AS (
    SELECT
        S.*,
        CASE
            WHEN S.SHR_AUTOMATIC = 1 OR (S.SHR_PAGES < 1000000 AND S.IN_NEED = 1) THEN S.ALL_PAGES
            ELSE S.SHR_PAGES
        END AS NEW_SHEAPTHRES_SHR
    FROM SETTING AS S
),
SIZED AS (
    SELECT
        S.*,
        GREATEST(S.SORT_PAGES, FLOOR(ROUND(CASE
            WHEN S.SORT_AUTOMATIC = 1 OR (S.SORT_PAGES < 32768 AND S.IN_NEED = 1)
                THEN S.NEW_SHEAPTHRES_SHR / CAST(NULLIF(O.AT_A_TIME, 0) AS DOUBLE)
            WHEN S.SPILLS = 1
                THEN LEAST(
                    2 * S.SORT_PAGES, S.NEW_SHEAPTHRES_SHR / CAST(NULLIF(O.LEAST_AT_A_TIME, 0) AS DOUBLE)
                )
            ELSE S.SORT_PAGES
        END, 6))) AS NEW_SORTHEAP
    FROM ALL_SIZED AS S
    CROSS JOIN TUNE.O_MEMORY_ANALYTICS_SORT_FIXED AS O
)
SELECT
    CAST(S.SHR_PAGES AS VARCHAR(20)) || CASE WHEN S.SHR_AUTOMATIC = 1 THEN ' AUTOMATIC' ELSE '' END AS SHEAPTHRES_SHR,
    CAST(S.SORT_PAGES AS VARCHAR(20)) || CASE WHEN S.SORT_AUTOMATIC = 1 THEN ' AUTOMATIC' ELSE '' END AS SORTHEAP,
    S.NEW_SHEAPTHRES_SHR,
    S.NEW_SORTHEAP,
    CASE WHEN S.SHR_AUTOMATIC = 1 AND X.REFUSED = 1 THEN 1 ELSE 0 END AS AUTOMATIC_REFUSED,
    4 * (S.NEW_SHEAPTHRES_SHR - S.SHR_PAGES) AS GROWTH_KB,
    S.DATABASE_MEMORY,
    S.OVERFLOWS,
    S.OPERATIONS,
    S.COL_PCT,
    S.SPILL_PCT,
    S.SPILL_READS,
    S.SPILL_READ_MS,
    S.SPILL_WAITS,
    S.SPILL_WAIT_MS,
    CAST(T.TOTAL_COL_PROC_TIME AS DOUBLE) / NULLIF(S.OPERATIONS, 0) AS OPERATION_MS
FROM SIZED AS S
CROSS JOIN TUNE.DATABASE_TIME AS T
CROSS JOIN (
    SELECT
        MAX(
            CASE
                WHEN SCOPE = 'REG' AND NAME = 'DB2_WORKLOAD' AND VALUE = 'ANALYTICS' THEN 1
                WHEN SCOPE = 'DB' AND NAME = 'wlm_admission_ctrl' AND VALUE = 'YES' THEN 1
                ELSE 0
            END
        ) AS REFUSED
    FROM TUNE.SETTING
) AS X
WHERE
    S.SHR_AUTOMATIC = 1 OR S.SORT_AUTOMATIC = 1
    OR S.NEW_SHEAPTHRES_SHR > S.SHR_PAGES OR S.NEW_SORTHEAP > S.SORT_PAGES
