/*---
rule: log.path-short
title: The log's file system has no room for the secondary log files
lane: condition
severity: medium
takes_effect: host change
applies: {not: [purescale, managed]}
judged_by: config
needs: [dbcfg.VALUE]
object: DATABASE
confidence: 0.6
defers_to:
  - {rule: storage.path-full, within: object}
actions:
  - manual: >-
      Enlarge the file system of {LOGPATH:text} or move what else lies there; or give the log one of its own, which
      waits for the next activation: UPDATE DB CFG FOR {DB_NAME:text} USING NEWLOGPATH <path>.
    undo:
      manual: UPDATE DB CFG FOR {DB_NAME:text} USING NEWLOGPATH {LOGPATH:path}, before that, leaves the log where it is.
finding:
  - choose:
      - when: CAUSE = 'next'
        text: >-
          {FILES} secondary log files may still be made, {NEED_MB} MB, and the file system of {PLACE:text}, where the
          log lies, has {FREE_MB} MB left.
      - when: CAUSE = 'all'
        text: >-
          The primary and secondary log files may take {WHOLE_MB} MB, and the file system of {PLACE:text}, where the log
          lies, has {TOTAL_MB} MB in all.
      - >-
        The file system of {PLACE:text}, where the log lies, has {FREE_MB} MB of {TOTAL_MB} MB left, which is no log
        file more: something else fills it.
evidence: [LOGPATH:text, file_system_of=PLACE:text, free_MB=FREE_MB, total_MB=TOTAL_MB, 'LOGPRIMARY?', LOGSECOND,
  'SEC_LOGS_ALLOCATED?', LOGFILSIZ, member=MEMBER]
query: df -h <log path>; db2pd -db <database> -logs
references:
  - IBM documentation of logsecond (r0000241), ADMIN_GET_STORAGE_PATHS (r0054227) and SQL0964C
why: >-
  Secondary files are made when the primary ones are used up, by a long transaction, and not before. Where there is no
  room then, whoever writes is rolled back as if the log were full, although its settings say that it is not.
not_if: >-
  They fit; they are there already; how full the file system is, is not known; logging is infinite (LOGSECOND -1) or has
  no secondary files; a size or a path waits; the file system is that full that storage.path-full says it; pureScale; a
  managed database.
note: >-
  No function of Db2 tells how full the file system of the log is. It is known where the log lies below a storage path,
  as in the directory of the database, and where df was pasted. Where the number of secondary files that are there is
  not known, only what holds for any number is told. Files that wait to be archived need room, too.
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
            -- twice the log: what fills it is no log file that is needed
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
CROSS JOIN TUNE.RUN_DATABASE AS D
WHERE Z.RANKING = 1
