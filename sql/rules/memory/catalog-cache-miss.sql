/*---
rule: memory.catalog-cache-miss
title: Catalog cache too small
lane: performance
severity: low
takes_effect: immediately
judged_by: rates
needs: [workload.CAT_CACHE_LOOKUPS, workload.CAT_CACHE_INSERTS, database.CAT_CACHE_OVERFLOWS]
needs_timed: [workload.TOTAL_COMPILE_PROC_TIME]
object: DATABASE
claims: {COMPILE: {events: MISSES, cost_ms: LOOKUP_MS}, POOL_READ: {events: CATALOG_READS, cost_ms: READ_MS}}
recover: [0.1, 0.3, 0.7]
confidence: 0.6
memory: GROWTH_KB
unit: 4 KB pages
thresholds:
  min_hit_pct: {default: 95, from: own, why: 'below it, tables and privileges are read from the catalog repeatedly'}
  min_missed_per_s: {default: 1, from: own, why: 'misses per second, if compile time is unknown'}
  miss_cost: {default: 5, from: own, why: 'hits that cost as much as a miss, which reads several rows of the catalog'}
  enough_pages: {default: 65536, from: own, why: 256 MB hold every descriptor in use}
actions:
  - when: NEW_PAGES IS NOT NULL
    set:
      - {kind: DBCFG, name: CATALOGCACHE_SZ, from: '{CATALOGCACHE_SZ:text}', to: '{NEW_PAGES}'}
      - {kind: DBCFG, name: DBHEAP, from: '{DBHEAP}', to: '{NEW_DBHEAP:text}'}
  - when: NEW_PAGES IS NULL
    manual: >-
      Find the sizes of the catalog cache and its heap (GET DB CFG FOR {DB_NAME:alias} SHOW DETAIL). Double
      CATALOGCACHE_SZ if it is below {ENOUGH_PAGES} pages; DBHEAP must have room for it.
finding:
  - >-
    The catalog cache[ of {PAGES} pages] overflowed {OVERFLOWS} times and missed {MISSES} of {CAT_CACHE_LOOKUPS}
    lookups.
  - choose:
      - {when: COMPILE_PCT IS NOT NULL, text: 'Compiling takes {COMPILE_PCT:1} % of database time.'}
      - The share of database time is unknown.
query: >-
  SELECT CAT_CACHE_LOOKUPS, CAT_CACHE_INSERTS, TOTAL_COMPILE_PROC_TIME, TOTAL_RQST_TIME FROM
  TABLE(MON_GET_WORKLOAD(NULL, -2)) AS T
evidence: ['CATALOGCACHE_SZ:text?', CAT_CACHE_LOOKUPS, CAT_CACHE_INSERTS=MISSES, CAT_CACHE_OVERFLOWS=OVERFLOWS,
  'TOTAL_COMPILE_PROC_TIME_pct=COMPILE_PCT:2?']
references:
  - vmware-netapp, appendix A, CATALOGCACHE_SZ
  - IBM documentation of catalogcache_sz (r0000338)
why: >-
  Compiling a statement and checking privileges need descriptors of the tables. A descriptor that is not in the catalog
  cache is read from the catalog tables, in a partitioned database from another member.
not_if: >-
  The cache never overflowed; CATALOGCACHE_SZ is pending or differs between members (the catalog member may need more);
  it has 256 MB or more; DBHEAP, which holds it, differs between members or is pending; database time is unknown and
  fewer than one lookup per second misses.
note: >-
  The value -1 means pages for each of MAXAPPLS: 5, or since 12.1 10 for each of MAXAPPLS + 25. A fixed DBHEAP becomes
  AUTOMATIC (before 9.5 it grows by the same number of pages). The claim is an upper bound: it counts compile time as
  lookups only, a miss as five hits, and adds the agents' reads of the catalog table space.
---*/
WITH CACHE AS (
    SELECT
        P.VALUE AS CATALOGCACHE_SZ,
        CASE
            WHEN P.NUM <> -1 THEN P.NUM
            WHEN D.DB2_LEVEL >= 12010000 THEN 10 * (A.NUM + 25)
            WHEN 5 * A.NUM > 8 THEN 5 * A.NUM
            ELSE 8
        END AS PAGES,
        CASE WHEN H.FIXED = 1 THEN H.NUM END AS DBHEAP,
        D.DB2_LEVEL
    FROM TUNE.SETTING AS P
    INNER JOIN TUNE.SETTING AS H
        ON H.SCOPE = 'DB' AND H.NAME = 'dbheap' AND H.PENDING = 0 AND (H.FIXED = 1 OR H.AUTOMATIC = 1)
    CROSS JOIN TUNE.RUN_DATABASE AS D
    LEFT JOIN TUNE.SETTING AS A ON A.SCOPE = 'DB' AND A.NAME = 'maxappls'
    WHERE P.SCOPE = 'DB' AND P.NAME = 'catalogcache_sz' AND P.FIXED = 1
),
SIZED (CATALOGCACHE_SZ, PAGES, DBHEAP, DB2_LEVEL, NEW_PAGES) AS (
    SELECT
        C.CATALOGCACHE_SZ,
        C.PAGES,
        C.DBHEAP,
        C.DB2_LEVEL,
        FLOOR(LEAST(GREATEST(2 * C.PAGES, O.ENOUGH_PAGES), C.PAGES * POWER(2, LEAST(
            G.MOST_DOUBLINGS,
            GREATEST(1, CEIL((T.MISS_PCT - G.AIM_PCT) / CAST(NULLIF(G.PCT_PER_DOUBLING, 0) AS DOUBLE)))
        ))))
    FROM CACHE AS C
    INNER JOIN TUNE.GROWTH AS G ON G.NAME = 'catalogcache_sz'
    CROSS JOIN TUNE.O_MEMORY_CATALOG_CACHE_MISS AS O
    CROSS JOIN (
        SELECT 100 * CAST(CAT_CACHE_INSERTS AS DOUBLE) / NULLIF(CAT_CACHE_LOOKUPS, 0) AS MISS_PCT
        FROM TUNE.DATABASE_TIME
    ) AS T
    WHERE C.PAGES > 0 AND C.PAGES < O.ENOUGH_PAGES
    UNION ALL
    -- a text without these settings
    SELECT
        K.CATALOGCACHE_SZ,
        K.PAGES,
        CAST(NULL AS BIGINT),
        D.DB2_LEVEL,
        CAST(NULL AS BIGINT)
    FROM TUNE.RUN_DATABASE AS D
    CROSS JOIN (
        SELECT
            COUNT(*) AS SETTINGS,
            COUNT(CASE WHEN NAME = 'catalogcache_sz' AND FIXED = 0 THEN 1 END) AS UNCLEAR,
            MAX(CASE WHEN NAME = 'catalogcache_sz' THEN VALUE END) AS CATALOGCACHE_SZ,
            MAX(CASE WHEN NAME = 'catalogcache_sz' AND NUM > 0 THEN NUM END) AS PAGES
        FROM TUNE.SETTING
        WHERE SCOPE = 'DB' AND NAME IN ('catalogcache_sz', 'dbheap') AND VALUE IS NOT NULL
    ) AS K
    CROSS JOIN TUNE.O_MEMORY_CATALOG_CACHE_MISS AS O
    WHERE K.SETTINGS < 2 AND K.UNCLEAR = 0 AND COALESCE(K.PAGES, 0) < O.ENOUGH_PAGES
)
SELECT
    S.CATALOGCACHE_SZ,
    S.PAGES,
    S.NEW_PAGES,
    S.DBHEAP,
    D.DB_NAME,
    O.ENOUGH_PAGES,
    CASE
        WHEN S.DBHEAP > 0 AND S.DB2_LEVEL < 9050000
            THEN CAST(CAST(FLOOR(S.DBHEAP + S.NEW_PAGES - S.PAGES) AS BIGINT) AS VARCHAR(20))
        WHEN S.DBHEAP > 0 THEN 'AUTOMATIC'
    END AS NEW_DBHEAP,
    4 * (S.NEW_PAGES - S.PAGES) AS GROWTH_KB,
    V.OVERFLOWS,
    T.CAT_CACHE_LOOKUPS,
    T.CAT_CACHE_INSERTS AS MISSES,
    T.COMPILE_PCT,
    -- a miss costs as much as several hits
    CAST(O.MISS_COST * T.TOTAL_COMPILE_PROC_TIME AS DOUBLE)
    / NULLIF(O.MISS_COST * T.CAT_CACHE_INSERTS + T.CAT_CACHE_LOOKUPS - T.CAT_CACHE_INSERTS, 0) AS LOOKUP_MS,
    C.SYNC_READS AS CATALOG_READS,
    C.SHARE_PCT * T.DBT_MS / CAST(NULLIF(100 * C.SYNC_READS, 0) AS DOUBLE) AS READ_MS
