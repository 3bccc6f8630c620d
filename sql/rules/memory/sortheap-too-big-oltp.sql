-- rule:      memory.sortheap-too-big-oltp
-- title:     Transaction processing has sort memory for analysis
-- area:      memory
-- lane:      P/P
-- effect:    ON
-- applies:   workload=oltp
-- evidence:  load
-- exclusive: sortheap
-- donor:     yes
-- needs:     workload.SORT_OVERFLOWS, workload.TOTAL_HASH_JOINS, database.SORT_SHRHEAP_TOP,
--            statement.SORT_SHRHEAP_TOP, dbcfg.VALUE, dbmcfg.VALUE
-- threshold: over_pages = 2048 -- [seed 002] the most that transaction processing was ever given
-- threshold: enough_pages = 512 -- [doc] more than that is not for transaction processing
-- threshold: max_overflow_pct = 0.5 -- [prop] where more of the sorts spill, the memory is in use
-- threshold: min_operations = 500 -- [prop] fewer sorts and hash joins give no ratio
-- threshold: min_statements = 5 -- [prop] fewer statements say nothing about what most of them need
-- threshold: keep_part = 0.5 -- [prop] less than half given back is not worth a change
-- source:    002_e991ec30bbd9209f.txt, appendix B, SORTHEAP 16; IBM documentation of sortheap (r0000259)
-- why:       SORTHEAP is what one sort may take. Where transactions sort little, the few statements that sort much
--            take all of it, while buffer pools lack the memory.
-- not-if:    SORTHEAP or its threshold is AUTOMATIC, pending, or differs between members; sorts are private; the
--            workload is not transaction processing; nine of ten sorting statements need more than half of it.
-- note:      What is given back is an estimate: the share that SORTHEAP shrinks by, of what all sorts together held
--            at their peak. The statements above the new size will spill, one in ten at most. Reports at night
--            are not seen in an interval by day: compare before this is done on a database that has them.
WITH SETTING AS (
    SELECT
        MAX(CASE WHEN NAME = 'sortheap' AND FIXED = 1 THEN NUM END) AS SORTHEAP,
        MAX(CASE WHEN NAME = 'sheapthres_shr' AND FIXED = 1 THEN NUM END) AS SHEAPTHRES_SHR,
        MAX(CASE WHEN NAME = 'sheapthres' THEN NUM END) AS SHEAPTHRES
    FROM TUNE.SETTING
),
SORTING AS (
    SELECT
        EXECUTABLE_ID,
        MAX(SORT_SHRHEAP_TOP) AS PAGES
    FROM TUNE.D_STATEMENT
    WHERE SORT_SHRHEAP_TOP > 0
    GROUP BY EXECUTABLE_ID
),
PLACED AS (
    SELECT
        PAGES,
        ROW_NUMBER() OVER (ORDER BY PAGES) AS N,
        COUNT(*) OVER () AS STATEMENTS
    FROM SORTING
),
NEED AS (
    SELECT
        MIN(CASE WHEN 10 * N >= 9 * STATEMENTS THEN PAGES END) AS P90,
        COALESCE(MAX(STATEMENTS), 0) AS STATEMENTS
    FROM PLACED
),
HELD AS (
    SELECT COALESCE(MIN(SORT_SHRHEAP_TOP), 0) AS TOP_PAGES FROM TUNE.D_DATABASE
),
SIZED AS (
    SELECT
        S.SORTHEAP,
        N.P90,
        N.STATEMENTS,
        H.TOP_PAGES,
        T.SORT_OVERFLOWS + T.HASH_JOIN_OVERFLOWS AS OVERFLOWS,
        T.TOTAL_SORTS + T.TOTAL_HASH_JOINS AS OPERATIONS,
        O.KEEP_PART,
        CASE WHEN N.P90 > O.ENOUGH_PAGES THEN N.P90 ELSE CAST(FLOOR(O.ENOUGH_PAGES) AS BIGINT) END AS PAGES
    FROM SETTING AS S
    CROSS JOIN NEED AS N
    CROSS JOIN HELD AS H
    CROSS JOIN TUNE.DATABASE_TIME AS T
    CROSS JOIN TUNE.WORKLOAD_CLASS AS K
    CROSS JOIN TUNE.O_MEMORY_SORTHEAP_TOO_BIG_OLTP AS O
    WHERE
        K.CLASS = 'OLTP'
        AND S.SORTHEAP > O.OVER_PAGES
        AND S.SHEAPTHRES_SHR IS NOT NULL AND S.SHEAPTHRES = 0
        AND N.STATEMENTS >= O.MIN_STATEMENTS
        AND T.TOTAL_SORTS + T.TOTAL_HASH_JOINS >= O.MIN_OPERATIONS
        AND 100 * (T.SORT_OVERFLOWS + T.HASH_JOIN_OVERFLOWS)
        < O.MAX_OVERFLOW_PCT * (T.TOTAL_SORTS + T.TOTAL_HASH_JOINS)
)
SELECT
    'DATABASE' AS OBJECT_TYPE,
    D.DB_NAME AS OBJECT_NAME,
    CAST(NULL AS SMALLINT) AS MEMBER,
    CAST(0 AS DOUBLE) AS CLAIMED_PCT,
    CAST(0 AS DOUBLE) AS RECOVER_LOW,
    CAST(0 AS DOUBLE) AS RECOVER_EXPECTED,
    CAST(0 AS DOUBLE) AS RECOVER_HIGH,
    CAST(0.3 AS DOUBLE) AS CONFIDENCE,
    'DBCFG:SORTHEAP' AS TARGET,
    CAST(S.SORTHEAP AS VARCHAR(20)) AS CURRENT_VALUE,
    CAST(S.PAGES AS VARCHAR(20)) AS PROPOSED_VALUE,
    '4 KB pages' AS UNIT,
    -CAST(FLOOR(4 * S.TOP_PAGES * (1 - CAST(S.PAGES AS DOUBLE) / NULLIF(S.SORTHEAP, 0))) AS BIGINT) AS MEMORY_DELTA_KB,
    'UPDATE DB CFG FOR ' || D.DB_NAME || ' USING SORTHEAP ' || CAST(S.PAGES AS VARCHAR(20)) AS ACTION_TEXT,
    'UPDATE DB CFG FOR ' || D.DB_NAME || ' USING SORTHEAP ' || CAST(S.SORTHEAP AS VARCHAR(20)) AS UNDO_TEXT,
    'SORTHEAP=' || CAST(S.SORTHEAP AS VARCHAR(20))
    || '; overflows=' || CAST(S.OVERFLOWS AS VARCHAR(20))
    || '; sorts_and_hash_joins=' || CAST(S.OPERATIONS AS VARCHAR(20))
    || '; SORT_SHRHEAP_TOP=' || CAST(S.TOP_PAGES AS VARCHAR(20))
    || '; statement_SORT_SHRHEAP_TOP_p90=' || CAST(S.P90 AS VARCHAR(20))
    || '; sorting_statements=' || CAST(S.STATEMENTS AS VARCHAR(20)) AS EVIDENCE,
    'One sort may take ' || CAST(S.SORTHEAP AS VARCHAR(20)) || ' pages, but nine of ten sorting statements never took'
    || ' more than ' || CAST(S.P90 AS VARCHAR(20)) || ' and ' || CAST(S.OVERFLOWS AS VARCHAR(20)) || ' of '
    || CAST(S.OPERATIONS AS VARCHAR(20)) || ' sorts and hash joins spilled; all together held '
    || CAST(S.TOP_PAGES AS VARCHAR(20)) || ' pages at their peak.' AS FINDING,
    CAST(0 AS DOUBLE) AS CLAIM_2_PCT,
    CAST(0 AS DOUBLE) AS CLAIM_3_PCT
FROM SIZED AS S
CROSS JOIN TUNE.RUN_DATABASE AS D
WHERE S.TOP_PAGES > 0 AND S.PAGES <= S.KEEP_PART * S.SORTHEAP
