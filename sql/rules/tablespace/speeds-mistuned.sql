/*---
rule: tablespace.speeds-mistuned
title: Disk speeds that the optimizer reckons with are far from what is measured
lane: housekeeping
takes_effect: immediately
risk: medium
applies: {not: [managed, purescale]}
judged_by: load
needs: [cat_tablespace.OVERHEAD, cat_tablespace.TRANSFERRATE, tablespace.FS_CACHING, tablespace.POOL_READ_TIME]
object: TABLESPACE {TBSP_NAME:text}
confidence: 0.3
thresholds:
  max_factor: {default: 3, from: own, why: both speeds must be off by more than three times}
  min_sync_reads: {default: 5000, from: own, why: fewer pages make no average}
  min_async_pages: {default: 10000, from: own, why: fewer pages make no average}
  min_minutes: {default: 30, from: own, why: all plans are not set by what a few minutes measured}
actions:
  - manual: >-
      Keep the access plans of important statements (EXPLAIN) before, and compare them after: what is compiled from then
      on is planned with the new speeds.
    undo: {manual: Rebind the packages again.}
  - set:
      - {name: OVERHEAD, from: '{OVERHEAD:6}', to: '{MS_PER_READ:2}', unit: ms}
      - {name: TRANSFERRATE, from: '{TRANSFERRATE:6}', to: '{MS_PER_PAGE:2}', unit: ms}
  - {manual: 'Rebind the packages of static SQL, so that they are planned with the new speeds, too.'}
finding: >-
  The optimizer reckons with {OVERHEAD:2} ms for a random read and {TRANSFERRATE:2} ms for a page of a sequential one;
  measured are {MS_PER_READ:2} and {MS_PER_PAGE:2} ms.
evidence: [OVERHEAD:6, TRANSFERRATE:6, ms_per_synchronous_read=MS_PER_READ:2, ms_per_prefetched_page=MS_PER_PAGE:2]
references:
  - x445 (overhead and transferrate in the DDL)
  - IBM documentation of ALTER TABLESPACE (r0000890)
why: >-
  OVERHEAD and TRANSFERRATE tell the optimizer what a random and what a sequential read costs: far from the truth, it
  picks the wrong access paths.
not_if: >-
  Temporary or catalog table spaces; the file system caches, so that its cache was measured and no disk; reads are
  slower than is normal for the medium, which is a queue and no property of the disks; less than half an hour was seen;
  the speeds are inherited; only one of them is off.
note: >-
  What better plans save is not measured, and some get worse: no time is claimed, and sites that keep their access paths
  on purpose leave the speeds alone.
---*/
SELECT
    T.TBSP_NAME,
    T.OVERHEAD,
    T.TRANSFERRATE,
    GREATEST(0.01, COALESCE(T.READ_MS, 0)) AS MS_PER_READ,
    GREATEST(0.01, COALESCE(T.PAGE_MS, 0)) AS MS_PER_PAGE
FROM TUNE.TABLESPACE AS T
CROSS JOIN TUNE.DATABASE_TIME AS A
CROSS JOIN TUNE.O_TABLESPACE_SPEEDS_MISTUNED AS O
WHERE
    T.TBSP_CONTENT_TYPE NOT IN ('SYSTEMP', 'USRTEMP')
    AND T.TBSP_NAME <> 'SYSCATSPACE'
    AND T.FS_CACHING <> 0
    AND A.SECONDS >= 60 * O.MIN_MINUTES
    AND T.OVERHEAD > 0
    AND T.TRANSFERRATE > 0
    AND T.READ_MS > 0
    AND T.PAGE_MS > 0
    AND T.READ_MS <= T.NORMAL_MS
    AND T.SYNC_READS >= O.MIN_SYNC_READS
    AND T.ASYNC_READS >= O.MIN_ASYNC_PAGES
    AND (T.READ_MS > O.MAX_FACTOR * T.OVERHEAD OR O.MAX_FACTOR * T.READ_MS < T.OVERHEAD)
    AND (T.PAGE_MS > O.MAX_FACTOR * T.TRANSFERRATE OR O.MAX_FACTOR * T.PAGE_MS < T.TRANSFERRATE)
