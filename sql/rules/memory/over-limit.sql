/*---
rule: memory.over-limit
title: Fixed memory of the database does not fit its limit
lane: condition
severity: low
takes_effect: database reactivation
applies: {from: '9.5', not: [managed]}
judged_by: config
needs: [dbcfg.VALUE, dbmcfg.VALUE]
object: DATABASE
confidence: 0.6
defers_to:
  - {rule: bufferpool.sum-over-memory, within: any}
actions:
  - manual: >-
      Make what is fixed smaller, pools first, or the limit larger where the host has the memory: UPDATE DB CFG FOR
      {DB_NAME:text} USING DATABASE_MEMORY AUTOMATIC counts what is there, and UPDATE DBM CFG USING INSTANCE_MEMORY sets
      what all databases may take.
    undo: {manual: set the old sizes again}
finding:
  - when: WANTED_MB > DATABASE_MB
    text: Buffer pools and heaps of fixed size take {WANTED_MB} MB, and DATABASE_MEMORY allows {DATABASE_MB} MB.
  - when: LEAST_MB > INSTANCE_MB
    text: The database wants {LEAST_MB} MB, and INSTANCE_MEMORY allows {INSTANCE_MB} MB to the whole instance.
evidence: [fixed_mb=WANTED_MB, 'DATABASE_MEMORY_mb=DATABASE_MB?', 'INSTANCE_MEMORY_mb=INSTANCE_MB?']
query: >-
  db2pd -dbptnmem; SELECT MEMORY_SET_TYPE, MEMORY_SET_SIZE, MEMORY_SET_COMMITTED FROM TABLE(MON_GET_MEMORY_SET(NULL,
  NULL, -2))
references:
  - IBM documentation of database_memory (r0006017) and instance_memory (r0005544)
why: >-
  Both limits must hold all of it, and the manual asks for 5 % more than that in DATABASE_MEMORY. What does not fit is
  refused when the database is activated or when an area grows, or Db2 takes more than the limit says.
not_if: >-
  The limit is AUTOMATIC or not known; INSTANCE_MEMORY is a percentage; sizes wait; a partitioned database, whose
  members may have pools of their own.
note: >-
  Counted are buffer pools of fixed size, and SHEAPTHRES_SHR, LOCKLIST, PCKCACHESZ, DBHEAP (with the catalog cache and
  the log buffer in it) and UTIL_HEAP_SZ where they are fixed: what is AUTOMATIC shrinks to what is left. SHEAPTHRES_SHR
  and UTIL_HEAP_SZ are limits too, of which a part may never be used, so they are counted by half.
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
