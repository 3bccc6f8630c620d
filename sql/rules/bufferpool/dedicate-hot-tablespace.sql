/*---
rule: bufferpool.dedicate-hot-tablespace
title: Hot table space loses its pages to pool neighbours
lane: performance
takes_effect: database reactivation
applies: {workload: [oltp, mixed], not: [purescale]}
judged_by: load
needs: [cat_bufferpool.NPAGES, tablespace.TBSP_CUR_POOL_ID, tablespace.TBSP_NEXT_POOL_ID, tablespace.TBSP_USED_PAGES,
  tablespace.POOL_READ_TIME, bufferpool.BP_CUR_BUFFSZ, bufferpool.POOL_ASYNC_DATA_READS]
object: BUFFERPOOL {BP_NAME:text}
claims: {POOL_READ: {events: SAVED_READS, cost_ms: SYNC_MS}}
recover: [0.3, 0.7, 1.0]
confidence: 0.6
exclusive: bufferpool
defers_to:
  - {rule: bufferpool.system-pool-in-use, within: any}
  - {rule: bufferpool.temp-shares-data-pool, within: object}
thresholds:
  min_time_part: {default: 0.4, from: own, why: the table space causes at least this part of the pool's read time}
  max_read_part: {default: 0.3, from: own, why: 'with at most this part of its logical reads: its pages are evicted'}
  min_scan_part: {default: 0.4, from: own, why: or its neighbours prefetch at least this part}
  max_async_part: {default: 0.2, from: own, why: and its own reads are mostly random}
  max_pools: {default: 6, from: own, why: more pools are hard to size and gain little}
  max_moved: {default: 0.8, from: own, why: at least a fifth of the pool stays with the neighbours}
actions:
  - set: {name: DEFERRED_SIZE, from: '{NPAGES}', to: '{REST_PAGES}', unit: pages}
  - command: CREATE BUFFERPOOL {HOT_POOL:name} DEFERRED SIZE {HOT_PAGES} PAGESIZE {PAGE_KB}K
    undo: {command: 'DROP BUFFERPOOL {HOT_POOL:name}'}
  - set:
      kind: TABLESPACE
      object: '{TBSP_NAME:text}'
      name: BUFFERPOOL
      from: '{BP_NAME:text}'
      to: '{HOT_POOL:text}'
      unit: buffer pool
  - when: INDEX_SPACE IS NOT NULL
    command: CREATE BUFFERPOOL {INDEX_POOL:name} DEFERRED SIZE {INDEX_PAGES} PAGESIZE {PAGE_KB}K
    undo: {command: 'DROP BUFFERPOOL {INDEX_POOL:name}'}
  - when: INDEX_SPACE IS NOT NULL
    set:
      kind: TABLESPACE
      object: '{INDEX_SPACE:text}'
      name: BUFFERPOOL
      from: '{BP_NAME:text}'
      to: '{INDEX_POOL:text}'
      unit: buffer pool
  - set: {kind: BUFFERPOOL, object: '{HOT_POOL:text}', name: EXISTS, from: missing, to: there}
  - when: INDEX_SPACE IS NOT NULL
    set: {kind: BUFFERPOOL, object: '{INDEX_POOL:text}', name: EXISTS, from: missing, to: there}
finding: >-
  Table space {TBSP_NAME:text} causes {READ_TIME_PCT:1} % of the read time in {BP_NAME:text} with {LOGICAL_READS_PCT:1}
  % of its logical reads. Separate pools for it and its indexes would save about {SAVED_READS} reads of pages that
  neighbours' prefetching evicts, net of extra reads by the neighbours.
evidence: [TBSP_NAME:text, BP_CUR_BUFFSZ, read_time_part_pct=READ_TIME_PCT:2, logical_reads=LOGICAL_READS,
  pool_logical_reads=POOL_LOGICAL_READS, neighbours_prefetched=NEIGHBOURS_PREFETCHED,
  pool_physical_reads=POOL_PHYSICAL_READS, POOL_READ_TIME_pct=SHARE_PCT:2]
references:
  - 'system-z, "DB2 8.2 Tuning Milestones": pools for data and index of the customer table'
why: >-
  Neighbours that scan bring many pages into the shared pool and evict the pages of a table space that is read at
  random. A separate pool for it, and one for its indexes, keeps them in memory.
not_if: >-
  The pool is AUTOMATIC, has a pending size or exceptions on members; it holds all pages of its table spaces; neighbours
  hardly prefetch, so moving memory gains nothing; a table space changes its pool at the next activation; more than six
  pools exist; a pool with the proposed name exists; column-organized data; the workload is analysis.
note: >-
  The new pools take memory from the shared pool in proportion to read time, so the total stays the same. Names of
  buffer pools are limited to 18 bytes; longer ones are cut. All steps take effect together at the next activation: a
  smaller shared pool alone would miss more until then. Saved reads are limited to the neighbours' prefetched pages, in
  the part of the pool that the table space holds. Extra reads of the smaller shared pool are subtracted (square-root
  law).
---*/
WITH KEPT AS (
    SELECT DISTINCT TBSPACE AS DATA_SPACE, INDEX_TBSPACE AS INDEX_SPACE
    FROM TUNE.D_CAT_TABLE
    WHERE TBSPACE IS NOT NULL
),
APART AS (
    SELECT
        K.DATA_SPACE,
        K.INDEX_SPACE,
        ROW_NUMBER() OVER (PARTITION BY K.DATA_SPACE ORDER BY X.SYNC_READ_MS DESC, K.INDEX_SPACE) AS PLACE
    FROM KEPT AS K
    INNER JOIN TUNE.TABLESPACE AS T ON K.DATA_SPACE = T.TBSP_NAME
    INNER JOIN TUNE.TABLESPACE AS X ON K.INDEX_SPACE = X.TBSP_NAME AND T.BPNAME = X.BPNAME
    WHERE K.INDEX_SPACE <> K.DATA_SPACE AND X.SYNC_READ_MS > 0
),
HELD (TBSP_NAME, INDEX_ONLY) AS (
    SELECT DATA_SPACE, 0
    FROM KEPT
    UNION ALL
    SELECT INDEX_SPACE, 1
    FROM KEPT
    WHERE INDEX_SPACE IS NOT NULL
),
INDEX_SPACE AS (
    -- The table spaces with data or indexes of tables, one row each. INDEX_ONLY is 1 if no table has its data there.
    -- INDEX_SPACE is another table space of the same buffer pool with indexes of its tables: the one that agents spent
    -- most time reading, NULL if they read none.
    SELECT H.TBSP_NAME, MIN(H.INDEX_ONLY) AS INDEX_ONLY, MIN(A.INDEX_SPACE) AS INDEX_SPACE
    FROM HELD AS H
    LEFT JOIN APART AS A ON H.TBSP_NAME = A.DATA_SPACE AND A.PLACE = 1
    GROUP BY H.TBSP_NAME
),
HOT AS (
    -- pages that neighbours evict; the table space of each pool with the longest reads by agents gets its own pools
    SELECT
        T.*,
        P.SYNC_READ_MS AS POOL_SYNC_READ_MS,
        P.PHYSICAL_READS - P.ASYNC_READS AS POOL_SYNC_READS,
        P.LOGICAL_READS AS POOL_LOGICAL_READS,
        P.PHYSICAL_READS AS POOL_PHYSICAL_READS,
        P.ASYNC_READS - T.ASYNC_READS AS NEIGHBOURS_PREFETCHED,
        ROW_NUMBER() OVER (PARTITION BY T.BPNAME ORDER BY T.SYNC_READ_MS DESC, T.TBSP_NAME) AS PLACE
    FROM TUNE.TABLESPACE AS T
    CROSS JOIN TUNE.O_BUFFERPOOL_DEDICATE_HOT_TABLESPACE AS O
    CROSS JOIN TUNE.O_SITE AS SITE
    CROSS JOIN TUNE.CONSTANT AS CONST
    INNER JOIN TUNE.POOL_SPACES AS P ON T.BPNAME = P.BPNAME
    WHERE
        P.USER_SPACES >= 2
        AND P.MOVING = 0
        AND T.TBSP_CONTENT_TYPE NOT IN ('SYSTEMP', 'USRTEMP')
        AND T.TBSP_ID <> 0
        AND T.CLASS <> 'BI'
        AND T.LOGICAL_READS >= CONST.BUSY_LEAST_READS
        AND T.SHARE_PCT >= SITE.SOME_PCT
        AND (
            (
                T.SYNC_READ_MS >= O.MIN_TIME_PART * P.SYNC_READ_MS
                AND T.LOGICAL_READS <= O.MAX_READ_PART * P.LOGICAL_READS
                AND P.ASYNC_READS - T.ASYNC_READS >= CONST.EVICTING_PART * P.PHYSICAL_READS
            )
            OR (
                P.ASYNC_READS - T.ASYNC_READS >= O.MIN_SCAN_PART * P.PHYSICAL_READS
                AND T.ASYNC_PART <= O.MAX_ASYNC_PART
            )
        )
),
SHARED AS (
    SELECT
        H.*,
        B.BP_NAME,
        B.NPAGES,
        B.BP_CUR_BUFFSZ,
        B.PAGESIZE,
        'BP_' || RTRIM(SUBSTR(H.TBSP_NAME || '             ', 1, 13)) AS STEM,
        I.INDEX_ONLY,
        X.TBSP_NAME AS INDEX_SPACE,
        X.TBSP_USED_PAGES AS INDEX_USED_PAGES,
        COALESCE(X.SYNC_READ_MS, 0) AS INDEX_READ_MS,
        COALESCE(X.SYNC_READS, 0) AS INDEX_SYNC_READS,
        COALESCE(X.PHYSICAL_READS, 0) AS INDEX_PHYSICAL_READS,
        COALESCE(X.ASYNC_READS, 0) AS INDEX_ASYNC_READS,
        -- the value of a millisecond of reading in pages of the pool, so that at most MAX_MOVED of them move
        O.MAX_MOVED * B.BP_CUR_BUFFSZ / CAST(NULLIF(GREATEST(
            O.MAX_MOVED * H.POOL_SYNC_READ_MS, H.SYNC_READ_MS + COALESCE(X.SYNC_READ_MS, 0)
        ), 0) AS DOUBLE) AS PAGES_PER_MS
    FROM HOT AS H
    CROSS JOIN TUNE.O_BUFFERPOOL_DEDICATE_HOT_TABLESPACE AS O
    CROSS JOIN (SELECT COUNT(*) AS POOLS FROM TUNE.D_CAT_BUFFERPOOL) AS C
    INNER JOIN TUNE.SIZED_POOL AS B ON H.BPNAME = B.BP_NAME
    LEFT JOIN INDEX_SPACE AS I ON H.TBSP_NAME = I.TBSP_NAME
    LEFT JOIN TUNE.TABLESPACE AS X ON I.INDEX_SPACE = X.TBSP_NAME
    WHERE
        H.PLACE = 1
        AND B.SIZEABLE = 1
        AND B.ANALYTICS = 0
        AND B.USED_PAGES > B.BP_CUR_BUFFSZ
        AND C.POOLS <= O.MAX_POOLS
),
SPLIT AS (
    SELECT
        S.*,
        STEM || CASE WHEN INDEX_ONLY = 1 THEN '_I' ELSE '_D' END AS HOT_POOL,
        CASE WHEN INDEX_SPACE IS NOT NULL THEN STEM || '_I' END AS INDEX_POOL,
        LEAST(COALESCE(TBSP_USED_PAGES, 0), FLOOR(ROUND(SYNC_READ_MS * PAGES_PER_MS, 6))) AS HOT_PAGES,
        LEAST(COALESCE(INDEX_USED_PAGES, 0), FLOOR(ROUND(INDEX_READ_MS * PAGES_PER_MS, 6))) AS INDEX_PAGES
    FROM SHARED AS S
),
WEIGHED AS (
    SELECT
        S.*,
        BP_CUR_BUFFSZ - HOT_PAGES - INDEX_PAGES AS REST_PAGES,
        SYNC_READS + INDEX_SYNC_READS AS OWN_READS,
        NEIGHBOURS_PREFETCHED - INDEX_ASYNC_READS AS PREFETCHED,
        -- pages occupy the same part of a pool as they have in its physical reads
        CAST(PHYSICAL_READS + INDEX_PHYSICAL_READS AS DOUBLE) / NULLIF(POOL_PHYSICAL_READS, 0) AS HELD_PART
    FROM SPLIT AS S
),
NET AS (
    SELECT
        C.*,
        LEAST(OWN_READS, HELD_PART * PREFETCHED) AS EVICTED_READS,
        (POOL_SYNC_READS - OWN_READS) * GREATEST(
            0, SQRT((1 - HELD_PART) * BP_CUR_BUFFSZ / CAST(NULLIF(REST_PAGES, 0) AS DOUBLE)) - 1
        ) AS LOST_READS
    FROM WEIGHED AS C
    WHERE HELD_PART <= 1
)
SELECT
    BP_NAME, NPAGES, BP_CUR_BUFFSZ, REST_PAGES,
    FLOOR(PAGESIZE / CAST(1024 AS DOUBLE)) AS PAGE_KB,
    TBSP_NAME, HOT_POOL, HOT_PAGES, INDEX_SPACE, INDEX_POOL, INDEX_PAGES, LOGICAL_READS, POOL_LOGICAL_READS,
    POOL_PHYSICAL_READS, NEIGHBOURS_PREFETCHED, SHARE_PCT,
    100 * CAST(SYNC_READ_MS AS DOUBLE) / NULLIF(POOL_SYNC_READ_MS, 0) AS READ_TIME_PCT,
    100 * CAST(LOGICAL_READS AS DOUBLE) / NULLIF(POOL_LOGICAL_READS, 0) AS LOGICAL_READS_PCT,
    CAST(FLOOR(P_OLTP * (EVICTED_READS - LOST_READS)) AS BIGINT) AS SAVED_READS,
    CAST(SYNC_READ_MS + INDEX_READ_MS AS DOUBLE) / NULLIF(OWN_READS, 0) AS SYNC_MS
FROM NET
WHERE
    EVICTED_READS > LOST_READS
    AND REST_PAGES >= 1000
    AND HOT_PAGES >= 1000
    AND (INDEX_SPACE IS NULL OR INDEX_PAGES >= 1000)
    AND NOT EXISTS (
        SELECT 1 FROM TUNE.D_CAT_BUFFERPOOL AS C WHERE C.BPNAME IN (HOT_POOL, COALESCE(INDEX_POOL, HOT_POOL))
    )
