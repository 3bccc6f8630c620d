/*---
rule: bufferpool.oversized-idle
title: Buffer pool is larger than all its table spaces
lane: performance
lane_without_claim: performance
takes_effect: immediately
judged_by: config
needs: [bufferpool.BP_CUR_BUFFSZ, cat_bufferpool.NPAGES, tablespace.TBSP_USED_PAGES, tablespace.TBSP_TOTAL_PAGES]
object: BUFFERPOOL {BP_NAME:text}
confidence: 0.9
memory: MEMORY_KB
defers_to:
  - {rule: bufferpool.system-pool-in-use, within: any}
  - {rule: bufferpool.unused, within: object}
donor: true
thresholds:
  min_mb: {default: 256, from: own, why: a smaller pool frees too little to matter}
  over_space:
    default: 1.2
    from: own
    why: a fifth more than the allocated pages is room for growth, not waste
  keep: {default: 1.1, from: own, why: keeps a tenth for growth}
actions:
  - set: {name: SIZE, from: '{NPAGES}', to: '{KEPT_PAGES}', unit: pages}
finding: >-
  Buffer pool {BP_NAME:text} has {BP_CUR_BUFFSZ} pages. Its table spaces use only {USED_PAGES} of {SPACE_PAGES}
  allocated pages.
evidence: [BP_CUR_BUFFSZ, PAGESIZE, TBSP_USED_PAGES=USED_PAGES, TBSP_TOTAL_PAGES=SPACE_PAGES, tablespaces=TABLESPACES,
  logical_reads=LOGICAL_READS]
references:
  - vmware-netapp, memory not to be over-allocated
why: >-
  A pool cannot hold more pages than its table spaces have. The rest is idle memory that other advice in this list can
  use.
not_if: >-
  The pool is AUTOMATIC, has a pending size or exceptions on members; temporary table spaces use it; a table space
  changes to it at the next activation.
note: >-
  An idle pool no larger than its data is left alone: one interval does not show whether month-end processing needs it.
  Its tables may just have been emptied, so allocated pages count, not used ones.
---*/
WITH POOL AS (
    SELECT
        B.BP_NAME,
        B.NPAGES,
        B.BP_CUR_BUFFSZ,
        B.PAGESIZE,
        B.TABLESPACES,
        B.LOGICAL_READS,
        COALESCE(B.USED_PAGES, 0) AS USED_PAGES,
        COALESCE(B.SPACE_PAGES, 0) AS SPACE_PAGES,
        O.OVER_SPACE,
        ROUND(GREATEST(1000, O.KEEP * COALESCE(B.SPACE_PAGES, 0)), 0) AS KEPT_PAGES
    FROM TUNE.SIZED_POOL AS B
    CROSS JOIN TUNE.O_BUFFERPOOL_OVERSIZED_IDLE AS O
    WHERE
        B.SIZEABLE = 1
        AND B.TEMPORARY_TABLESPACES = 0
        AND B.BP_CUR_BUFFSZ * CAST(B.PAGESIZE AS DOUBLE) >= O.MIN_MB * 1048576
        AND NOT EXISTS (
            SELECT 1 FROM TUNE.TABLESPACE AS T
            WHERE T.TBSP_NEXT_POOL_ID = B.BUFFERPOOLID AND T.TBSP_CUR_POOL_ID <> B.BUFFERPOOLID
        )
)
SELECT
    BP_NAME, NPAGES, KEPT_PAGES, BP_CUR_BUFFSZ, PAGESIZE, USED_PAGES, SPACE_PAGES, TABLESPACES, LOGICAL_READS,
    CEIL((KEPT_PAGES - BP_CUR_BUFFSZ) * CAST(PAGESIZE AS DOUBLE) / 1024) AS MEMORY_KB
FROM POOL
WHERE BP_CUR_BUFFSZ > OVER_SPACE * SPACE_PAGES AND BP_CUR_BUFFSZ > KEPT_PAGES
