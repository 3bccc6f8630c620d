/*---
rule: log.archive-full
title: Log archive directory is nearly full
lane: safety
severity: high
takes_effect: host change
steps_need: archive
judged_by: config
needs: [dbcfg.VALUE]
asks: [host.fs_free_mb]
object: DATABASE
confidence: 0.6
defers_to:
  - {rule: log.archive-behind, within: object}
thresholds:
  min_files: {default: 10, from: own, why: log files that still fit; a busy hour writes more}
actions:
  - manual: >-
      Enlarge the file system of {ARCHIVE:text}, or choose the oldest backup to keep and remove what only older ones
      need. Connected to {DB_NAME:alias}, run PRUNE HISTORY with its time (yyyymmddhhmmss) and AND DELETE, which keeps
      what the last full backup needs.
    undo: {manual: 'Cannot be undone: a deleted log file exists only in a copy of the archive.'}
  - when: FAILARCHPATH_SET = 0
    manual: >-
      Prepare for a full archive. Choose a directory on other disks: UPDATE DB CFG FOR {DB_NAME:alias} USING
      FAILARCHPATH /path/you/chose
finding: >-
  {SETTING_NAME:text} archives to {ARCHIVE:text}. Its file system has {FREE_MB} of {TOTAL_MB} MB left, enough for
  {FILES} log files of {FILE_MB} MB.
evidence: [archive=ARCHIVE:text, free_MB=FREE_MB, total_MB=TOTAL_MB, LOGFILSIZ]
query: df -h <archive>; db2pd -db <database> -logs
references:
  - IBM documentation of logarchmeth1 (r0011448), failarchpath and PRUNE HISTORY (r0001992)
why: >-
  If the archive is full, log files stay in the log path until that is full as well. Then transactions fail with
  SQL0964C or hang.
not_if: >-
  Free space is not known; ten log files fit; the file system is less than 90 % full; the archive is not a directory;
  another method is pending.
note: >-
  If a job empties the archive every night, it may be this full every evening: compare with earlier days. Archived files
  can be smaller than log files, if cut short (ARCHIVE LOG) or compressed (LOGARCHCOMPR1). So at least this many fit.
---*/
WITH ARCHIVE AS (
    SELECT
        A.NAME,
        SUBSTR(A.VALUE, 6) AS PATH,
        MAX(CASE WHEN F.ITEM = 'fs_total_mb' THEN F.NUM END) AS TOTAL_MB,
        MAX(CASE WHEN F.ITEM = 'fs_free_mb' THEN F.NUM END) AS FREE_MB
    FROM TUNE.SETTING AS A
    INNER JOIN TUNE.HOST_FACT AS F ON F.FACT_KEY = 'path:' || SUBSTR(A.VALUE, 6)
    WHERE A.SCOPE = 'DB' AND A.NAME IN ('logarchmeth1', 'logarchmeth2') AND A.FIXED = 1 AND A.VALUE LIKE 'DISK:%'
    GROUP BY A.NAME, A.VALUE, F.HOST
),
ROOM AS (
    SELECT
        A.*,
        L.NUM AS LOGFILSIZ,
        L.NUM / CAST(256 AS DOUBLE) AS FILE_MB,
        FLOOR(ROUND(A.FREE_MB * 256 / CAST(NULLIF(L.NUM, 0) AS DOUBLE), 6)) AS FILES,
        ROW_NUMBER() OVER (ORDER BY A.FREE_MB, A.NAME) AS PLACE
    FROM ARCHIVE AS A
    INNER JOIN TUNE.SETTING AS L ON L.SCOPE = 'DB' AND L.NAME = 'logfilsiz' AND L.FIXED = 1 AND L.NUM > 0
    WHERE A.TOTAL_MB > 0 AND A.FREE_MB IS NOT NULL
)
SELECT
    UPPER(R.NAME) AS SETTING_NAME,
    R.PATH AS ARCHIVE,
    R.TOTAL_MB,
    R.FREE_MB,
    R.LOGFILSIZ,
    R.FILE_MB,
    R.FILES,
    COALESCE(X.IS_SET, 1) AS FAILARCHPATH_SET,
    D.DB_NAME
FROM ROOM AS R
CROSS JOIN TUNE.O_LOG_ARCHIVE_FULL AS O
CROSS JOIN TUNE.O_SITE AS SITE
CROSS JOIN TUNE.RUN_DATABASE AS D
LEFT JOIN TUNE.SETTING AS X ON X.SCOPE = 'DB' AND X.NAME = 'failarchpath'
WHERE
    R.PLACE = 1
    AND R.FILES < O.MIN_FILES
    AND 100 * R.FREE_MB <= (100 - SITE.NEARLY_FULL_PCT) * R.TOTAL_MB
