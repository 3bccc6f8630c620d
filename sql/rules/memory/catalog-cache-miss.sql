-- rule:       memory.catalog-cache-miss
-- title:      Catalog cache is too small
-- area:       memory
-- lane:       P
-- effect:     ON
-- judged-by:  load
-- claims:     COMPILE
-- recover:    0.1, 0.3, 0.5
-- confidence: 0.6
-- memory:     GROWTH_KB
-- needs:      workload.TOTAL_COMPILE_PROC_TIME, workload.CAT_CACHE_LOOKUPS, workload.CAT_CACHE_INSERTS,
--             database.CAT_CACHE_OVERFLOWS, dbcfg.VALUE
-- threshold:  min_lookups = 5000 -- [prop] fewer lookups give no ratio
-- threshold:  min_compile_pct = 2 -- [prop] compiling below 2 % of database time is not worth memory
-- threshold:  min_hit_pct = 95 -- [prop] tables and privileges are looked up again and again
-- threshold:  growth = 2 -- [prop] one step doubles the cache; the next run sees what it did
-- threshold:  enough_pages = 65536 -- [prop] 256 MB hold every descriptor that is in use
-- object:     DATABASE
-- set:        DBCFG CATALOGCACHE_SZ: {CATALOGCACHE_SZ:text} -> {NEW_PAGES}; DBHEAP: {DBHEAP} -> {NEW_DBHEAP}
-- unit:       4 KB pages
-- finding:    The catalog cache of {PAGES} pages overflowed {OVERFLOWS} times and missed {CAT_CACHE_INSERTS} of
--             {CAT_CACHE_LOOKUPS} lookups; compiling takes {CLAIM_COMPILE:1} % of database time.
-- evidence:   CATALOGCACHE_SZ:text, CAT_CACHE_LOOKUPS, CAT_CACHE_INSERTS, CAT_CACHE_OVERFLOWS=OVERFLOWS,
--             TOTAL_COMPILE_PROC_TIME_pct=CLAIM_COMPILE:2
-- source:     002_e991ec30bbd9209f.txt, appendix A, CATALOGCACHE_SZ; IBM documentation of catalogcache_sz (r0000338)
-- why:        Compiling a statement and checking privileges need the descriptions of its tables. What is not in the
--             catalog cache is read from the catalog tables, in a partitioned database from another member.
-- not-if:     The cache never overflowed; CATALOGCACHE_SZ is pending or differs between members (the catalog member
--             may need more); it has 256 MB or more; DBHEAP, which holds it, differs between members or is pending.
-- note:       -1 stands for a number of pages for each of MAXAPPLS: 5, from 12.1 on 10 for MAXAPPLS + 25. Where DBHEAP
--             is fixed it grows by the same pages. A miss is a small part of a compilation, so little of that is
--             expected back.
WITH CACHE AS (
    SELECT
        P.VALUE AS CATALOGCACHE_SZ,
        CASE
            WHEN P.NUM <> -1 THEN P.NUM
            WHEN D.DB2_LEVEL >= 12010000 THEN 10 * (A.NUM + 25)
            WHEN 5 * A.NUM > 8 THEN 5 * A.NUM
            ELSE 8
        END AS PAGES,
        CASE WHEN H.FIXED = 1 THEN H.NUM END AS DBHEAP
    FROM TUNE.SETTING AS P
    INNER JOIN TUNE.SETTING AS H
        ON H.SCOPE = 'DB' AND H.NAME = 'dbheap' AND H.PENDING = 0 AND (H.FIXED = 1 OR H.AUTOMATIC = 1)
    CROSS JOIN TUNE.RUN_DATABASE AS D
    LEFT JOIN TUNE.SETTING AS A ON A.SCOPE = 'DB' AND A.NAME = 'maxappls'
    WHERE P.SCOPE = 'DB' AND P.NAME = 'catalogcache_sz' AND P.FIXED = 1
),
SIZED AS (
    SELECT
        C.*,
        FLOOR(O.GROWTH * C.PAGES) AS NEW_PAGES
    FROM CACHE AS C
    CROSS JOIN TUNE.O_MEMORY_CATALOG_CACHE_MISS AS O
    WHERE C.PAGES > 0 AND C.PAGES < O.ENOUGH_PAGES
)
SELECT
    S.CATALOGCACHE_SZ,
    S.PAGES,
    S.NEW_PAGES,
    S.DBHEAP,
    S.DBHEAP + S.NEW_PAGES - S.PAGES AS NEW_DBHEAP,
    4 * (S.NEW_PAGES - S.PAGES) AS GROWTH_KB,
    V.OVERFLOWS,
    T.CAT_CACHE_LOOKUPS,
    T.CAT_CACHE_INSERTS,
    T.COMPILE_PCT AS CLAIM_COMPILE
FROM SIZED AS S
CROSS JOIN TUNE.DATABASE_TIME AS T
CROSS JOIN (SELECT SUM(CAT_CACHE_OVERFLOWS) AS OVERFLOWS FROM TUNE.D_DATABASE) AS V
CROSS JOIN TUNE.O_MEMORY_CATALOG_CACHE_MISS AS O
WHERE
    V.OVERFLOWS > 0
    AND T.CAT_CACHE_LOOKUPS >= O.MIN_LOOKUPS
    AND T.COMPILE_PCT >= O.MIN_COMPILE_PCT
    AND 100 * T.CAT_CACHE_INSERTS > (100 - O.MIN_HIT_PCT) * T.CAT_CACHE_LOOKUPS
