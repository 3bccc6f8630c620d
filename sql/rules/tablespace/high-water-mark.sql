/*---
rule: tablespace.high-water-mark
title: Free space below the high-water mark
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
  min_part:
    default: 0.3
    from: own
    why: part of the space below the mark; less is the normal growth and shrinkage of tables
actions:
  - {manual: 'REORG tables that have shrunk first, if they will not grow again.'}
  - choose:
      - when: RECLAIMABLE = 1 AND AUTO_STORAGE = 1
        manual: >-
          Then return the free space to the file system: ALTER TABLESPACE {TBSP_NAME:name} REDUCE MAX. Db2 moves extents
          online (REDUCE STOP ends it).
      - when: RECLAIMABLE = 1 AND CONTAINER_MB > 0
        manual: >-
          Then ALTER TABLESPACE {TBSP_NAME:name} LOWER HIGH WATER MARK, and when it has finished ALTER TABLESPACE
          {TBSP_NAME:name} REDUCE (ALL CONTAINERS {CONTAINER_MB} M).
        undo: {manual: 'ALTER TABLESPACE {TBSP_NAME:name} EXTEND (ALL CONTAINERS {CONTAINER_MB} M).'}
      - when: RECLAIMABLE = 0
        manual: >-
          Find the tables to reorganize with db2dart {DB_NAME:shell} /LHWM (database deactivated), or move them to a new
          table space with ADMIN_MOVE_TABLE: extents of a table space created before 9.7 cannot move.
      - manual: >-
          If RECLAIMABLE_SPACE_ENABLED is 1: ALTER TABLESPACE {TBSP_NAME:name} LOWER HIGH WATER MARK (with automatic
          storage: REDUCE MAX). Otherwise find the tables to reorganize with db2dart {DB_NAME:shell} /LHWM (database
          deactivated).
finding: >-
  {FREE_GB:1} of {TOP_GB:1} GB below the high-water mark are free. No other table space can use them, and a redirected
  restore allocates them too.
evidence: [TBSP_PAGE_TOP_GB=TOP_GB:1, free_below_GB=FREE_GB:1, free_pct=FREE_PCT, member=MEMBER]
query: >-
  SELECT TBSP_NAME, MEMBER, TBSP_USED_PAGES, TBSP_PAGE_TOP, TBSP_TOTAL_PAGES, RECLAIMABLE_SPACE_ENABLED FROM
  TABLE(MON_GET_TABLESPACE(NULL, -2)) AS T ORDER BY TBSP_PAGE_TOP - TBSP_USED_PAGES DESC NULLS LAST
references:
  - IBM documentation of reclaimable storage (c0055392, t0055375, t0055397) and db2dart (r0003477)
why: >-
  The high-water mark is the last allocated extent. Free extents below it stay with the table space: containers cannot
  become smaller than the mark.
not_if: >-
  Less than 1 GB or 30 % below the mark is free; temporary and SMS table spaces; a rebalance runs; utilities run; page
  counts are unknown.
note: The table space's own tables use this space first. It matters when a file system runs short.
---*/
WITH FREED AS (
    SELECT
        S.*,
        S.TOP_BYTES - S.USED_BYTES AS FREED_BYTES,
        MIN(S.TOP_BYTES - S.USED_BYTES) OVER (PARTITION BY S.TBSP_NAME) AS LEAST_BYTES,
        SITE.SMALL_GB,
        O.MIN_PART
    FROM TUNE.TABLESPACE_SPACE AS S
    CROSS JOIN TUNE.O_TABLESPACE_HIGH_WATER_MARK AS O
    CROSS JOIN TUNE.O_SITE AS SITE
),
WORST AS (
    SELECT
        FREED.*,
        ROW_NUMBER() OVER (PARTITION BY TBSP_NAME ORDER BY FREED_BYTES DESC, MEMBER) AS PLACE
    FROM FREED
    WHERE FREED_BYTES >= SMALL_GB * 1073741824 AND FREED_BYTES >= MIN_PART * TOP_BYTES
)
SELECT
    W.TBSP_NAME,
    W.MEMBER,
    W.RECLAIMABLE,
    W.AUTO_STORAGE,
    B.DB_NAME,
    FLOOR(W.LEAST_BYTES / CAST(NULLIF(1048576 * T.TBSP_NUM_CONTAINERS, 0) AS DOUBLE)) AS CONTAINER_MB,
    W.TOP_BYTES / CAST(1073741824 AS DOUBLE) AS TOP_GB,
    W.FREED_BYTES / CAST(1073741824 AS DOUBLE) AS FREE_GB,
    100 * W.FREED_BYTES / CAST(NULLIF(W.TOP_BYTES, 0) AS DOUBLE) AS FREE_PCT
FROM WORST AS W
CROSS JOIN TUNE.RUN_DATABASE AS B
LEFT JOIN TUNE.L_TABLESPACE AS T ON W.TBSP_NAME = T.TBSP_NAME AND W.MEMBER = T.MEMBER
WHERE W.PLACE = 1
