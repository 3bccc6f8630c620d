/*---
rule: memory.util-heap-starved
title: Utility heap too small
lane: housekeeping
takes_effect: immediately
judged_by: load
needs: [workload.TOTAL_LOADS, dbcfg.VALUE]
object: DATABASE
confidence: 0.3
memory: GROWTH_KB
unit: 4 KB pages
actions:
  - choose:
      - when: DB2_LEVEL >= 10050000
        set: {kind: DBCFG, name: UTIL_HEAP_SZ, from: '{UTIL_HEAP_SZ}', to: '{NEW_PAGES} AUTOMATIC'}
      - set: {kind: DBCFG, name: UTIL_HEAP_SZ, from: '{UTIL_HEAP_SZ}', to: '{NEW_PAGES}'}
finding: >-
  {UTILITY_TYPE:text} ran with a utility heap of {UTIL_HEAP_SZ} pages. At least {NEW_PAGES} pages allow buffers of a
  good size.
evidence: [UTIL_HEAP_SZ, TOTAL_LOADS, utilities_running=UTILITIES]
references:
  - vmware-netapp, appendix A
  - x445, LOAD
  - IBM documentation of util_heap_sz (r0000330) and of loading data into column-organized tables
why: >-
  LOAD, BACKUP and REDISTRIBUTE size their buffers by the free utility heap. A small heap gives few small buffers, and
  concurrent utilities slow each other down.
not_if: >-
  No load, backup or redistribution ran; UTIL_HEAP_SZ is AUTOMATIC, large enough for the kind of tables, pending, or
  differs between members.
note: >-
  The time that utilities lose is not measured, so none is claimed. UTIL_HEAP_SZ cannot be AUTOMATIC before 10.5. A
  fixed size limits what utilities plan with, not what they use.
---*/
WITH SEEN AS (
    SELECT
        COUNT(*) AS UTILITIES,
        MIN(UTILITY_TYPE) AS UTILITY_TYPE
    FROM TUNE.D_UTILITY
    WHERE UTILITY_TYPE IN ('LOAD', 'BACKUP', 'REDISTRIBUTE')
),
HEAP AS (
    SELECT
        P.NUM AS UTIL_HEAP_SZ,
        -- Db2's default, or the least for LOAD into column-organized tables
        CASE WHEN M.ANALYTICS = 1 OR T.COL_PCT >= SITE.COLUMN_PCT THEN 1000000 ELSE 5000 END
            AS NEW_PAGES,
        D.DB2_LEVEL,
        T.TOTAL_LOADS,
        S.UTILITIES,
        COALESCE(S.UTILITY_TYPE, 'LOAD') AS UTILITY_TYPE
    FROM TUNE.SETTING AS P
    CROSS JOIN TUNE.STMM AS M
    CROSS JOIN TUNE.DATABASE_TIME AS T
    CROSS JOIN SEEN AS S
    CROSS JOIN TUNE.RUN_DATABASE AS D
    CROSS JOIN TUNE.O_SITE AS SITE
    WHERE P.SCOPE = 'DB' AND P.NAME = 'util_heap_sz' AND P.FIXED = 1 AND T.TOTAL_LOADS + S.UTILITIES > 0
)
SELECT
    UTIL_HEAP_SZ,
    NEW_PAGES,
    4 * (NEW_PAGES - UTIL_HEAP_SZ) AS GROWTH_KB,
    DB2_LEVEL,
    TOTAL_LOADS,
    UTILITIES,
    UTILITY_TYPE
FROM HEAP
WHERE UTIL_HEAP_SZ < NEW_PAGES
