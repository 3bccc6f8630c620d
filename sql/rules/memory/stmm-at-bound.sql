/*---
rule: memory.stmm-at-bound
title: Memory limit stops self-tuning; the host has memory free
lane: performance
takes_effect: immediately
risk: medium
applies: {from: '9.5', not: [purescale]}
judged_by: load
needs: [bufferpool.AUTOMATIC, cat_bufferpool.NPAGES, memory_set.MEMORY_SET_USED, memory_set.MEMORY_SET_COMMITTED,
  system.MEMORY_FREE, dbcfg.VALUE, dbmcfg.VALUE]
asks: [host.memory_limit_mb, host.available_kb]
object: DATABASE
claims:
  POOL_READ: {events: SAVED_READS, cost_ms: READ_MS}
  COMPILE: {events: LOST_STATEMENTS, cost_ms: COMPILE_MS}
recover: [0.4, 0.9, 1.6]
confidence: 0.6
defers_to:
  - {rule: memory.overcommit, within: any}
thresholds:
  at_part:
    default: 0.85
    from: manuals
    why: Db2 keeps 5 % of the set for overflow, and self-tuning leaves some memory free
actions:
  - when: NEW_INSTANCE IS NOT NULL
    set:
      kind: DBMCFG
      name: INSTANCE_MEMORY
      from: '{OLD_INSTANCE:text}'
      to: '{NEW_INSTANCE}'
      unit: '{INSTANCE_UNIT:text}'
  - when: NEW_DATABASE IS NOT NULL
    set: {kind: DBCFG, name: DATABASE_MEMORY, from: '{OLD_DATABASE:text}', to: '{NEW_DATABASE}', unit: 4 KB pages}
  - when: AT_DATABASE = 1 AND NEW_DATABASE IS NULL
    manual: >-
      DATABASE_MEMORY is COMPUTED, from the areas at activation. Raise it: UPDATE DB CFG FOR {DB_NAME:alias} USING
      DATABASE_MEMORY {WOULD_BE}
    undo: {manual: 'UPDATE DB CFG FOR {DB_NAME:alias} USING DATABASE_MEMORY COMPUTED'}
  - {manual: Keep the limit if other programs need the rest of the host's memory.}
finding:
  - choose:
      - {when: AT_DATABASE = 1, text: 'DATABASE_MEMORY is fixed at {DATABASE_MB} MB, {USED_MB} MB used.'}
      - INSTANCE_MEMORY is fixed at {INSTANCE_MB} MB, {COMMITTED_MB} MB committed.
  - >-
    The host has {HOST_MB} MB free.
  - when: SAVED_READS > 0
    text: >-
      Page reads of pools that self-tuning cannot grow take {SHARE_PCT:1} % of database time. With {EXTRA_MB} MB more,
      about {SAVED_READS} of {SYNC_READS} reads are avoided.
  - when: LOST_STATEMENTS > 0
    text: >-
      Compiling takes {COMPILE_PCT:1} % of database time, because the package cache cannot grow[: it overflowed
      {OVERFLOWS} times].
evidence: ['DATABASE_MEMORY=OLD_DATABASE:text?', MEMORY_SET_USED_mb=USED_MB, 'INSTANCE_MEMORY=OLD_INSTANCE:text?',
  committed_mb=COMMITTED_MB, host_has_mb=HOST_MB, synchronous_reads=SYNC_READS, POOL_READ_TIME_pct=SHARE_PCT:2]
references:
  - >-
    IBM documentation of self-tuning memory (c0021627), "Memory parameter interaction and limitations", database_memory
    (r0006017) and instance_memory (r0005544)
why: >-
  Self-tuning memory works within DATABASE_MEMORY, and DATABASE_MEMORY within INSTANCE_MEMORY. Under a fixed limit it
  can only move memory between areas. If all areas lack memory, that does not help.
not_if: >-
  Both are AUTOMATIC, or the fixed limit is not used up; a new value is pending; self-tuning is off, or no area is
  AUTOMATIC; the pools hold all pages read, or more memory would save nothing; the host, its control group or the limit
  that Db2 computed for a container is full; DB2_LARGE_PAGE_MEM pins the memory; pureScale, because the group buffer
  pool may hold pages that a local pool lacks.
note: >-
  The saving of pools of twice the size is calculated as for fixed pools, in proportion if less fits; self-tuning memory
  may give the memory to sorts instead, and fewer reads are also faster: a model of a server gave the range
  (docs/model-study.md). The step adds at most the pools' need plus a tenth. A fixed limit stays fixed,
  because the host may be shared. For COMPUTED the step is manual.
---*/
WITH POOLS AS (
    SELECT
        COALESCE(SUM(G.GROWTH_KB), 0) AS POOLS_KB,
        COALESCE(SUM(G.SAVED_READS), 0) AS SAVED_READS,
        COALESCE(SUM(G.SYNC_READS), 0) AS SYNC_READS,
        COALESCE(SUM(G.SHARE_PCT), 0) AS SHARE_PCT,
        CAST(SUM(G.SAVED_READS * G.SYNC_MS) AS DOUBLE) / NULLIF(SUM(G.SAVED_READS), 0) AS READ_MS
    FROM TUNE.POOL_GROWTH AS G
    WHERE
        G.AUTOMATIC = 1 AND (G.STMM = 1 OR G.HAS_ROOM = 1) AND G.BUSY = 1 AND G.SAVED_READS > 0
        -- for a pool of scans, only misses of index pages show that it is too small
        AND (G.CLASS <> 'BI' OR G.INDEX_HIT_RATIO < 0.95)
),
CACHE AS (
    -- an AUTOMATIC package cache that evicts statements: they overflowed it, or had been prepared before
    SELECT
        LEAST(W.INSERTS, W.COMPILATIONS) AS LOST_STATEMENTS,
        W.COMPILE_MS,
        W.COMPILE_PCT,
        NULLIF(W.OVERFLOWS, 0) AS OVERFLOWS,
        4 * P.NUM AS CACHE_KB
    FROM TUNE.COMPILE_WORK AS W
    CROSS JOIN TUNE.O_SITE AS SITE
    CROSS JOIN TUNE.CONSTANT AS CONST
    INNER JOIN TUNE.SETTING AS P ON P.SCOPE = 'DB' AND P.NAME = 'pckcachesz' AND P.AUTOMATIC = 1
    WHERE
        W.INSERTS >= CONST.FEW_EVENTS AND W.COMPILE_PCT >= SITE.HIGH_PCT
        AND W.EVICTS = 1
),
LACK AS (
    SELECT
        P.*,
        P.POOLS_KB + COALESCE(C.CACHE_KB, 0) AS WANTED_KB,
        COALESCE(C.LOST_STATEMENTS, 0) AS LOST_STATEMENTS,
        COALESCE(C.COMPILE_MS, 0) AS COMPILE_MS,
        C.COMPILE_PCT,
        C.OVERFLOWS
    FROM POOLS AS P
    LEFT JOIN CACHE AS C ON 1 = 1
),
SETS AS (
    SELECT
        MAX(COMMITTED_KB) AS COMMITTED_KB,
        MAX(USED_KB) AS USED_KB
    FROM (
        SELECT
            S.MEMBER,
            SUM(S.MEMORY_SET_COMMITTED) AS COMMITTED_KB,
            SUM(CASE WHEN S.MEMORY_SET_TYPE = 'DATABASE' AND S.DB_NAME = D.DB_NAME THEN S.MEMORY_SET_USED END)
                AS USED_KB
        FROM TUNE.D_MEMORY_SET AS S
        CROSS JOIN TUNE.RUN_DATABASE AS D
        GROUP BY S.MEMBER
    ) AS M
),
BOUNDS AS (
    SELECT
        P.*,
        S.COMMITTED_KB,
        S.USED_KB,
        B.HOST_KB,
        CASE WHEN D.FIXED = 1 AND D.NUM > 0 THEN CAST(4 * D.NUM AS DOUBLE) END AS DATABASE_KB,
        CASE WHEN D.FIXED = 1 AND D.NUM > 0 THEN D.VALUE END AS OLD_DATABASE,
        CASE WHEN I.FIXED = 1 AND I.NUM > 0 THEN CAST(B.INSTANCE_KB AS DOUBLE) END AS INSTANCE_KB,
        CASE WHEN I.FIXED = 1 AND I.NUM > 0 THEN I.VALUE END AS OLD_INSTANCE,
        CASE WHEN I.FIXED = 1 AND I.NUM > 0 THEN I.NUM END AS INSTANCE_NUM,
        B.INSTANCE_LEFT_KB,
        C.COMPUTED,
        O.AT_PART,
        CONST.GROWTH_STEP,
        CONST.LEAST_GROWTH
    FROM LACK AS P
    CROSS JOIN SETS AS S
    CROSS JOIN TUNE.MEMORY_BUDGET AS B
    CROSS JOIN TUNE.STMM AS M
    CROSS JOIN TUNE.DATABASE_TIME AS T
    CROSS JOIN TUNE.O_MEMORY_STMM_AT_BOUND AS O
    CROSS JOIN TUNE.O_SITE AS SITE
    CROSS JOIN TUNE.CONSTANT AS CONST
    INNER JOIN TUNE.SETTING AS D ON D.SCOPE = 'DB' AND D.NAME = 'database_memory' AND D.PENDING = 0
    INNER JOIN TUNE.SETTING AS I ON I.SCOPE = 'DBM' AND I.NAME = 'instance_memory' AND I.PENDING = 0
    CROSS JOIN (
        SELECT COALESCE(MAX(CASE WHEN VALUE_FLAGS = 'COMPUTED' THEN 1 ELSE 0 END), 0) AS COMPUTED
        FROM TUNE.D_DBCFG
        WHERE LOWER(NAME) = 'database_memory'
    ) AS C
    WHERE
        M.ACTIVE = 1 AND M.LARGE_PAGES = 0 AND M.ANALYTICS = 0
        AND (100 * P.SAVED_READS * P.READ_MS >= SITE.TRACE_PCT * T.DBT_MS OR P.LOST_STATEMENTS > 0)
),
STEP AS (
    SELECT
        X.*,
        CASE WHEN USED_KB >= AT_PART * DATABASE_KB THEN 1 ELSE 0 END AS AT_DATABASE,
        CASE
            WHEN USED_KB >= AT_PART * DATABASE_KB
                THEN LEAST(GROWTH_STEP * DATABASE_KB, USED_KB + HOST_KB, DATABASE_KB + 1.1 * WANTED_KB) - DATABASE_KB
            WHEN COMMITTED_KB >= AT_PART * INSTANCE_KB
                THEN
                    LEAST(GROWTH_STEP * INSTANCE_KB, COMMITTED_KB + HOST_KB, INSTANCE_KB + 1.1 * WANTED_KB)
                    - INSTANCE_KB
        END AS EXTRA_KB
    FROM BOUNDS AS X
    WHERE HOST_KB IS NOT NULL
),
WAY AS (
    SELECT
        S.*,
        CASE WHEN AT_DATABASE = 1 THEN FLOOR((DATABASE_KB + EXTRA_KB) / CAST(4 AS DOUBLE)) END AS WOULD_BE,
        CASE
            WHEN AT_DATABASE = 0 THEN EXTRA_KB
            WHEN DATABASE_KB + EXTRA_KB - USED_KB > INSTANCE_LEFT_KB
                THEN DATABASE_KB + EXTRA_KB - USED_KB - INSTANCE_LEFT_KB
        END AS EXTRA_INSTANCE_KB
    FROM STEP AS S
    WHERE EXTRA_KB >= (LEAST_GROWTH - 1) * CASE WHEN AT_DATABASE = 1 THEN DATABASE_KB ELSE INSTANCE_KB END
)
SELECT
    W.AT_DATABASE,
    W.OLD_DATABASE,
    W.WOULD_BE,
    CASE WHEN W.COMPUTED = 0 THEN W.WOULD_BE END AS NEW_DATABASE,
    W.OLD_INSTANCE,
    CASE
        WHEN W.COMPUTED = 0 OR W.AT_DATABASE = 0
            THEN FLOOR(
                W.INSTANCE_NUM * (W.INSTANCE_KB + W.EXTRA_INSTANCE_KB) / CAST(NULLIF(W.INSTANCE_KB, 0) AS DOUBLE)
            )
    END AS NEW_INSTANCE,
    CASE WHEN W.INSTANCE_NUM <= 100 THEN 'percent' ELSE '4 KB pages' END AS INSTANCE_UNIT,
    D.DB_NAME,
    W.DATABASE_KB / CAST(1024 AS DOUBLE) AS DATABASE_MB,
    W.USED_KB / CAST(1024 AS DOUBLE) AS USED_MB,
    W.INSTANCE_KB / CAST(1024 AS DOUBLE) AS INSTANCE_MB,
    W.COMMITTED_KB / CAST(1024 AS DOUBLE) AS COMMITTED_MB,
    W.HOST_KB / CAST(1024 AS DOUBLE) AS HOST_MB,
    W.EXTRA_KB / CAST(1024 AS DOUBLE) AS EXTRA_MB,
    W.SHARE_PCT,
    W.SYNC_READS,
    FLOOR(W.SAVED_READS * LEAST(1, COALESCE(W.EXTRA_KB / CAST(NULLIF(W.WANTED_KB, 0) AS DOUBLE), 0))) AS SAVED_READS,
    COALESCE(W.READ_MS, 0) AS READ_MS,
    FLOOR(W.LOST_STATEMENTS * LEAST(1, COALESCE(W.EXTRA_KB / CAST(NULLIF(W.WANTED_KB, 0) AS DOUBLE), 0)))
        AS LOST_STATEMENTS,
    W.COMPILE_MS,
    W.COMPILE_PCT,
    W.OVERFLOWS
FROM WAY AS W
CROSS JOIN TUNE.RUN_DATABASE AS D
