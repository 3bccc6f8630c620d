/*---
rule: tablespace.speeds-mistuned
title: OVERHEAD and TRANSFERRATE differ from measured speeds
lane: housekeeping
takes_effect: immediately
risk: medium
applies: {not: [purescale]}
judged_by: load
needs: [cat_tablespace.OVERHEAD, cat_tablespace.TRANSFERRATE, tablespace.FS_CACHING, tablespace.POOL_READ_TIME]
object: TABLESPACE {TBSP_NAME:text}
confidence: 0.3
thresholds:
  min_sync_reads: {default: 5000, from: own, why: too few pages for an average}
  min_minutes: {default: 30, from: own, why: a few minutes of measurement do not justify new plans for all statements}
actions:
  - manual: >-
      Save the access plans of important statements (EXPLAIN) before the change, and compare them afterwards: Db2
      compiles all later statements with the new speeds.
    undo: {manual: Rebind the packages again.}
  - set:
      - {name: OVERHEAD, from: '{OVERHEAD:6}', to: '{MS_PER_READ:2}', unit: ms}
      - {name: TRANSFERRATE, from: '{TRANSFERRATE:6}', to: '{MS_PER_PAGE:2}', unit: ms}
  - {manual: 'Rebind the packages of static SQL, so that they also use the new speeds.'}
finding: >-
  The optimizer assumes {OVERHEAD:2} ms per random read and {TRANSFERRATE:2} ms per page of a sequential read. Measured:
  {MS_PER_READ:2} and {MS_PER_PAGE:2} ms.
evidence: [OVERHEAD:6, TRANSFERRATE:6, ms_per_synchronous_read=MS_PER_READ:2, ms_per_prefetched_page=MS_PER_PAGE:2]
references:
  - x445 (overhead and transferrate in the DDL)
  - IBM documentation of ALTER TABLESPACE (r0000890)
why: >-
  OVERHEAD and TRANSFERRATE are the optimizer's costs of random and sequential reads. If they are far from reality, it
  chooses wrong access paths.
not_if: >-
  Temporary or catalog table spaces; the file system caches, so that the measurement shows its cache, not the disk;
  an array rebuilds, is checked or lacks a disk, or disk errors were reported; reads are slower than normal for the
  medium (a queue, not a property of the disks); less than half an hour was observed; the speeds are inherited; only one
  of them differs.
note: >-
  The saving of better plans is not measured, and some plans get worse: the rule claims no time. Sites that keep access
  paths deliberately should leave the speeds unchanged.
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
CROSS JOIN TUNE.CONSTANT AS CONST
WHERE
    T.TBSP_CONTENT_TYPE NOT IN ('SYSTEMP', 'USRTEMP')
    AND T.TBSP_NAME <> 'SYSCATSPACE'
    AND T.FS_CACHING <> 0
    AND T.IMPAIRED = 0
    AND NOT EXISTS (SELECT 1 FROM TUNE.EVENT_CLASS AS E WHERE E.CLASS = 'io')
    AND A.SECONDS >= 60 * O.MIN_MINUTES
    AND T.OVERHEAD > 0
    AND T.TRANSFERRATE > 0
    AND T.READ_MS > 0
    AND T.PAGE_MS > 0
    AND T.READ_MS <= T.NORMAL_MS
    AND T.SYNC_READS >= O.MIN_SYNC_READS
    AND T.ASYNC_READS >= CONST.ENOUGH_PAGES
    AND (T.READ_MS > CONST.ATTRIBUTE_FACTOR * T.OVERHEAD OR CONST.ATTRIBUTE_FACTOR * T.READ_MS < T.OVERHEAD)
    AND (T.PAGE_MS > CONST.ATTRIBUTE_FACTOR * T.TRANSFERRATE OR CONST.ATTRIBUTE_FACTOR * T.PAGE_MS < T.TRANSFERRATE)
