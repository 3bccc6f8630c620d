-- rule:       lock.latch-contention
-- title:      Sessions wait for latches inside Db2
-- area:       lock
-- lane:       P
-- effect:     OB
-- judged-by:  load
-- claims:     LATCH
-- recover:    0.1, 0.2, 0.5
-- confidence: 0.3
-- needs:      workload.TOTAL_EXTENDED_LATCH_WAIT_TIME
-- threshold:  min_wait_pct = 5 -- [prop] percent of database time; below it latches are short, as they should be
-- threshold:  min_splits = 1000 -- [prop] leaf splits of one index in the interval; fewer are no hot spot
-- threshold:  boundary_part = 0.9 -- [prop] nine of ten splits are at the end: keys grow
-- threshold:  compile_pct = 5 -- [prop] percent of database time spent compiling
-- object:     DATABASE
-- by-hand:    See which latches they are: SELECT MEMBER, LATCH_NAME, TOTAL_EXTENDED_LATCH_WAITS,
--             TOTAL_EXTENDED_LATCH_WAIT_TIME FROM TABLE(MON_GET_EXTENDED_LATCH_WAIT(-2)) AS T ORDER BY
--             TOTAL_EXTENDED_LATCH_WAIT_TIME DESC
-- undo-by-hand: Nothing is changed by looking.
-- by-hand:    when INDNAME IS NOT NULL: If they are latches of pages: index {INDNAME:text} of
--             {TABSCHEMA:name}.{TABNAME:name} grows at its end only; keys that do not grow, or a partitioned table,
--             spread the inserts.
-- by-hand:    when COMPILES = 1: If they are latches of the package cache: parameter markers in place of literals spare
--             most compilations.
-- finding:    Sessions waited for latches for {CLAIM_LATCH:1} % of database time.
-- evidence:   TOTAL_EXTENDED_LATCH_WAIT_TIME_pct=CLAIM_LATCH:2, TOTAL_COMPILE_PROC_TIME_pct=COMPILE_PCT:2,
--             BOUNDARY_LEAF_NODE_SPLITS=SPLITS
-- source:     IBM's db2mon (extended latch waits); 004_131ea73468d225e1.txt (one instance does not scale past two
--             sockets)
-- why:        A latch guards a structure in memory for a moment. Where many sessions want the same one, as the last
--             page of an index with growing keys or the package cache, they queue for it, and more processors make the
--             queue longer.
-- not-if:     Latch waits are below 5 % of database time.
-- note:       Which latch it is decides what helps, and it takes a person to tell: text only, low confidence. The hints
--             come from page splits and compile time; the latches themselves are not collected, the query is given.
WITH SPLIT AS (
    SELECT
        TABSCHEMA,
        TABNAME,
        IID,
        MIN(INDNAME) AS INDNAME,
        SUM(BOUNDARY_LEAF_NODE_SPLITS) AS SPLITS,
        SUM(NONBOUNDARY_LEAF_NODE_SPLITS) AS OTHER_SPLITS
    FROM TUNE.D_INDEX
    GROUP BY TABSCHEMA, TABNAME, IID
),
GROWING AS (
    SELECT
        S.TABSCHEMA,
        S.TABNAME,
        COALESCE(S.INDNAME, 'number ' || CAST(S.IID AS VARCHAR(20))) AS INDNAME,
        S.SPLITS,
        ROW_NUMBER() OVER (ORDER BY S.SPLITS DESC, S.TABSCHEMA, S.TABNAME, S.IID) AS PLACE
    FROM SPLIT AS S
    CROSS JOIN TUNE.O_LOCK_LATCH_CONTENTION AS O
    WHERE S.SPLITS >= O.MIN_SPLITS AND S.SPLITS >= O.BOUNDARY_PART * (S.SPLITS + S.OTHER_SPLITS)
)
SELECT
    T.LATCH_PCT AS CLAIM_LATCH,
    COALESCE(T.COMPILE_PCT, 0) AS COMPILE_PCT,
    CASE WHEN T.COMPILE_PCT >= O.COMPILE_PCT THEN 1 ELSE 0 END AS COMPILES,
    G.INDNAME,
    G.TABSCHEMA,
    G.TABNAME,
    COALESCE(G.SPLITS, 0) AS SPLITS
FROM TUNE.DATABASE_TIME AS T
CROSS JOIN TUNE.O_LOCK_LATCH_CONTENTION AS O
LEFT JOIN GROWING AS G ON G.PLACE = 1
WHERE T.LATCH_PCT >= O.MIN_WAIT_PCT
