/*---
rule: memory.stmm-off-or-ineffective
title: Self-tuning memory is off or has no areas to tune
lane: performance
takes_effect: immediately
risk: medium
applies: {from: '9.1'}
judged_by: load
needs: [cat_bufferpool.NPAGES, dbcfg.VALUE, dbmcfg.VALUE]
asks: [host.available_kb, host.memory_limit_mb]
object: DATABASE
claims:
  POOL_READ: {events: MISSED_READS, cost_ms: READ_MS}
  SORT: {events: SPILLED_SORTS, cost_ms: MERGE_MS}
  COMPILE: {events: LOST_STATEMENTS, cost_ms: COMPILE_MS}
recover: [LEAST_PART, LIKELY_PART, MOST_PART]
confidence: 0.6
unit: pages
exclusive: sortheap
thresholds:
  most_wide: {default: 0.05, from: own, why: part of the available memory by which limits may exceed it}
  found_part:
    default: 0.6
    from: model
    why: part of the spill cost; the largest spills fit in no memory of a host with mixed work
  least_part:
    default: 0.5
    from: model
    why: part of the expected gain, reached in nineteen of twenty trials; self-tuning takes hours to move memory
actions:
  - when: AREA = 'pools'
    set: {kind: BUFFERPOOL, object: '{BP_NAME:text}', name: SIZE, from: '{OLD_VALUE:text}', to: AUTOMATIC}
  - when: AREA = 'locks'
    set:
      - {kind: DBCFG, name: LOCKLIST, from: '{OLD_VALUE:text}', to: AUTOMATIC}
      - {kind: DBCFG, name: MAXLOCKS, from: '{OLD_PART:text}', to: '{NEW_PART:text}', unit: percent}
  - when: AREA = 'package cache'
    set: {kind: DBCFG, name: PCKCACHESZ, from: '{OLD_VALUE:text}', to: AUTOMATIC}
  - when: AREA = 'switch'
    set: {kind: DBCFG, name: SELF_TUNING_MEM, from: '{OLD_VALUE:text}', to: 'ON', unit: switch}
  - when: AREA = 'sorts'
    set:
      - {kind: DBCFG, name: SHEAPTHRES_SHR, from: '{OLD_VALUE:text}', to: AUTOMATIC}
      - {kind: DBCFG, name: SORTHEAP, from: '{OLD_PART:text}', to: AUTOMATIC}
  - when: AREA = 'private sorts'
    takes_effect: instance restart
    set: {kind: DBMCFG, name: SHEAPTHRES, from: '{OLD_VALUE:text}', to: '0'}
  - when: AREA = 'private sorts'
    manual: Restart the instance (db2stop, db2start), which affects all its databases.
finding:
  - choose:
      - {when: PROBLEM = 'off', text: Self-tuning memory is off.}
      - when: PROBLEM = 'idle'
        text: 'Self-tuning memory is on, but fewer than two areas are AUTOMATIC: it tunes nothing.'
      - 'SORTHEAP is AUTOMATIC, but SHEAPTHRES is not 0: sorts are not tuned.'
  - >-
    Areas lack memory: reads of small pools take {POOL_PCT:1} % of database time, spills {SPILL_PCT:1} %, recompilation
    of evicted statements {COMPILE_PCT:1} %.
evidence: [SELF_TUNING_MEM=SWITCH:text, automatic_areas=CONSUMERS, pools_lacking_pct=POOL_PCT:2,
  spills_pct=SPILL_PCT:2, package_cache_lacking_pct=COMPILE_PCT:2]
references:
  - vmware-netapp, 2.1 and 5.4, "use DB2 automatic parameters whenever possible"
  - IBM documentation of self_tuning_mem (r0021626), self-tuning memory (c0021627) and sheapthres (r0000260)
why: >-
  Every few minutes, self-tuning memory measures which area gains most from more pages and moves pages there. It moves
  them only between AUTOMATIC areas, and needs two of them. It tunes the sort heap only if all sorts are shared
  (SHEAPTHRES 0).
not_if: >-
  A fixed DATABASE_MEMORY would allow more than the host has, which self-tuning does not check; the site sizes memory
  manually (stmm=OFF); no area lacks memory by the rules for pools, sorts and the package cache; DB2_WORKLOAD is
  ANALYTICS; DB2_LARGE_PAGE_MEM is set; the database is partitioned; SELF_TUNING_MEM is pending or differs between
  members; no pool would gain, and the file system cache, which would shrink, answers their reads. Pools of pureScale do
  not count, because the group buffer pool may hold their misses.
note: >-
  The expected gain is the pool reads that would fit in the available memory, the cost of evicted statements, and six
  tenths of the spill cost. It is at most two and a half times the expected saving of the pools, because fewer reads are
  also faster, plus all writes, sorts and compilations. A model of a server gave these numbers (docs/model-study.md). A
  fixed size for one area and AUTOMATIC exclude each other: the better score is shown. Pools with a declared limit stay
  fixed. In a partitioned database self-tuning is off by default, starts only with ACTIVATE DATABASE and applies one
  member's sizes to all, so the rule is silent. Self-tuning uses the host's free memory: if several instances share a
  host, each needs INSTANCE_MEMORY.
---*/
WITH POOLS AS (
    SELECT
        -- pages of temporary tables are spills, which are counted as such
        SUM(B.USER_PART * B.SYNC_READS) AS LACK_READS,
        SUM(B.USER_PART * B.SYNC_READS * B.SYNC_MS) AS LACK_MS,
        SUM(B.REACH_READS * B.SYNC_MS) AS REACH_MS,
        SUM(B.SHARE_PCT * B.P_OLTP * (1 - B.TEMP_PHYSICAL_READS / CAST(NULLIF(B.PHYSICAL_READS, 0) AS DOUBLE)))
            AS LACK_PCT
    FROM TUNE.POOL_GROWTH AS B
    CROSS JOIN TUNE.RUN_DATABASE AS D
    CROSS JOIN TUNE.O_SITE AS SITE
    WHERE
        B.BUSY = 1 AND B.USED_PAGES > B.BP_CUR_BUFFSZ AND SITE.BUFFERPOOL_CAP_MB IS NULL
        AND D.TOPOLOGY <> 'purescale' AND (B.STMM = 1 OR B.HAS_ROOM = 1)
        AND (
            B.INDEX_HIT_RATIO < SITE.MIN_INDEX_HIT_RATIO
            OR (B.DATA_HIT_RATIO < SITE.MIN_DATA_HIT_RATIO AND B.CLASS <> 'BI')
        )
),
CACHED AS (
    SELECT MIN(B.FS_CACHED_PART) AS CACHED_PART
    FROM TUNE.BUFFERPOOL AS B
    WHERE B.PHYSICAL_READS > 0 AND B.LOGICAL_READS > B.TEMP_LOGICAL_READS
),
WIDE AS (
    -- within a fixed DATABASE_MEMORY self-tuning grows without a check of the free memory
    SELECT COUNT(*) AS TOO_WIDE
    FROM TUNE.SETTING AS S
    CROSS JOIN TUNE.MEMORY_BUDGET AS B
    CROSS JOIN TUNE.O_MEMORY_STMM_OFF_OR_INEFFECTIVE AS O
    CROSS JOIN (
        SELECT MIN(M.MEMORY_SET_USED) AS USED_KB
        FROM TUNE.D_MEMORY_SET AS M
        INNER JOIN TUNE.RUN_DATABASE AS D ON M.DB_NAME = D.DB_NAME
        WHERE M.MEMORY_SET_TYPE = 'DATABASE'
    ) AS U
    WHERE
        S.SCOPE = 'DB' AND S.NAME = 'database_memory' AND S.FIXED = 1
        AND 4 * S.NUM - U.USED_KB > B.HOST_KB + O.MOST_WIDE * B.MEMBER_MEMORY_KB
),
STATE AS (
    SELECT
        M.SWITCH,
        M.CONSUMERS,
        CASE WHEN M.SWITCH = 'OFF' THEN 'off' WHEN M.ACTIVE = 0 THEN 'idle' ELSE 'private' END AS PROBLEM,
        M.SHARED * COALESCE(B.LACK_READS, 0) AS POOL_READS,
        M.SHARED * COALESCE(B.LACK_MS, 0) AS POOL_MS,
        M.SHARED * COALESCE(B.REACH_MS, 0) AS REACH_MS,
        M.SHARED * COALESCE(B.LACK_PCT, 0) AS POOL_PCT,
        CASE
            WHEN P.NUM > 0 AND M.SHARED = 1 THEN 0
            WHEN
                W.OVERFLOWS >= CONST.RARE_EVENTS AND W.SPILL_PCT >= SITE.SMALL_PCT
                AND 100 * W.OVERFLOWS > W.NORMAL_SPILL_PCT * W.OPERATIONS
                THEN 1
            ELSE 0
        END AS SPILLS,
        CASE
            WHEN
                C.INSERTS >= CONST.FEW_EVENTS
                AND C.MISS_PCT > 100 - SITE.PACKAGE_HIT_PCT AND C.MISS_PCT < CONST.NEW_STATEMENT_PCT
                THEN M.SHARED * K.P_OLTP * LEAST(C.INSERTS, C.COMPILATIONS)
            ELSE 0
        END AS LOST_STATEMENTS,
        W.SPILL_PCT,
        W.SPILL_READS,
        W.SPILL_READ_MS,
        W.SORT_OVERFLOWS,
        W.MERGE_MS,
        C.COMPILE_MS,
        T.DBT_MS
    FROM (
        -- only private sorts lack memory if it works
        SELECT M.*, CASE WHEN M.SWITCH = 'OFF' OR M.ACTIVE = 0 THEN 1 ELSE 0 END AS SHARED FROM TUNE.STMM AS M
    ) AS M
    CROSS JOIN POOLS AS B
    CROSS JOIN TUNE.SORT_WORK AS W
    CROSS JOIN TUNE.COMPILE_WORK AS C
    CROSS JOIN TUNE.DATABASE_TIME AS T
    CROSS JOIN TUNE.WORKLOAD_CLASS AS K
    CROSS JOIN TUNE.RUN_DATABASE AS D
    CROSS JOIN TUNE.O_SITE AS SITE
    CROSS JOIN TUNE.CONSTANT AS CONST
    CROSS JOIN WIDE
    CROSS JOIN CACHED
    LEFT JOIN TUNE.SETTING AS P ON P.SCOPE = 'DBM' AND P.NAME = 'sheapthres'
    WHERE
        M.WANTED = 1 AND M.SWITCH IS NOT NULL AND M.ANALYTICS = 0 AND M.LARGE_PAGES = 0 AND D.TOPOLOGY <> 'dpf'
        AND WIDE.TOO_WIDE = 0
        -- if the file system cache serves the reads, pools that grow without benefit take it from all
        AND (M.ACTIVE > 0 OR B.REACH_MS > 0 OR COALESCE(CACHED.CACHED_PART, 0) <= 0.5)
),
LACK AS (
    SELECT
        S.*,
        POOL_READS + SPILLS * SPILL_READS AS MISSED_READS,
        POOL_MS + SPILLS * SPILL_READS * COALESCE(SPILL_READ_MS, 0) AS MISSED_MS,
        SPILLS * SPILL_PCT AS SPILLED_PCT,
        SPILLS * SORT_OVERFLOWS AS SPILLED_SORTS,
        SPILLS * (SPILL_READS * COALESCE(SPILL_READ_MS, 0) + SORT_OVERFLOWS * COALESCE(MERGE_MS, 0)) AS SPILL_MS,
        LOST_STATEMENTS * COALESCE(COMPILE_MS, 0) AS LOST_MS
    FROM STATE AS S
),
EXPECTED AS (
    SELECT
        LACK.*,
        -- the sum of all claims: pools, spills and statements
        MISSED_MS + SPILLED_SORTS * COALESCE(MERGE_MS, 0) + LOST_MS AS CLAIMED_MS,
        REACH_MS + O.FOUND_PART * SPILL_MS + LOST_MS AS EXPECTED_MS,
        -- fewer reads are faster, and writes, sorts, compilations and scans may shrink with more memory as well
        LEAST(2.5 * REACH_MS, 1.2 * POOL_MS)
        + CASE WHEN PROBLEM = 'private' THEN SPILL_MS ELSE GREATEST(0, M.MS - POOL_MS) END AS MOST_MS,
        O.LEAST_PART
    FROM LACK
    CROSS JOIN TUNE.O_MEMORY_STMM_OFF_OR_INEFFECTIVE AS O
    CROSS JOIN (
        SELECT SUM(MS) AS MS
        FROM TUNE.TIME_BUCKET
        WHERE BUCKET IN ('POOL_READ', 'POOL_WRITE', 'SORT', 'COMPILE')
    ) AS M
)
SELECT
    C.PROBLEM,
    C.SWITCH,
    C.CONSUMERS,
    C.POOL_PCT,
    C.SPILLED_PCT AS SPILL_PCT,
    C.MISSED_READS,
    -- of both kinds of reads together
    C.MISSED_MS / CAST(NULLIF(C.MISSED_READS, 0) AS DOUBLE) AS READ_MS,
    C.SPILLED_SORTS,
    C.MERGE_MS,
    C.LOST_STATEMENTS,
    C.COMPILE_MS,
    COALESCE(100 * C.LOST_STATEMENTS * C.COMPILE_MS / CAST(NULLIF(C.DBT_MS, 0) AS DOUBLE), 0) AS COMPILE_PCT,
    P.AREA,
    P.BP_NAME,
    P.OLD_VALUE,
    P.OLD_PART,
    CASE WHEN P.OLD_PART IS NOT NULL THEN 'AUTOMATIC' END AS NEW_PART,
    COALESCE(C.LEAST_PART * C.EXPECTED_MS / CAST(NULLIF(C.CLAIMED_MS, 0) AS DOUBLE), 0) AS LEAST_PART,
    COALESCE(C.EXPECTED_MS / CAST(NULLIF(C.CLAIMED_MS, 0) AS DOUBLE), 0) AS LIKELY_PART,
    COALESCE(GREATEST(C.EXPECTED_MS, C.MOST_MS) / CAST(NULLIF(C.CLAIMED_MS, 0) AS DOUBLE), 0) AS MOST_PART
FROM EXPECTED AS C
INNER JOIN TUNE.STMM_STEP AS P
    ON (C.PROBLEM = 'private' AND P.AREA = 'private sorts') OR (C.PROBLEM <> 'private' AND P.AREA <> 'private sorts')
WHERE C.POOL_PCT + C.SPILLED_PCT + C.LOST_STATEMENTS > 0
