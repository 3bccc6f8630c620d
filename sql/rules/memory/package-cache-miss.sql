/*---
rule: memory.package-cache-miss
title: Package cache too small
lane: performance
severity: low
takes_effect: immediately
applies: {workload: [oltp, mixed]}
judged_by: rates
needs: [workload.PKG_CACHE_LOOKUPS, workload.PKG_CACHE_INSERTS]
needs_timed: [workload.TOTAL_COMPILE_PROC_TIME]
object: DATABASE
claims:
  COMPILE: {events: LOST_STATEMENTS, cost_ms: COMPILE_MS}
  IMPLICIT_COMPILE: {events: IMPLICIT_COMPILATIONS, cost_ms: IMPLICIT_MS}
recover: [LOW, EXPECTED, HIGH]
confidence: CONFIDENCE
memory: GROWTH_KB
unit: 4 KB pages
thresholds:
  min_new_per_s: {default: 5, from: own, why: 'statements compiled per second, if their time is unknown'}
actions:
  - choose:
      - when: PCKCACHESZ IS NULL
        manual: >-
          Find the size of the package cache (GET DB CFG FOR {DB_NAME:alias} SHOW DETAIL). Unless it is AUTOMATIC,
          double PCKCACHESZ.
      - when: SELF_TUNED = 1
        set: {kind: DBCFG, name: PCKCACHESZ, from: '{PCKCACHESZ}', to: AUTOMATIC}
      - set: {kind: DBCFG, name: PCKCACHESZ, from: '{PCKCACHESZ}', to: '{NEW_PAGES}'}
  - when: SURE = 0 AND (STMT_CONC = 'OFF' OR PCKCACHESZ IS NULL)
    manual: >-
      Rule out literals first, because no cache can hold them: SELECT CAST(SUBSTR(STMT_TEXT, 1, 60) AS VARCHAR(60)) AS
      BEGINNING, COUNT(*) AS STATEMENTS FROM TABLE(MON_GET_PKG_CACHE_STMT('D', NULL, NULL, -2)) AS T GROUP BY
      CAST(SUBSTR(STMT_TEXT, 1, 60) AS VARCHAR(60)) ORDER BY STATEMENTS DESC FETCH FIRST 20 ROWS ONLY
finding:
  - when: COMPILE_PCT IS NOT NULL
    text: >-
      Compiling takes {COMPILE_PCT:1} % of database time: {INSERTS} of {LOOKUPS} lookups missed the package cache[ of
      {PCKCACHESZ} pages][, which overflowed {OVERFLOWS} times].
  - when: COMPILE_PCT IS NULL
    text: >-
      {INSERTS} of {LOOKUPS} lookups, {NEW_PER_S:1} per second, missed the package cache[ of {PCKCACHESZ} pages][, which
      overflowed {OVERFLOWS} times]. The share of database time is unknown.
query: >-
  SELECT PKG_CACHE_LOOKUPS, PKG_CACHE_INSERTS, TOTAL_COMPILE_PROC_TIME, TOTAL_RQST_TIME FROM
  TABLE(MON_GET_WORKLOAD(NULL, -2)) AS T
evidence: ['PCKCACHESZ?', PKG_CACHE_LOOKUPS=LOOKUPS, PKG_CACHE_INSERTS=INSERTS, hit_ratio_pct=HIT_PCT:2,
  'PKG_CACHE_NUM_OVERFLOWS=OVERFLOWS?', 'TOTAL_COMPILE_PROC_TIME_pct=COMPILE_PCT:2?',
  'TOTAL_IMPLICIT_COMPILATIONS=IMPLICIT_COMPILATIONS?', 'STMT_CONC:text?']
references:
  - vmware-netapp, PCKCACHESZ
  - IBM documentation of pckcachesz (r0000266), stmt_conc (r0054239) and pkg_cache_inserts
why: >-
  If a statement is not in the package cache, Db2 compiles it or reads its package from the catalog, while the
  application waits. A cache that holds the statements in use compiles each of them once.
not_if: >-
  PCKCACHESZ is AUTOMATIC, pending, or differs between members; it has 512 MB or more; nine of ten lookups hit, unless
  overflows or implicit compilations show eviction and compiling takes 10 % of the time; every
  second lookup misses and its statement was never prepared before (most are new: see memory.literal-statements), unless
  the cache overflowed or has less than 16 MB; database time is unknown and fewer than 5 statements per second miss; the
  workload is analytics, with new statements each time.
note: >-
  Db2 does not count evicted and new statements separately. Overflows and implicit compilations indicate eviction: the
  application had prepared the statement before. Without either, the confidence is low and the query decides. If
  self-tuning memory is active, it gets the cache: it gives memory only to recurring statements. A cache of less than 16
  MB grows to that first, even if most statements may be new. No table function returns the cache's high water mark
  (PKG_CACHE_SIZE_TOP), so the step starts from the configured size. In a mixed workload, statements of analytics are
  new.
---*/
WITH LARGER AS (
    -- one doubling; if it evicts statements in use, as many as their misses ask for in half of the free memory
    SELECT
        FLOOR(GREATEST(CONST.GROWTH_STEP * P.NUM, CONST.SMALL_CACHE_PAGES, W.EVICTS * LEAST(
            CONST.PACKAGE_PAGES,
            P.NUM + COALESCE(CAST(B.BUDGET_KB AS DOUBLE) / 8, CONST.PACKAGE_PAGES),
            P.NUM * POWER(2, LEAST(
                G.MOST_DOUBLINGS, CEIL((W.MISS_PCT - G.AIM_PCT) / CAST(NULLIF(G.PCT_PER_DOUBLING, 0) AS DOUBLE))
            ))
        ))) AS NEW_PAGES
    FROM TUNE.COMPILE_WORK AS W
    CROSS JOIN TUNE.MEMORY_BUDGET AS B
    CROSS JOIN TUNE.CONSTANT AS CONST
    INNER JOIN TUNE.GROWTH AS G ON G.NAME = 'pckcachesz'
    LEFT JOIN TUNE.SETTING AS P ON P.SCOPE = 'DB' AND P.NAME = 'pckcachesz'
)
SELECT
    P.NUM AS PCKCACHESZ,
    M.ACTIVE AS SELF_TUNED,
    L.NEW_PAGES,
    CASE WHEN M.ACTIVE = 1 THEN 0 ELSE 4 * (L.NEW_PAGES - P.NUM) END AS GROWTH_KB,
    C.VALUE AS STMT_CONC,
    W.LOOKUPS,
    W.INSERTS,
    100 - W.MISS_PCT AS HIT_PCT,
    W.COMPILE_PCT,
    W.INSERTS / CAST(NULLIF(T.SECONDS, 0) AS DOUBLE) AS NEW_PER_S,
    D.DB_NAME,
    NULLIF(W.OVERFLOWS, 0) AS OVERFLOWS,
    K.P_OLTP * LEAST(W.INSERTS, W.COMPILATIONS) AS LOST_STATEMENTS,
    W.COMPILE_MS,
    W.IMPLICIT_COMPILATIONS,
    W.IMPLICIT_MS,
    W.EVICTS AS SURE,
    CASE WHEN W.EVICTS = 1 THEN 0.3 ELSE 0.1 END AS LOW,
    CASE WHEN W.EVICTS = 1 THEN 0.7 ELSE 0.4 END AS EXPECTED,
    1.1 AS HIGH,
    CASE WHEN W.EVICTS = 1 THEN 0.6 ELSE 0.3 END AS CONFIDENCE
