/*---
rule: tablespace.full-or-growing
title: Table space is full, unless it grows by itself
lane: condition
severity: medium
takes_effect: immediately
judged_by: config
needs: [tablespace.TBSP_USED_PAGES, tablespace.TBSP_USABLE_PAGES]
object: TABLESPACE {TBSP_NAME:text}
confidence: 0.3
thresholds:
  full_pct: {default: 95, from: own, why: 'of the pages that may be used, from which somebody should look'}
  max_free_gb: {default: 50, from: own, why: what a very large table space has left in its last part may last for years}
  archive_d:
    default: 7
    from: own
    why: 'days without one page written, with room for them: nothing is inserted any more'
actions:
  - manual: >-
      Where nothing is inserted any more (an archive), leave it as it is. Else see whether it grows by itself (db2 get
      snapshot for tablespaces, "Auto-resize enabled"): if so, that its file systems have room; if not, ALTER TABLESPACE
      {TBSP_NAME:name} AUTORESIZE YES, or EXTEND its containers.
    undo: {manual: What was added is taken away by ALTER TABLESPACE with DROP or REDUCE.}
finding:
  - choose:
      - when: USABLE_MB IS NOT NULL
        text: >-
          {FULL_PCT:1} % of what may be used is used: {FREE_MB} MB of {USABLE_MB} MB are left. Whether it grows by
          itself is not known here.
      - >-
        {FULL_PCT:1} % of what may be used is used: {FREE_PAGES} pages are left. Whether it grows by itself is not known
        here.
evidence: [TBSP_USED_PAGES_pct=FULL_PCT:2, free_pages=FREE_PAGES, 'free_MB=FREE_MB?', 'usable_MB=USABLE_MB?',
  member=MEMBER]
query: >-
  SELECT TBSP_NAME, TBSP_AUTO_RESIZE_ENABLED, TBSP_MAX_SIZE, TBSP_LAST_RESIZE_FAILED FROM TABLE(MON_GET_TABLESPACE(NULL,
  -2)) AS T; or db2 get snapshot for tablespaces on <database>
references:
  - IBM documentation of automatic resizing of DMS table spaces (c0012277) and SQL0289N
why: >-
  A table space that grows by itself is always nearly full, and healthy; one that does not ends the next INSERT with
  SQL0289N. LIST TABLESPACES shows both alike.
not_if: >-
  It is known whether it grows (tablespace.nearly-full); its containers are named as automatic storage names them; table
  spaces that Db2 makes itself (SYSCATSPACE, SYSTOOLSPACE), which grow by default; temporary and SMS table spaces; more
  than 50 GB are left; the database has been active for a week, and no page was written to it although an extent was
  free.
note: >-
  The severity is that of something that nobody knows yet. Where the size of a page is not known, it is taken for the
  largest, 32 KB, to tell whether more than 50 GB are left.
---*/
WITH WORST AS (
    SELECT
        S.*,
        ROW_NUMBER() OVER (PARTITION BY S.TBSP_NAME ORDER BY S.FULL_PART DESC, S.MEMBER) AS PLACE
    FROM TUNE.TABLESPACE_SPACE AS S
    CROSS JOIN TUNE.O_TABLESPACE_FULL_OR_GROWING AS O
    WHERE
        S.GROWS IS NULL
        AND COALESCE(S.AUTO_STORAGE, 0) = 0
        AND S.TBSP_NAME NOT IN ('SYSCATSPACE', 'SYSTOOLSPACE')
        AND 100 * S.FULL_PART >= O.FULL_PCT
        AND COALESCE(S.UNWRITTEN_S, 0) < 86400 * O.ARCHIVE_D
        AND COALESCE(S.USABLE_BYTES - S.USED_BYTES, CAST(32768 AS DOUBLE) * S.FREE_PAGES) < O.MAX_FREE_GB * 1073741824
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
