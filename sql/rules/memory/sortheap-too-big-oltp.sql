/*---
rule: memory.sortheap-too-big-oltp
title: SORTHEAP too large for transaction processing
lane: performance
lane_without_claim: performance
takes_effect: immediately
applies: {workload: [oltp]}
judged_by: load
needs: [workload.SORT_OVERFLOWS, workload.TOTAL_HASH_JOINS, database.SORT_SHRHEAP_TOP, statement.SORT_SHRHEAP_TOP,
  dbcfg.VALUE, dbmcfg.VALUE]
object: DATABASE
confidence: 0.3
memory: FREED_KB
exclusive: sortheap
donor: true
thresholds:
  enough_pages: {default: 512, from: manuals, why: transaction processing does not need more}
  max_overflow_pct: {default: 0.5, from: own, why: 'if a larger part of the sorts spills, the memory is in use'}
  min_operations: {default: 500, from: own, why: too few sorts and hash joins for a ratio}
  keep_part: {default: 0.5, from: own, why: releasing less than half does not justify a change}
actions:
  - set: {kind: DBCFG, name: SORTHEAP, from: '{SORTHEAP}', to: '{NEW_SORTHEAP}', unit: 4 KB pages}
finding: >-
  SORTHEAP allows {SORTHEAP} pages per sort, but nine of ten sorting statements never used more than {SORTING_P90}.
  {OVERFLOWS} of {OPERATIONS} sorts and hash joins spilled; the peak of all together was {LEAST_SHARED_TOP} pages.
evidence: [SORTHEAP, overflows=OVERFLOWS, sorts_and_hash_joins=OPERATIONS, SORT_SHRHEAP_TOP=LEAST_SHARED_TOP,
  statement_SORT_SHRHEAP_TOP_p90=SORTING_P90, sorting_statements=SORTING_STATEMENTS]
references:
  - vmware-netapp, appendix B, SORTHEAP 16
  - IBM documentation of sortheap (r0000259)
why: >-
  SORTHEAP limits the memory of one sort. If transactions sort little, the few large sorts take all of it, while buffer
  pools lack the memory.
not_if: >-
  SORTHEAP or its threshold is AUTOMATIC, pending, or differs between members; sorts are private; the workload is not
  transaction processing; nine of ten sorting statements need more than half of SORTHEAP.
note: >-
  The released memory is an estimate: the reduction of SORTHEAP in proportion, applied to the memory that all sorts hold
  now (their peak if that is unknown). At most one statement in ten will spill. An interval by day does not show reports
  at night: compare both before the change.
---*/
WITH SIZED AS (
    SELECT
        H.NUM AS SORTHEAP,
        CASE WHEN W.SORTING_P90 > O.ENOUGH_PAGES THEN W.SORTING_P90 ELSE FLOOR(O.ENOUGH_PAGES) END AS NEW_SORTHEAP,
        O.KEEP_PART,
        W.*
    FROM TUNE.SETTING AS H
    INNER JOIN TUNE.SETTING AS A ON A.SCOPE = 'DB' AND A.NAME = 'sheapthres_shr' AND A.FIXED = 1
    INNER JOIN TUNE.SETTING AS P ON P.SCOPE = 'DBM' AND P.NAME = 'sheapthres' AND P.NUM = 0
    CROSS JOIN TUNE.SORT_WORK AS W
    CROSS JOIN TUNE.WORKLOAD_CLASS AS K
    CROSS JOIN TUNE.O_MEMORY_SORTHEAP_TOO_BIG_OLTP AS O
    CROSS JOIN TUNE.O_SITE AS SITE
    CROSS JOIN TUNE.CONSTANT AS CONST
    WHERE
        H.SCOPE = 'DB' AND H.NAME = 'sortheap' AND H.FIXED = 1 AND H.NUM > CONST.OLTP_SORT_PAGES
        AND K.CLASS = 'OLTP'
        AND W.SORTING_STATEMENTS >= CONST.SEVERAL
        AND W.OPERATIONS >= O.MIN_OPERATIONS
        AND 100 * W.OVERFLOWS < O.MAX_OVERFLOW_PCT * W.OPERATIONS AND COALESCE(W.SPILL_PCT, 0) < SITE.TRACE_PCT
        AND W.LEAST_SHARED_TOP > 0
)
SELECT
    SORTHEAP,
    NEW_SORTHEAP,
    -FLOOR(
        4 * LEAST(LEAST_HELD, LEAST_SHARED_TOP) * (1 - NEW_SORTHEAP / CAST(NULLIF(SORTHEAP, 0) AS DOUBLE))
    ) AS FREED_KB,
    OVERFLOWS,
    OPERATIONS,
    LEAST_SHARED_TOP,
    SORTING_P90,
    SORTING_STATEMENTS
FROM SIZED
WHERE LEAST_HELD > 0 AND NEW_SORTHEAP <= KEEP_PART * SORTHEAP
