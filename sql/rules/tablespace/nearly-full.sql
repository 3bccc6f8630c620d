/*---
rule: tablespace.nearly-full
title: Table space is nearly full
lane: safety
severity: critical
takes_effect: immediately
judged_by: config
needs: [tablespace.TBSP_USED_PAGES, tablespace.TBSP_USABLE_PAGES, tablespace.TBSP_PAGE_SIZE]
object: TABLESPACE {TBSP_NAME:text}
confidence: 0.9
thresholds:
  room_pct:
    default: 5
    from: own
    why: percent of its size; file systems with less free space leave no space to grow
actions:
  - when: CAUSE = 'fixed'
    manual: >-
      Leave an archive without inserts unchanged. Otherwise check that the file systems of its containers have free
      space. For raw devices or a deliberately fixed size use ALTER TABLESPACE {TBSP_NAME:name} ADD or EXTEND instead.
    undo: {manual: ALTER TABLESPACE with DROP or REDUCE removes the added space.}
  - when: CAUSE = 'fixed'
    set: {name: AUTORESIZE, from: 'NO', to: 'YES'}
  - {include: raise-limit}
  - choose:
      - when: CAUSE = 'room' AND STORAGE_GROUP_NAME IS NOT NULL
        manual: >-
          Enlarge the file systems of storage group {STORAGE_GROUP_NAME:name}, or choose a directory on another one:
          ALTER STOGROUP {STORAGE_GROUP_NAME:name} ADD '/path/you/chose'
      - when: CAUSE = 'room'
        manual: >-
          Enlarge the file systems of its containers, or choose a file on another one and its size, here a quarter of
          the table space: ALTER TABLESPACE {TBSP_NAME:name} BEGIN NEW STRIPE SET (FILE '/path/you/chose' {QUARTER_MB}
          M)
      - when: CAUSE = 'failed'
        manual: >-
          Find the reason of the failed resize in db2diag.log (full file system, permissions, ulimit), and free space.
    undo: {manual: ALTER TABLESPACE with DROP or REDUCE removes the added space.}
finding:
  - '{FULL_PCT:1} % full: {FREE_MB} of {USABLE_MB} MB left.'
  - choose:
      - {when: CAUSE = 'fixed', text: Auto-resize is off.}
      - {when: CAUSE = 'limit', text: 'Auto-resize limit: {MAX_MB} MB, present size {TOTAL_MB} MB.'}
      - {when: CAUSE = 'room', text: 'Its file systems have {ROOM_MB} MB left.'}
      - The last auto-resize failed.
evidence: [TBSP_USED_PAGES_pct=FULL_PCT:2, free_MB=FREE_MB, usable_MB=USABLE_MB, 'TBSP_MAX_SIZE_MB=MAX_MB?',
  'file_system_free_MB=ROOM_MB?', member=MEMBER]
query: >-
  SELECT TBSP_NAME, TBSP_USED_PAGES, TBSP_USABLE_PAGES, TBSP_AUTO_RESIZE_ENABLED, TBSP_MAX_SIZE, TBSP_LAST_RESIZE_FAILED
  FROM TABLE(MON_GET_TABLESPACE(NULL, -2)) AS T
references:
  - IBM documentation of automatic resizing of DMS table spaces (c0012277), ALTER TABLESPACE (r0000890) and SQL0289N
why: >-
  When no page is free, INSERT, UPDATE, index creation and load fail with SQL0289N. A table space that may not grow, or
  has no space to grow into, fails with the next rows.
not_if: >-
  Auto-resize is on, has space, and the last resize succeeded; the database has been active for a week, and no page was
  written to it although an extent was free (an archive, deliberately full); temporary and SMS table spaces; a rebalance
  runs; more than 50 GB are left; its use is unknown.
note: >-
  A table space with auto-resize is always nearly full: the rule reports only obstacles to growth. If auto-resize is
  unknown, see tablespace.full-or-growing.
---*/
WITH FILL AS (
    SELECT
        S.*,
        SITE.NEARLY_FULL_PCT AS FROM_PCT,
        SITE.FREE_GB,
        SITE.ARCHIVE_DAYS,
        CASE
            WHEN
                COALESCE(S.GROWS, S.AUTO_STORAGE) = 1
                AND 100 * S.FREE_BYTES < O.ROOM_PCT * S.USED_BYTES THEN 'room'
            WHEN S.GROWS = 1 AND S.FAILED = 1 THEN 'failed'
            WHEN S.GROWS = 1 AND 100 * S.TOTAL_BYTES >= SITE.NEARLY_FULL_PCT * S.MAX_BYTES THEN 'limit'
            WHEN S.GROWS = 0 THEN 'fixed'
        END AS CAUSE
    FROM TUNE.TABLESPACE_SPACE AS S
    CROSS JOIN TUNE.O_TABLESPACE_NEARLY_FULL AS O
    CROSS JOIN TUNE.O_SITE AS SITE
),
WORST AS (
    SELECT
        FILL.*,
        ROW_NUMBER() OVER (PARTITION BY TBSP_NAME ORDER BY FULL_PART DESC, MEMBER) AS PLACE
    FROM FILL
    WHERE
        CAUSE IS NOT NULL
        AND 100 * FULL_PART >= FROM_PCT
        AND COALESCE(UNWRITTEN_S, 0) < 86400 * ARCHIVE_DAYS
        AND USABLE_BYTES - USED_BYTES < FREE_GB * 1073741824
)
SELECT
    W.*,
    CASE WHEN CAUSE = 'limit' THEN 1 ELSE 0 END AS LIMITED,
    100 * FULL_PART AS FULL_PCT,
    (USABLE_BYTES - USED_BYTES) / CAST(1048576 AS DOUBLE) AS FREE_MB,
    USABLE_BYTES / CAST(1048576 AS DOUBLE) AS USABLE_MB,
    NEW_MB - LIMIT_MB AS MORE_MB,
    CEIL(TOTAL_MB / CAST(4 AS DOUBLE)) AS QUARTER_MB
FROM WORST AS W
WHERE PLACE = 1
