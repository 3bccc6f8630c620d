/*---
rule: bufferpool.unused
title: No table space uses the buffer pool
lane: condition
severity: low
takes_effect: immediately
judged_by: config
needs: [bufferpool.BP_CUR_BUFFSZ, cat_bufferpool.PAGESIZE, cat_tablespace.BUFFERPOOLID]
object: BUFFERPOOL {BP_NAME:text}
confidence: 0.9
memory: MEMORY_KB
thresholds:
  min_mb: {default: 64, from: own, why: 'a smaller pool costs nothing and may be kept for its page size'}
actions:
  - set: {name: EXISTS, from: there, to: missing}
  - when: PARTITIONED = 1
    manual: 'Save the definitions of the buffer pools: db2look -d {DB_NAME:shell} -l -o layout.sql'
    undo:
      manual: >-
        The pool now exists in all database partition groups. If layout.sql limits it to some, drop it and run its
        CREATE BUFFERPOOL from layout.sql instead.
  - command: DROP BUFFERPOOL {BP_NAME:name}
    undo:
      command: >-
        CREATE BUFFERPOOL {BP_NAME:name} IMMEDIATE SIZE {BP_CUR_BUFFSZ}{AUTOMATIC_TEXT:text|} PAGESIZE
        {PAGESIZE}{BLOCK_TEXT:text|}
finding: Buffer pool {BP_NAME:text} has {BP_CUR_BUFFSZ} pages ({SIZE_MB} MB), and no table space uses it.
evidence: [BP_CUR_BUFFSZ, PAGESIZE, size_MB=SIZE_MB, tablespaces_of_the_database=SPACES]
query: >-
  SELECT B.BPNAME, B.NPAGES, B.PAGESIZE FROM SYSCAT.BUFFERPOOLS AS B LEFT JOIN SYSCAT.TABLESPACES AS T ON B.BUFFERPOOLID
  = T.BUFFERPOOLID WHERE T.TBSPACE IS NULL
references:
  - IBM documentation of DROP (r0000945) and of buffer pools (c0052481)
why: Its pages are allocated at activation, but no page of any table can be read into them.
not_if: >-
  A table space uses it, or will after the next activation; the pool of a table space is not known; it is IBMDEFAULTBP,
  which cannot be dropped; it is smaller than 64 MB; its size differs between members.
note: 'It may be meant for a planned table space: ask its owner first.'
---*/
WITH SPACE AS (
    SELECT
        COUNT(*) AS SPACES,
        SUM(CASE WHEN BUFFERPOOLID IS NULL THEN 1 ELSE 0 END) AS NOT_KNOWN
    FROM TUNE.D_CAT_TABLESPACE
)
SELECT
    B.BP_NAME,
    B.BP_CUR_BUFFSZ,
    B.PAGESIZE,
    S.SPACES,
    DB.DB_NAME,
    CASE WHEN DB.TOPOLOGY = 'dpf' THEN 1 ELSE 0 END AS PARTITIONED,
    CASE WHEN B.AUTOMATIC = 1 THEN ' AUTOMATIC' ELSE '' END AS AUTOMATIC_TEXT,
    CASE
        WHEN C.NUMBLOCKPAGES > 0
            THEN ' NUMBLOCKPAGES ' || CAST(C.NUMBLOCKPAGES AS VARCHAR(20))
                || ' BLOCKSIZE ' || CAST(C.BLOCKSIZE AS VARCHAR(20))
        ELSE ''
    END AS BLOCK_TEXT,
    B.BP_CUR_BUFFSZ * CAST(B.PAGESIZE AS DOUBLE) / 1048576 AS SIZE_MB,
    -CEIL(B.BP_CUR_BUFFSZ * CAST(B.PAGESIZE AS DOUBLE) / 1024) AS MEMORY_KB
FROM TUNE.BUFFERPOOL AS B
LEFT JOIN TUNE.D_CAT_BUFFERPOOL AS C ON B.BP_NAME = C.BPNAME
CROSS JOIN TUNE.RUN_DATABASE AS DB
CROSS JOIN SPACE AS S
CROSS JOIN TUNE.O_BUFFERPOOL_UNUSED AS O
WHERE
    S.SPACES > 0 AND S.NOT_KNOWN = 0
    AND B.BUFFERPOOLID IS NOT NULL
    AND B.BP_NAME <> 'IBMDEFAULTBP'
    AND B.MIN_BUFFSZ = B.BP_CUR_BUFFSZ
    AND B.BP_CUR_BUFFSZ * CAST(B.PAGESIZE AS DOUBLE) >= O.MIN_MB * 1048576
    AND NOT EXISTS (SELECT 1 FROM TUNE.D_CAT_TABLESPACE AS T WHERE T.BUFFERPOOLID = B.BUFFERPOOLID)
    AND NOT EXISTS (
        SELECT 1 FROM TUNE.L_TABLESPACE AS T
        WHERE T.TBSP_CUR_POOL_ID = B.BUFFERPOOLID OR T.TBSP_NEXT_POOL_ID = B.BUFFERPOOLID
    )
