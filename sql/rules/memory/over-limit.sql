/*---
rule: memory.over-limit
title: Fixed memory areas exceed the memory limit
lane: condition
severity: low
takes_effect: immediately
applies: {from: '9.5'}
judged_by: config
needs: [dbcfg.VALUE]
object: DATABASE
confidence: 0.6
defers_to:
  - {rule: bufferpool.sum-over-memory, within: any}
actions:
  - manual: >-
      Reduce fixed areas, buffer pools first, or raise the limit if the host has the memory. UPDATE DB CFG FOR
      {DB_NAME:alias} USING DATABASE_MEMORY AUTOMATIC adjusts to the areas; UPDATE DBM CFG USING INSTANCE_MEMORY sets
      the limit for all databases.
    undo: {manual: Restore the old sizes.}
finding:
  - when: WANTED_MB > DATABASE_MB
    text: Fixed buffer pools and heaps need {WANTED_MB} MB; DATABASE_MEMORY allows {DATABASE_MB} MB.
  - when: LEAST_MB > INSTANCE_MB
    text: The database needs {LEAST_MB} MB; INSTANCE_MEMORY allows {INSTANCE_MB} MB for the whole instance.
evidence: [fixed_mb=WANTED_MB, 'DATABASE_MEMORY_mb=DATABASE_MB?', 'INSTANCE_MEMORY_mb=INSTANCE_MB?']
query: >-
  db2pd -dbptnmem; SELECT MEMORY_SET_TYPE, MEMORY_SET_SIZE, MEMORY_SET_COMMITTED FROM TABLE(MON_GET_MEMORY_SET(NULL,
  NULL, -2))
references:
  - IBM documentation of database_memory (r0006017) and instance_memory (r0005544)
why: >-
  Both limits must hold all areas, and the manual asks for 5 % more in DATABASE_MEMORY. Areas that do not fit are
  refused at activation or when one grows, or Db2 exceeds the limit.
not_if: >-
  The limit is AUTOMATIC or unknown; INSTANCE_MEMORY is a percentage; sizes are pending; the database is partitioned,
  because its members may have different pools.
note: >-
  The sum contains fixed buffer pools and, if fixed, SHEAPTHRES_SHR, LOCKLIST, PCKCACHESZ, DBHEAP (with catalog cache
  and log buffer) and UTIL_HEAP_SZ. AUTOMATIC areas shrink to the rest. SHEAPTHRES_SHR and UTIL_HEAP_SZ are limits that
  may never be used in full, so half of each counts.
---*/
WITH HEAPS AS (
    SELECT
        SUM(CASE
            WHEN NAME IN ('locklist', 'pckcachesz', 'dbheap') THEN NUM
            ELSE NUM / CAST(2 AS DOUBLE)
        END) AS PAGES
    FROM TUNE.SETTING
    WHERE
        SCOPE = 'DB' AND FIXED = 1 AND NUM > 0
        AND NAME IN ('locklist', 'pckcachesz', 'dbheap', 'sheapthres_shr', 'util_heap_sz')
),
POOLS AS (
    SELECT SUM(CAST(NPAGES AS DOUBLE) * PAGESIZE) AS BYTES FROM TUNE.D_CAT_BUFFERPOOL WHERE NPAGES > 0
),
SIZES AS (
    SELECT
        COALESCE(H.PAGES, 0) / CAST(256 AS DOUBLE) + COALESCE(P.BYTES, 0) / CAST(1048576 AS DOUBLE) AS WANTED_MB,
        CASE WHEN M.FIXED = 1 AND M.NUM > 0 THEN M.NUM / CAST(256 AS DOUBLE) END AS DATABASE_MB,
        -- up to 100 it is a percentage of the host's memory
        CASE WHEN I.FIXED = 1 AND I.NUM > 100 THEN I.NUM / CAST(256 AS DOUBLE) END AS INSTANCE_MB
    FROM HEAPS AS H
    CROSS JOIN POOLS AS P
    LEFT JOIN TUNE.SETTING AS M ON M.SCOPE = 'DB' AND M.NAME = 'database_memory'
    LEFT JOIN TUNE.SETTING AS I ON I.SCOPE = 'DBM' AND I.NAME = 'instance_memory'
)
SELECT
    S.WANTED_MB,
    S.DATABASE_MB,
    S.INSTANCE_MB,
    GREATEST(S.WANTED_MB, COALESCE(S.DATABASE_MB, 0)) AS LEAST_MB,
    D.DB_NAME
FROM SIZES AS S
CROSS JOIN TUNE.RUN_DATABASE AS D
WHERE
    D.TOPOLOGY <> 'dpf'
    AND (S.WANTED_MB > S.DATABASE_MB OR GREATEST(S.WANTED_MB, COALESCE(S.DATABASE_MB, 0)) > S.INSTANCE_MB)