FROM TUNE.COMPILE_WORK AS W
CROSS JOIN TUNE.DATABASE_TIME AS T
CROSS JOIN TUNE.JUDGED_TIME AS J
CROSS JOIN TUNE.RUN_DATABASE AS D
CROSS JOIN LARGER AS L
CROSS JOIN TUNE.STMM AS M
CROSS JOIN TUNE.WORKLOAD_CLASS AS K
CROSS JOIN TUNE.O_SITE AS SITE
CROSS JOIN TUNE.CONSTANT AS CONST
CROSS JOIN TUNE.O_MEMORY_PACKAGE_CACHE_MISS AS O
LEFT JOIN TUNE.SETTING AS P ON P.SCOPE = 'DB' AND P.NAME = 'pckcachesz'
LEFT JOIN TUNE.SETTING AS C ON C.SCOPE = 'DB' AND C.NAME = 'stmt_conc'
WHERE
    J.RULE = 'memory.package-cache-miss'
    AND ((P.FIXED = 1 AND P.NUM > 0 AND P.NUM < CONST.PACKAGE_PAGES) OR P.VALUE IS NULL)
    AND K.CLASS <> 'BI'
    AND W.INSERTS >= CONST.FEW_EVENTS
    AND (
        W.COMPILE_PCT + W.IMPLICIT_PCT >= SITE.HIGH_PCT
        OR (J.DBT_MS IS NULL AND W.INSERTS >= O.MIN_NEW_PER_S * T.SECONDS)
    )
    AND (
        W.MISS_PCT > 100 - SITE.PACKAGE_HIT_PCT
        -- hits of one application must not hide the misses of another
        OR (W.EVICTS = 1 AND W.COMPILE_PCT + W.IMPLICIT_PCT >= SITE.MAJOR_PCT)
    )
    AND (W.MISS_PCT < CONST.NEW_STATEMENT_PCT OR W.EVICTS = 1 OR P.NUM < CONST.SMALL_CACHE_PAGES)
