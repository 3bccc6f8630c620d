/*---
rule: lock.escalations-counted
title: Lock escalations occurred and sessions waited for locks
lane: condition
severity: low
takes_effect: immediately
judged_by: config
needs: [workload.LOCK_ESCALS, workload.LOCK_WAITS]
needs_timed: [workload.LOCK_ESCALS_LOCKLIST, workload.LOCK_ESCALS_MAXLOCKS, workload.LOCK_WAIT_TIME, dbcfg.VALUE]
object: DATABASE
confidence: 0.3
actions:
  - manual: >-
      Find the statements: SELECT LOCK_ESCALS, NUM_EXECUTIONS, CAST(SUBSTR(STMT_TEXT, 1, 200) AS VARCHAR(200)) AS
      STMT_TEXT FROM TABLE(MON_GET_PKG_CACHE_STMT(NULL, NULL, NULL, -2)) AS T ORDER BY LOCK_ESCALS DESC FETCH FIRST 10
      ROWS ONLY. Commit more often in that job, or lock the table first (LOCK TABLE ... IN EXCLUSIVE MODE) if no other
      session needs it. If many statements are affected, set LOCKLIST and MAXLOCKS to AUTOMATIC.
finding:
  - >-
    {LOCK_ESCALS} lock escalations, {PER_HOUR:1} per hour, with {LOCK_WAITS} lock waits, {TIMEOUTS} timeouts and
    {DEADLOCKS} deadlocks.
  - when: WAIT_S > 0
    text: The lock waits took {WAIT_S} s in total; database time for comparison is not known.
evidence: [LOCK_ESCALS, escalations_per_hour=PER_HOUR:1, LOCK_WAITS, LOCK_TIMEOUTS=TIMEOUTS, DEADLOCKS,
  LOCK_WAIT_TIME_s=WAIT_S]
query: >-
  SELECT LOCK_ESCALS_LOCKLIST, LOCK_ESCALS_MAXLOCKS, LOCK_WAIT_TIME, TOTAL_RQST_TIME FROM TABLE(MON_GET_WORKLOAD(NULL,
  -2)) AS T
references:
  - IBM documentation of x_lock_escals (r0001285), locklist (r0000267) and maxlocks (r0000268)
why: >-
  If the lock list is full, or one application holds its maximum part (MAXLOCKS), Db2 replaces a table's row locks with
  one table lock. All other sessions that need the table wait.
not_if: >-
  The time of requests is known, so lock.escalations applies; fewer than ten escalations, or fewer than one per hour
  (OLTP) or ten (analysis); no lock waits, timeouts or deadlocks.
note: Counts do not show the cost of the waits or their cause, so nothing is claimed.
---*/
SELECT
    W.LOCK_ESCALS,
    W.LOCK_ESCALS_PER_HOUR AS PER_HOUR,
    W.LOCK_WAITS,
    W.LOCK_WAIT_TIME / CAST(1000 AS DOUBLE) AS WAIT_S,
    W.TIMEOUTS,
    W.DEADLOCKS
FROM TUNE.LOCK_WORK AS W
CROSS JOIN TUNE.JUDGED_TIME AS J
CROSS JOIN TUNE.CONSTANT AS CONST
WHERE
    J.RULE = 'lock.escalations-counted' AND COALESCE(J.DBT_MS, 0) = 0
    AND W.LOCK_ESCALS >= CONST.RARE_EVENTS
    AND W.LOCK_ESCALS_PER_HOUR >= W.NORMAL_PER_HOUR
    AND W.LOCK_WAITS + W.TIMEOUTS + W.DEADLOCKS > 0
