/*---
rule: lock.escalations-counted
title: Row locks were escalated to table locks, and others waited for locks
lane: condition
severity: low
takes_effect: immediately
judged_by: config
needs: [workload.LOCK_ESCALS, workload.LOCK_WAITS]
object: DATABASE
confidence: 0.3
thresholds:
  oltp_per_hour: {default: 1, from: own, why: 'as lock.escalations: transactions hold few locks'}
  bi_per_hour: {default: 10, from: own, why: 'as lock.escalations: a load may take a table for itself now and then'}
  min_escalations: {default: 10, from: own, why: 'fewer are one job, and no rate'}
actions:
  - manual: >-
      See which statements make them: SELECT LOCK_ESCALS, NUM_EXECUTIONS, CAST(SUBSTR(STMT_TEXT, 1, 200) AS
      VARCHAR(200)) AS STMT_TEXT FROM TABLE(MON_GET_PKG_CACHE_STMT(NULL, NULL, NULL, -2)) AS T ORDER BY LOCK_ESCALS DESC
      FETCH FIRST 10 ROWS ONLY. Let that job commit more often, or take the table for itself before it begins (LOCK
      TABLE ... IN EXCLUSIVE MODE) where nobody else needs it; if it is everybody, let LOCKLIST and MAXLOCKS be
      AUTOMATIC.
    undo: {manual: Nothing is changed by looking.}
finding:
  - >-
    {LOCK_ESCALS} escalations, {PER_HOUR:1} an hour, beside {LOCK_WAITS} waits for locks, {TIMEOUTS} time-outs and
    {DEADLOCKS} deadlocks.
  - when: WAIT_S > 0
    text: The waits took {WAIT_S} s together; what part of database time that is was not in what was read.
evidence: [LOCK_ESCALS, escalations_per_hour=PER_HOUR:1, LOCK_WAITS, LOCK_TIMEOUTS=TIMEOUTS, DEADLOCKS,
  LOCK_WAIT_TIME_s=WAIT_S]
query: >-
  SELECT LOCK_ESCALS_LOCKLIST, LOCK_ESCALS_MAXLOCKS, LOCK_WAIT_TIME, TOTAL_RQST_TIME FROM TABLE(MON_GET_WORKLOAD(NULL,
  -2)) AS T
references:
  - IBM documentation of x_lock_escals (r0001285), locklist (r0000267) and maxlocks (r0000268)
why: >-
  When the lock list is full, or one application holds its part (MAXLOCKS), Db2 trades the row locks of a table for one
  lock on the table: everybody else who wants the table waits.
not_if: >-
  How much time requests took is known: lock.escalations judges it then; fewer than ten, or than one an hour
  (transactions) or ten (analysis); nobody waited for a lock, ran into a timeout or a deadlock.
note: 'Counts alone do not say what the waits cost, nor which of them an escalation caused: nothing is claimed.'
---*/
SELECT
    W.LOCK_ESCALS,
    W.LOCK_ESCALS_PER_HOUR AS PER_HOUR,
    W.LOCK_WAITS,
    W.LOCK_WAIT_TIME / CAST(1000 AS DOUBLE) AS WAIT_S,
    W.TIMEOUTS,
    W.DEADLOCKS
FROM TUNE.LOCK_WORK AS W
CROSS JOIN TUNE.DATABASE_TIME AS T
CROSS JOIN TUNE.WORKLOAD_CLASS AS K
CROSS JOIN TUNE.O_LOCK_ESCALATIONS_COUNTED AS O
WHERE
    COALESCE(T.DBT_MS, 0) = 0
    AND W.LOCK_ESCALS >= O.MIN_ESCALATIONS
    AND W.LOCK_ESCALS_PER_HOUR >= O.OLTP_PER_HOUR + (O.BI_PER_HOUR - O.OLTP_PER_HOUR) * K.P_BI
    AND W.LOCK_WAITS + W.TIMEOUTS + W.DEADLOCKS > 0