FROM SIZED AS S
CROSS JOIN TUNE.RUN_DATABASE AS D
CROSS JOIN TUNE.DATABASE_TIME AS T
CROSS JOIN TUNE.JUDGED_TIME AS J
CROSS JOIN (SELECT SUM(CAT_CACHE_OVERFLOWS) AS OVERFLOWS FROM TUNE.D_DATABASE) AS V
CROSS JOIN TUNE.O_MEMORY_CATALOG_CACHE_MISS AS O
CROSS JOIN TUNE.O_SITE AS SITE
CROSS JOIN TUNE.CONSTANT AS CONST
LEFT JOIN TUNE.TABLESPACE AS C ON C.TBSP_NAME = 'SYSCATSPACE'
WHERE
    J.RULE = 'memory.catalog-cache-miss'
    AND V.OVERFLOWS > 0
    AND T.CAT_CACHE_INSERTS >= CONST.FEW_EVENTS
    AND (
        T.COMPILE_PCT >= SITE.SMALL_PCT
        OR (J.DBT_MS IS NULL AND T.CAT_CACHE_INSERTS >= O.MIN_MISSED_PER_S * T.SECONDS)
    )
    AND 100 * T.CAT_CACHE_INSERTS > (100 - O.MIN_HIT_PCT) * T.CAT_CACHE_LOOKUPS
