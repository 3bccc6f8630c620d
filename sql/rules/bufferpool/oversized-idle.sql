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
SELECT
    B.BP_NAME,
    B.NPAGES,
    B.KEPT_PAGES,
    B.BP_CUR_BUFFSZ,
    B.PAGESIZE,
    COALESCE(B.USED_PAGES, 0) AS USED_PAGES,
    COALESCE(B.SPACE_PAGES, 0) AS SPACE_PAGES,
    B.TABLESPACES,
    B.LOGICAL_READS,
    -FLOOR(B.SPARE_PAGES * CAST(B.PAGESIZE AS DOUBLE) / 1024) AS MEMORY_KB
FROM TUNE.SIZED_POOL AS B
WHERE B.SPARE_PAGES > 0
