/*---
rule: bufferpool.sum-over-memory
title: Buffer pools together exceed the memory
lane: condition
severity: low
takes_effect: immediately
judged_by: config
needs: [cat_bufferpool.NPAGES, cat_bufferpool.PAGESIZE, system.MEMORY_TOTAL]
object: DATABASE
confidence: 0.6
defers_to:
  - {rule: memory.overcommit, within: any}
thresholds:
  most_part:
    default: 1
    from: own
    why: more than all memory is certainly too much; a tuned IBM machine gave its pools 92 %
actions:
  - choose:
      - when: NEW_PAGES > 0
        manual: >-
          Shrink pools by {OVER_MB} MB or more, first those with the fewest reads for their size. The largest alone:
          ALTER BUFFERPOOL {BP_NAME:name} SIZE {NEW_PAGES}. Or set SIZE AUTOMATIC for all, with SELF_TUNING_MEM ON.
        undo: {manual: 'ALTER BUFFERPOOL {BP_NAME:name} SIZE {NPAGES}'}
      - manual: >-
          Shrink pools by {OVER_MB} MB or more with ALTER BUFFERPOOL, first those with the fewest reads for their size.
          Or set SIZE AUTOMATIC for all, with SELF_TUNING_MEM ON.
        undo: {manual: Give each pool its previous size.}
finding: >-
  {POOLS} buffer pools are defined with {POOLS_MB} MB in total. A member has {MEMBER_MB} MB of memory for everything.
evidence: [pools=POOLS, pools_MB=POOLS_MB, member_memory_MB=MEMBER_MB]
query: SELECT BPNAME, NPAGES, PAGESIZE FROM SYSCAT.BUFFERPOOLS
references:
  - 'IBM documentation of buffer pools (c0052481): a pool that finds no memory starts as a hidden pool of 16 pages'
why: >-
  If a pool finds no memory at activation, Db2 starts hidden pools of 16 pages instead. If the host grants the memory
  anyway, it swaps pools out.
not_if: Together they need no more than a member's memory; the member's memory is not known.
note: AUTOMATIC pools count with their current size. Exceptions on members are not counted.
---*/
SELECT
    P.POOLS,
    P.POOLS_KB / CAST(1024 AS DOUBLE) AS POOLS_MB,
    M.MEMBER_MEMORY_KB / CAST(1024 AS DOUBLE) AS MEMBER_MB,
    CEIL((P.POOLS_KB - M.MEMBER_MEMORY_KB) / CAST(1024 AS DOUBLE)) AS OVER_MB,
    P.BP_NAME,
    P.NPAGES,
    P.NPAGES - CEIL((P.POOLS_KB - M.MEMBER_MEMORY_KB) * 1024 / CAST(NULLIF(P.PAGESIZE, 0) AS DOUBLE)) AS NEW_PAGES
FROM (
    SELECT
        SIZED.*,
        COUNT(*) OVER () AS POOLS,
        SUM(POOL_KB) OVER () AS POOLS_KB,
        ROW_NUMBER() OVER (ORDER BY POOL_KB DESC, BP_NAME) AS PLACE
    FROM (
        SELECT
            C.BPNAME AS BP_NAME,
            C.NPAGES,
            C.PAGESIZE,
            CASE WHEN C.NPAGES > 0 THEN C.NPAGES ELSE COALESCE(B.BP_CUR_BUFFSZ, 0) END
            * CAST(C.PAGESIZE AS DOUBLE) / 1024 AS POOL_KB
        FROM TUNE.D_CAT_BUFFERPOOL AS C
        LEFT JOIN TUNE.BUFFERPOOL AS B ON C.BPNAME = B.BP_NAME
    ) AS SIZED
) AS P
CROSS JOIN TUNE.MEMORY_BUDGET AS M
CROSS JOIN TUNE.O_BUFFERPOOL_SUM_OVER_MEMORY AS O
WHERE P.PLACE = 1 AND P.POOLS_KB > O.MOST_PART * M.MEMBER_MEMORY_KB
