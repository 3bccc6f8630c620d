/*---
rule: bufferpool.fixed-size-stmm-on
title: Buffer pool is left out of self-tuning memory
lane: performance
takes_effect: immediately
applies: {from: '9.1'}
judged_by: load
needs: [cat_bufferpool.NPAGES, bufferpool.AUTOMATIC]
object: BUFFERPOOL {BP_NAME:text}
member: MEMBER
claims: {POOL_READ: {events: REACH_READS, cost_ms: SYNC_MS}}
recover: [0.6, 0.9, MOST_PART]
confidence: 0.6
memory: MEMBER_GROWTH_KB
exclusive: bufferpool
defers_to:
  - {rule: bufferpool.system-pool-in-use, within: any}
  - {rule: bufferpool.unused, within: object}
thresholds:
  min_share_pct: {default: 3, from: own, why: below 3 % of database time the pool's size does not matter}
  min_saved_pct: {default: 0.5, from: own, why: 'what a step saves, in percent of database time'}
actions:
  - when: SIZEABLE = 1
    set: {name: SIZE, from: '{NPAGES}', to: AUTOMATIC, unit: pages}
  - {when: PLACE = 1, command: 'ALTER BUFFERPOOL {BP_NAME:name} IMMEDIATE SIZE {BP_CUR_BUFFSZ}'}
  - when: MEMBER IS NOT NULL
    set: {name: SIZE, member: MEMBER, from: '{MEMBER_PAGES}', to: '{BP_CUR_BUFFSZ}', unit: pages}
  - {when: PLACE = EXCEPTIONS, command: 'ALTER BUFFERPOOL {BP_NAME:name} IMMEDIATE SIZE AUTOMATIC'}
finding:
  - choose:
      - when: SIZEABLE = 1
        text: Buffer pool {BP_NAME:text} has the fixed size {NPAGES} while self-tuning memory is on,
      - Buffer pool {BP_NAME:text} is AUTOMATIC, but {EXCEPTIONS} member(s) have a size of their own and are not tuned,
  - >-
    and {SHARE_PCT:1} % of database time goes into reading its pages[, hit ratio of data {DATA_HIT_PCT:1} %][, of
    indexes {INDEX_HIT_PCT:1} %]. {REACH_PAGES} pages would save about {REACH_READS} of {SYNC_READS} reads.
evidence: [NPAGES, BP_CUR_BUFFSZ, TBSP_USED_PAGES=USED_PAGES, exceptions=EXCEPTIONS, self_tuning_mem=SELF_TUNING:text,
  synchronous_reads=SYNC_READS, POOL_READ_TIME_pct=SHARE_PCT:2]
references:
  - vmware-netapp, "use DB2 automatic parameters whenever possible"
  - IBM documentation of self-tuning memory and of removing a buffer pool exception
why: >-
  Self-tuning memory moves memory to where it saves most time, but only among pools that are AUTOMATIC. A fixed pool, or
  a member with a size of its own, keeps what it has whatever it needs.
not_if: >-
  Self-tuning is off, or would have no other area to take memory from; or the site wants it off; DB2_LARGE_PAGE_MEM is
  set (a fixed layout); the pool has a block area; the members do not do alike; another size is pending; DB2_WORKLOAD is
  ANALYTICS; it holds all pages of its table spaces, or more of them would save nothing; the site caps the pools
  (bufferpool_cap_mb).
note: >-
  What is claimed is what the pool's part of the memory there is would save: self-tuning memory decides by the same
  count, but may find others that need the memory more. On a model of a server six tenths of it came at least, and up to
  twice as much, since fewer reads are faster. A member's exception goes by setting pool and member to the same size
  before AUTOMATIC, which itself takes no member. DBPARTITIONNUM is read on every level, MEMBER only from 10.1 on. That
  a benchmark's fixed pools are meant so is not seen: declare stmm=off.
---*/
SELECT
    G.BP_NAME,
    G.SIZEABLE,
    G.NPAGES,
    G.BP_CUR_BUFFSZ,
    FLOOR(G.REACH_PAGES) AS REACH_PAGES,
    G.USED_PAGES,
    G.EXCEPTIONS,
    E.DBPARTITIONNUM AS MEMBER,
    E.NPAGES AS MEMBER_PAGES,
    CEIL((G.BP_CUR_BUFFSZ - E.NPAGES) * CAST(G.PAGESIZE AS DOUBLE) / 1024) AS MEMBER_GROWTH_KB,
    CASE WHEN E.DBPARTITIONNUM IS NOT NULL THEN ROW_NUMBER() OVER (PARTITION BY G.BP_NAME ORDER BY E.DBPARTITIONNUM) END
        AS PLACE,
    'ON' AS SELF_TUNING,
    100 * G.DATA_HIT_RATIO AS DATA_HIT_PCT,
    100 * G.INDEX_HIT_RATIO AS INDEX_HIT_PCT,
    G.SYNC_READS,
    G.REACH_READS,
    LEAST(2, COALESCE(CAST(G.SYNC_READS AS DOUBLE) / NULLIF(G.REACH_READS, 0), 1)) AS MOST_PART,
    G.SYNC_MS,
    G.SHARE_PCT
FROM TUNE.POOL_GROWTH AS G
CROSS JOIN TUNE.STMM AS M
CROSS JOIN TUNE.O_BUFFERPOOL_FIXED_SIZE_STMM_ON AS O
-- a pool that is AUTOMATIC except on some members
LEFT JOIN TUNE.D_CAT_BUFFERPOOL_EXCEPTION AS E ON G.NPAGES = -2 AND G.BUFFERPOOLID = E.BUFFERPOOLID
WHERE
    G.STMM = 1
    -- self-tuning needs two areas: with this pool there must be another one
    AND (M.SORT_TUNED = 1 OR M.CONSUMERS + G.SIZEABLE >= 2)
    AND G.UNSIZED = 0
    AND G.BUSY = 1
    AND G.SHARE_PCT >= O.MIN_SHARE_PCT
    AND COALESCE(G.NUMBLOCKPAGES, 0) = 0
    AND G.SAVED_PCT >= O.MIN_SAVED_PCT
    AND (G.SIZEABLE = 1 OR E.DBPARTITIONNUM IS NOT NULL)
