/*---
rule: bufferpool.few-pages
title: Buffer pool has only a few megabytes
lane: condition
severity: low
takes_effect: immediately
judged_by: config
needs: [cat_bufferpool.NPAGES]
object: BUFFERPOOL {BP_NAME:text}
confidence: 0.3
defers_to:
  - {rule: bufferpool.left-at-default, within: object}
  - {rule: bufferpool.never-sized, within: object}
  - {rule: bufferpool.fixed-size-stmm-on, within: object}
  - {rule: bufferpool.unused, within: object}
thresholds:
  max_mb: {default: 32, from: own, why: 'a pool of default size with the largest pages has this size'}
actions:
  - manual: >-
      Compare the pool with the data in its table spaces. Enlarge it if the data does not fit: ALTER BUFFERPOOL
      {BP_NAME:name} IMMEDIATE SIZE <pages>, or SIZE AUTOMATIC if SELF_TUNING_MEM is ON.
    undo: {manual: 'ALTER BUFFERPOOL {BP_NAME:name} IMMEDIATE SIZE {NPAGES}'}
finding:
  - choose:
      - when: PAGESIZE IS NULL
        text: >-
          Buffer pool {BP_NAME:text} has {NPAGES} pages, at most {SIZE_MB:1} MB. Pages that do not fit are read again on
          each use.
      - >-
        Buffer pool {BP_NAME:text} has {NPAGES} pages of {PAGESIZE} bytes, {SIZE_MB:1} MB. Pages that do not fit are
        read again on each use.
evidence: [NPAGES, 'PAGESIZE?']
query: >-
  SELECT B.BPNAME, B.NPAGES, B.PAGESIZE, T.TBSPACE, T.DATATYPE FROM SYSCAT.BUFFERPOOLS AS B INNER JOIN
  SYSCAT.TABLESPACES AS T ON B.BUFFERPOOLID = T.BUFFERPOOLID WHERE B.NPAGES BETWEEN 1 AND 1000
references:
  - IBM documentation of buffpage (r0000316) and CREATE BUFFERPOOL (r0000920)
why: >-
  A buffer pool saves repeated reads of a page. A few megabytes hold only some small lookup tables. Nearly all other
  pages are read from the file system or disk again.
not_if: >-
  Its size is AUTOMATIC; it serves only temporary table spaces; the used pages of table spaces are known, so
  bufferpool.left-at-default applies.
note: For texts that define pools but contain no data sizes. A small pool is fine for little data.
---*/
SELECT
    C.BPNAME AS BP_NAME,
    C.NPAGES,
    C.PAGESIZE,
    CAST(C.NPAGES AS DOUBLE) * COALESCE(C.PAGESIZE, 32768) / CAST(1048576 AS DOUBLE) AS SIZE_MB
FROM TUNE.D_CAT_BUFFERPOOL AS C
CROSS JOIN TUNE.O_BUFFERPOOL_FEW_PAGES AS O
CROSS JOIN (SELECT COUNT(*) AS SPACES FROM TUNE.L_TABLESPACE WHERE TBSP_USED_PAGES IS NOT NULL) AS U
LEFT JOIN (
    SELECT
        BUFFERPOOLID,
        MIN(CASE WHEN DATATYPE IN ('T', 'U') THEN 1 ELSE 0 END) AS TEMPORARY_ONLY
    FROM TUNE.D_CAT_TABLESPACE
    GROUP BY BUFFERPOOLID
) AS T ON C.BUFFERPOOLID = T.BUFFERPOOLID
WHERE
    C.NPAGES BETWEEN 1 AND 1000
    AND U.SPACES = 0
    AND COALESCE(T.TEMPORARY_ONLY, 0) = 0
    AND CAST(C.NPAGES AS DOUBLE) * COALESCE(C.PAGESIZE, 32768) <= O.MAX_MB * 1048576
