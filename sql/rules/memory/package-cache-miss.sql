-- rule:       memory.package-cache-miss
-- title:      Statements are compiled again because the package cache lost them
-- area:       memory
-- lane:       P
-- effect:     ON
-- applies:    workload=oltp,mixed
-- judged-by:  load
-- claims:     COMPILE
-- recover:    0.3, 0.5, 0.8
-- confidence: CONFIDENCE
-- memory:     GROWTH_KB
-- needs:      workload.TOTAL_COMPILE_PROC_TIME, workload.PKG_CACHE_LOOKUPS, workload.PKG_CACHE_INSERTS, dbcfg.VALUE
-- threshold:  min_lookups = 5000 -- [prop] fewer lookups give no ratio
-- threshold:  min_compile_pct = 5 -- [prop] compiling below 5 % of database time is not worth memory
-- threshold:  min_hit_pct = 90 -- [prop] a vendor alarms mildly below 90 %, IBM calls 80 % good
-- threshold:  new_pct = 50 -- [prop] where every other lookup misses, most statements are new, not lost
-- threshold:  growth = 2 -- [prop] one step doubles the cache; the next run sees what it did
-- threshold:  enough_pages = 131072 -- [prop] what misses in 512 MB is new each time
-- object:     DATABASE
-- set:        when SELF_TUNED = 1: DBCFG PCKCACHESZ: {PCKCACHESZ} -> AUTOMATIC
-- set:        else: DBCFG PCKCACHESZ: {PCKCACHESZ} -> {NEW_PAGES}
-- by-hand:    when STMT_CONC = 'OFF': a larger cache does not help statements that differ only in literals: give those
--             parameter markers, or try STMT_CONC LITERALS where one access plan fits all values
-- unit:       4 KB pages
-- finding:    Compiling takes {COMPILE_PCT:1} % of database time: {PKG_CACHE_INSERTS} of {PKG_CACHE_LOOKUPS} lookups
--             did not find their statement in a package cache of {PCKCACHESZ} pages.
-- evidence:   PCKCACHESZ, PKG_CACHE_LOOKUPS, PKG_CACHE_INSERTS, hit_ratio_pct=HIT_PCT:2,
--             TOTAL_COMPILE_PROC_TIME_pct=COMPILE_PCT:2, STMT_CONC:text
-- source:     002_e991ec30bbd9209f.txt, PCKCACHESZ; IBM documentation of pckcachesz (r0000266), stmt_conc (r0054239)
--             and pkg_cache_inserts
-- why:        A statement that is not in the package cache is compiled, or its package read from the catalog, while
--             the application waits. A cache that holds the statements in use compiles each of them once.
-- not-if:     PCKCACHESZ is AUTOMATIC, pending, or differs between members; it has 512 MB or more; the workload is
--             analysis, whose statements are new each time.
-- note:       Whether statements differ only in their literals is not seen: what is collected of the package cache
--             holds statements with much work, and those that are executed once are not among them, nor is any text
--             read. So the size is advised, with little confidence where most lookups miss, and the other remedy is
--             told beside it: parameter markers, or STMT_CONC LITERALS, which may change access plans.
--             Where self-tuning memory is at work, it is to size the cache. How large the cache ever was
--             (PKG_CACHE_SIZE_TOP) no table function tells, so the step is from the size that is set.
WITH CACHE AS (
    SELECT
        P.NUM AS PCKCACHESZ,
        M.ACTIVE AS SELF_TUNED,
        FLOOR(O.GROWTH * P.NUM) AS NEW_PAGES,
        C.VALUE AS STMT_CONC,
        T.PKG_CACHE_LOOKUPS,
        T.PKG_CACHE_INSERTS,
        100 - 100 * CAST(T.PKG_CACHE_INSERTS AS DOUBLE) / NULLIF(T.PKG_CACHE_LOOKUPS, 0) AS HIT_PCT,
        O.NEW_PCT,
        T.COMPILE_PCT,
        T.COMPILE_PCT * K.P_OLTP AS CLAIM_COMPILE
    FROM TUNE.SETTING AS P
    CROSS JOIN TUNE.STMM AS M
    CROSS JOIN TUNE.DATABASE_TIME AS T
    CROSS JOIN TUNE.WORKLOAD_CLASS AS K
    CROSS JOIN TUNE.O_MEMORY_PACKAGE_CACHE_MISS AS O
    LEFT JOIN TUNE.SETTING AS C ON C.SCOPE = 'DB' AND C.NAME = 'stmt_conc'
    WHERE
        P.SCOPE = 'DB' AND P.NAME = 'pckcachesz' AND P.FIXED = 1
        AND P.NUM > 0 AND P.NUM < O.ENOUGH_PAGES
        AND K.CLASS <> 'BI'
        AND T.PKG_CACHE_LOOKUPS >= O.MIN_LOOKUPS
        AND T.COMPILE_PCT >= O.MIN_COMPILE_PCT
        AND 100 * T.PKG_CACHE_INSERTS > (100 - O.MIN_HIT_PCT) * T.PKG_CACHE_LOOKUPS
)
SELECT
    PCKCACHESZ,
    SELF_TUNED,
    NEW_PAGES,
    CASE WHEN SELF_TUNED = 1 THEN 0 ELSE 4 * (NEW_PAGES - PCKCACHESZ) END AS GROWTH_KB,
    STMT_CONC,
    PKG_CACHE_LOOKUPS,
    PKG_CACHE_INSERTS,
    HIT_PCT,
    COMPILE_PCT,
    CLAIM_COMPILE,
    CASE WHEN HIT_PCT < NEW_PCT THEN 0.3 ELSE 0.6 END AS CONFIDENCE
FROM CACHE
