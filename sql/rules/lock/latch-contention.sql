-- rule:      lock.latch-contention
-- title:     Sessions wait for latches inside Db2
-- area:      lock
-- lane:      P
-- effect:    OB
-- evidence:  load
-- claims:    LATCH
-- yields:    cpu.instance-scaling-limit@any
-- needs:     workload.TOTAL_EXTENDED_LATCH_WAIT_TIME
-- threshold: min_wait_pct = 5 -- [prop] percent of database time; below it latches are short, as they should be
-- threshold: min_splits = 1000 -- [prop] leaf splits of one index in the interval; fewer are no hot spot
-- threshold: boundary_part = 0.9 -- [prop] nine of ten splits are at the end: keys grow
-- threshold: compile_pct = 5 -- [prop] percent of database time spent compiling
-- source:    IBM's db2mon (extended latch waits); 004_131ea73468d225e1.txt (one instance does not scale past two
--            sockets)
-- why:       A latch guards a structure in memory for a moment. Where many sessions want the same one, as the last
--            page of an index with growing keys or the package cache, they queue for it, and more processors make the
--            queue longer.
-- not-if:    Latch waits are below 5 % of database time; cpu.instance-scaling-limit says what to do about them.
-- note:      Which latch it is decides what helps, and it takes a person to tell: text only, low confidence. The hints
--            come from page splits and compile time; the latches themselves are not collected, the query is given.
WITH GROWING AS (
    SELECT
        '"' || REPLACE(TABSCHEMA, '"', '""') || '"."' || REPLACE(TABNAME, '"', '""') || '"' AS QUOTED,
        COALESCE(INDNAME, 'number ' || CAST(IID AS VARCHAR(20))) AS INDEX_TEXT,
        SPLITS,
        ROW_NUMBER() OVER (ORDER BY SPLITS DESC, TABSCHEMA, TABNAME, IID) AS PLACE
    FROM (
        SELECT
            TABSCHEMA,
            TABNAME,
            IID,
            MIN(INDNAME) AS INDNAME,
            SUM(BOUNDARY_LEAF_NODE_SPLITS) AS SPLITS,
            SUM(NONBOUNDARY_LEAF_NODE_SPLITS) AS OTHER_SPLITS
        FROM TUNE.D_INDEX
        GROUP BY TABSCHEMA, TABNAME, IID
    ) AS I
    CROSS JOIN TUNE.O_LOCK_LATCH_CONTENTION AS O
    WHERE I.SPLITS >= O.MIN_SPLITS AND I.SPLITS >= O.BOUNDARY_PART * (I.SPLITS + I.OTHER_SPLITS)
),
LATCH AS (
    SELECT
        T.LATCH_PCT,
        O.COMPILE_PCT AS FLOOR_PCT,
        100 * CAST(T.TOTAL_COMPILE_PROC_TIME AS DOUBLE) / NULLIF(T.DBT_MS, 0) AS COMPILE_PCT
    FROM TUNE.DATABASE_TIME AS T
    CROSS JOIN TUNE.O_LOCK_LATCH_CONTENTION AS O
    WHERE T.LATCH_PCT >= O.MIN_WAIT_PCT
)
SELECT
    'DATABASE' AS OBJECT_TYPE,
    D.DB_NAME AS OBJECT_NAME,
    CAST(NULL AS SMALLINT) AS MEMBER,
    L.LATCH_PCT AS CLAIMED_PCT,
    CAST(0.1 AS DOUBLE) AS RECOVER_LOW,
    CAST(0.2 AS DOUBLE) AS RECOVER_EXPECTED,
    CAST(0.5 AS DOUBLE) AS RECOVER_HIGH,
    CAST(0.3 AS DOUBLE) AS CONFIDENCE,
    CAST(NULL AS VARCHAR(200)) AS TARGET,
    CAST(NULL AS VARCHAR(200)) AS CURRENT_VALUE,
    CAST(NULL AS VARCHAR(200)) AS PROPOSED_VALUE,
    CAST(NULL AS VARCHAR(40)) AS UNIT,
    CAST(0 AS BIGINT) AS MEMORY_DELTA_KB,
    '-- See which latches they are: SELECT MEMBER, LATCH_NAME, TOTAL_EXTENDED_LATCH_WAITS,'
    || ' TOTAL_EXTENDED_LATCH_WAIT_TIME FROM TABLE(MON_GET_EXTENDED_LATCH_WAIT(-2)) AS T'
    || ' ORDER BY TOTAL_EXTENDED_LATCH_WAIT_TIME DESC'
    || COALESCE(
        CHR(10) || '-- If they are latches of pages: index ' || G.INDEX_TEXT || ' of ' || G.QUOTED
        || ' grows at its end only; keys that do not grow, or a partitioned table, spread the inserts.', ''
    )
    || CASE
        WHEN L.COMPILE_PCT >= L.FLOOR_PCT
            THEN CHR(10) || '-- If they are latches of the package cache: parameter markers in place of literals spare'
                || ' most compilations.'
        ELSE ''
    END AS ACTION_TEXT,
    '-- Nothing is changed by looking.' AS UNDO_TEXT,
    'TOTAL_EXTENDED_LATCH_WAIT_TIME_pct=' || CAST(CAST(ROUND(L.LATCH_PCT, 2) AS DECIMAL(9, 2)) AS VARCHAR(20))
    || '; TOTAL_COMPILE_PROC_TIME_pct='
    || CAST(CAST(ROUND(COALESCE(L.COMPILE_PCT, 0), 2) AS DECIMAL(9, 2)) AS VARCHAR(20))
    || '; BOUNDARY_LEAF_NODE_SPLITS=' || CAST(COALESCE(G.SPLITS, 0) AS VARCHAR(20)) AS EVIDENCE,
    'Sessions waited for latches for ' || CAST(CAST(ROUND(L.LATCH_PCT, 1) AS DECIMAL(9, 1)) AS VARCHAR(20))
    || ' % of database time.' AS FINDING,
    CAST(0 AS DOUBLE) AS CLAIM_2_PCT,
    CAST(0 AS DOUBLE) AS CLAIM_3_PCT
FROM LATCH AS L
CROSS JOIN TUNE.RUN_DATABASE AS D
LEFT JOIN GROWING AS G ON G.PLACE = 1
