/*---
rule: lock.timeouts-deadlocks
title: Endless lock waits, many timeouts or deadlocks
lane: condition
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
    takes_effect: immediately
    manual: Until the next activation, sessions can use SET CURRENT LOCK TIMEOUT {LOCK_TIMEOUT_S}.
  - when: DEADLOCKED = 1 OR TIMED_OUT = 1
    takes_effect: immediately
    manual: >-
      Create an event monitor for locking (CREATE EVENT MONITOR ... FOR LOCKING) to find the statements that deadlock or
      time out (MON_DEADLOCK, MON_LOCKTIMEOUT).
    undo: {manual: Drop the event monitor.}
  - when: DEADLOCKED = 1
    takes_effect: immediately
    manual: >-
      Access tables and rows in the same order in all units of work, and read rows that will be changed with USE AND
      KEEP UPDATE LOCKS.
  - when: TIMED_OUT = 1
    takes_effect: immediately
    manual: 'Commit sooner in the blocking applications: a longer LOCKTIMEOUT only adds waiters.'
finding:
  - {when: ENDLESS = 1, text: 'LOCKTIMEOUT is -1, and a session has waited {LONGEST_WAIT_S} seconds for a lock.'}
  - '{DEADLOCKS} deadlocks and {TIMEOUTS} lock timeouts in {TRANSACTIONS} transactions, {PER_HOUR} per hour.'
  - when: PART_TRANSACTIONS IS NOT NULL
    text: >-
      Workload {WORKLOAD_NAME:text} on member {MEMBER} has {PART_DEADLOCKS} deadlocks and {PART_TIMEOUTS} timeouts in
      {PART_TRANSACTIONS} transactions.
query: SELECT MEMBER, SUM(DEADLOCKS) AS DEADLOCKS FROM TABLE(MON_GET_WORKLOAD(NULL, -2)) AS T GROUP BY MEMBER
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
  in 10,000 transactions and one per minute; of one workload on one member, fewer than 10, or than one in 10,000.
note: >-
  Analysis may wait without limit, so -1 is right for it. The length of a wait is known only at the second snapshot.
  LOCKTIMEOUT is configurable, but not online. Programs must handle SQL0911N with reason 68; application vendors and XA
  have their own values. DLCHKTIME stays: it sets how soon deadlocks are found, not how many occur.
---*/
WITH PART AS (
    -- a workload on a member: the transactions of all would hide one
    SELECT
        WORKLOAD_NAME,
        MEMBER,
        COALESCE(SUM(DEADLOCKS), 0) AS DEADLOCKS,
        COALESCE(SUM(LOCK_TIMEOUTS), 0) AS TIMEOUTS,
        COALESCE(SUM(TOTAL_APP_COMMITS), 0) + COALESCE(SUM(TOTAL_APP_ROLLBACKS), 0) AS TRANSACTIONS,
        COUNT(*) OVER () AS AREAS
    FROM TUNE.D_WORKLOAD
    GROUP BY WORKLOAD_NAME, MEMBER
),
FAILING AS (
    SELECT
        A.*,
        CASE
            WHEN A.DEADLOCKS >= CONST.RARE_EVENTS AND 10000 * A.DEADLOCKS > O.PER_10000 * A.TRANSACTIONS THEN 1
            ELSE 0
        END AS DEADLOCKED,
        CASE
            WHEN A.TIMEOUTS >= CONST.RARE_EVENTS AND 10000 * A.TIMEOUTS > O.PER_10000 * A.TRANSACTIONS THEN 1
            ELSE 0
        END AS TIMED_OUT
    FROM PART AS A
    CROSS JOIN TUNE.O_LOCK_TIMEOUTS_DEADLOCKS AS O
    CROSS JOIN TUNE.CONSTANT AS CONST
    WHERE A.AREAS > 1
),
PLACED AS (
    SELECT
        F.*,
        ROW_NUMBER() OVER (
            ORDER BY
                F.DEADLOCKED * F.DEADLOCKS + F.TIMED_OUT * F.TIMEOUTS DESC, F.WORKLOAD_NAME, F.MEMBER
        ) AS PLACE
    FROM FAILING AS F
    WHERE F.DEADLOCKED + F.TIMED_OUT > 0
),
WORST AS (
    SELECT
        MAX(CASE WHEN PLACE = 1 THEN WORKLOAD_NAME END) AS WORKLOAD_NAME,
        MAX(CASE WHEN PLACE = 1 THEN MEMBER END) AS MEMBER,
        MAX(CASE WHEN PLACE = 1 THEN DEADLOCKS END) AS PART_DEADLOCKS,
        MAX(CASE WHEN PLACE = 1 THEN TIMEOUTS END) AS PART_TIMEOUTS,
        MAX(CASE WHEN PLACE = 1 THEN TRANSACTIONS END) AS PART_TRANSACTIONS,
        MAX(DEADLOCKED) AS DEADLOCKED,
        MAX(TIMED_OUT) AS TIMED_OUT
    FROM PLACED
),
JUDGED AS (
    SELECT
        L.NUM AS LOCKTIMEOUT,
        SITE.LOCK_TIMEOUT_S,
        W.LONGEST_WAIT_S,
        W.DEADLOCKS,
        W.TIMEOUTS,
        W.TRANSACTIONS,
        P.WORKLOAD_NAME,
        P.MEMBER,
        P.PART_DEADLOCKS,
        P.PART_TIMEOUTS,
        P.PART_TRANSACTIONS,
        W.DEADLOCKS_PER_HOUR + W.TIMEOUTS_PER_HOUR AS PER_HOUR,
        CASE
            WHEN
                K.CLASS = 'OLTP' AND L.FIXED = 1 AND L.NUM = -1 AND COALESCE(V.IS_SET, 0) = 0
                AND W.LONGEST_WAIT_S >= SITE.BLOCKED_S
                THEN 1
            ELSE 0
        END AS ENDLESS,
        CASE
            WHEN P.DEADLOCKED = 1 THEN 1
            WHEN
                W.DEADLOCKS >= CONST.INCIDENT
                AND (
                    (W.TRANSACTIONS > 0 AND 10000 * W.DEADLOCKS > O.PER_10000 * W.TRANSACTIONS)
                    OR W.DEADLOCKS_PER_HOUR >= SITE.EVENTS_PER_HOUR
                )
                THEN 1
            ELSE 0
        END AS DEADLOCKED,
        CASE
            WHEN P.TIMED_OUT = 1 THEN 1
            WHEN
                W.TIMEOUTS >= CONST.INCIDENT
                AND (
                    (W.TRANSACTIONS > 0 AND 10000 * W.TIMEOUTS > O.PER_10000 * W.TRANSACTIONS)
                    OR W.TIMEOUTS_PER_HOUR >= SITE.EVENTS_PER_HOUR
                )
                THEN 1
            ELSE 0
        END AS TIMED_OUT
    FROM TUNE.LOCK_WORK AS W
    CROSS JOIN WORST AS P
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
    WORKLOAD_NAME,
    MEMBER,
    PART_DEADLOCKS,
    PART_TIMEOUTS,
    PART_TRANSACTIONS,
    PER_HOUR,
    ENDLESS,
    DEADLOCKED,
    TIMED_OUT
FROM JUDGED
WHERE ENDLESS = 1 OR DEADLOCKED = 1 OR TIMED_OUT = 1
