/*---
rule: log.path-short
title: Log file system is too small for secondary log files
lane: condition
severity: medium
takes_effect: host change
applies: {not: [purescale]}
steps_need: logpath
judged_by: config
needs: [dbcfg.VALUE]
object: DATABASE
confidence: 0.6
defers_to:
  - {rule: storage.path-full, within: object}
actions:
  - manual: >-
      Enlarge the file system of {LOGPATH:text} or move other files from it. Or choose a directory on another file
      system [with room for {WHOLE_MB} MB ]for the log, at the next activation: UPDATE DB CFG FOR {DB_NAME:alias} USING
      NEWLOGPATH /path/you/chose
    undo:
      manual: Before that, cancel the move with UPDATE DB CFG FOR {DB_NAME:alias} USING NEWLOGPATH {BACK_PATH:path}.
finding:
  - choose:
      - when: CAUSE = 'next'
        text: >-
          Db2 may still create {FILES} secondary log files ({NEED_MB} MB), but the log's file system ({PLACE:text}) has
          only {FREE_MB} MB left.
      - when: CAUSE = 'all'
        text: >-
          The primary and secondary log files may need {WHOLE_MB} MB, but the log's file system ({PLACE:text}) has only
          {TOTAL_MB} MB.
      - >-
        The log's file system ({PLACE:text}) has {FREE_MB} of {TOTAL_MB} MB left, less than one log file: other files
        fill it.
evidence: [LOGPATH:text, file_system_of=PLACE:text, free_MB=FREE_MB, total_MB=TOTAL_MB, 'LOGPRIMARY?', LOGSECOND,
  'SEC_LOGS_ALLOCATED?', LOGFILSIZ, member=MEMBER]
query: df -h <LOGPATH>; db2pd -db <database> -logs
references:
  - IBM documentation of logsecond (r0000241), ADMIN_GET_STORAGE_PATHS (r0054227) and SQL0964C
why: >-
  Db2 creates secondary files only when a long transaction has used all primary ones. Without room, transactions are
  rolled back as if the log were full, although its settings allow more.
not_if: >-
  The files fit or already exist; free space is not known; logging is infinite (LOGSECOND -1) or has no secondary files;
  a size or path is pending; storage.path-full reports the file system; pureScale.
note: >-
  No Db2 function returns the free space of the log's file system. It is known if the log is below a storage path, as in
  the database directory, or if df output was added. If the number of existing secondary files is not known, only
  shortages for any number are reported. Files that wait to be archived also need room.
---*/
WITH SIZED AS (
    SELECT
        L.*,
        F.NUM AS LOGFILSIZ,
        P.NUM AS LOGPRIMARY,
        S.NUM AS LOGSECOND,
        T.SEC_LOGS_ALLOCATED,
        S.NUM - T.SEC_LOGS_ALLOCATED AS FILES,
        CAST(4096 AS DOUBLE) * F.NUM AS FILE_BYTES,
        CAST(4096 AS DOUBLE) * F.NUM * (P.NUM + S.NUM) AS WHOLE_BYTES
    FROM TUNE.LOG_SPACE AS L
    INNER JOIN TUNE.SETTING AS F ON F.SCOPE = 'DB' AND F.NAME = 'logfilsiz' AND F.FIXED = 1 AND F.NUM > 0
    INNER JOIN TUNE.SETTING AS S ON S.SCOPE = 'DB' AND S.NAME = 'logsecond' AND S.FIXED = 1 AND S.NUM > 0
    LEFT JOIN TUNE.SETTING AS P ON P.SCOPE = 'DB' AND P.NAME = 'logprimary' AND P.FIXED = 1
    LEFT JOIN TUNE.SETTING AS N ON N.SCOPE = 'DB' AND N.NAME = 'newlogpath' AND N.IS_SET = 1
    LEFT JOIN TUNE.L_TRANSACTION_LOG AS T ON L.MEMBER = T.MEMBER
    WHERE N.NAME IS NULL
),
SHORT AS (
    SELECT
        SIZED.*,
        CASE
            WHEN FREE_BYTES < FILES * FILE_BYTES THEN 'next'
            WHEN SEC_LOGS_ALLOCATED IS NULL AND TOTAL_BYTES < WHOLE_BYTES THEN 'all'
            -- more than twice the log: other files than needed log files fill it
            WHEN SEC_LOGS_ALLOCATED IS NULL AND FREE_BYTES < FILE_BYTES AND TOTAL_BYTES > 2 * WHOLE_BYTES THEN 'other'
        END AS CAUSE
    FROM SIZED
),
WORST AS (
    SELECT
        SHORT.*,
        ROW_NUMBER() OVER (ORDER BY FREE_BYTES, MEMBER) AS RANKING
    FROM SHORT
    WHERE CAUSE IS NOT NULL
)
SELECT
    Z.MEMBER,
    Z.CAUSE,
    Z.LOGPATH,
    K.BACK_PATH,
    Z.PLACE,
    Z.LOGFILSIZ,
    Z.LOGPRIMARY,
    Z.LOGSECOND,
    Z.SEC_LOGS_ALLOCATED,
    Z.FILES,
    Z.FILES * Z.FILE_BYTES / CAST(1048576 AS DOUBLE) AS NEED_MB,
    Z.WHOLE_BYTES / CAST(1048576 AS DOUBLE) AS WHOLE_MB,
    Z.FREE_BYTES / CAST(1048576 AS DOUBLE) AS FREE_MB,
    Z.TOTAL_BYTES / CAST(1048576 AS DOUBLE) AS TOTAL_MB,
    D.DB_NAME
FROM WORST AS Z
LEFT JOIN TUNE.LOG_PATH AS K ON Z.MEMBER = K.MEMBER AND K.NAME = 'logpath'
CROSS JOIN TUNE.RUN_DATABASE AS D
WHERE Z.RANKING = 1
