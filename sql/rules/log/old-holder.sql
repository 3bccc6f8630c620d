/*---
rule: log.old-holder
title: Idle transaction holds the log
lane: condition
severity: medium
takes_effect: immediately
applies: {from: '10.1'}
judged_by: config
needs: [transaction_log.APPLID_HOLDING_OLDEST_XACT, unit_of_work.UOW_AGE_S, dbcfg.VALUE]
object: DATABASE
confidence: 0.6
defers_to:
  - {rule: log.nearly-full, within: object}
  - {rule: lock.idle-holder, within: any}
thresholds:
  min_age_s: {default: 3600, from: own, why: 'an hour; a unit of work that waits for its client this long is forgotten'}
  min_used_part: {default: 0.1, from: own, why: 'part of the available log: less does no harm yet'}
actions:
  - manual: >-
      Identify the session: SELECT SESSION_AUTH_ID, CLIENT_APPLNAME, UOW_START_TIME, WORKLOAD_OCCURRENCE_STATE FROM
      TABLE(MON_GET_UNIT_OF_WORK({HANDLE}, -2)). Commit in that application, or roll it back with FORCE APPLICATION
      ({HANDLE}).
    undo: {manual: 'Cannot be undone: run the forced work again.'}
  - when: UNLIMITED = 1
    manual: >-
      Choose N, the most log files that a transaction may span: more than the longest job needs[, fewer than the log's
      {LOG_FILES}]. Then UPDATE DB CFG FOR {DB_NAME:alias} USING NUM_LOG_SPAN N, since MAX_LOG and NUM_LOG_SPAN are 0.
      Db2 rolls back longer ones immediately.
finding: >-
  Application {HANDLE} ({AUTH_ID:text|unknown}) began its transaction {AGE_MIN} minutes ago and waits for its client. No
  log written since can be reused, {USED_MB} MB now.
evidence: [APPLID_HOLDING_OLDEST_XACT=HANDLE, uow_age_min=AGE_MIN, TOTAL_LOG_USED, 'MAX_LOG=MAX_LOG?',
  'NUM_LOG_SPAN=NUM_LOG_SPAN?']
query: >-
  SELECT MEMBER, APPLID_HOLDING_OLDEST_XACT, TOTAL_LOG_USED, TOTAL_LOG_AVAILABLE FROM
  TABLE(MON_GET_TRANSACTION_LOG(-2)); db2pd -db <database> -transactions
references:
  - IBM documentation of MON_GET_TRANSACTION_LOG (r0059253), num_log_span (r0006019) and max_log (r0006018)
why: >-
  A rollback of the oldest transaction needs all log from its beginning, including other sessions' log. Other
  transactions fill the log and are rolled back when it is full.
not_if: >-
  It works, or began less than an hour ago; less than a tenth of the log is in use; the log is nearly full
  (log.nearly-full); it holds locks that others wait for (lock.idle-holder).
note: >-
  Units of work that wait for their client are collected if they changed rows and are five minutes old. With infinite
  logging the part of the log is undefined, so the rule is silent.
---*/
SELECT
    L.APPLID_HOLDING_OLDEST_XACT AS HANDLE,
    MAX(U.SESSION_AUTH_ID) AS AUTH_ID,
    FLOOR(MAX(U.UOW_AGE_S) / CAST(60 AS DOUBLE)) AS AGE_MIN,
    MAX(L.TOTAL_LOG_USED) AS TOTAL_LOG_USED,
    FLOOR(MAX(L.TOTAL_LOG_USED) / CAST(1048576 AS DOUBLE)) AS USED_MB,
    MAX(M.NUM) AS MAX_LOG,
    MAX(N.NUM) AS NUM_LOG_SPAN,
    CASE WHEN MAX(M.NUM) = 0 AND MAX(N.NUM) = 0 THEN 1 ELSE 0 END AS UNLIMITED,
    MAX(P.NUM) + MAX(S.NUM) AS LOG_FILES,
    D.DB_NAME
FROM TUNE.L_TRANSACTION_LOG AS L
INNER JOIN TUNE.L_UNIT_OF_WORK AS U ON L.APPLID_HOLDING_OLDEST_XACT = U.APPLICATION_HANDLE
LEFT JOIN TUNE.SETTING AS M ON M.SCOPE = 'DB' AND M.NAME = 'max_log'
LEFT JOIN TUNE.SETTING AS N ON N.SCOPE = 'DB' AND N.NAME = 'num_log_span'
LEFT JOIN TUNE.SETTING AS P ON P.SCOPE = 'DB' AND P.NAME = 'logprimary'
LEFT JOIN TUNE.SETTING AS S ON S.SCOPE = 'DB' AND S.NAME = 'logsecond'
CROSS JOIN TUNE.RUN_DATABASE AS D
CROSS JOIN TUNE.O_LOG_OLD_HOLDER AS O
WHERE
    L.APPLID_HOLDING_OLDEST_XACT > 0
    AND U.WORKLOAD_OCCURRENCE_STATE = 'UOWWAIT'
    AND U.UOW_AGE_S >= O.MIN_AGE_S
    AND L.TOTAL_LOG_AVAILABLE >= 0
    AND L.TOTAL_LOG_USED >= O.MIN_USED_PART * (L.TOTAL_LOG_USED + L.TOTAL_LOG_AVAILABLE)
GROUP BY L.APPLID_HOLDING_OLDEST_XACT, D.DB_NAME
