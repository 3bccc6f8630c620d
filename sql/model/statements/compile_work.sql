-- The cost of compiling statements in the interval, one row. A statement is compiled explicitly when an application
-- prepares it. It is compiled implicitly when it had been prepared before and the cache has lost it, or DDL or new
-- statistics made it invalid.
--
-- LOOKUPS, INSERTS: lookups and inserts of the package cache
-- MISS_PCT: part of lookups that did not find their statement, percent
-- OVERFLOWS: number of times that the cache outgrew its size
-- COMPILATIONS: explicit compilations; inserts if Db2 did not count them
-- COMPILE_MS: time of each, milliseconds
-- COMPILE_PCT: their time, percent of database time
-- IMPLICIT_COMPILATIONS: implicit compilations; NULL if not counted
-- IMPLICIT_MS: time of each, milliseconds; NULL if not counted
-- IMPLICIT_PCT: their time, percent of database time
-- EVICTS: 1 if the cache evicts statements in use: they overflowed it, or half of the inserted ones had been prepared
--   before
-- STATISTICS_MS: time to collect or fabricate statistics during each compilation of either kind, milliseconds
-- STATISTICS_PCT: this time of all compilations, percent of database time; COMPILE_PCT contains it
WITH DONE AS (
    SELECT
        SUM(PKG_CACHE_LOOKUPS) AS LOOKUPS,
        SUM(PKG_CACHE_INSERTS) AS INSERTS,
        SUM(TOTAL_COMPILE_PROC_TIME) AS EXPLICIT_MS,
        NULLIF(SUM(TOTAL_COMPILATIONS), 0) AS COUNTED,
        SUM(TOTAL_IMPLICIT_COMPILE_PROC_TIME) AS IMPLICIT_MS,
        SUM(TOTAL_IMPLICIT_COMPILATIONS) AS IMPLICIT_COMPILATIONS,
        SUM(COALESCE(TOTAL_SYNC_RUNSTATS_PROC_TIME, 0) + COALESCE(TOTAL_STATS_FABRICATION_PROC_TIME, 0))
            AS STATISTICS_MS
    FROM TUNE.D_WORKLOAD
)
SELECT
    D.LOOKUPS,
    D.INSERTS,
    CASE WHEN V.OVERFLOWS > 0 OR 2 * COALESCE(D.IMPLICIT_COMPILATIONS, 0) >= D.INSERTS THEN 1 ELSE 0 END AS EVICTS,
    100 * CAST(D.INSERTS AS DOUBLE) / NULLIF(D.LOOKUPS, 0) AS MISS_PCT,
    V.OVERFLOWS,
    COALESCE(D.COUNTED, D.INSERTS) AS COMPILATIONS,
    CAST(D.EXPLICIT_MS AS DOUBLE) / NULLIF(COALESCE(D.COUNTED, D.INSERTS), 0) AS COMPILE_MS,
    100 * CAST(D.EXPLICIT_MS AS DOUBLE) / NULLIF(DBTIME.DBT_MS, 0) AS COMPILE_PCT,
    D.IMPLICIT_COMPILATIONS,
    CAST(D.IMPLICIT_MS AS DOUBLE) / NULLIF(D.IMPLICIT_COMPILATIONS, 0) AS IMPLICIT_MS,
    COALESCE(100 * CAST(D.IMPLICIT_MS AS DOUBLE) / NULLIF(DBTIME.DBT_MS, 0), 0) AS IMPLICIT_PCT,
    CAST(D.STATISTICS_MS AS DOUBLE)
    / NULLIF(COALESCE(D.COUNTED, D.INSERTS) + COALESCE(D.IMPLICIT_COMPILATIONS, 0), 0) AS STATISTICS_MS,
    100 * CAST(D.STATISTICS_MS AS DOUBLE) / NULLIF(DBTIME.DBT_MS, 0) AS STATISTICS_PCT
FROM DONE AS D
CROSS JOIN (SELECT SUM(PKG_CACHE_NUM_OVERFLOWS) AS OVERFLOWS FROM TUNE.D_DATABASE) AS V
CROSS JOIN TUNE.DATABASE_TIME AS DBTIME
