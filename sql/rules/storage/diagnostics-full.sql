/*---
rule: storage.diagnostics-full
title: File system of the diagnostic directory is nearly full
lane: condition
severity: medium
takes_effect: host change
steps_need: host
judged_by: config
needs: [dbmcfg.VALUE]
asks: [host.fs_free_mb]
object: INSTANCE
confidence: 0.6
thresholds:
  min_free_mb: {default: 1024, from: manuals, why: IBM Storage Protect warns below 1 GB on the instance's file system}
actions:
  - manual: >-
      Enlarge the file system of {DIAGPATH:text}, or move FODC directories, dumps and trap files that no IBM Support
      case needs. Start a new db2diag.log with db2diag -A. Keep stmmlog and the log files of databases.
    undo: {manual: Move the files back.}
  - when: DIAGSIZE = 0
    manual: >-
      Limit the size of db2diag.log from the next db2start, here to half of the free space: UPDATE DBM CFG USING
      DIAGSIZE {DIAG_MB}. Today it grows without limit.
    undo: {manual: UPDATE DBM CFG USING DIAGSIZE 0}
  - when: ALT_DIAGPATH_SET = 0
    manual: >-
      Choose a second directory on another file system, for use when the first is full: UPDATE DBM CFG USING
      ALT_DIAGPATH /path/you/chose
    undo: {manual: UPDATE DBM CFG USING ALT_DIAGPATH NULL}
finding: >-
  The file system of {DIAGPATH:text} has {FREE_MB} of {TOTAL_MB} MB left. When it is full, writes of db2diag.log, dumps
  and other files there fail.
evidence: [DIAGPATH:text, free_MB=FREE_MB, total_MB=TOTAL_MB, 'DIAGSIZE?']
query: df -h <DIAGPATH>; du -k <DIAGPATH> | sort -n | tail; db2 get dbm cfg
references:
  - >-
    IBM documentation of diagpath (r0000299), diagsize (r0054862), the diagnostic data directory path (c0056273),
    "Managing diagnostic directories for Db2", and IBM Storage Protect's DBDIAGLOGSIZE (r_opt_server_dbdiaglogsize)
why: >-
  By default the diagnostic directory is in the instance's home directory, and db2diag.log grows until it is archived
  manually. When the file system is full, errors leave no diagnostic data, and the instance owner's commands that need a
  file there fail.
not_if: Its use is unknown; 1 GB or more than a tenth is free.
note: >-
  A directory per member or host ($h, $n, $m) is assumed to be on its parent's file system. Db2 accepts a DIAGSIZE from
  2 MB up to the free space there.
---*/
WITH WORST AS (
    SELECT
        V.VALUE AS DIAGPATH,
        T.NUM AS TOTAL_MB,
        F.NUM AS FREE_MB,
        ROW_NUMBER() OVER (ORDER BY F.NUM, V.VALUE, F.HOST) AS PLACE
    FROM TUNE.CONFIG AS V
    -- the part after a blank distinguishes the members
    INNER JOIN TUNE.HOST_FACT AS F
        ON SUBSTR('path:' || REPLACE(V.VALUE, '"', '') || ' $', 1, LENGTH(F.FACT_KEY) + 2) = F.FACT_KEY || ' $'
    INNER JOIN TUNE.HOST_FACT AS T ON F.HOST = T.HOST AND F.FACT_KEY = T.FACT_KEY
    WHERE
        V.SCOPE = 'DBM' AND V.NAME = 'diagpath' AND F.FACT_KEY LIKE 'path:/%'
        AND F.ITEM = 'fs_free_mb' AND F.NUM IS NOT NULL AND T.ITEM = 'fs_total_mb' AND T.NUM > 0
)
SELECT
    W.DIAGPATH,
    W.TOTAL_MB,
    W.FREE_MB,
    GREATEST(2, FLOOR(W.FREE_MB / CAST(2 AS DOUBLE))) AS DIAG_MB,
    S.NUM AS DIAGSIZE,
    COALESCE(A.IS_SET, 1) AS ALT_DIAGPATH_SET
FROM WORST AS W
CROSS JOIN TUNE.O_STORAGE_DIAGNOSTICS_FULL AS O
CROSS JOIN TUNE.O_SITE AS SITE
LEFT JOIN TUNE.SETTING AS S ON S.SCOPE = 'DBM' AND S.NAME = 'diagsize' AND S.FIXED = 1
LEFT JOIN TUNE.SETTING AS A ON A.SCOPE = 'DBM' AND A.NAME = 'alt_diagpath'
WHERE
    W.PLACE = 1
    AND W.FREE_MB < O.MIN_FREE_MB
    AND 100 * W.FREE_MB <= (100 - SITE.NEARLY_FULL_PCT) * W.TOTAL_MB
