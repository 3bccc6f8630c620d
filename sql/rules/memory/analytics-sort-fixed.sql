-- rule:       memory.analytics-sort-fixed
-- title:      Column-organized tables need sort memory that is large and fixed
-- area:       memory
-- lane:       P
-- effect:     ON
-- applies:    from=10.5
-- judged-by:  load
-- claims:     COL
-- recover:    0.1, 0.3, 0.6
-- confidence: 0.6
-- memory:     GROWTH_KB
-- needs:      workload.TOTAL_COL_PROC_TIME, workload.HASH_JOIN_OVERFLOWS, workload.TOTAL_HASH_JOINS, dbcfg.VALUE,
--             dbmcfg.VALUE, system.MEMORY_FREE
-- threshold:  min_col_pct = 10 -- [prop] work on columns in percent of database time; below it they are a guest
-- threshold:  shr_pages = 1000000 -- [doc] the least SHEAPTHRES_SHR that the Configuration Advisor sets for them
-- threshold:  sort_pages = 32768 -- [doc] the least SORTHEAP that the Configuration Advisor sets for them
-- threshold:  shr_part = 0.4 -- [gk] of the database's memory for all sorts, hash joins and aggregations together
-- threshold:  at_a_time = 20 -- [gk] operations that may hold a full SORTHEAP together
-- threshold:  min_pages = 100000 -- [prop] a database with less than 400 MB has no memory to fix for sorts
-- object:     DATABASE
-- set:        DBCFG SHEAPTHRES_SHR: {SHEAPTHRES_SHR:text} -> {NEW_SHEAPTHRES_SHR}; SORTHEAP: {SORTHEAP:text} ->
--             {NEW_SORTHEAP}
-- unit:       4 KB pages
-- finding:    Work on column-organized tables takes {COL_PCT:1} % of database time with SHEAPTHRES_SHR
--             {SHEAPTHRES_SHR:text} and SORTHEAP {SORTHEAP:text}; {OVERFLOWS} of {OPERATIONS} sorts and hash joins
--             spilled.
-- evidence:   SHEAPTHRES_SHR:text, SORTHEAP:text, DATABASE_MEMORY, TOTAL_COL_PROC_TIME_pct=COL_PCT:2,
--             overflows=OVERFLOWS, sorts_and_hash_joins=OPERATIONS
-- source:     IBM documentation of sheapthres_shr (r0006014) and sortheap (r0000259)
-- why:        Joins and aggregations of column-organized tables work in sort memory. Self-tuning of sort memory is
--             not supported for them: Db2's manual warns of worse performance and of running out of memory.
-- not-if:     Both are fixed and as large as the manual's least, or as the memory of the database allows; one of them
--             is pending or differs between members; sorts are private; how large the database's memory is is not
--             known.
-- note:       The two parts of the memory are general knowledge; the least sizes are the manual's. Only work that
--             spilled can gain, so that part of the time on columns is claimed; without any it is housekeeping. The
--             utility heap for loading such tables is memory.util-heap-starved.
WITH SETTING AS (
    SELECT
        A.NUM AS SHR_PAGES,
        A.AUTOMATIC AS SHR_AUTOMATIC,
        S.NUM AS SORT_PAGES,
        S.AUTOMATIC AS SORT_AUTOMATIC,
        M.NUM AS DATABASE_MEMORY,
        FLOOR(ROUND(O.SHR_PART * M.NUM, 6)) AS ALL_PAGES,
        FLOOR(ROUND(O.SHR_PART * M.NUM / CAST(NULLIF(O.AT_A_TIME, 0) AS DOUBLE), 6)) AS ONE_PAGES
    FROM TUNE.SETTING AS A
    INNER JOIN TUNE.SETTING AS S
        ON
            S.SCOPE = 'DB' AND S.NAME = 'sortheap' AND S.NUM > 0
            AND (S.FIXED = 1 OR (S.AUTOMATIC = 1 AND S.PENDING = 0))
    INNER JOIN TUNE.SETTING AS M ON M.SCOPE = 'DB' AND M.NAME = 'database_memory'
    INNER JOIN TUNE.SETTING AS P ON P.SCOPE = 'DBM' AND P.NAME = 'sheapthres' AND P.NUM = 0
    CROSS JOIN TUNE.O_MEMORY_ANALYTICS_SORT_FIXED AS O
    WHERE
        A.SCOPE = 'DB' AND A.NAME = 'sheapthres_shr' AND A.NUM > 0
        AND (A.FIXED = 1 OR (A.AUTOMATIC = 1 AND A.PENDING = 0))
        AND M.NUM >= O.MIN_PAGES
),
SIZED AS (
    SELECT
        S.*,
        CASE
            WHEN S.SHR_AUTOMATIC = 1 OR (S.SHR_PAGES < O.SHR_PAGES AND S.SHR_PAGES < S.ALL_PAGES) THEN S.ALL_PAGES
            ELSE S.SHR_PAGES
        END AS NEW_SHEAPTHRES_SHR,
        CASE
            WHEN S.SORT_AUTOMATIC = 1 OR (S.SORT_PAGES < O.SORT_PAGES AND S.SORT_PAGES < S.ONE_PAGES) THEN S.ONE_PAGES
            ELSE S.SORT_PAGES
        END AS NEW_SORTHEAP
    FROM SETTING AS S
    CROSS JOIN TUNE.O_MEMORY_ANALYTICS_SORT_FIXED AS O
)
SELECT
    CAST(S.SHR_PAGES AS VARCHAR(20)) || CASE WHEN S.SHR_AUTOMATIC = 1 THEN ' AUTOMATIC' ELSE '' END AS SHEAPTHRES_SHR,
    CAST(S.SORT_PAGES AS VARCHAR(20)) || CASE WHEN S.SORT_AUTOMATIC = 1 THEN ' AUTOMATIC' ELSE '' END AS SORTHEAP,
    S.NEW_SHEAPTHRES_SHR,
    S.NEW_SORTHEAP,
    4 * (S.NEW_SHEAPTHRES_SHR - S.SHR_PAGES) AS GROWTH_KB,
    S.DATABASE_MEMORY,
    W.OVERFLOWS,
    W.OPERATIONS,
    T.COL_PCT,
    T.COL_PCT * W.OVERFLOWS / CAST(NULLIF(W.OPERATIONS, 0) AS DOUBLE) AS CLAIM_COL
FROM SIZED AS S
CROSS JOIN TUNE.SORT_WORK AS W
CROSS JOIN TUNE.DATABASE_TIME AS T
CROSS JOIN TUNE.O_MEMORY_ANALYTICS_SORT_FIXED AS O
WHERE
    T.COL_PCT >= O.MIN_COL_PCT
    AND (
        S.SHR_AUTOMATIC = 1 OR S.SORT_AUTOMATIC = 1
        OR S.NEW_SHEAPTHRES_SHR > S.SHR_PAGES OR S.NEW_SORTHEAP > S.SORT_PAGES
    )
