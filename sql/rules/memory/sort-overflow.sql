-- rule:       memory.sort-overflow
-- title:      Sorts and hash joins spill to temporary tables
-- area:       memory
-- lane:       P
-- effect:     ON
-- judged-by:  load
-- claims:     SORT, POOL_READ
-- recover:    0.2, 0.5, 0.8
-- confidence: 0.6
-- memory:     GROWTH_KB
-- exclusive:  sortheap
-- yields:     memory.sort-threshold-exceeded@any
-- after:      memory.sort-threshold-exceeded
-- needs:      workload.TOTAL_SECTION_SORT_PROC_TIME, workload.SORT_OVERFLOWS, workload.TOTAL_HASH_JOINS,
--             dbcfg.VALUE, dbmcfg.VALUE, system.MEMORY_FREE
-- threshold:  min_operations = 500 -- [prop] fewer sorts and hash joins give no ratio
-- threshold:  oltp_pct = 3 -- [doc] transaction processing: more spills than this hurt
-- threshold:  bi_pct = 30 -- [doc] a warehouse: large sorts spill, a third of them should not
-- threshold:  min_share_pct = 5 -- [prop] sorting and reading spilled data, in percent of database time
-- threshold:  one_statement = 0.7 -- [prop] a statement with more of the overflows needs an index, not memory
-- threshold:  min_statements = 5 -- [prop] fewer statements say nothing about what most of them need
-- threshold:  oltp_pages = 2048 -- [seed 002] the most that transaction processing was ever given
-- object:     DATABASE
-- set:        DBCFG SORTHEAP: {SORTHEAP} -> {NEW_SORTHEAP} (4 KB pages)
-- finding:    {OVERFLOWS} of {OPERATIONS} sorts and hash joins did not fit into SORTHEAP {SORTHEAP}; sorting takes
--             {SORT_PCT:2} % of database time.
-- evidence:   SORTHEAP, overflows=OVERFLOWS, sorts_and_hash_joins=OPERATIONS,
--             TOTAL_SECTION_SORT_PROC_TIME_pct=SORT_PCT:2, temporary_reads_pct=CLAIM_POOL_READ:2,
--             spilling_statements=SPILLING_STATEMENTS, SORT_SHRHEAP_TOP_p90=SPILLING_P90, SHEAPTHRES, SHEAPTHRES_SHR
-- source:     000_9a1c354496f94ea4.txt, "Optimizing memory utilization"; 002_e991ec30bbd9209f.txt, appendices; IBM
--             documentation of sortheap, sheapthres (r0000290) and sheapthres_shr (r0006014)
-- why:        A sort that does not fit into SORTHEAP is written to a temporary table in runs and merged again.
-- not-if:     SORTHEAP is AUTOMATIC, pending, or differs between members; the threshold of all sorts leaves no
--             room; nine of ten spilling statements never used more than they may; one statement makes most of the
--             overflows; DB2_WORKLOAD is ANALYTICS.
-- note:       The size is what nine of ten spilling statements in the package cache used at their peak, or one
--             doubling where too few of them are there. It stays below half of SHEAPTHRES_SHR (of
--             SHEAPTHRES in the private model), since how many sorts run at a time is not collected. With
--             SHEAPTHRES_SHR AUTOMATIC Db2 refuses a fixed SORTHEAP, so there the rule is silent. Between the two
--             classes of workload the bound is interpolated.
WITH SIZED AS (
    SELECT
        H.NUM AS SORTHEAP,
        A.NUM AS SHEAPTHRES_SHR,
        COALESCE(P.NUM, 0) AS SHEAPTHRES,
        -- the least of: the need, half of the threshold that holds, and in transaction processing its bound
        FLOOR(LEAST(
            COALESCE(CASE WHEN W.SPILLING_STATEMENTS >= O.MIN_STATEMENTS THEN W.SPILLING_P90 END, 2 * H.NUM),
            CASE WHEN P.NUM > 0 THEN P.NUM ELSE COALESCE(A.NUM, 0) END / CAST(2 AS DOUBLE),
            CASE WHEN K.CLASS = 'OLTP' THEN O.OLTP_PAGES ELSE 4194303 END
        )) AS NEW_SORTHEAP,
        W.*
    FROM TUNE.SETTING AS H
    CROSS JOIN TUNE.SORT_WORK AS W
    CROSS JOIN TUNE.STMM AS M
    CROSS JOIN TUNE.WORKLOAD_CLASS AS K
    CROSS JOIN TUNE.O_MEMORY_SORT_OVERFLOW AS O
    LEFT JOIN TUNE.SETTING AS A ON A.SCOPE = 'DB' AND A.NAME = 'sheapthres_shr'
    LEFT JOIN TUNE.SETTING AS P ON P.SCOPE = 'DBM' AND P.NAME = 'sheapthres'
    WHERE
        H.SCOPE = 'DB' AND H.NAME = 'sortheap' AND H.FIXED = 1
        AND M.ANALYTICS = 0
        AND (P.NUM > 0 OR COALESCE(A.AUTOMATIC, 0) = 0)
        AND W.OPERATIONS >= O.MIN_OPERATIONS
        AND 100 * W.OVERFLOWS > (O.OLTP_PCT + (O.BI_PCT - O.OLTP_PCT) * K.P_BI) * W.OPERATIONS
        AND W.SORT_PCT + W.TEMP_PCT >= O.MIN_SHARE_PCT
        AND W.STATEMENT_OVERFLOWS <= O.ONE_STATEMENT * W.SORT_OVERFLOWS
)
SELECT
    SORTHEAP,
    NEW_SORTHEAP,
    4 * (NEW_SORTHEAP - SORTHEAP) AS GROWTH_KB,
    SHEAPTHRES,
    SHEAPTHRES_SHR,
    OVERFLOWS,
    OPERATIONS,
    SPILLING_STATEMENTS,
    SPILLING_P90,
    SORT_PCT,
    SORT_PCT * COALESCE(CAST(SORT_OVERFLOWS AS DOUBLE) / NULLIF(TOTAL_SORTS, 0), 0) AS CLAIM_SORT,
    TEMP_PCT AS CLAIM_POOL_READ
FROM SIZED
WHERE NEW_SORTHEAP > SORTHEAP
