/*---
rule: memory.sort-overflow
title: Sorts and joins spill to temporary tables
lane: performance
takes_effect: immediately
judged_by: load
needs: [workload.TOTAL_SECTION_SORT_PROC_TIME, workload.SORT_OVERFLOWS, workload.TOTAL_HASH_JOINS, dbcfg.VALUE,
  dbmcfg.VALUE, system.MEMORY_FREE]
object: DATABASE
claims:
  POOL_READ: {events: SPILL_READS, cost_ms: SPILL_READ_MS}
  PREFETCH_WAIT: {events: SPILL_WAITS, cost_ms: SPILL_WAIT_MS}
  SORT: {events: SORT_OVERFLOWS, cost_ms: MERGE_MS}
recover: [LOW, EXPECTED, HIGH]
confidence: CONFIDENCE
memory: GROWTH_KB
exclusive: sortheap
defers_to:
  - {rule: memory.sort-threshold-exceeded, within: any, only_if_larger: true}
thresholds:
  one_statement:
    default: 0.7
    from: own
    why: a statement with a larger part of the spills needs an index, not memory
  most_step: {default: 8, from: own, why: 'largest step, limited by the spilled volume; the next run checks the effect'}
actions:
  - when: WAY = 'automatic'
    set:
      - {kind: DBCFG, name: SHEAPTHRES_SHR, from: '{SHEAPTHRES_SHR}', to: AUTOMATIC}
      - {kind: DBCFG, name: SORTHEAP, from: '{SORTHEAP}', to: AUTOMATIC}
  - when: WAY = 'sortheap'
    set:
      - {kind: DBCFG, name: SORTHEAP, from: '{SORTHEAP}', to: '{NEW_SORTHEAP}', unit: 4 KB pages}
      - {kind: DBCFG, name: SHEAPTHRES_SHR, from: '{SHEAPTHRES_SHR}', to: '{NEW_SHEAPTHRES_SHR}', unit: 4 KB pages}
  - when: WAY = 'statement'
    manual: >-
      One statement[, x'{SPILLING_ID:text}',] causes {STATEMENT_PCT} % of the spills. {REMEDY:text} helps it more than
      memory[: SELECT STMT_TEXT FROM TABLE(MON_GET_PKG_CACHE_STMT(NULL, x'{SPILLING_ID:text}', NULL, -2)) AS T]
  - when: WAY = 'self-tuned'
    manual: >-
      Self-tuning memory sizes SORTHEAP. Remaining spills need memory that no other area can release, or are too large
      for any size. Find the statements: SELECT EXECUTABLE_ID, NUM_EXECUTIONS, SORT_OVERFLOWS, HASH_JOIN_OVERFLOWS,
      HASH_GRPBY_OVERFLOWS, SORT_SHRHEAP_TOP FROM TABLE(MON_GET_PKG_CACHE_STMT(NULL, NULL, NULL, -2)) AS T ORDER BY
      SORT_OVERFLOWS + HASH_JOIN_OVERFLOWS + HASH_GRPBY_OVERFLOWS DESC FETCH FIRST 10 ROWS ONLY
finding: >-
  {OVERFLOWS} of {OPERATIONS} sorts and joins did not fit in SORTHEAP {SORTHEAP} ({SORT_OVERFLOWS} sorts,
  {HASH_JOIN_OVERFLOWS} hash joins, {HASH_GRPBY_OVERFLOWS} aggregations, {OLAP_FUNC_OVERFLOWS} OLAP functions). Spills
  cost {SPILL_PCT:1} % of database time.
evidence: [SORTHEAP, SHEAPTHRES, SHEAPTHRES_SHR, overflows=OVERFLOWS, operations=OPERATIONS, SORT_OVERFLOWS,
  HASH_JOIN_OVERFLOWS, HASH_GRPBY_OVERFLOWS, OLAP_FUNC_OVERFLOWS, TOTAL_SECTION_SORT_PROC_TIME_pct=SORT_PCT:2,
  spills_pct=SPILL_PCT:2, spilling_statements=SPILLING_STATEMENTS, SORT_SHRHEAP_TOP_p90=SPILLING_P90]
references:
  - x445, "Optimizing memory utilization"
  - vmware-netapp, appendices
  - IBM documentation of sortheap (r0000259), sheapthres (r0000260) and sheapthres_shr (r0006014)
why: >-
  Data that does not fit in SORTHEAP is written to a temporary table, in runs or partitions, and read again. Hash joins,
  aggregations and OLAP functions spill as sorts do.
not_if: >-
  SORTHEAP is pending or differs between members, or is AUTOMATIC and spills cost less than 10 %; the spilling
  statements never used their full allowance; DB2_WORKLOAD is ANALYTICS, or column-organized work takes 10 % of the
  time; fewer than 10 operations spilled, or they cost less than 2 %; at most 3 % of operations spill in transaction
  processing, or 30 % in analytics, and cost less than 10 %.
note: >-
  If self-tuning memory is active it gets the sort memory, except with WLM_ADMISSION_CTRL (refused, SQL1668N) and with
  partitions. Otherwise the new size is the 90th percentile of the spilling statements' peaks in the package cache. If
  too few are cached, or SORTHEAP limited them, it is the memory plus the volume that a spill wrote and read: two to
  eight times the present size. A single sorting statement needs an index; a join, a report, a statement that groups or
  adds up, or a SORTHEAP of no more than the default (256) gets memory. SORTHEAP stays below half of SHEAPTHRES_SHR
  (SHEAPTHRES in the private model), which grows at most twofold if needed or if it held operations back. With
  SHEAPTHRES_SHR AUTOMATIC Db2 refuses a fixed SORTHEAP. The limit for mixed workloads is interpolated. The memory cost
  is the peak of all sorts, grown in proportion, or the rest below their threshold, if that is less.
---*/
WITH NEED AS (
    SELECT
        H.NUM AS SORTHEAP,
        H.AUTOMATIC,
        A.NUM AS SHEAPTHRES_SHR,
        COALESCE(P.NUM, 0) AS SHEAPTHRES,
        LEAST(
            CASE
                WHEN W.SPILLING_STATEMENTS >= CONST.SEVERAL AND W.SPILLING_P90 > H.NUM THEN W.SPILLING_P90
                WHEN W.SPILLING_STATEMENTS >= CONST.SEVERAL AND W.SPILLING_P90 < 0.9 * H.NUM THEN H.NUM
                -- they used all that one may have: the pages that they wrote and read again show how much more they
                -- need
                ELSE GREATEST(256, 2 * H.NUM, LEAST(O.MOST_STEP * H.NUM, H.NUM + COALESCE(FLOOR(
                    V.SPILLED_PAGES / CAST(NULLIF(W.OVERFLOWS, 0) AS DOUBLE)
                ), 0)))
            END,
            CASE WHEN K.CLASS = 'OLTP' THEN CONST.OLTP_SORT_PAGES ELSE 4194303 END
        ) AS WANTED,
        CASE WHEN P.NUM > 0 THEN W.PRIVATE_TOP ELSE W.SHARED_TOP END AS TOP_PAGES,
        100 * CAST(W.STATEMENT_OVERFLOWS AS DOUBLE) / NULLIF(W.OVERFLOWS, 0) AS STATEMENT_PCT,
        CASE
            WHEN
                W.STATEMENT_OVERFLOWS > O.ONE_STATEMENT * W.OVERFLOWS
                -- no index order keeps a hash join or an aggregation from spilling, and none has the order of a sum;
                -- the smallest size needs no culprit
                AND 2 * W.SORT_OVERFLOWS >= W.OVERFLOWS AND H.NUM > 256 AND K.CLASS <> 'BI'
                AND (COALESCE(G.AGGREGATES, 0) = 0 OR H.NUM >= CONST.OLTP_SORT_PAGES)
                THEN 'statement'
            WHEN H.AUTOMATIC = 1 THEN 'self-tuned'
            WHEN
                COALESCE(P.NUM, 0) = 0 AND A.FIXED = 1 AND M.ACTIVE = 1 AND D.TOPOLOGY <> 'dpf'
                AND COALESCE(C.VALUE, 'NO') NOT LIKE 'Y%'
                THEN 'automatic'
            ELSE 'sortheap'
        END AS WAY,
        CASE
            WHEN G.AGGREGATES = 1 THEN 'Grouping fewer rows, or fewer and shorter columns,'
            ELSE 'An index in its sort order, or fewer and shorter columns to sort,'
        END AS REMEDY,
        CASE
            WHEN 100 * W.POST_SHRTHRESHOLD >= CONST.HELD_BACK_PCT * W.OPERATIONS THEN CONST.SORT_ROOM * W.SHARED_TOP
            ELSE 0
        END AS HELD_BACK_PAGES,
        W.*
    FROM TUNE.SETTING AS H
    CROSS JOIN TUNE.SORT_WORK AS W
    CROSS JOIN TUNE.STMM AS M
    CROSS JOIN TUNE.WORKLOAD_CLASS AS K
    CROSS JOIN TUNE.RUN_DATABASE AS D
    CROSS JOIN TUNE.O_MEMORY_SORT_OVERFLOW AS O
    CROSS JOIN TUNE.O_SITE AS SITE
    CROSS JOIN TUNE.CONSTANT AS CONST
    CROSS JOIN (
        SELECT FLOOR(SUM(TEMP_LOGICAL_READS * CAST(PAGESIZE AS DOUBLE)) / CAST(4096 AS DOUBLE)) AS SPILLED_PAGES
        FROM TUNE.BUFFERPOOL
    ) AS V
    LEFT JOIN (
        SELECT S.EXECUTABLE_ID, MAX(X.AGGREGATES) AS AGGREGATES
        FROM TUNE.STATEMENT AS S
        INNER JOIN TUNE.STATEMENT_TEXT AS X ON S.STATEMENT = X.STATEMENT
        GROUP BY S.EXECUTABLE_ID
    ) AS G ON W.SPILLING_ID = G.EXECUTABLE_ID
    LEFT JOIN TUNE.SETTING AS A ON A.SCOPE = 'DB' AND A.NAME = 'sheapthres_shr'
    LEFT JOIN TUNE.SETTING AS P ON P.SCOPE = 'DBM' AND P.NAME = 'sheapthres'
    LEFT JOIN TUNE.SETTING AS C ON C.SCOPE = 'DB' AND C.NAME = 'wlm_admission_ctrl'
    WHERE
        H.SCOPE = 'DB' AND H.NAME = 'sortheap'
        AND (
            (H.FIXED = 1 AND (P.NUM > 0 OR COALESCE(A.AUTOMATIC, 0) = 0))
            OR (H.AUTOMATIC = 1 AND H.PENDING = 0 AND M.ACTIVE = 1 AND W.SPILL_PCT >= SITE.MAJOR_PCT)
        )
        AND M.ANALYTICS = 0
        AND COALESCE(W.COL_PCT, 0) < SITE.COLUMN_PCT
        AND W.OVERFLOWS >= CONST.RARE_EVENTS
        AND W.SPILL_PCT >= SITE.SMALL_PCT
        AND (
            W.SPILL_PCT >= SITE.MAJOR_PCT
            OR 100 * W.OVERFLOWS > W.NORMAL_SPILL_PCT * W.OPERATIONS
        )
),
THRESHOLD AS (
    SELECT
        N.*,
        CASE
            WHEN SHEAPTHRES > 0 THEN SHEAPTHRES_SHR
            ELSE
                GREATEST(
                    SHEAPTHRES_SHR,
                    FLOOR(ROUND(LEAST(2 * SHEAPTHRES_SHR, GREATEST(2 * WANTED, HELD_BACK_PAGES)), 6))
                )
        END AS NEW_SHEAPTHRES_SHR
    FROM NEED AS N
),
SIZED AS (
    SELECT
        T.*,
        FLOOR(LEAST(
            WANTED,
            CASE WHEN SHEAPTHRES > 0 THEN SHEAPTHRES ELSE COALESCE(NEW_SHEAPTHRES_SHR, 0) END / CAST(2 AS DOUBLE)
        )) AS NEW_SORTHEAP
    FROM THRESHOLD AS T
)
SELECT
    SIZED.*,
    CASE
        WHEN WAY = 'sortheap' THEN 4 * GREATEST(
            NEW_SORTHEAP - SORTHEAP,
            COALESCE(NEW_SHEAPTHRES_SHR - SHEAPTHRES_SHR, 0),
            LEAST(
                COALESCE(CASE WHEN SHEAPTHRES > 0 THEN SHEAPTHRES ELSE NEW_SHEAPTHRES_SHR END, 0) - TOP_PAGES,
                CEIL(ROUND(TOP_PAGES * (NEW_SORTHEAP - SORTHEAP) / CAST(NULLIF(SORTHEAP, 0) AS DOUBLE), 6))
            )
        )
    END AS GROWTH_KB,
    CASE WHEN WAY IN ('automatic', 'sortheap') THEN 0.2 ELSE 0.1 END AS LOW,
    CASE WHEN WAY IN ('automatic', 'sortheap') THEN 0.5 ELSE 0.3 END AS EXPECTED,
    -- the writes of spills, and their processor time in addition to that of sorts, are not part of the claim
    CASE WHEN WAY IN ('automatic', 'sortheap') THEN 2.0 ELSE 0.6 END AS HIGH,
    CASE WHEN WAY IN ('automatic', 'sortheap') THEN 0.6 ELSE 0.3 END AS CONFIDENCE
FROM SIZED
WHERE WAY IN ('statement', 'self-tuned') OR NEW_SORTHEAP > SORTHEAP
