/*---
rule: tablespace.temp-slow
title: Temporary tables are on slower storage than the data
lane: performance
takes_effect: object rebuilt or moved
risk: medium
applies: {from: '10.1', quiet: true}
judged_by: load
needs: [tablespace.TBSP_CONTENT_TYPE, tablespace.POOL_READ_TIME, tablespace.STORAGE_GROUP_NAME,
  cat_tablespace.PAGESIZE, workload.POOL_READ_TIME, storage_path.DB_STORAGE_PATH]
object: TABLESPACE {TBSP_NAME:text}
claims: {POOL_READ: {events: SYNC_READS, cost_ms: EXCESS_MS}}
recover: [0.3, 0.8, 1.0]
confidence: 0.6
defers_to:
  - {rule: memory.sort-overflow, within: any, only_if_larger: true}
thresholds:
  min_ms: {default: 2, from: own, why: 'a faster read is from flash, wherever the device is'}
  free_factor: {default: 2, from: own, why: 'free space needed in the other group, in multiples of the pages in use'}
actions:
  - command: >-
      CREATE SYSTEM TEMPORARY TABLESPACE {NEW_SPACE:name} PAGESIZE {TBSP_PAGE_SIZE} MANAGED BY AUTOMATIC STORAGE USING
      STOGROUP {FAST_GROUP:name} EXTENTSIZE {TBSP_EXTENT_SIZE}[ BUFFERPOOL {BPNAME:name}]
    undo: {command: 'DROP TABLESPACE {NEW_SPACE:name}'}
  - manual: >-
      Drop the old table space once no statement uses it: DROP TABLESPACE {TBSP_NAME:name}. Until then Db2 uses both in
      turn.
    undo: {manual: 'Create {TBSP_NAME:text} again in storage group {STORAGE_GROUP_NAME:text|it was in}.'}
finding: >-
  A read of {TBSP_NAME:text} takes {READ_MS:1} ms, a read of {FAST_SPACE:text} in storage group {FAST_GROUP:text}
  {FAST_MS:2} ms. Agents read its pages for {SHARE_PCT:1} % of database time.
evidence: [ms_per_synchronous_read=READ_MS:2, synchronous_reads=SYNC_READS, fast_space=FAST_SPACE:text,
  ms_there=FAST_MS:2, 'stogroup=STORAGE_GROUP_NAME:text?', POOL_READ_TIME_pct=SHARE_PCT:2]
references:
  - >-
    IBM documentation of temporary table spaces (c0004975): they cannot change their storage group, and a second one of
    the same page size seldom helps
why: >-
  Sorts and joins that spill write pages there and read them back. On a slower path than the data, each spill takes
  longer than the statement's own reads.
not_if: >-
  Its reads take less than 2 ms, or less than four times the reads of data elsewhere; they are few, or less than 3 % of
  the time; no other storage group is faster and has space; the file system caches one of them; the new table space
  already exists; a utility ran.
note: 'Avoiding spills is better: sort memory comes first if it is advised and saves more.'
---*/
WITH FAST AS (
    SELECT
        T.TBSP_NAME AS FAST_SPACE,
        T.STORAGE_GROUP_NAME AS FAST_GROUP,
        T.READ_MS AS FAST_MS,
        ROW_NUMBER() OVER (ORDER BY T.READ_MS, T.TBSP_NAME) AS PLACE,
        F.FREE_KB
    FROM TUNE.TABLESPACE AS T
    INNER JOIN (
        SELECT
            STORAGE_GROUP_NAME,
            SUM(FS_TOTAL_SIZE - FS_USED_SIZE) / CAST(1024 AS DOUBLE) AS FREE_KB
        FROM TUNE.D_STORAGE_PATH
        GROUP BY STORAGE_GROUP_NAME
    ) AS F ON T.STORAGE_GROUP_NAME = F.STORAGE_GROUP_NAME
    CROSS JOIN TUNE.CONSTANT AS CONST
    WHERE
        T.TBSP_CONTENT_TYPE NOT IN ('SYSTEMP', 'USRTEMP') AND T.FS_CACHING <> 0
        AND T.SYNC_READS >= CONST.ENOUGH_EVENTS AND T.READ_MS > 0
)
SELECT
    T.TBSP_NAME,
    T.TBSP_NAME || '_N' AS NEW_SPACE,
    T.TBSP_PAGE_SIZE,
    T.TBSP_EXTENT_SIZE,
    T.BPNAME,
    T.STORAGE_GROUP_NAME,
    T.SYNC_READS,
    T.READ_MS,
    T.READ_MS - F.FAST_MS AS EXCESS_MS,
    T.SHARE_PCT,
    F.FAST_SPACE,
    F.FAST_GROUP,
    F.FAST_MS
FROM TUNE.TABLESPACE AS T
INNER JOIN FAST AS F ON F.PLACE = 1
CROSS JOIN TUNE.O_TABLESPACE_TEMP_SLOW AS O
CROSS JOIN TUNE.O_SITE AS SITE
CROSS JOIN TUNE.CONSTANT AS CONST
WHERE
    T.TBSP_CONTENT_TYPE = 'SYSTEMP' AND T.FS_CACHING <> 0
    AND T.SYNC_READS >= CONST.ENOUGH_EVENTS
    AND T.READ_MS >= O.MIN_MS AND T.READ_MS >= CONST.MEDIUM_FACTOR * F.FAST_MS
    AND T.SHARE_PCT >= SITE.SOME_PCT
    AND COALESCE(T.STORAGE_GROUP_NAME, '') <> F.FAST_GROUP
    AND F.FREE_KB * 1024 >= O.FREE_FACTOR * CAST(T.TBSP_USED_PAGES_ALL AS DOUBLE) * T.TBSP_PAGE_SIZE
    AND NOT EXISTS (SELECT 1 FROM TUNE.TABLESPACE AS N WHERE N.TBSP_NAME = T.TBSP_NAME || '_N')
