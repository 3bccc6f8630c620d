/*---
rule: event.lock-errors
title: Lock errors were reported
lane: condition
severity: medium
takes_effect: immediately
judged_by: config
needs: [event.CODE]
object: DATABASE
confidence: 0.6
actions:
  - {include: event-steps}
finding:
  - {include: event-report}
evidence: [CODE:text, OCCURRENCES, 'LAST_TIME:text?', 'member=MEMBER?', 'APPLICATION_HANDLE=HANDLE?',
  'APPLICATION_ID:text?', 'OBJECT_NAME:text?', 'FUNCTION_NAME:text?', 'MESSAGE:text?', 'LOCKTIMEOUT:text?',
  'LOCKLIST:text?', 'MAXLOCKS:text?']
query: >-
  SELECT HLD_APPLICATION_HANDLE, REQ_APPLICATION_HANDLE, LOCK_WAIT_ELAPSED_TIME, TABSCHEMA, TABNAME FROM
  SYSIBMADM.MON_LOCKWAITS; SELECT SUM(DEADLOCKS), SUM(LOCK_TIMEOUTS), SUM(LOCK_ESCALS) FROM
  TABLE(MON_GET_WORKLOAD(NULL, -2)) AS T
references:
  - >-
    IBM documentation of SQL0911N, SQL0912N, ADM5502W, locktimeout (r0000329), locklist (r0000267) and maxlocks
    (r0000268)
why: >-
  The transaction that fails is the one that waits. The cause is another application that holds locks too long, or too
  many of them.
not_if: The text contains no such message.
note: >-
  The event may be over: its time is in the finding. A few deadlocks are normal in busy applications, which then
  repeat the transaction.
---*/
SELECT
    E.*,
    S1.VALUE AS LOCKTIMEOUT,
    S2.VALUE AS LOCKLIST,
    S3.VALUE AS MAXLOCKS
FROM TUNE.EVENT_CLASS AS E
LEFT JOIN TUNE.SETTING AS S1 ON S1.SCOPE = 'DB' AND S1.NAME = 'locktimeout'
LEFT JOIN TUNE.SETTING AS S2 ON S2.SCOPE = 'DB' AND S2.NAME = 'locklist'
LEFT JOIN TUNE.SETTING AS S3 ON S3.SCOPE = 'DB' AND S3.NAME = 'maxlocks'
WHERE E.CLASS = 'lock'
