/*---
rule: bufferpool.fixed-size-stmm-on
title: Buffer pool is excluded from self-tuning memory
lane: performance
takes_effect: immediately
applies: {from: '9.1'}
judged_by: load
needs: [cat_bufferpool.NPAGES, bufferpool.AUTOMATIC, tablespace.TBSP_USED_PAGES, dbcfg.VALUE,
  bufferpool.POOL_ASYNC_DATA_READS]
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
        text: Buffer pool {BP_NAME:text} has a fixed size of {NPAGES} pages although self-tuning memory is on;
      - Buffer pool {BP_NAME:text} is AUTOMATIC, but has a fixed size on {EXCEPTIONS} of its members;
  - >-
    reading its pages takes {SHARE_PCT:1} % of database time[, data hit ratio {DATA_HIT_PCT:1} %][, index hit ratio
    {INDEX_HIT_PCT:1} %]. {REACH_PAGES} pages would save about {REACH_READS} of {SYNC_READS} reads.
evidence: [NPAGES, BP_CUR_BUFFSZ, TBSP_USED_PAGES=USED_PAGES, exceptions=EXCEPTIONS, self_tuning_mem=SELF_TUNING:text,
  synchronous_reads=SYNC_READS, POOL_READ_TIME_pct=SHARE_PCT:2]
references:
  - vmware-netapp, "use DB2 automatic parameters whenever possible"
  - IBM documentation of self-tuning memory and of removing a buffer pool exception
why: >-
  Self-tuning memory moves memory to the area that saves most time, but only among AUTOMATIC pools. A fixed pool, or a
  member with a fixed size, keeps its size whatever it needs.
not_if: >-
  Self-tuning memory is off, or has no other area to take memory from; the site declares stmm=off; DB2_LARGE_PAGE_MEM is
  set (a fixed layout); the pool has a block area; the members' loads differ; another size is pending; DB2_WORKLOAD is
  ANALYTICS; the pool holds all pages of its table spaces, or more memory would save nothing; the site caps the pools
  (bufferpool_cap_mb).
note: >-
  The claim is the saving with the pool's share of available memory. Self-tuning memory decides by the same count but
  may find other areas that need the memory more. On a model of a server at least six tenths of it came true, and up to
  twice as much, since fewer reads are faster. To remove a member's exception, set pool and member to the same size
  before AUTOMATIC; AUTOMATIC cannot be set per member. Every level accepts DBPARTITIONNUM; MEMBER needs 10.1. The rule
  cannot see that a benchmark fixed its pools on purpose: declare stmm=off.
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
CROSS JOIN TUNE.O_SITE AS SITE
-- a pool that is AUTOMATIC except on some members
LEFT JOIN TUNE.D_CAT_BUFFERPOOL_EXCEPTION AS E ON G.NPAGES = -2 AND G.BUFFERPOOLID = E.BUFFERPOOLID
WHERE
    G.STMM = 1
    -- self-tuning needs two areas: with this pool there must be another one
    AND (M.SORT_TUNED = 1 OR M.CONSUMERS + G.SIZEABLE >= 2)
    AND G.UNSIZED = 0
    AND G.BUSY = 1
    AND G.SHARE_PCT >= SITE.SOME_PCT
    AND COALESCE(G.NUMBLOCKPAGES, 0) = 0
    AND G.SAVED_PCT >= SITE.SAVED_PCT
    AND (G.SIZEABLE = 1 OR E.DBPARTITIONNUM IS NOT NULL)
