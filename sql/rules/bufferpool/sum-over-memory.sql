/*---
rule: bufferpool.sum-over-memory
title: All buffer pools together are larger than the memory there is
lane: condition
severity: low
takes_effect: immediately
applies: {not: [managed]}
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
    why: beyond all of it there is no doubt; a tuned machine of IBM gave its pools 92 %
actions:
  - manual: >-
      Make pools smaller, the one with the least reads for its size first: ALTER BUFFERPOOL <pool> SIZE <pages>; or SIZE
      AUTOMATIC for all of them, with SELF_TUNING_MEM ON.
    undo: {manual: ALTER BUFFERPOOL <pool> SIZE with the pages that it had.}
finding: >-
  {POOLS} buffer pools have {POOLS_MB} MB by their definition, and a member has {MEMBER_MB} MB of memory for everything.
evidence: [pools=POOLS, pools_MB=POOLS_MB, member_memory_MB=MEMBER_MB]
query: SELECT BPNAME, NPAGES, PAGESIZE FROM SYSCAT.BUFFERPOOLS
references:
  - 'IBM documentation of buffer pools (c0052481): pools that find no memory start with a hidden pool of 16 pages'
why: >-
  When the database is activated and a pool finds no memory, Db2 starts with hidden pools of 16 pages instead; where the
  host gives the memory all the same, it swaps pools out.
not_if: Together they take no more than the memory that a member has; how much that is is not known.
note: Pools of size AUTOMATIC count as what they have now. Exceptions on members are not counted.
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
