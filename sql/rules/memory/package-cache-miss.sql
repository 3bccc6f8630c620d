-- rule:      memory.package-cache-miss
-- title:     Statements are compiled again because the package cache lost them
-- area:      memory
-- lane:      P
-- effect:    ON
-- applies:   workload=oltp,mixed
-- evidence:  load
-- claims:    COMPILE
-- needs:     workload.TOTAL_COMPILE_PROC_TIME, workload.PKG_CACHE_LOOKUPS, workload.PKG_CACHE_INSERTS, dbcfg.VALUE
-- threshold: min_lookups = 5000 -- [prop] fewer lookups give no ratio
-- threshold: min_compile_pct = 5 -- [prop] compiling below 5 % of database time is not worth memory
-- threshold: min_hit_pct = 90 -- [prop] a vendor alarms mildly below 90 %, IBM calls 80 % good
-- threshold: new_pct = 50 -- [prop] where every other lookup misses, most statements are new, not lost
-- threshold: growth = 2 -- [prop] one step doubles the cache; the next run sees what it did
-- threshold: enough_pages = 131072 -- [prop] what misses in 512 MB is new each time
-- source:    002_e991ec30bbd9209f.txt, PCKCACHESZ; IBM documentation of pckcachesz (r0000266), stmt_conc (r0054239)
--            and pkg_cache_inserts
-- why:       A statement that is not in the package cache is compiled, or its package read from the catalog, while
--            the application waits. A cache that holds the statements in use compiles each of them once.
-- not-if:    PCKCACHESZ is AUTOMATIC, pending, or differs between members; it has 512 MB or more; the workload is
--            analysis, whose statements are new each time.
-- note:      Whether statements differ only in their literals is not seen: what is collected of the package cache
--            holds statements with much work, and those that are executed once are not among them, nor is any text
--            read. So the size is advised, with little confidence where most lookups miss, and the other remedy is
--            told beside it: parameter markers, or STMT_CONC LITERALS, which may change access plans.
--            Where self-tuning memory is at work, it is to size the cache. How large the cache ever was
--            (PKG_CACHE_SIZE_TOP) no table function tells, so the step is from the size that is set.
WITH CACHE AS (
    SELECT
        P.NUM AS PAGES,
        CAST(FLOOR(O.GROWTH * P.NUM) AS BIGINT) AS NEW_PAGES,
        M.ACTIVE AS SELF_TUNED,
        T.COMPILE_PCT,
        K.P_OLTP,
        T.PKG_CACHE_LOOKUPS AS LOOKUPS,
        T.PKG_CACHE_INSERTS AS INSERTS,
        100 - 100 * CAST(T.PKG_CACHE_INSERTS AS DOUBLE) / NULLIF(T.PKG_CACHE_LOOKUPS, 0) AS HIT_PCT,
        O.NEW_PCT,
        COALESCE(C.VALUE, 'not known') AS STMT_CONC,
        D.DB_NAME,
        'UPDATE DB CFG FOR ' || D.DB_NAME || ' USING PCKCACHESZ ' AS COMMAND
    FROM TUNE.SETTING AS P
    CROSS JOIN TUNE.STMM AS M
    CROSS JOIN TUNE.DATABASE_TIME AS T
    CROSS JOIN TUNE.WORKLOAD_CLASS AS K
    CROSS JOIN TUNE.RUN_DATABASE AS D
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
    'DATABASE' AS OBJECT_TYPE,
    C.DB_NAME AS OBJECT_NAME,
    CAST(NULL AS SMALLINT) AS MEMBER,
    C.COMPILE_PCT * C.P_OLTP AS CLAIMED_PCT,
    CAST(0.3 AS DOUBLE) AS RECOVER_LOW,
    CAST(0.5 AS DOUBLE) AS RECOVER_EXPECTED,
    CAST(0.8 AS DOUBLE) AS RECOVER_HIGH,
    CASE WHEN C.HIT_PCT < C.NEW_PCT THEN CAST(0.3 AS DOUBLE) ELSE CAST(0.6 AS DOUBLE) END AS CONFIDENCE,
    'DBCFG:PCKCACHESZ' AS TARGET,
    CAST(C.PAGES AS VARCHAR(20)) AS CURRENT_VALUE,
    CASE WHEN C.SELF_TUNED = 1 THEN 'AUTOMATIC' ELSE CAST(C.NEW_PAGES AS VARCHAR(20)) END AS PROPOSED_VALUE,
    '4 KB pages' AS UNIT,
    CASE
        WHEN C.SELF_TUNED = 1 THEN CAST(0 AS BIGINT)
        ELSE CAST(4 * (C.NEW_PAGES - C.PAGES) AS BIGINT)
    END AS MEMORY_DELTA_KB,
    C.COMMAND || CASE WHEN C.SELF_TUNED = 1 THEN 'AUTOMATIC' ELSE CAST(C.NEW_PAGES AS VARCHAR(20)) END
    || CASE
        WHEN C.STMT_CONC = 'OFF'
            THEN CHR(10) || '-- a larger cache does not help statements that differ only in literals: give those'
                || ' parameter markers, or try STMT_CONC LITERALS where one access plan fits all values'
        ELSE ''
    END AS ACTION_TEXT,
    C.COMMAND || CAST(C.PAGES AS VARCHAR(20)) AS UNDO_TEXT,
    'PCKCACHESZ=' || CAST(C.PAGES AS VARCHAR(20))
    || '; PKG_CACHE_LOOKUPS=' || CAST(C.LOOKUPS AS VARCHAR(20))
    || '; PKG_CACHE_INSERTS=' || CAST(C.INSERTS AS VARCHAR(20))
    || '; hit_ratio_pct=' || CAST(CAST(ROUND(C.HIT_PCT, 2) AS DECIMAL(9, 2)) AS VARCHAR(20))
    || '; TOTAL_COMPILE_PROC_TIME_pct=' || CAST(CAST(ROUND(C.COMPILE_PCT, 2) AS DECIMAL(9, 2)) AS VARCHAR(20))
    || '; STMT_CONC=' || C.STMT_CONC AS EVIDENCE,
    'Compiling takes ' || CAST(CAST(ROUND(C.COMPILE_PCT, 1) AS DECIMAL(9, 1)) AS VARCHAR(20))
    || ' % of database time: ' || CAST(C.INSERTS AS VARCHAR(20)) || ' of ' || CAST(C.LOOKUPS AS VARCHAR(20))
    || ' lookups did not find their statement in a package cache of ' || CAST(C.PAGES AS VARCHAR(20)) || ' pages.'
        AS FINDING,
    CAST(0 AS DOUBLE) AS CLAIM_2_PCT,
    CAST(0 AS DOUBLE) AS CLAIM_3_PCT
FROM CACHE AS C
