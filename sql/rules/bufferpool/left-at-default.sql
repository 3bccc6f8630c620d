/*---
rule: bufferpool.left-at-default
title: Buffer pool still has its default size
lane: condition
severity: low
takes_effect: immediately
judged_by: config
needs: [cat_bufferpool.NPAGES, cat_tablespace.BUFFERPOOLID, tablespace.TBSP_USED_PAGES]
object: BUFFERPOOL {BP_NAME:text}
confidence: 0.6
defers_to:
  - {rule: bufferpool.never-sized, within: object}
  - {rule: bufferpool.fixed-size-stmm-on, within: object}
  - {rule: bufferpool.unused, within: object}
actions:
  - set: {name: SIZE, from: '{NPAGES}', to: '{NEW_SIZE:text}', unit: pages}
  - when: NEW_SIZE IS NULL
    manual: >-
      Size it for its data and the available memory: ALTER BUFFERPOOL {BP_NAME:name} IMMEDIATE SIZE <pages>, or SIZE
      AUTOMATIC if SELF_TUNING_MEM is ON.
    undo: {manual: 'ALTER BUFFERPOOL {BP_NAME:name} IMMEDIATE SIZE {NPAGES}'}
finding: >-
  Buffer pool {BP_NAME:text} has {NPAGES} pages ({SIZE_MB:1} MB) for {USED_GB:1} GB of data in {SPACES} table space(s).
evidence: [NPAGES, PAGESIZE, data_GB=USED_GB:1, tablespaces=SPACES]
query: SELECT BPNAME, NPAGES, PAGESIZE FROM SYSCAT.BUFFERPOOLS WHERE NPAGES IN (250, 1000)
references:
  - 'IBM documentation of buffpage (r0000316) and SYSCAT.BUFFERPOOLS (r0001034): 250 pages on Windows, 1,000 on UNIX'
why: >-
  A pool created without a size gets a few megabytes. Nearly every page is then read from the file system or disk again.
not_if: >-
  Its size is AUTOMATIC or not 250 or 1,000 pages; it serves only temporary table spaces, or less than 1 GB of
  data; another size is pending.
note: If reads and memory are known, bufferpool.never-sized claims the cost.
---*/
WITH DATA_OF AS (
    SELECT
        K.BUFFERPOOLID,
        COUNT(DISTINCT K.TBSPACE) AS SPACES,
        SUM(CAST(T.TBSP_USED_PAGES AS DOUBLE) * T.TBSP_PAGE_SIZE) AS USED_BYTES
    FROM TUNE.D_CAT_TABLESPACE AS K
    INNER JOIN TUNE.L_TABLESPACE AS T ON K.TBSPACE = T.TBSP_NAME
    WHERE T.TBSP_CONTENT_TYPE NOT IN ('SYSTEMP', 'USRTEMP')
    GROUP BY K.BUFFERPOOLID
)
SELECT
    C.BPNAME AS BP_NAME,
    C.NPAGES,
    C.PAGESIZE,
    D.SPACES,
    C.NPAGES * CAST(C.PAGESIZE AS DOUBLE) / 1048576 AS SIZE_MB,
    D.USED_BYTES / CAST(1073741824 AS DOUBLE) AS USED_GB,
    CASE WHEN M.VALUE LIKE 'ON%' AND COALESCE(S.STMM, 'ON') <> 'OFF' THEN 'AUTOMATIC' END AS NEW_SIZE
FROM TUNE.D_CAT_BUFFERPOOL AS C
INNER JOIN DATA_OF AS D ON C.BUFFERPOOLID = D.BUFFERPOOLID
CROSS JOIN TUNE.O_SITE AS SITE
CROSS JOIN TUNE.O_SITE AS S
LEFT JOIN TUNE.SETTING AS M ON M.SCOPE = 'DB' AND M.NAME = 'self_tuning_mem'
LEFT JOIN TUNE.BUFFERPOOL AS B ON C.BPNAME = B.BP_NAME
WHERE
    C.NPAGES IN (250, 1000)
    AND COALESCE(B.AUTOMATIC, 0) = 0
    AND COALESCE(B.BP_CUR_BUFFSZ, C.NPAGES) BETWEEN 240 AND 1050
    AND D.USED_BYTES >= SITE.SMALL_GB * 1073741824
