/*---
rule: memory.sort-threshold-exceeded
title: 'Sort memory threshold reached: sorts get less than SORTHEAP'
lane: performance
takes_effect: immediately
judged_by: load
needs: [workload.TOTAL_SECTION_SORT_PROC_TIME, workload.SORT_OVERFLOWS, workload.TOTAL_HASH_JOINS,
  workload.POST_THRESHOLD_SORTS, workload.POST_SHRTHRESHOLD_SORTS, database.SORT_HEAP_TOP, database.SORT_SHRHEAP_TOP,
  dbcfg.VALUE, dbmcfg.VALUE, system.MEMORY_FREE]
object: DATABASE
claims:
  POOL_READ: {events: HELD_READS, cost_ms: SPILL_READ_MS}
  PREFETCH_WAIT: {events: HELD_WAITS, cost_ms: SPILL_WAIT_MS}
  SORT: {events: HELD_SORTS, cost_ms: MERGE_MS}
recover: [0.1, 0.5, 1.2]
confidence: 0.6
memory: GROWTH_KB
unit: 4 KB pages
defers_to:
  - {rule: memory.sort-overflow, within: any, only_if_larger: true}
thresholds:
  most_room: {default: 2, from: own, why: 'largest step: at most twice the peak, if most operations were held back'}
actions:
  - choose:
      - when: PRIVATE_SORTS = 1
        set: {kind: DBMCFG, name: SHEAPTHRES, from: '{PAGES}', to: '{NEW_PAGES}'}
      - when: SELF_TUNED = 1
        set:
          - {kind: DBCFG, name: SHEAPTHRES_SHR, from: '{PAGES}', to: AUTOMATIC}
          - {kind: DBCFG, name: SORTHEAP, from: '{SORTHEAP:text}', to: AUTOMATIC}
      - set: {kind: DBCFG, name: SHEAPTHRES_SHR, from: '{PAGES}', to: '{NEW_PAGES}'}
finding: >-
  {HELD_BACK} of {OPERATIONS} sorts, joins and aggregations got less memory than SORTHEAP, because all together reached
  {THRESHOLD:text} {PAGES}. {OVERFLOWS} spilled.
evidence:
  - choose:
      - when: PRIVATE_SORTS = 1
        figures: [SHEAPTHRES=PAGES]
      - figures: [SHEAPTHRES_SHR=PAGES]
  - post_threshold_operations=HELD_BACK
  - overflows=OVERFLOWS
  - operations=OPERATIONS
  - choose:
      - when: PRIVATE_SORTS = 1
        figures: [SORT_HEAP_TOP=TOP_PAGES]
      - figures: [SORT_SHRHEAP_TOP=TOP_PAGES]
  - TOTAL_SECTION_SORT_PROC_TIME_pct=SORT_PCT:2
  - spills_pct=SPILL_PCT:2
references:
  - vmware-netapp, appendix A, SHEAPTHRES 96 times SORTHEAP
  - IBM documentation of sheapthres_shr (r0006014), sheapthres (r0000260) and post_shrthreshold_sorts (r0021660)
why: >-
  When all sorts and hash joins together reach SHEAPTHRES_SHR (SHEAPTHRES in the private model), Db2 gives later
  operations less than SORTHEAP, down to their minimum. They spill to temporary tables.
not_if: >-
  The threshold is AUTOMATIC, pending, or differs between members; nothing spilled; a fixed threshold is already well
  above the peak of all sorts; DB2_WORKLOAD is ANALYTICS.
note: >-
  Only operations that were both held back and spilled can gain: the claim is the smaller of the two parts of the spill
  cost. A high water mark at the threshold (SORT_SHRHEAP_TOP) is not enough: it may be months old, and costs nothing
  while no operation is held back. AUTOMATIC, also for SORTHEAP, is advised if self-tuning is active and may size sorts:
  not with WLM_ADMISSION_CTRL (refused, SQL1668N) and not with private sorts. SHEAPTHRES applies to all databases of the
  instance and changes at once between two values other than 0. Private sort memory is deprecated since 11.1.
---*/
WITH WORK AS (
    SELECT
        W.*,
        GREATEST(W.POST_THRESHOLD, W.POST_SHRTHRESHOLD) AS HELD_BACK,
        CASE WHEN P.NUM > 0 AND W.POST_THRESHOLD >= W.POST_SHRTHRESHOLD THEN 1 ELSE 0 END AS PRIVATE_SORTS,
        -- AUTOMATIC makes SORTHEAP AUTOMATIC too, so the undo needs a known value
        CASE
            WHEN COALESCE(P.NUM, 0) = 0 AND M.ACTIVE = 1 AND COALESCE(C.VALUE, 'NO') NOT LIKE 'Y%' THEN 1
            ELSE 0
        END AS SELF_TUNED,
        P.NUM AS SHEAPTHRES,
        A.NUM AS SHEAPTHRES_SHR,
        CASE WHEN H.AUTOMATIC = 1 THEN 'AUTOMATIC' WHEN H.FIXED = 1 THEN H.VALUE END AS SORTHEAP
    FROM TUNE.SORT_WORK AS W
    CROSS JOIN TUNE.STMM AS M
    LEFT JOIN TUNE.SETTING AS P ON P.SCOPE = 'DBM' AND P.NAME = 'sheapthres' AND P.FIXED = 1
    LEFT JOIN TUNE.SETTING AS A ON A.SCOPE = 'DB' AND A.NAME = 'sheapthres_shr' AND A.FIXED = 1
    LEFT JOIN TUNE.SETTING AS H ON H.SCOPE = 'DB' AND H.NAME = 'sortheap'
    LEFT JOIN TUNE.SETTING AS C ON C.SCOPE = 'DB' AND C.NAME = 'wlm_admission_ctrl'
    WHERE M.ANALYTICS = 0
),
SIZED AS (
    SELECT
        W.*,
        CASE WHEN W.PRIVATE_SORTS = 1 THEN 'SHEAPTHRES' ELSE 'SHEAPTHRES_SHR' END AS THRESHOLD,
        CASE WHEN W.PRIVATE_SORTS = 1 THEN W.SHEAPTHRES ELSE W.SHEAPTHRES_SHR END AS PAGES,
        CASE WHEN W.PRIVATE_SORTS = 1 THEN W.PRIVATE_TOP ELSE W.SHARED_TOP END AS TOP_PAGES,
        -- sorts that were not limited had that much; all of them would have had that much more
        CEIL(ROUND(
            LEAST(O.MOST_ROOM, GREATEST(
                CONST.SORT_ROOM,
                COALESCE(W.OPERATIONS / CAST(NULLIF(GREATEST(W.OPERATIONS - W.HELD_BACK, 0), 0) AS DOUBLE), O.MOST_ROOM)
            )) * CASE WHEN W.PRIVATE_SORTS = 1 THEN W.PRIVATE_TOP ELSE W.SHARED_TOP END, 6
        )) AS NEW_PAGES,
        -- sorts that were both limited and spilled
        CAST(LEAST(W.HELD_BACK, W.OVERFLOWS) AS DOUBLE) / NULLIF(W.OVERFLOWS, 0) AS HELD_PART
    FROM WORK AS W
    CROSS JOIN TUNE.O_MEMORY_SORT_THRESHOLD_EXCEEDED AS O
    CROSS JOIN TUNE.CONSTANT AS CONST
    WHERE
        W.HELD_BACK >= CONST.RARE_EVENTS
        AND 100 * W.HELD_BACK >= CONST.HELD_BACK_PCT * W.OPERATIONS
        AND W.OVERFLOWS > 0
)
SELECT
    PRIVATE_SORTS,
    SELF_TUNED,
    THRESHOLD,
    PAGES,
    NEW_PAGES,
    SORTHEAP,
    CASE WHEN SELF_TUNED = 1 THEN 0 ELSE 4 * (NEW_PAGES - PAGES) END AS GROWTH_KB,
    HELD_BACK,
    OVERFLOWS,
    OPERATIONS,
    TOP_PAGES,
    SORT_PCT,
    SPILL_PCT,
    HELD_PART * SPILL_READS AS HELD_READS,
    SPILL_READ_MS,
    HELD_PART * SPILL_WAITS AS HELD_WAITS,
    SPILL_WAIT_MS,
    HELD_PART * SORT_OVERFLOWS AS HELD_SORTS,
    MERGE_MS
FROM SIZED
WHERE (SELF_TUNED = 0 AND NEW_PAGES > PAGES) OR (SELF_TUNED = 1 AND PAGES > 0 AND SORTHEAP IS NOT NULL)
