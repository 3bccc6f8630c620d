/*---
rule: storage.group-media
title: OVERHEAD of the storage group does not match its speed
lane: housekeeping
takes_effect: immediately
risk: medium
applies: {from: '10.1', quiet: true}
steps_need: storage
judged_by: load
needs: [storage_path.OVERHEAD, tablespace.POOL_READ_TIME, tablespace.STORAGE_GROUP_NAME, cat_tablespace.OVERHEAD]
object: DATABASE
confidence: 0.3
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
      Compare the access plans of important statements before and after (EXPLAIN), and rebind packages of static SQL.
    undo: {manual: Rebind the packages again.}
finding:
  - choose:
      - when: MIXED = 1
        text: >-
          Storage group {STORAGE_GROUP_NAME:text} takes {READ_MS:2} ms for a random read, other groups up to {FACTOR:1}
          times more or less. The optimizer assumes {OVERHEAD:3} ms for all.
      - >-
        Storage group {STORAGE_GROUP_NAME:text} takes {READ_MS:2} ms for a random read, but OVERHEAD was set to
        {OVERHEAD:3} ms.
evidence: [stogroup=STORAGE_GROUP_NAME:text, OVERHEAD:6, ms_per_synchronous_read=READ_MS:2,
  synchronous_reads=SYNC_READS]
references:
  - >-
    IBM documentation "Storage group and table space media attributes" (c0059252), ALTER STOGROUP (r0058603) and
    SYSCAT.STOGROUPS (r0059057)
why: >-
  Table spaces inherit OVERHEAD, the optimizer's cost of a random read, from their storage group. With one value for
  fast and slow media the optimizer uses an index when a scan is cheaper, or the reverse.
not_if: >-
  There is one group, or all are about equally fast or known to use one medium, and OVERHEAD has its default; it is
  within a factor of three; the file system caches, so that read times do not show the medium; an array rebuilds, is
  checked or lacks a disk, or disk errors were reported; table spaces have their own values; temporary table spaces; a
  utility ran.
note: >-
  The saving of better plans is not measured, so the rule claims nothing. If only one medium is in use, the default
  stays, because existing plans depend on it. DEVICE READ RATE stays unchanged: prefetches queue, so their times show
  little. A transfer at that rate is subtracted from the read time.
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
        TBSP_USING_AUTO_STORAGE = 1 AND FS_CACHING <> 0 AND OVERHEAD = -1 AND IMPAIRED = 0
        AND NOT EXISTS (SELECT 1 FROM TUNE.EVENT_CLASS AS E WHERE E.CLASS = 'io')
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
    CROSS JOIN TUNE.CONSTANT AS CONST
    WHERE S.SYNC_READS >= CONST.ENOUGH_PAGES AND G.OVERHEAD > 0 AND S.READ_MS > 0
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
        CASE
            WHEN S.FACTOR >= CONST.MEDIUM_FACTOR AND S.LEAST_OVERHEAD = S.MOST_OVERHEAD AND S.ONE_MEDIUM = 0 THEN 1
            ELSE 0
        END
            AS MIXED,
        CONST.ATTRIBUTE_FACTOR,
        6.725 AS DEFAULT_MS -- of OVERHEAD, c0059252
    FROM SPREAD AS S
    CROSS JOIN TUNE.CONSTANT AS CONST
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
    (NEW_OVERHEAD * ATTRIBUTE_FACTOR < OVERHEAD OR OVERHEAD * ATTRIBUTE_FACTOR < NEW_OVERHEAD)
    AND (MIXED = 1 OR ABS(OVERHEAD - DEFAULT_MS) > 0.001)
