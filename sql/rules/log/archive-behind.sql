/*---
rule: log.archive-behind
title: Log files wait to be archived
lane: safety
severity: critical
takes_effect: immediately
applies: {from: '10.1'}
steps_need: archive
judged_by: config
needs: [transaction_log.CURRENT_ACTIVE_LOG, transaction_log.METHOD1_NEXT_LOG_TO_ARCHIVE]
object: DATABASE
confidence: 0.6
thresholds:
  failed_files: {default: 2, from: own, why: files waiting after a failure; a single one may succeed at the next try}
  waiting_files: {default: 20, from: own, why: 'files waiting without a failure: more than a burst leaves'}
actions:
  - manual: >-
      Find why {LOGARCHMETH1:text|the archive} does not take log files: free space, permissions, or its server (db2diag
      -g funcname:=sqlpgArchiveLogFile). Then retry immediately: ARCHIVE LOG FOR DATABASE {DB_NAME:alias}
  - when: FAILARCHPATH_SET = 0
    manual: >-
      Until it works again, use another directory with free space: UPDATE DB CFG FOR {DB_NAME:alias} USING FAILARCHPATH
      /another/path
finding:
  - choose:
      - when: FAILED = 1
        text: >-
          {WAITING} log files wait to be archived. Archiving of the first, number {FIRST_FAILURE}, failed; all stay in
          {LOGPATH:text|the log path} until it succeeds.
      - >-
        {WAITING} log files wait to be archived: they are written faster than {LOGARCHMETH1:text|the archive} takes
        them.
evidence: [CURRENT_ACTIVE_LOG, METHOD1_NEXT_LOG_TO_ARCHIVE=NEXT_TO_ARCHIVE, 'METHOD1_FIRST_FAILURE=FIRST_FAILURE?',
  'waiting_mb=WAITING_MB?', 'LOGARCHMETH1:text?']
query: >-
  db2pd -db <database> -logs; SELECT MEMBER, CURRENT_ACTIVE_LOG, ARCHIVE_METHOD1_STATUS, METHOD1_NEXT_LOG_TO_ARCHIVE,
  METHOD1_FIRST_FAILURE FROM TABLE(MON_GET_TRANSACTION_LOG(-2))
references:
  - >-
    IBM documentation of MON_GET_TRANSACTION_LOG (r0059253) and "Configuration parameters for database logging"
    (r0006082)
why: >-
  A log file stays in the log path until it is archived. If archiving fails, new files fill the file system. Then
  transactions fail with SQL0964C or hang. Log that is not archived is lost with the log's disks.
not_if: >-
  Db2 does not archive logs (LOGARCHMETH1 OFF, LOGRETAIN or empty); another method is pending; one file waits; up to 19
  wait and none failed; a failed file has been archived since; an HADR standby.
note: >-
  The finding names the member with most waiting files. The values of ARCHIVE_METHOD1_STATUS are not documented, so only
  file numbers are compared: the first failed file must be among the waiting ones.
---*/
WITH WAITING AS (
    SELECT
        L.CURRENT_ACTIVE_LOG,
        L.METHOD1_NEXT_LOG_TO_ARCHIVE AS NEXT_TO_ARCHIVE,
        L.METHOD1_FIRST_FAILURE AS FIRST_FAILURE,
        L.CURRENT_ACTIVE_LOG - L.METHOD1_NEXT_LOG_TO_ARCHIVE AS WAITING,
        CASE
            WHEN
                L.METHOD1_FIRST_FAILURE >= L.METHOD1_NEXT_LOG_TO_ARCHIVE
                AND L.METHOD1_FIRST_FAILURE <= L.CURRENT_ACTIVE_LOG
                THEN 1
            ELSE 0
        END AS FAILED,
        ROW_NUMBER() OVER (
            ORDER BY L.CURRENT_ACTIVE_LOG - L.METHOD1_NEXT_LOG_TO_ARCHIVE DESC, L.MEMBER
        ) AS PLACE
    FROM TUNE.L_TRANSACTION_LOG AS L
    WHERE L.METHOD1_NEXT_LOG_TO_ARCHIVE >= 0 AND L.CURRENT_ACTIVE_LOG > L.METHOD1_NEXT_LOG_TO_ARCHIVE
)
SELECT
    W.CURRENT_ACTIVE_LOG,
    W.NEXT_TO_ARCHIVE,
    W.FIRST_FAILURE,
    W.WAITING,
    W.FAILED,
    CEIL(W.WAITING * F.NUM / CAST(256 AS DOUBLE)) AS WAITING_MB,
    A.VALUE AS LOGARCHMETH1,
    P.VALUE AS LOGPATH,
    CASE WHEN A.VALUE IS NULL THEN 1 ELSE COALESCE(X.IS_SET, 0) END AS FAILARCHPATH_SET,
    D.DB_NAME
FROM WAITING AS W
LEFT JOIN TUNE.SETTING AS A ON A.SCOPE = 'DB' AND A.NAME = 'logarchmeth1'
LEFT JOIN TUNE.SETTING AS P ON P.SCOPE = 'DB' AND P.NAME = 'logpath' AND P.DIFFERS = 0
LEFT JOIN TUNE.SETTING AS F ON F.SCOPE = 'DB' AND F.NAME = 'logfilsiz'
LEFT JOIN TUNE.SETTING AS X ON X.SCOPE = 'DB' AND X.NAME = 'failarchpath'
LEFT JOIN TUNE.SETTING AS R ON R.SCOPE = 'DB' AND R.NAME = 'hadr_db_role'
CROSS JOIN TUNE.RUN_DATABASE AS D
CROSS JOIN TUNE.O_LOG_ARCHIVE_BEHIND AS O
WHERE
    W.PLACE = 1
    AND COALESCE(A.PENDING, 0) = 0
    -- texts may lack settings; without archiving, no file is the next one
    AND (
        (A.VALUE NOT IN ('OFF', 'LOGRETAIN') AND LENGTH('x' || A.VALUE) > 1)
        OR (A.VALUE IS NULL AND W.NEXT_TO_ARCHIVE > 0)
    )
    AND COALESCE(R.VALUE, ' ') <> 'STANDBY'
    AND ((W.FAILED = 1 AND W.WAITING >= O.FAILED_FILES) OR W.WAITING >= O.WAITING_FILES)
