/*---
rule: bufferpool.left-at-default
title: Buffer pool has only a few megabytes
lane: condition
severity: low
takes_effect: immediately
judged_by: config
needs: [cat_bufferpool.NPAGES]
object: BUFFERPOOL {BP_NAME:text}
confidence: CONFIDENCE
memory: GROWTH_KB
thresholds:
  budget_part: {default: 0.5, from: own, why: part of the memory left for Db2; the next run measures the effect}
defers_to:
  - {rule: bufferpool.never-sized, within: object}
  - {rule: bufferpool.fixed-size-stmm-on, within: object}
  - {rule: bufferpool.unused, within: object}
actions:
  - when: USED_GB IS NOT NULL
    set: {name: SIZE, from: '{NPAGES}', to: '{NEW_SIZE:text}', unit: pages}
  - when: USED_GB IS NULL OR NEW_SIZE IS NULL
    manual: >-
      Choose N pages[, at most the {DATA_PAGES} of its data,] that fit in the free memory: ALTER BUFFERPOOL
      {BP_NAME:name} IMMEDIATE SIZE N, or SIZE AUTOMATIC if SELF_TUNING_MEM is ON.
    undo: {manual: 'ALTER BUFFERPOOL {BP_NAME:name} IMMEDIATE SIZE {NPAGES}'}
finding:
  - choose:
      - when: USED_GB IS NOT NULL
        text: >-
          Buffer pool {BP_NAME:text} has {NPAGES} pages ({SIZE_MB:1} MB) for {USED_GB:1} GB of data (table
          spaces: {SPACES}).
      - when: PAGESIZE IS NULL
        text: >-
          Buffer pool {BP_NAME:text} has {NPAGES} pages, at most {SIZE_MB:1} MB. Pages that do not fit are read again on
          each use.
      - >-
        Buffer pool {BP_NAME:text} has {NPAGES} pages of {PAGESIZE} bytes, {SIZE_MB:1} MB. Pages that do not fit are
        read again on each use.
evidence: [NPAGES, 'PAGESIZE?', 'data_GB=USED_GB:1?', 'tablespaces=SPACES?']
query: >-
  SELECT B.BPNAME, B.NPAGES, B.PAGESIZE, T.TBSPACE, T.DATATYPE FROM SYSCAT.BUFFERPOOLS AS B INNER JOIN
  SYSCAT.TABLESPACES AS T ON B.BUFFERPOOLID = T.BUFFERPOOLID WHERE B.NPAGES BETWEEN 1 AND 1000
references:
  - 'IBM documentation of buffpage (r0000316) and SYSCAT.BUFFERPOOLS (r0001034): 250 pages on Windows, 1,000 on UNIX'
  - IBM documentation of CREATE BUFFERPOOL (r0000912)
why: >-
  A pool created without a size gets a few megabytes, which hold only some small lookup tables. Nearly every other page
  is then read from the file system or disk again on each use.
not_if: >-
  Its size is AUTOMATIC or not 250 or 1,000 pages; it serves only temporary table spaces, or less than 1 GB of
  data; another size is pending. If no table space's used pages are known, as in a script: more than 1,000 pages.
note: If reads and memory are known, bufferpool.never-sized claims the cost. A small pool is fine for little data.
---*/
WITH DATA_OF AS (
    SELECT
        K.BUFFERPOOLID,
        MIN(CASE WHEN K.DATATYPE IN ('T', 'U') THEN 1 ELSE 0 END) AS TEMPORARY_ONLY,
        COUNT(DISTINCT T.TBSP_NAME) AS SPACES,
        SUM(CAST(T.TBSP_USED_PAGES AS DOUBLE) * T.TBSP_PAGE_SIZE) AS USED_BYTES
    FROM TUNE.D_CAT_TABLESPACE AS K
    LEFT JOIN TUNE.L_TABLESPACE AS T
        ON K.TBSPACE = T.TBSP_NAME AND T.TBSP_CONTENT_TYPE NOT IN ('SYSTEMP', 'USRTEMP')
    GROUP BY K.BUFFERPOOLID
),
SIZED AS (
    SELECT
        FOUND.*,
        CAST(1000 * FLOOR(LEAST(DATA_PAGES, BUDGET_PAGES) / CAST(1000 AS DOUBLE)) AS BIGINT) AS NEW_PAGES
    FROM (
        SELECT
            C.BPNAME AS BP_NAME,
            C.NPAGES,
            C.PAGESIZE,
            CASE WHEN U.SPACES > 0 THEN D.SPACES END AS SPACES,
            C.NPAGES * CAST(COALESCE(C.PAGESIZE, 32768) AS DOUBLE) / 1048576 AS SIZE_MB,
            D.USED_BYTES / CAST(1073741824 AS DOUBLE) AS USED_GB,
            CASE WHEN U.SPACES > 0 THEN 0.6 ELSE 0.3 END AS CONFIDENCE,
            CASE WHEN M.VALUE LIKE 'ON%' AND COALESCE(SITE.STMM, 'ON') <> 'OFF' THEN 1 ELSE 0 END AS STMM,
            CEIL(D.USED_BYTES / CAST(NULLIF(C.PAGESIZE, 0) AS DOUBLE)) AS DATA_PAGES,
            O.BUDGET_PART * 1024 * G.BUDGET_KB / CAST(NULLIF(C.PAGESIZE * COUNT(*) OVER (), 0) AS DOUBLE)
                AS BUDGET_PAGES
        FROM TUNE.D_CAT_BUFFERPOOL AS C
        CROSS JOIN (SELECT COUNT(*) AS SPACES FROM TUNE.L_TABLESPACE WHERE TBSP_USED_PAGES IS NOT NULL) AS U
        CROSS JOIN TUNE.O_SITE AS SITE
        CROSS JOIN TUNE.MEMORY_BUDGET AS G
        CROSS JOIN TUNE.O_BUFFERPOOL_LEFT_AT_DEFAULT AS O
        LEFT JOIN DATA_OF AS D ON C.BUFFERPOOLID = D.BUFFERPOOLID
        LEFT JOIN TUNE.SETTING AS M ON M.SCOPE = 'DB' AND M.NAME = 'self_tuning_mem'
        LEFT JOIN TUNE.BUFFERPOOL AS B ON C.BPNAME = B.BP_NAME
        WHERE
            (U.SPACES = 0 AND C.NPAGES BETWEEN 1 AND 1000 AND COALESCE(D.TEMPORARY_ONLY, 0) = 0)
            OR (
                C.NPAGES IN (250, 1000)
                AND COALESCE(B.AUTOMATIC, 0) = 0
                AND COALESCE(B.BP_CUR_BUFFSZ, C.NPAGES) BETWEEN 240 AND 1050
                AND D.USED_BYTES >= SITE.SMALL_GB * 1073741824
            )
    ) AS FOUND
)
SELECT
    S.*,
    CASE
        WHEN S.STMM = 1 THEN 'AUTOMATIC'
        WHEN S.NEW_PAGES > S.NPAGES THEN CAST(S.NEW_PAGES AS VARCHAR(20))
    END AS NEW_SIZE,
    CASE
        WHEN S.STMM = 0 AND S.NEW_PAGES > S.NPAGES
            THEN CEIL((S.NEW_PAGES - S.NPAGES) * S.PAGESIZE / CAST(1024 AS DOUBLE))
    END AS GROWTH_KB
FROM SIZED AS S
