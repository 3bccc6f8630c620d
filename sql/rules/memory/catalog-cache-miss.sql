-- rule:      memory.catalog-cache-miss
-- title:     Catalog cache is too small
-- area:      memory
-- lane:      P
-- effect:    ON
-- evidence:  load
-- claims:    COMPILE
-- needs:     workload.TOTAL_COMPILE_PROC_TIME, workload.CAT_CACHE_LOOKUPS, workload.CAT_CACHE_INSERTS,
--            database.CAT_CACHE_OVERFLOWS, dbcfg.VALUE
-- threshold: min_lookups = 5000 -- [prop] fewer lookups give no ratio
-- threshold: min_compile_pct = 2 -- [prop] compiling below 2 % of database time is not worth memory
-- threshold: min_hit_pct = 95 -- [prop] tables and privileges are looked up again and again
-- threshold: growth = 2 -- [prop] one step doubles the cache; the next run sees what it did
-- threshold: enough_pages = 65536 -- [prop] 256 MB hold every descriptor that is in use
-- source:    002_e991ec30bbd9209f.txt, appendix A, CATALOGCACHE_SZ; IBM documentation of catalogcache_sz (r0000338)
-- why:       Compiling a statement and checking privileges need the descriptions of its tables. What is not in the
--            catalog cache is read from the catalog tables, in a partitioned database from another member.
-- not-if:    The cache never overflowed; CATALOGCACHE_SZ is pending or differs between members (the catalog member
--            may need more); it has 256 MB or more; DBHEAP, which holds it, differs between members or is pending.
-- note:      -1 stands for a number of pages for each of MAXAPPLS: 5, from 12.1 on 10 for MAXAPPLS + 25. Where DBHEAP
--            is fixed it grows by the same pages. A miss is a small part of a compilation, so little of that is
--            expected back.
WITH CACHE AS (
    SELECT
        P.VALUE AS OLD_VALUE,
        CASE
            WHEN P.NUM <> -1 THEN P.NUM
            WHEN D.DB2_LEVEL >= 12010000 THEN 10 * (A.NUM + 25)
            WHEN 5 * A.NUM > 8 THEN 5 * A.NUM
            ELSE 8
        END AS PAGES,
        CASE WHEN H.FIXED = 1 THEN H.NUM END AS DBHEAP,
        T.COMPILE_PCT,
        T.CAT_CACHE_LOOKUPS AS LOOKUPS,
        T.CAT_CACHE_INSERTS AS INSERTS,
        V.OVERFLOWS,
        O.GROWTH,
        O.ENOUGH_PAGES,
        D.DB_NAME,
        'UPDATE DB CFG FOR ' || D.DB_NAME || ' USING CATALOGCACHE_SZ ' AS COMMAND
    FROM TUNE.SETTING AS P
    INNER JOIN TUNE.SETTING AS H ON H.SCOPE = 'DB' AND H.NAME = 'dbheap' AND (H.FIXED = 1 OR H.AUTOMATIC = 1)
    CROSS JOIN TUNE.DATABASE_TIME AS T
    CROSS JOIN (SELECT SUM(CAT_CACHE_OVERFLOWS) AS OVERFLOWS FROM TUNE.D_DATABASE) AS V
    CROSS JOIN TUNE.RUN_DATABASE AS D
    CROSS JOIN TUNE.O_MEMORY_CATALOG_CACHE_MISS AS O
    LEFT JOIN TUNE.SETTING AS A ON A.SCOPE = 'DB' AND A.NAME = 'maxappls'
    WHERE
        P.SCOPE = 'DB' AND P.NAME = 'catalogcache_sz' AND P.FIXED = 1
        AND V.OVERFLOWS > 0
        AND T.CAT_CACHE_LOOKUPS >= O.MIN_LOOKUPS
        AND T.COMPILE_PCT >= O.MIN_COMPILE_PCT
        AND 100 * T.CAT_CACHE_INSERTS > (100 - O.MIN_HIT_PCT) * T.CAT_CACHE_LOOKUPS
),
SIZED AS (
    SELECT
        CACHE.*,
        CAST(FLOOR(GROWTH * PAGES) AS BIGINT) AS NEW_PAGES
    FROM CACHE
    WHERE PAGES > 0 AND PAGES < ENOUGH_PAGES
)
SELECT
    'DATABASE' AS OBJECT_TYPE,
    S.DB_NAME AS OBJECT_NAME,
    CAST(NULL AS SMALLINT) AS MEMBER,
    S.COMPILE_PCT AS CLAIMED_PCT,
    CAST(0.1 AS DOUBLE) AS RECOVER_LOW,
    CAST(0.3 AS DOUBLE) AS RECOVER_EXPECTED,
    CAST(0.5 AS DOUBLE) AS RECOVER_HIGH,
    CAST(0.6 AS DOUBLE) AS CONFIDENCE,
    'DBCFG:CATALOGCACHE_SZ' AS TARGET,
    S.OLD_VALUE AS CURRENT_VALUE,
    CAST(S.NEW_PAGES AS VARCHAR(20)) AS PROPOSED_VALUE,
    '4 KB pages' AS UNIT,
    CAST(4 * (S.NEW_PAGES - S.PAGES) AS BIGINT) AS MEMORY_DELTA_KB,
    S.COMMAND || CAST(S.NEW_PAGES AS VARCHAR(20))
    || COALESCE(' DBHEAP ' || CAST(S.DBHEAP + S.NEW_PAGES - S.PAGES AS VARCHAR(20)), '') AS ACTION_TEXT,
    S.COMMAND || S.OLD_VALUE || COALESCE(' DBHEAP ' || CAST(S.DBHEAP AS VARCHAR(20)), '') AS UNDO_TEXT,
    'CATALOGCACHE_SZ=' || S.OLD_VALUE
    || '; CAT_CACHE_LOOKUPS=' || CAST(S.LOOKUPS AS VARCHAR(20))
    || '; CAT_CACHE_INSERTS=' || CAST(S.INSERTS AS VARCHAR(20))
    || '; CAT_CACHE_OVERFLOWS=' || CAST(S.OVERFLOWS AS VARCHAR(20))
    || '; TOTAL_COMPILE_PROC_TIME_pct=' || CAST(CAST(ROUND(S.COMPILE_PCT, 2) AS DECIMAL(9, 2)) AS VARCHAR(20))
        AS EVIDENCE,
    'The catalog cache of ' || CAST(S.PAGES AS VARCHAR(20)) || ' pages overflowed '
    || CAST(S.OVERFLOWS AS VARCHAR(20)) || ' times and missed ' || CAST(S.INSERTS AS VARCHAR(20)) || ' of '
    || CAST(S.LOOKUPS AS VARCHAR(20)) || ' lookups; compiling takes '
    || CAST(CAST(ROUND(S.COMPILE_PCT, 1) AS DECIMAL(9, 1)) AS VARCHAR(20)) || ' % of database time.' AS FINDING,
    CAST(0 AS DOUBLE) AS CLAIM_2_PCT,
    CAST(0 AS DOUBLE) AS CLAIM_3_PCT
FROM SIZED AS S
