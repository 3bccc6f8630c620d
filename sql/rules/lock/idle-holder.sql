/*---
rule: lock.idle-holder
title: Idle session holds locks
lane: performance
lane_without_claim: condition
severity: medium
takes_effect: immediately
risk: medium
applies: {from: '9.7'}
judged_by: load
needs: [unit_of_work.WORKLOAD_OCCURRENCE_STATE, unit_of_work.WAITERS, unit_of_work.APP_RQSTS_COMPLETED_TOTAL,
  unit_of_work.UOW_AGE_S, workload.LOCK_WAITS]
object: DATABASE
claims: {LOCK: {events: VICTIMS, cost_ms: WAITED_MS}}
recover: [0.7, 0.9, 1.0]
confidence: 0.6
thresholds:
  min_wait_s: {default: 10, from: own, why: a transaction should not wait this long for an idle session}
  requests_per_s: {default: 0.1, from: own, why: 'a session with more requests works step by step'}
  forgotten_s: {default: 900, from: own, why: 'a unit of work with changes that is idle this long was forgotten'}
actions:
  - manual: >-
      Identify the session and its isolation level: SELECT APPLICATION_NAME, CLIENT_HOSTNAME, CLIENT_USERID,
      CURRENT_ISOLATION, NUM_LOCKS_HELD, UOW_START_TIME FROM TABLE(MON_GET_CONNECTION({APPLICATION_HANDLE}, -2)) AS T
  - manual: >-
      Commit in the application before it waits for a user or another system. With isolation level RS or RR, readers
      must commit too.
  - {manual: 'If the session cannot be ended: FORCE APPLICATION ({APPLICATION_HANDLE}) rolls its unit of work back.'}
  - when: BLOCKS = 1
    manual: >-
      Limit open units of work with a workload manager threshold: CREATE THRESHOLD ... FOR WORKLOAD ... ACTIVITIES
      ENFORCEMENT DATABASE WHEN UOWTOTALTIME > 10 MINUTES STOP EXECUTION
finding:
  - choose:
      - when: BLOCKS = 1
        text: >-
          Sessions that wait for application {APPLICATION_HANDLE} of {SESSION_AUTH_ID:text|an unknown user}[
          ({CLIENT_APPLNAME:text})]: {WAITERS}, the first for {LONGEST_WAIT_S} seconds. Its unit of work has been open
          for {UOW_AGE_S} seconds and waits for its client.
      - >-
        Application {APPLICATION_HANDLE} of {SESSION_AUTH_ID:text|an unknown user}[ ({CLIENT_APPLNAME:text})] changed
        {ROWS_MODIFIED} rows in the last {UOW_AGE_S} seconds. It has sent no request since the interval began and holds
        its locks.
  - when: BEHIND > 0
    text: >-
      It is the head of a lock chain: {VICTIMS} sessions have waited for {VICTIMS_S} seconds in total.
  - {when: OTHERS > 0, text: '{OTHERS} more like it.'}
query: >-
  SELECT APPLICATION_HANDLE, WORKLOAD_OCCURRENCE_STATE, UOW_START_TIME FROM TABLE(MON_GET_UNIT_OF_WORK(NULL, -2)) AS T
evidence: [APPLICATION_HANDLE, WORKLOAD_OCCURRENCE_STATE:text, UOW_AGE_S, ROWS_MODIFIED, requests=REQUESTS,
  waiters=WAITERS, victims=VICTIMS, longest_wait_s=LONGEST_WAIT_S, LOCK_WAITS, LOCK_WAIT_TIME_pct=LOCK_PCT:2]
references:
  - >-
    IBM documentation of MON_GET_UNIT_OF_WORK (r0053939), MON_GET_APPL_LOCKWAIT (r0056429) and the UOWTOTALTIME
    threshold (r0056465)
why: >-
  Locks on changed rows last until the unit of work ends. While its client waits for a user, or a commit was forgotten,
  all sessions that need those rows wait, and the log cannot be reused.
not_if: >-
  No session has waited 10 seconds for its locks, and it changed nothing or was idle for less than 15 minutes; it works
  step by step, or waits for a lock itself; it is a connection without a unit of work, as in a pool.
note: >-
  The state is from the second snapshot. Earlier idleness is known if the session was in the first snapshot and sent no
  request since, or if another has waited for it for a minute and it sent few requests. The claim is the time that the
  present waiters have waited in the interval, with those behind another waiter.
---*/
WITH OPEN_WORK AS (
    SELECT
        U.APPLICATION_HANDLE,
        U.SESSION_AUTH_ID,
        U.CLIENT_APPLNAME,
        U.WORKLOAD_OCCURRENCE_STATE,
        U.ROWS_MODIFIED,
        U.UOW_AGE_S,
        U.APP_RQSTS_COMPLETED_TOTAL AS REQUESTS,
        COALESCE(U.WAITERS, 0) AS WAITERS,
        COALESCE(U.LONGEST_WAIT_S, 0) AS LONGEST_WAIT_S,
        COALESCE(U.WAITED_S, 0) AS WAITED_S,
        CASE WHEN U.WAITERS > 0 AND U.LONGEST_WAIT_S >= O.MIN_WAIT_S THEN 1 ELSE 0 END AS BLOCKS,
        CASE
            WHEN U.APP_RQSTS_COMPLETED_TOTAL = 0 AND W.SOURCE = 'DELTA' AND U.UOW_AGE_S >= W.SECONDS THEN 1
            ELSE 0
        END AS IDLE,
        CASE
            WHEN U.APP_RQSTS_COMPLETED_TOTAL <= O.REQUESTS_PER_S * LEAST(U.UOW_AGE_S, W.SECONDS) THEN 1
            ELSE 0
        END AS SELDOM,
        W.SECONDS,
        SITE.BLOCKED_S,
        O.FORGOTTEN_S,
        CONST.RARE_EVENTS
    FROM TUNE.D_UNIT_OF_WORK AS U
    CROSS JOIN TUNE.RUN_WINDOW AS W
    CROSS JOIN TUNE.O_LOCK_IDLE_HOLDER AS O
    CROSS JOIN TUNE.O_SITE AS SITE
    CROSS JOIN TUNE.CONSTANT AS CONST
    WHERE U.WORKLOAD_OCCURRENCE_STATE = 'UOWWAIT' AND U.MEMBER = U.COORD_MEMBER
),
HOLDER AS (
    SELECT
        H.*,
        T.LOCK_WAITS,
        T.LOCK_PCT,
        COALESCE(C.VICTIMS, H.WAITERS) AS VICTIMS,
        COALESCE(C.VICTIMS - C.DIRECT, 0) AS BEHIND,
        COALESCE(C.VICTIMS_S, H.WAITED_S) AS VICTIMS_S,
        ROW_NUMBER() OVER (
            ORDER BY
                H.BLOCKS DESC, COALESCE(C.VICTIMS, H.WAITERS) DESC, H.LONGEST_WAIT_S DESC, H.UOW_AGE_S DESC,
                H.APPLICATION_HANDLE
        ) AS PLACE,
        COUNT(*) OVER () - 1 AS OTHERS
    FROM OPEN_WORK AS H
    LEFT JOIN TUNE.LOCK_CHAIN AS C ON H.APPLICATION_HANDLE = C.APPLICATION_HANDLE
    CROSS JOIN TUNE.DATABASE_TIME AS T
    WHERE
        (H.BLOCKS = 1 AND (H.IDLE = 1 OR (H.SELDOM = 1 AND H.LONGEST_WAIT_S >= H.BLOCKED_S)))
        OR (
            H.BLOCKS = 0 AND H.IDLE = 1 AND H.ROWS_MODIFIED > 0 AND H.UOW_AGE_S >= H.FORGOTTEN_S
            AND T.LOCK_WAITS >= H.RARE_EVENTS
        )
)
SELECT
    APPLICATION_HANDLE,
    SESSION_AUTH_ID,
    CLIENT_APPLNAME,
    WORKLOAD_OCCURRENCE_STATE,
    ROWS_MODIFIED,
    UOW_AGE_S,
    REQUESTS,
    BLOCKS,
    WAITERS,
    VICTIMS,
    BEHIND,
    VICTIMS_S,
    LONGEST_WAIT_S,
    OTHERS,
    LOCK_WAITS,
    LOCK_PCT,
    1000 * LEAST(COALESCE(CAST(VICTIMS_S AS DOUBLE) / NULLIF(VICTIMS, 0), 0), SECONDS) AS WAITED_MS
FROM HOLDER
WHERE PLACE = 1
