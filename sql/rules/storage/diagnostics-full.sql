/*---
rule: storage.diagnostics-full
title: The file system of the diagnostic directory is nearly full
lane: condition
severity: medium
takes_effect: host change
applies: {not: [managed]}
judged_by: config
needs: [dbmcfg.VALUE]
asks: [host.fs_free_mb]
object: INSTANCE
confidence: 0.6
thresholds:
  full_pct: {default: 90, from: own, why: of the file system in use; a small and empty one has room enough}
  min_free_mb: {default: 1024, from: manuals, why: IBM Storage Protect warns of less than 1 GB where the instance lies}
actions:
  - manual: >-
      Enlarge the file system of {DIAGPATH:text}, or move away what no case at IBM Support needs: FODC directories,
      dumps and trap files; db2diag -A begins a new db2diag.log. Keep stmmlog, and the log files of databases.
    undo: {manual: What was moved away can be put back.}
  - when: DIAGSIZE = 0
    manual: 'db2diag.log grows without end; from the next db2start this bounds it: UPDATE DBM CFG USING DIAGSIZE <MB>'
    undo: {manual: UPDATE DBM CFG USING DIAGSIZE 0}
  - when: ALT_DIAGPATH_SET = 0
    manual: >-
      For the time when it is full, name a directory on another file system: UPDATE DBM CFG USING ALT_DIAGPATH <path>
    undo: {manual: UPDATE DBM CFG USING ALT_DIAGPATH NULL}
finding: >-
  The file system of {DIAGPATH:text} has {FREE_MB} MB of {TOTAL_MB} MB left. When it is full, db2diag.log and dumps end,
  and whatever else has to be written there fails.
evidence: [DIAGPATH:text, free_MB=FREE_MB, total_MB=TOTAL_MB, 'DIAGSIZE?']
query: df -h <DIAGPATH>; du -k <DIAGPATH> | sort -n | tail; db2 get dbm cfg
references:
  - >-
    IBM documentation of diagpath (r0000299), diagsize (r0054862) and the diagnostic data directory path (c0056273),
    "Managing diagnostic directories for Db2", and of IBM Storage Protect's DBDIAGLOGSIZE (r_opt_server_dbdiaglogsize)
why: >-
  By default the diagnostic directory lies in the home directory of the instance, and db2diag.log grows until somebody
  takes it away. When nothing can be written any more nobody learns what went wrong, and commands of the instance owner
  that need a file there fail.
not_if: How full it is, is not known; 1 GB or a tenth is left; a managed database.
note: A directory for each member or host ($h, $n, $m) is taken to lie on the file system of the one above it.
---*/
WITH PLACED AS (
    SELECT
        V.VALUE AS DIAGPATH,
        MAX(CASE WHEN F.ITEM = 'fs_total_mb' THEN F.NUM END) AS TOTAL_MB,
        MAX(CASE WHEN F.ITEM = 'fs_free_mb' THEN F.NUM END) AS FREE_MB
    FROM TUNE.CONFIG AS V
    -- behind a blank stands what tells the members apart
    INNER JOIN TUNE.HOST_FACT AS F
        ON SUBSTR('path:' || REPLACE(V.VALUE, '"', '') || ' $', 1, LENGTH(F.FACT_KEY) + 2) = F.FACT_KEY || ' $'
    WHERE V.SCOPE = 'DBM' AND V.NAME = 'diagpath' AND F.FACT_KEY LIKE 'path:/%'
    GROUP BY V.VALUE, F.HOST
),
WORST AS (
    SELECT
        P.*,
        ROW_NUMBER() OVER (ORDER BY P.FREE_MB, P.DIAGPATH) AS PLACE
    FROM PLACED AS P
    WHERE P.TOTAL_MB > 0 AND P.FREE_MB IS NOT NULL
)
SELECT
    W.DIAGPATH,
    W.TOTAL_MB,
    W.FREE_MB,
    S.NUM AS DIAGSIZE,
    COALESCE(A.IS_SET, 1) AS ALT_DIAGPATH_SET
FROM WORST AS W
CROSS JOIN TUNE.O_STORAGE_DIAGNOSTICS_FULL AS O
LEFT JOIN TUNE.SETTING AS S ON S.SCOPE = 'DBM' AND S.NAME = 'diagsize' AND S.FIXED = 1
LEFT JOIN TUNE.SETTING AS A ON A.SCOPE = 'DBM' AND A.NAME = 'alt_diagpath'
WHERE
    W.PLACE = 1
    AND W.FREE_MB < O.MIN_FREE_MB
    AND 100 * W.FREE_MB <= (100 - O.FULL_PCT) * W.TOTAL_MB
