/*---
rule: lock.timeouts-deadlocks
title: Endless lock waits, many timeouts or deadlocks
lane: safety
severity: medium
takes_effect: database reactivation
judged_by: rates
needs: [workload.DEADLOCKS]
object: DATABASE
confidence: 0.6
thresholds:
  per_10000: {default: 1, from: own, why: 'deadlocks, or timeouts, in 10,000 transactions'}
actions:
  - when: ENDLESS = 1
    set: {kind: DBCFG, name: LOCKTIMEOUT, from: '{LOCKTIMEOUT}', to: '{LOCK_TIMEOUT_S}', unit: seconds}
  - when: ENDLESS = 1
    manual: Until the next activation, sessions can use SET CURRENT LOCK TIMEOUT {LOCK_TIMEOUT_S}.
  - when: DEADLOCKED = 1 OR TIMED_OUT = 1
    manual: >-
      Create an event monitor for locking (CREATE EVENT MONITOR ... FOR LOCKING) to find the statements that deadlock or
      time out (MON_DEADLOCK, MON_LOCKTIMEOUT).
    undo: {manual: Drop the event monitor.}
  - when: DEADLOCKED = 1
    manual: >-
      Access tables and rows in the same order in all units of work, and read rows that will be changed with USE AND
      KEEP UPDATE LOCKS.
  - {when: TIMED_OUT = 1, manual: 'Commit sooner in the blocking applications: a longer LOCKTIMEOUT only adds waiters.'}
finding:
  - {when: ENDLESS = 1, text: 'LOCKTIMEOUT is -1, and a session has waited {LONGEST_WAIT_S} seconds for a lock.'}
  - '{DEADLOCKS} deadlocks and {TIMEOUTS} lock timeouts in {TRANSACTIONS} transactions, {PER_HOUR} per hour.'
evidence: ['LOCKTIMEOUT?', longest_wait_s=LONGEST_WAIT_S, DEADLOCKS, LOCK_TIMEOUTS=TIMEOUTS, transactions=TRANSACTIONS]
references:
  - vmware-netapp, appendices
  - IBM documentation of locktimeout (r0000329)
why: >-
  With LOCKTIMEOUT -1 a session waits for a lock until its holder commits: one forgotten session blocks all others. Each
  deadlock and each timeout rolls back one unit of work.
not_if: >-
  For endless waits: the workload is not OLTP; no wait of 60 seconds was seen; LOCKTIMEOUT is set, pending or differs
  between members; DB2_WORKLOAD shows a vendor application. For deadlocks and timeouts: fewer than 3, or fewer than one
  in 10,000 transactions and one per minute.
note: >-
  Analysis may wait without limit, so -1 is right for it. The length of a wait is known only at the second snapshot.
  LOCKTIMEOUT is configurable, but not online. Programs must handle SQL0911N with reason 68; application vendors and XA
  have their own values. DLCHKTIME stays: it sets how soon deadlocks are found, not how many occur.
---*/
WITH JUDGED AS (
    SELECT
        L.NUM AS LOCKTIMEOUT,
        SITE.LOCK_TIMEOUT_S,
        W.LONGEST_WAIT_S,
        W.DEADLOCKS,
        W.TIMEOUTS,
        W.TRANSACTIONS,
        W.DEADLOCKS_PER_HOUR + W.TIMEOUTS_PER_HOUR AS PER_HOUR,
        CASE
            WHEN
                K.CLASS = 'OLTP' AND L.FIXED = 1 AND L.NUM = -1 AND COALESCE(V.IS_SET, 0) = 0
                AND W.LONGEST_WAIT_S >= SITE.BLOCKED_S
                THEN 1
            ELSE 0
        END AS ENDLESS,
        CASE
            WHEN
                W.DEADLOCKS >= CONST.INCIDENT
                AND (10000 * W.DEADLOCKS > O.PER_10000 * W.TRANSACTIONS OR W.DEADLOCKS_PER_HOUR >= SITE.EVENTS_PER_HOUR)
                THEN 1
            ELSE 0
        END AS DEADLOCKED,
        CASE
            WHEN
                W.TIMEOUTS >= CONST.INCIDENT
                AND (10000 * W.TIMEOUTS > O.PER_10000 * W.TRANSACTIONS OR W.TIMEOUTS_PER_HOUR >= SITE.EVENTS_PER_HOUR)
                THEN 1
            ELSE 0
        END AS TIMED_OUT
    FROM TUNE.LOCK_WORK AS W
    CROSS JOIN TUNE.WORKLOAD_CLASS AS K
    CROSS JOIN TUNE.O_LOCK_TIMEOUTS_DEADLOCKS AS O
    CROSS JOIN TUNE.O_SITE AS SITE
    CROSS JOIN TUNE.CONSTANT AS CONST
    LEFT JOIN TUNE.SETTING AS L ON L.SCOPE = 'DB' AND L.NAME = 'locktimeout'
    LEFT JOIN TUNE.SETTING AS V ON V.SCOPE = 'REG' AND V.NAME = 'DB2_WORKLOAD'
)
SELECT
    LOCKTIMEOUT,
    LOCK_TIMEOUT_S,
    LONGEST_WAIT_S,
    DEADLOCKS,
    TIMEOUTS,
    TRANSACTIONS,
    PER_HOUR,
    ENDLESS,
    DEADLOCKED,
    TIMED_OUT
FROM JUDGED
WHERE ENDLESS = 1 OR DEADLOCKED = 1 OR TIMED_OUT = 1
