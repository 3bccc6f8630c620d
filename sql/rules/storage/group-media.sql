/*---
rule: storage.group-media
title: The optimizer does not know which storage group is fast
lane: housekeeping
takes_effect: immediately
risk: medium
applies: {from: '10.1', not: [managed], quiet: true}
judged_by: load
needs: [storage_path.OVERHEAD, tablespace.POOL_READ_TIME, tablespace.STORAGE_GROUP_NAME, cat_tablespace.OVERHEAD]
object: DATABASE
confidence: 0.3
thresholds:
  min_sync_reads: {default: 10000, from: own, why: of each group in the interval; fewer pages make no average}
  min_factor: {default: 4, from: own, why: 'one group takes so many times as long as another: they are different media'}
  max_factor: {default: 3, from: own, why: an attribute this far from what is measured misleads}
  default_ms: {default: 6.725, from: manuals, why: OVERHEAD where nobody said anything (c0059252)}
actions:
  - set:
      kind: STOGROUP
      object: '{STORAGE_GROUP_NAME:text}'
      name: OVERHEAD
      from: '{OVERHEAD:6}'
      to: '{NEW_OVERHEAD:2}'
      unit: ms
  - when: PLACE = 1
    manual: >-
      Before and after, compare the access plans of the statements that matter (EXPLAIN), and rebind the packages of
      static SQL.
    undo: {manual: Rebind the packages again.}
finding:
  - choose:
      - when: MIXED = 1
        text: >-
          Storage group {STORAGE_GROUP_NAME:text} takes {READ_MS:2} ms for a random read, others up to {FACTOR:1} times
          that or a part of it, and the optimizer reckons with {OVERHEAD:3} ms as for the others.
      - >-
        Storage group {STORAGE_GROUP_NAME:text} takes {READ_MS:2} ms for a random read; somebody has told the optimizer
        {OVERHEAD:3} ms.
evidence: [stogroup=STORAGE_GROUP_NAME:text, OVERHEAD:6, ms_per_synchronous_read=READ_MS:2,
  synchronous_reads=SYNC_READS]
references:
  - >-
    IBM documentation of "Storage group and table space media attributes" (c0059252), ALTER STOGROUP (r0058603) and
    SYSCAT.STOGROUPS (r0059057)
why: >-
  Table spaces inherit OVERHEAD from their storage group: what the optimizer takes a random read to cost. With one value
  for fast and slow media it picks an index where a scan is cheaper, or the other way round.
not_if: >-
  There is one group, or all are about as fast or known to be of one medium, and nobody has set OVERHEAD; it fits within
  three times; the file system caches, so that reads say nothing of the medium; table spaces have values of their own;
  temporary table spaces; a utility ran.
note: >-
  What better plans save is not measured, so it claims nothing. The default for all is not touched where only one kind
  of medium is in use: its plans are what everybody has. DEVICE READ RATE stays: prefetches queue, so its measure says
  little. A transfer at that rate is taken off what a read takes.
---*/
WITH SPACES AS (
    SELECT
        STORAGE_GROUP_NAME,
        CASE WHEN COUNT(ROTATIONAL) = COUNT(*) THEN MAX(ROTATIONAL) END AS ROTATIONAL,
        SUM(SYNC_READS) AS SYNC_READS,
        CAST(SUM(SYNC_READ_MS) AS DOUBLE) / NULLIF(SUM(SYNC_READS), 0) AS READ_MS,
        CAST(SUM(CAST(SYNC_READS AS DOUBLE) * TBSP_PAGE_SIZE) AS DOUBLE) / NULLIF(1048576 * SUM(SYNC_READS), 0)
            AS PAGE_MB
    FROM TUNE.TABLESPACE
    WHERE
        TBSP_USING_AUTO_STORAGE = 1 AND FS_CACHING <> 0 AND OVERHEAD = -1
        AND TBSP_CONTENT_TYPE NOT IN ('SYSTEMP', 'USRTEMP')
    GROUP BY STORAGE_GROUP_NAME
),
GROUPS_OF AS (
    SELECT
        S.*,
        G.OVERHEAD,
        S.READ_MS - COALESCE(1000 * S.PAGE_MB / CAST(NULLIF(G.DEVICEREADRATE, 0) AS DOUBLE), 0) AS SEEK_MS
    FROM SPACES AS S
    INNER JOIN (
        SELECT
            STORAGE_GROUP_NAME,
            MAX(OVERHEAD) AS OVERHEAD,
            MAX(DEVICEREADRATE) AS DEVICEREADRATE
        FROM TUNE.D_STORAGE_PATH
        GROUP BY STORAGE_GROUP_NAME
    ) AS G ON S.STORAGE_GROUP_NAME = G.STORAGE_GROUP_NAME
    CROSS JOIN TUNE.O_STORAGE_GROUP_MEDIA AS O
    WHERE S.SYNC_READS >= O.MIN_SYNC_READS AND G.OVERHEAD > 0 AND S.READ_MS > 0
),
SPREAD AS (
    SELECT
        G.*,
        MAX(G.READ_MS) OVER () / CAST(NULLIF(MIN(G.READ_MS) OVER (), 0) AS DOUBLE) AS FACTOR,
        CASE
            WHEN
                COUNT(G.ROTATIONAL) OVER () = COUNT(*) OVER ()
                AND MIN(G.ROTATIONAL) OVER () = MAX(G.ROTATIONAL) OVER ()
                THEN 1
            ELSE 0
        END AS ONE_MEDIUM,
        MIN(G.OVERHEAD) OVER () AS LEAST_OVERHEAD,
        MAX(G.OVERHEAD) OVER () AS MOST_OVERHEAD
    FROM GROUPS_OF AS G
),
JUDGED AS (
    SELECT
        S.*,
        GREATEST(CAST(0.01 AS DOUBLE), ROUND(S.SEEK_MS, 2)) AS NEW_OVERHEAD,
        CASE WHEN S.FACTOR >= O.MIN_FACTOR AND S.LEAST_OVERHEAD = S.MOST_OVERHEAD AND S.ONE_MEDIUM = 0 THEN 1 ELSE 0 END
            AS MIXED,
        O.MAX_FACTOR,
        O.DEFAULT_MS
    FROM SPREAD AS S
    CROSS JOIN TUNE.O_STORAGE_GROUP_MEDIA AS O
)
SELECT
    STORAGE_GROUP_NAME,
    OVERHEAD,
    NEW_OVERHEAD,
    READ_MS,
    SYNC_READS,
    FACTOR,
    MIXED,
    ROW_NUMBER() OVER (ORDER BY STORAGE_GROUP_NAME) AS PLACE
FROM JUDGED
WHERE
    (NEW_OVERHEAD * MAX_FACTOR < OVERHEAD OR OVERHEAD * MAX_FACTOR < NEW_OVERHEAD)
    AND (MIXED = 1 OR ABS(OVERHEAD - DEFAULT_MS) > 0.001)
