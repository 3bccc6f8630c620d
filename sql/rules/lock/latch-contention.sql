/*---
rule: lock.latch-contention
title: Latch contention inside Db2
lane: performance
takes_effect: object rebuilt or moved
judged_by: load
needs: [workload.TOTAL_EXTENDED_LATCH_WAIT_TIME]
object: DATABASE
claims: {LATCH: {events: LATCH_WAITS, cost_ms: LATCH_MS}}
recover: [0.1, 0.3, 0.6]
confidence: CONFIDENCE
actions:
  - takes_effect: immediately
    manual: >-
      Find the latches: SELECT MEMBER, LATCH_NAME, TOTAL_EXTENDED_LATCH_WAITS, TOTAL_EXTENDED_LATCH_WAIT_TIME
      FROM TABLE(MON_GET_EXTENDED_LATCH_WAIT(-2)) AS T ORDER BY TOTAL_EXTENDED_LATCH_WAIT_TIME DESC
  - when: KIND = 'page'
    manual: >-
      {LATCH_NAME:text} is a page latch: many sessions need the same page. Find its table: SELECT TABSCHEMA, TABNAME,
      ROWS_READ, ROWS_INSERTED, ROWS_UPDATED FROM TABLE(MON_GET_TABLE('', '', -2)) AS T ORDER BY ROWS_READ DESC. Spread
      the rows of a small hot table with PCTFREE 99 and a REORG, and inserts at its end with APPEND ON.
  - when: KIND = 'locks'
    manual: >-
      {LATCH_NAME:text} is a lock list latch: many sessions request many locks of one table. Save locks with LOCKSIZE
      TABLE for read-only tables, and with indexes for the predicates.
  - when: KIND = 'log'
    takes_effect: immediately
    manual: >-
      {LATCH_NAME:text} is a log latch, which commits share: check the log latency and the number of commits first.
  - when: KIND = 'sequence'
    takes_effect: immediately
    manual: >-
      {LATCH_NAME:text} is the latch of a sequence or identity column: ALTER SEQUENCE ... CACHE 1000 (or SET CACHE 1000
      of the column) takes it once per thousand values.
  - when: KIND = 'other'
    takes_effect: immediately
    manual: >-
      Search IBM's fix lists for {LATCH_NAME:text} first, and run db2pd -latches during the waits.
  - when: INDNAME IS NOT NULL AND KIND IS NULL
    manual: >-
      If they are page latches: index {INDNAME:text} of {TABSCHEMA:name}.{TABNAME:name} grows only at its end. Keys that
      do not grow, or a partitioned table, spread the inserts.
  - when: INDNAME IS NOT NULL AND KIND = 'page'
    manual: >-
      Index {INDNAME:text} of {TABSCHEMA:name}.{TABNAME:name} grows only at its end. Keys that do not grow, or a
      partitioned table, spread the inserts.
  - when: COMPILES = 1 AND KIND IS NULL
    takes_effect: immediately
    manual: 'If they are package cache latches: parameter markers instead of literals save most compilations.'
finding: Latch waits take {CLAIM_LATCH:1} % of database time[, {TOP_PCT} % of them for {LATCH_NAME:text}].
evidence: [TOTAL_EXTENDED_LATCH_WAIT_TIME_pct=CLAIM_LATCH:2, 'LATCH_NAME:text?', 'part_of_latch_waits_pct=TOP_PCT:1?',
  TOTAL_COMPILE_PROC_TIME_pct=COMPILE_PCT:2, BOUNDARY_LEAF_NODE_SPLITS=SPLITS]
references:
  - IBM documentation of MON_GET_EXTENDED_LATCH_WAIT (r0059271)
  - IBM support, "Identifying Bufferpool Latch Contention" (swg21456306) and APARs IT01914 (lock list) and IC85237 (log)
  - IBM's db2mon (extended latch waits)
why: >-
  A latch protects a memory structure for a moment. If many sessions need the same structure, such as the last page of
  an index with growing keys or the package cache, they queue. More processors make the queue longer.
not_if: Latch waits are below 5 % of database time.
note: >-
  The remedy depends on the latch, so the steps are manual. The named latch has at least half of all latch waits,
  including Db2's own threads. The meaning of most latch names is not documented.
---*/
WITH LATCHES AS (
    SELECT
        LATCH_NAME,
        SUM(TOTAL_EXTENDED_LATCH_WAIT_TIME) AS WAIT_MS
    FROM TUNE.D_LATCH
    GROUP BY LATCH_NAME
),
LARGEST AS (
    SELECT
        LATCH_NAME,
        100 * CAST(WAIT_MS AS DOUBLE) / NULLIF(SUM(WAIT_MS) OVER (), 0) AS TOP_PCT,
        CASE
            WHEN LATCH_NAME LIKE '%SQLB_BPD%' THEN 'page'
            WHEN LATCH_NAME LIKE '%SQLB_HASH_BUCKET%' THEN 'page'
            WHEN LATCH_NAME LIKE '%SQLP_LHSH%' THEN 'locks'
            WHEN LATCH_NAME LIKE '%SQLP_DBCB%' THEN 'log'
            WHEN LATCH_NAME LIKE '%SQLD_CHAIN%' THEN 'sequence'
            ELSE 'other'
        END AS KIND,
        ROW_NUMBER() OVER (ORDER BY WAIT_MS DESC, LATCH_NAME) AS PLACE
    FROM LATCHES
    WHERE WAIT_MS > 0
),
SPLIT AS (
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
    CROSS JOIN TUNE.CONSTANT AS CONST
    WHERE S.SPLITS >= CONST.ENOUGH_EVENTS AND S.SPLITS >= CONST.END_SPLIT_PART * (S.SPLITS + S.OTHER_SPLITS)
)
SELECT
    W.LATCH_WAITS,
    CAST(T.TOTAL_EXTENDED_LATCH_WAIT_TIME AS DOUBLE) / NULLIF(W.LATCH_WAITS, 0) AS LATCH_MS,
    COALESCE(T.COMPILE_PCT, 0) AS COMPILE_PCT,
    CASE WHEN T.COMPILE_PCT >= SITE.HIGH_PCT THEN 1 ELSE 0 END AS COMPILES,
    L.LATCH_NAME,
    L.TOP_PCT,
    L.KIND,
    G.INDNAME,
    G.TABSCHEMA,
    G.TABNAME,
    COALESCE(G.SPLITS, 0) AS SPLITS,
    CASE WHEN L.KIND <> 'other' THEN 0.6 ELSE 0.3 END AS CONFIDENCE
FROM TUNE.DATABASE_TIME AS T
-- data without a number of waits counts as one wait of that length
CROSS JOIN (
    SELECT CASE WHEN SUM(TOTAL_EXTENDED_LATCH_WAITS) > 0 THEN SUM(TOTAL_EXTENDED_LATCH_WAITS) ELSE 1 END AS LATCH_WAITS
    FROM TUNE.D_WORKLOAD
) AS W
CROSS JOIN TUNE.O_SITE AS SITE
CROSS JOIN TUNE.CONSTANT AS CONST
LEFT JOIN LARGEST AS L ON L.PLACE = 1 AND L.TOP_PCT >= 100 * CONST.MAIN_PART
LEFT JOIN GROWING AS G ON G.PLACE = 1
WHERE T.LATCH_PCT >= SITE.HIGH_PCT
