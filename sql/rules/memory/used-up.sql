/*---
rule: memory.used-up
title: Memory is used up, and pools read from disk
lane: performance
takes_effect: immediately
risk: medium
applies: {not: [purescale]}
steps_need: memory
judged_by: load
needs: [bufferpool.BP_CUR_BUFFSZ, cat_bufferpool.NPAGES, tablespace.FS_CACHING, system.MEMORY_TOTAL, dbcfg.VALUE,
  dbmcfg.VALUE]
asks: [host.available_kb, host.memory_limit_mb]
object: DATABASE
claims:
  POOL_READ: {events: SAVED_READS, cost_ms: READ_MS}
  COMPILE: {events: LOST_STATEMENTS, cost_ms: COMPILE_MS}
recover: [0.4, 0.9, 1.6]
confidence: 0.6
defers_to:
  - {rule: memory.stmm-at-bound, within: any}
actions:
  - when: LIMIT_NAME = 'host'
    takes_effect: host change
    manual: >-
      Give {HOST_NAME:text} {EXTRA_MB} MB more memory per member, or move other programs and databases away from it.
  - when: LIMIT_NAME = 'group'
    takes_effect: host change
    manual: >-
      Raise the memory limit of {HOST_NAME:text} by {EXTRA_MB} MB per member, to {NEW_MB} MB each.
    undo: {manual: 'Restore the limit of {LIMIT_MB} MB per member.'}
  - when: LIMIT_NAME = 'computed'
    takes_effect: host change
    manual: >-
      Raise the memory limit of the container or of the licence by {EXTRA_MB} MB per member.
  - when: LIMIT_NAME = 'INSTANCE_MEMORY'
    set: {kind: DBMCFG, name: INSTANCE_MEMORY, from: '{OLD_VALUE:text}', to: '{NEW_VALUE}', unit: '{UNIT:text}'}
  - when: LIMIT_NAME = 'DATABASE_MEMORY'
    set: {kind: DBCFG, name: DATABASE_MEMORY, from: '{OLD_VALUE:text}', to: '{NEW_VALUE}', unit: 4 KB pages}
  - when: OWN > 0
    manual: >-
      Then run db2tune again, which sizes the pools. Keep the limit if other programs need the rest of the host's
      memory.
finding:
  - choose:
      - when: LIMIT_NAME = 'host'
        text: >-
          {HOST_NAME:text} has {ROOM_MB} of {LIMIT_MB} MB per member free, and needs {RESERVE_MB} MB for the operating
          system.
      - when: LIMIT_NAME = 'group'
        text: >-
          The memory limit of {HOST_NAME:text} is {LIMIT_MB} MB per member; {ROOM_MB} MB are free, and {RESERVE_MB} MB
          must stay free.
      - when: LIMIT_NAME = 'computed'
        text: >-
          Db2 limits itself to {LIMIT_MB} MB per member, the limit of a container or of the licence; {ROOM_MB} MB are
          free, and {RESERVE_MB} MB must stay free.
      - >-
        {LIMIT_NAME:text} is fixed at {LIMIT_MB} MB; {ROOM_MB} MB are free, and {RESERVE_MB} MB must stay free.
  - when: SAVED_READS > 0
    text: >-
      Page reads of pools that cannot grow take {SHARE_PCT:1} % of database time. With {EXTRA_MB} MB more, about
      {SAVED_READS} of {SYNC_READS} reads are avoided.
  - when: LOST_STATEMENTS > 0
    text: Compiling takes {COMPILE_PCT:1} % of database time, because the package cache cannot grow.
evidence: [limit=LIMIT_NAME:text, limit_mb=LIMIT_MB, free_mb=ROOM_MB, reserve_mb=RESERVE_MB, missing_mb=EXTRA_MB,
  synchronous_reads=SYNC_READS, POOL_READ_TIME_pct=SHARE_PCT:2]
references:
  - x445, "Optimizing memory utilization"
  - IBM documentation of instance_memory (r0005544), database_memory (r0006017) and self-tuning memory (c0021627)
why: >-
  All memory is in use, so no change of a size helps: one area only grows if another shrinks. A pool that lacks memory
  reads the same pages from disk again and again.
not_if: >-
  The limits give a tenth more memory to the pools, or other pools can spare it; more memory would save less than 5 % of
  database time; how much memory is page cache is unknown; the host swaps or a hypervisor takes memory back
  (memory.overcommit, vm.memory-taken); the site's cap (bufferpool_cap_mb) prevents larger pools; self-tuning memory is
  active and only Db2's own limit is too low (memory.stmm-at-bound); pureScale, because the group buffer pool may hold
  pages that a local pool lacks.
note: >-
  The step is what doubles the pools that lack memory, at most to the size of their data, and the package cache. The
  saving is calculated as for a pool that grows (bufferpool.hit-ratio-low). Of several limits, the host's comes first:
  it must give before Db2's own limits can.
---*/
WITH POOLS AS (
    SELECT
        COALESCE(SUM(G.GROWTH_KB), 0) AS GROWTH_KB,
        COALESCE(SUM(G.BP_CUR_BUFFSZ * CAST(G.PAGESIZE AS DOUBLE) / 1024), 0) AS SIZE_KB,
        COALESCE(SUM(G.SAVED_READS), 0) AS SAVED_READS,
        COALESCE(SUM(G.SYNC_READS), 0) AS SYNC_READS,
        COALESCE(SUM(G.SHARE_PCT), 0) AS SHARE_PCT,
        COALESCE(SUM(G.SAVED_PCT), 0) AS SAVED_PCT,
        CAST(SUM(G.SAVED_READS * G.SYNC_MS) AS DOUBLE) / NULLIF(SUM(G.SAVED_READS), 0) AS READ_MS,
        COALESCE(MAX(G.POOLS_KB), 0) AS POOLS_KB
    FROM TUNE.POOL_GROWTH AS G
    CROSS JOIN TUNE.O_SITE AS SITE
    WHERE
        G.HAS_ROOM = 0 AND G.UNSIZED = 0 AND G.BUSY = 1
        AND G.SHARE_PCT >= SITE.SOME_PCT AND G.SAVED_PCT >= SITE.SAVED_PCT
        -- for a pool of scans, only misses of index pages show that it is too small
        AND (G.CLASS <> 'BI' OR G.INDEX_HIT_RATIO < 0.95)
),
CACHE AS (
    -- a package cache that evicts statements: they overflowed it, or had been prepared before
    SELECT
        LEAST(W.INSERTS, W.COMPILATIONS) AS LOST_STATEMENTS,
        W.COMPILE_MS,
        W.COMPILE_PCT,
        4 * P.NUM AS CACHE_KB
    FROM TUNE.COMPILE_WORK AS W
    CROSS JOIN TUNE.O_SITE AS SITE
    CROSS JOIN TUNE.CONSTANT AS CONST
    CROSS JOIN TUNE.MEMORY_BUDGET AS B
    INNER JOIN TUNE.SETTING AS P ON P.SCOPE = 'DB' AND P.NAME = 'pckcachesz' AND P.PENDING = 0 AND P.NUM > 0
    WHERE
        W.INSERTS >= CONST.FEW_EVENTS AND W.COMPILE_PCT >= SITE.HIGH_PCT
        AND W.EVICTS = 1
        AND P.NUM < CONST.PACKAGE_PAGES AND B.BUDGET_KB < 4 * P.NUM
),
LACK AS (
    SELECT
        P.*,
        P.GROWTH_KB + COALESCE(C.CACHE_KB, 0) AS WANTED_KB,
        (CONST.LEAST_GROWTH - 1) * P.SIZE_KB + COALESCE(C.CACHE_KB, 0) AS LEAST_KB,
        COALESCE(C.LOST_STATEMENTS, 0) AS LOST_STATEMENTS,
        C.COMPILE_MS,
        C.COMPILE_PCT
    FROM POOLS AS P
    CROSS JOIN TUNE.CONSTANT AS CONST
    CROSS JOIN TUNE.O_SITE AS SITE
    LEFT JOIN CACHE AS C ON 1 = 1
    WHERE
        (P.SAVED_PCT > 0 OR C.LOST_STATEMENTS > 0)
        AND (SITE.BUFFERPOOL_CAP_MB IS NULL OR 1024 * SITE.BUFFERPOOL_CAP_MB >= P.POOLS_KB + P.GROWTH_KB)
),
SHORT AS (
    SELECT
        M.*,
        -- of several limits, the host's must give before Db2's own can
        ROW_NUMBER() OVER (ORDER BY M.OWN, M.GIVES_KB, M.HOST_NAME, M.MEMBER, M.LIMIT_NAME) AS PLACE
    FROM TUNE.MEMORY_LIMIT AS M
    CROSS JOIN LACK AS L
    WHERE M.GIVES_KB + M.HIDDEN_KB < L.LEAST_KB
),
STEP AS (
    SELECT
        L.*,
        S.HOST_NAME,
        S.LIMIT_NAME,
        S.OWN,
        S.LIMIT_KB,
        S.ROOM_KB,
        S.RESERVE_KB,
        V.VALUE AS OLD_VALUE,
        V.NUM AS OLD_NUM,
        CASE WHEN S.OWN = 0 THEN L.WANTED_KB ELSE LEAST(L.WANTED_KB + S.RESERVE_KB, B.HOST_KB, S.LIMIT_KB) END
            AS EXTRA_KB
    FROM LACK AS L
    INNER JOIN SHORT AS S ON S.PLACE = 1
    CROSS JOIN TUNE.MEMORY_BUDGET AS B
    CROSS JOIN TUNE.STMM AS M
    LEFT JOIN TUNE.SETTING AS V ON LOWER(S.LIMIT_NAME) = V.NAME AND V.FIXED = 1 AND S.OWN > 0
    WHERE (S.OWN = 0 OR (M.ACTIVE = 0 AND V.NUM > 0)) AND M.LARGE_PAGES = 0
)
SELECT
    S.LIMIT_NAME,
    S.OWN,
    S.HOST_NAME,
    S.LIMIT_KB / CAST(1024 AS DOUBLE) AS LIMIT_MB,
    S.ROOM_KB / CAST(1024 AS DOUBLE) AS ROOM_MB,
    S.RESERVE_KB / CAST(1024 AS DOUBLE) AS RESERVE_MB,
    S.EXTRA_KB / CAST(1024 AS DOUBLE) AS EXTRA_MB,
    (S.LIMIT_KB + S.EXTRA_KB) / CAST(1024 AS DOUBLE) AS NEW_MB,
    S.OLD_VALUE,
    FLOOR(S.OLD_NUM * (S.LIMIT_KB + S.EXTRA_KB) / CAST(NULLIF(S.LIMIT_KB, 0) AS DOUBLE)) AS NEW_VALUE,
    CASE WHEN S.OLD_NUM <= 100 THEN 'percent' ELSE '4 KB pages' END AS UNIT,
    FLOOR(S.SAVED_READS * LEAST(1, COALESCE(S.EXTRA_KB / CAST(NULLIF(S.WANTED_KB, 0) AS DOUBLE), 0))) AS SAVED_READS,
    S.SYNC_READS,
    S.SHARE_PCT,
    COALESCE(S.READ_MS, 0) AS READ_MS,
    FLOOR(S.LOST_STATEMENTS * LEAST(1, COALESCE(S.EXTRA_KB / CAST(NULLIF(S.WANTED_KB, 0) AS DOUBLE), 0)))
        AS LOST_STATEMENTS,
    COALESCE(S.COMPILE_MS, 0) AS COMPILE_MS,
    S.COMPILE_PCT
FROM STEP AS S
CROSS JOIN TUNE.O_SITE AS SITE
WHERE
    S.EXTRA_KB > 0
    AND (S.LOST_STATEMENTS > 0 OR S.SAVED_PCT * LEAST(S.EXTRA_KB, S.WANTED_KB) >= SITE.HIGH_PCT * S.WANTED_KB)
    AND NOT EXISTS (SELECT 1 FROM TUNE.MEMORY_PRESSURE AS P WHERE P.SWAPS = 1 OR P.TAKEN = 1)
