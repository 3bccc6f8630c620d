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
  - manual: >-
      Shrink pools, starting with the fewest reads for its size: ALTER BUFFERPOOL <pool> SIZE <pages>. Or set SIZE
      AUTOMATIC for all of them, with SELF_TUNING_MEM ON.
    undo: {manual: ALTER BUFFERPOOL <pool> SIZE <previous pages>}
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
    M.MEMBER_MEMORY_KB / CAST(1024 AS DOUBLE) AS MEMBER_MB
FROM (
    SELECT
        COUNT(*) AS POOLS,
        SUM(
            CASE WHEN C.NPAGES > 0 THEN C.NPAGES ELSE COALESCE(B.BP_CUR_BUFFSZ, 0) END
            * CAST(C.PAGESIZE AS DOUBLE) / 1024
        ) AS POOLS_KB
    FROM TUNE.D_CAT_BUFFERPOOL AS C
    LEFT JOIN TUNE.BUFFERPOOL AS B ON C.BPNAME = B.BP_NAME
) AS P
CROSS JOIN TUNE.MEMORY_BUDGET AS M
CROSS JOIN TUNE.O_BUFFERPOOL_SUM_OVER_MEMORY AS O
WHERE P.POOLS_KB > O.MOST_PART * M.MEMBER_MEMORY_KB
