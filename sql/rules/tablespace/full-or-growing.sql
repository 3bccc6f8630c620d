/*---
rule: tablespace.full-or-growing
title: Table space is full unless auto-resize is on
lane: condition
severity: medium
takes_effect: immediately
judged_by: config
needs: [tablespace.TBSP_USED_PAGES, tablespace.TBSP_USABLE_PAGES]
object: TABLESPACE {TBSP_NAME:text}
confidence: 0.3
actions:
  - manual: >-
      Leave an archive without inserts unchanged. Otherwise check auto-resize (db2 get snapshot for tablespaces,
      "Auto-resize enabled"). If it is on, check the free space of its file systems; if not, ALTER TABLESPACE
      {TBSP_NAME:name} AUTORESIZE YES, or EXTEND its containers.
    undo: {manual: ALTER TABLESPACE with DROP or REDUCE removes the added space.}
finding:
  - choose:
      - when: USABLE_MB IS NOT NULL
        text: '{FULL_PCT:1} % full: {FREE_MB} of {USABLE_MB} MB left. It is unknown whether auto-resize is on.'
      - '{FULL_PCT:1} % full: {FREE_PAGES} pages left. It is unknown whether auto-resize is on.'
evidence: [TBSP_USED_PAGES_pct=FULL_PCT:2, free_pages=FREE_PAGES, 'free_MB=FREE_MB?', 'usable_MB=USABLE_MB?',
  member=MEMBER]
query: >-
  SELECT TBSP_NAME, TBSP_AUTO_RESIZE_ENABLED, TBSP_MAX_SIZE, TBSP_LAST_RESIZE_FAILED FROM TABLE(MON_GET_TABLESPACE(NULL,
  -2)) AS T; db2 get snapshot for tablespaces on <database>
references:
  - IBM documentation of automatic resizing of DMS table spaces (c0012277) and SQL0289N
why: >-
  A table space with auto-resize is always nearly full, and healthy. Without it the next INSERT fails with SQL0289N.
  LIST TABLESPACES shows both alike.
not_if: >-
  Auto-resize is known (tablespace.nearly-full); its containers have names of automatic storage; Db2 creates the table
  space with auto-resize (SYSCATSPACE, SYSTOOLSPACE), so that it is always nearly full; temporary and SMS table spaces;
  more than 50 GB are left; the database has been active for a week, and no page was written to it although an extent
  was free.
note: >-
  The severity is for an unknown state. If the page size is unknown, the largest (32 KB) is assumed for the limit of 50
  GB.
---*/
WITH WORST AS (
    SELECT
        S.*,
        ROW_NUMBER() OVER (PARTITION BY S.TBSP_NAME ORDER BY S.FULL_PART DESC, S.MEMBER) AS PLACE
    FROM TUNE.TABLESPACE_SPACE AS S
    CROSS JOIN TUNE.O_SITE AS SITE
    WHERE
        S.GROWS IS NULL
        AND COALESCE(S.AUTO_STORAGE, 0) = 0
        AND 100 * S.FULL_PART >= SITE.FULL_PCT
        AND S.TBSP_NAME NOT IN ('SYSCATSPACE', 'SYSTOOLSPACE')
        AND COALESCE(S.UNWRITTEN_S, 0) < 86400 * SITE.ARCHIVE_DAYS
        AND COALESCE(S.USABLE_BYTES - S.USED_BYTES, CAST(32768 AS DOUBLE) * S.FREE_PAGES) < SITE.FREE_GB * 1073741824
)
SELECT
    TBSP_NAME,
    MEMBER,
    100 * FULL_PART AS FULL_PCT,
    FREE_PAGES,
    (USABLE_BYTES - USED_BYTES) / CAST(1048576 AS DOUBLE) AS FREE_MB,
    USABLE_BYTES / CAST(1048576 AS DOUBLE) AS USABLE_MB
FROM WORST
WHERE PLACE = 1
