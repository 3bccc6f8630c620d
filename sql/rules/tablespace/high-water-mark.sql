/*---
rule: tablespace.high-water-mark
title: Much of the table space below its high-water mark is free
lane: condition
severity: low
takes_effect: immediately
risk: medium
applies: {quiet: true}
judged_by: config
needs: [tablespace.TBSP_PAGE_TOP, tablespace.TBSP_USED_PAGES, tablespace.TBSP_PAGE_SIZE]
object: TABLESPACE {TBSP_NAME:text}
confidence: 0.6
thresholds:
  min_gb: {default: 1, from: own, why: less is not worth moving extents}
  min_part:
    default: 0.3
    from: own
    why: of what lies below the mark; a smaller part is what tables grow and shrink by
actions:
  - {manual: 'If the tables will not fill it again: first REORG those that have shrunk.'}
  - choose:
      - when: RECLAIMABLE = 1 AND AUTO_STORAGE = 1
        manual: >-
          Then ALTER TABLESPACE {TBSP_NAME:name} REDUCE MAX gives the file system what is free; extents are moved while
          applications run (REDUCE STOP ends it).
      - when: RECLAIMABLE = 1
        manual: >-
          Then ALTER TABLESPACE {TBSP_NAME:name} LOWER HIGH WATER MARK, and when that has ended ALTER TABLESPACE
          {TBSP_NAME:name} REDUCE (ALL CONTAINERS <size> M).
      - when: RECLAIMABLE = 0
        manual: >-
          It was created before 9.7, so its extents cannot be moved: db2dart {DB_NAME:shell} /LHWM (database
          deactivated) says which tables to reorganize; or move them to a new table space with ADMIN_MOVE_TABLE.
      - manual: >-
          Where RECLAIMABLE_SPACE_ENABLED is 1: ALTER TABLESPACE {TBSP_NAME:name} LOWER HIGH WATER MARK (with automatic
          storage: REDUCE MAX). Else db2dart {DB_NAME:shell} /LHWM (database deactivated) says which tables to
          reorganize.
    undo: {manual: It grows again as tables do.}
finding: >-
  Of {TOP_GB:1} GB below the high-water mark {FREE_GB:1} GB are free: no other table space can use them, and a
  redirected restore takes them, too.
evidence: [TBSP_PAGE_TOP_GB=TOP_GB:1, free_below_GB=FREE_GB:1, free_pct=FREE_PCT, member=MEMBER]
query: >-
  SELECT TBSP_NAME, MEMBER, TBSP_USED_PAGES, TBSP_PAGE_TOP, TBSP_TOTAL_PAGES, RECLAIMABLE_SPACE_ENABLED FROM
  TABLE(MON_GET_TABLESPACE(NULL, -2)) AS T ORDER BY TBSP_PAGE_TOP - TBSP_USED_PAGES DESC NULLS LAST
references:
  - IBM documentation of reclaimable storage (c0055392, t0055375, t0055397) and db2dart (r0003477)
why: >-
  The high-water mark is the last extent that was allocated. Free extents below it stay with the table space: containers
  cannot be made smaller than the mark.
not_if: >-
  Less than 1 GB or 30 % below the mark is free; temporary and SMS table spaces; a rebalance runs; utilities run; pages
  are not known.
note: 'The space is not lost: the table space''s own tables use it first. It matters where a file system gets tight.'
---*/
WITH FREED AS (
    SELECT
        S.*,
        S.TOP_BYTES - S.USED_BYTES AS FREED_BYTES,
        O.MIN_GB,
        O.MIN_PART
    FROM TUNE.TABLESPACE_SPACE AS S
    CROSS JOIN TUNE.O_TABLESPACE_HIGH_WATER_MARK AS O
),
WORST AS (
    SELECT
        FREED.*,
        ROW_NUMBER() OVER (PARTITION BY TBSP_NAME ORDER BY FREED_BYTES DESC, MEMBER) AS PLACE
    FROM FREED
    WHERE FREED_BYTES >= MIN_GB * 1073741824 AND FREED_BYTES >= MIN_PART * TOP_BYTES
)
SELECT
    W.TBSP_NAME,
    W.MEMBER,
    W.RECLAIMABLE,
    W.AUTO_STORAGE,
    B.DB_NAME,
    W.TOP_BYTES / CAST(1073741824 AS DOUBLE) AS TOP_GB,
    W.FREED_BYTES / CAST(1073741824 AS DOUBLE) AS FREE_GB,
    100 * W.FREED_BYTES / CAST(NULLIF(W.TOP_BYTES, 0) AS DOUBLE) AS FREE_PCT
FROM WORST AS W
CROSS JOIN TUNE.RUN_DATABASE AS B
WHERE W.PLACE = 1
