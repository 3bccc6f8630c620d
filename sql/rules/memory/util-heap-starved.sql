-- rule:      memory.util-heap-starved
-- title:     Utilities run in a utility heap that is too small
-- area:      memory
-- lane:      H
-- effect:    ON
-- evidence:  load
-- needs:     workload.TOTAL_LOADS, dbcfg.VALUE
-- threshold: min_pages = 5000 -- [doc] the size that Db2 gives by default
-- threshold: min_col_pages = 1000000 -- [doc] the least for LOAD into column-organized tables
-- threshold: col_pct = 10 -- [prop] from this part of database time on the database is one of columns
-- source:    002_e991ec30bbd9209f.txt, appendix A; 000_9a1c354496f94ea4.txt, LOAD; IBM documentation of util_heap_sz
--            (r0000330) and of loading data into column-organized tables
-- why:       LOAD, BACKUP and REDISTRIBUTE size their buffers by what the utility heap has. In a small one they run
--            with few small buffers, and more of them at a time slow each other down.
-- not-if:    No load, backup or redistribution was seen; UTIL_HEAP_SZ is AUTOMATIC, large enough for the kind of
--            tables, pending, or differs between members.
-- note:      How much of their time utilities lose by it is not measured, so none is claimed. Before 10.5 the heap
--            could not be AUTOMATIC. A fixed size holds back what utilities plan with, it is no limit.
WITH SEEN AS (
    SELECT
        COUNT(*) AS UTILITIES,
        MIN(UTILITY_TYPE) AS UTILITY_TYPE
    FROM TUNE.D_UTILITY
    WHERE UTILITY_TYPE IN ('LOAD', 'BACKUP', 'REDISTRIBUTE')
),
HEAP AS (
    SELECT
        P.NUM AS PAGES,
        CASE
            WHEN M.ANALYTICS = 1 OR T.COL_PCT >= O.COL_PCT THEN CAST(FLOOR(O.MIN_COL_PAGES) AS BIGINT)
            ELSE CAST(FLOOR(O.MIN_PAGES) AS BIGINT)
        END AS NEW_PAGES,
        CASE WHEN D.DB2_LEVEL >= 10050000 THEN ' AUTOMATIC' ELSE '' END AS FLAG,
        T.TOTAL_LOADS,
        S.UTILITIES,
        COALESCE(S.UTILITY_TYPE, 'LOAD') AS UTILITY_TYPE,
        D.DB_NAME,
        'UPDATE DB CFG FOR ' || D.DB_NAME || ' USING UTIL_HEAP_SZ ' AS COMMAND
    FROM TUNE.SETTING AS P
    CROSS JOIN TUNE.STMM AS M
    CROSS JOIN TUNE.DATABASE_TIME AS T
    CROSS JOIN SEEN AS S
    CROSS JOIN TUNE.RUN_DATABASE AS D
    CROSS JOIN TUNE.O_MEMORY_UTIL_HEAP_STARVED AS O
    WHERE P.SCOPE = 'DB' AND P.NAME = 'util_heap_sz' AND P.FIXED = 1 AND T.TOTAL_LOADS + S.UTILITIES > 0
)
SELECT
    'DATABASE' AS OBJECT_TYPE,
    H.DB_NAME AS OBJECT_NAME,
    CAST(NULL AS SMALLINT) AS MEMBER,
    CAST(0 AS DOUBLE) AS CLAIMED_PCT,
    CAST(0 AS DOUBLE) AS RECOVER_LOW,
    CAST(0 AS DOUBLE) AS RECOVER_EXPECTED,
    CAST(0 AS DOUBLE) AS RECOVER_HIGH,
    CAST(0.3 AS DOUBLE) AS CONFIDENCE,
    'DBCFG:UTIL_HEAP_SZ' AS TARGET,
    CAST(H.PAGES AS VARCHAR(20)) AS CURRENT_VALUE,
    CAST(H.NEW_PAGES AS VARCHAR(20)) || H.FLAG AS PROPOSED_VALUE,
    '4 KB pages' AS UNIT,
    CAST(4 * (H.NEW_PAGES - H.PAGES) AS BIGINT) AS MEMORY_DELTA_KB,
    H.COMMAND || CAST(H.NEW_PAGES AS VARCHAR(20)) || H.FLAG AS ACTION_TEXT,
    H.COMMAND || CAST(H.PAGES AS VARCHAR(20)) AS UNDO_TEXT,
    'UTIL_HEAP_SZ=' || CAST(H.PAGES AS VARCHAR(20))
    || '; TOTAL_LOADS=' || CAST(H.TOTAL_LOADS AS VARCHAR(20))
    || '; utilities_running=' || CAST(H.UTILITIES AS VARCHAR(20)) AS EVIDENCE,
    H.UTILITY_TYPE || ' ran with a utility heap of ' || CAST(H.PAGES AS VARCHAR(20)) || ' pages; at least '
    || CAST(H.NEW_PAGES AS VARCHAR(20)) || ' let utilities use buffers of a good size.' AS FINDING,
    CAST(0 AS DOUBLE) AS CLAIM_2_PCT,
    CAST(0 AS DOUBLE) AS CLAIM_3_PCT
FROM HEAP AS H
WHERE H.PAGES < H.NEW_PAGES
