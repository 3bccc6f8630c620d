/*---
rule: lock.blocked-now
title: Sessions wait for a lock now
lane: condition
severity: medium
takes_effect: immediately
risk: medium
applies: {from: '9.7'}
judged_by: config
needs: [unit_of_work.WAITERS]
object: DATABASE
confidence: 0.6
defers_to:
  - {rule: lock.idle-holder, within: object}
  - {rule: lock.wait-high, within: object}
thresholds:
  min_wait_s: {default: 10, from: own, why: a shorter wait is normal if the blocking application works}
  min_victims: {default: 3, from: own, why: 'if the waits have no known length, fewer may wait for a moment only'}
actions:
  - when: IDLE = 1
    manual: >-
      Ask the owner of application {HEAD} ({HEAD_USER:text|user unknown}[, {HEAD_NAME:text}]) to commit or roll back: it
      waits for its client.
  - when: IDLE = 0
    manual: >-
      Ask the owner of application {HEAD} ({HEAD_USER:text|user unknown}[, {HEAD_NAME:text}]) whether its transaction
      can end now.
  - when: OWN = 0
    manual: >-
      If the owner agrees to lose its changes, end it: FORCE APPLICATION ({HEAD}) rolls its unit of work back. A long
      rollback keeps the locks until it ends.
    undo: {manual: 'Cannot be undone: run the forced work again.'}
finding:
  - >-
    Sessions that wait for application {HEAD}: {VICTIMS}. It belongs to {HEAD_USER:text|an unknown user}[
    ({HEAD_NAME:text})][; the longest wait is {LONGEST_WAIT_S} seconds].
  - when: IDLE = 1
    text: 'It is idle: its unit of work waits for its client[ and has been open for {HEAD_AGE_S} seconds].'
  - {when: BEHIND > 0, text: 'Behind another waiter: {BEHIND}.'}
  - {when: OTHER_HEADS > 0, text: 'Other chains: {OTHER_HEADS}.'}
evidence: [head_of_chain=HEAD, 'WORKLOAD_OCCURRENCE_STATE=HEAD_STATE:text?', victims=VICTIMS, direct=DIRECT,
  'longest_wait_s=LONGEST_WAIT_S?', 'LOCK_MODE=MODE_HELD:text?', 'LOCK_MODE_REQUESTED=MODE_REQUESTED:text?']
query: >-
  SELECT HLD_APPLICATION_HANDLE, HLD_APPLICATION_NAME, HLD_USERID, LOCK_MODE, LOCK_MODE_REQUESTED,
  LOCK_WAIT_ELAPSED_TIME, TABSCHEMA, TABNAME, REQ_APPLICATION_HANDLE, REQ_STMT_TEXT FROM SYSIBMADM.MON_LOCKWAITS;
  db2pd -db <database> -wlocks
references:
  - IBM documentation of MON_LOCKWAITS (r0056601), db2pd (r0011729) and FORCE APPLICATION (r0001951)
why: >-
  The head of a lock chain waits for no lock itself. Until it commits or rolls back, all sessions behind it wait
  and keep their own locks.
not_if: >-
  No session waits for a lock; the longest wait is shorter than 10 seconds; the waits have no known length, the head
  works and fewer than three sessions wait; lock.idle-holder or lock.wait-high reports the waits.
note: >-
  One moment shows the waits, not their history: run the query again before any step. db2pd -wlocks shows no times. Two
  applications that wait for each other have no head; Db2 ends such a deadlock.
---*/
WITH HEADS AS (
    SELECT
        H.*,
        CASE WHEN H.WORKLOAD_OCCURRENCE_STATE = 'UOWWAIT' THEN 1 ELSE 0 END AS IDLE,
        COUNT(*) OVER () - 1 AS OTHER_HEADS
    FROM TUNE.LOCK_CHAIN AS H
),
MODES AS (
    SELECT
        MODE_REQUESTED,
        MODE_HELD,
        ROW_NUMBER() OVER (ORDER BY SUM(WAITERS) DESC, MODE_HELD, MODE_REQUESTED) AS PLACE
    FROM TUNE.D_LOCK_WAIT
    WHERE MODE_HELD <> '-' AND MODE_REQUESTED <> '-'
    GROUP BY MODE_REQUESTED, MODE_HELD
)
SELECT
    H.APPLICATION_HANDLE AS HEAD,
    H.SESSION_AUTH_ID AS HEAD_USER,
    H.CLIENT_APPLNAME AS HEAD_NAME,
    H.WORKLOAD_OCCURRENCE_STATE AS HEAD_STATE,
    H.UOW_AGE_S AS HEAD_AGE_S,
    H.IDLE,
    H.VICTIMS,
    H.DIRECT,
    H.VICTIMS - H.DIRECT AS BEHIND,
    H.LONGEST_WAIT_S,
    H.OTHER_HEADS,
    -- applications of Db2 itself, such as db2stmm
    CASE WHEN LOWER(COALESCE(H.CLIENT_APPLNAME, ' ')) IN (
        'db2stmm', 'db2taskd', 'db2wlmd', 'db2lused', 'db2pcsd', 'db2fw0', 'db2evmg_db2detaildeadlock'
    ) THEN 1 ELSE 0 END AS OWN,
    M.MODE_HELD,
    M.MODE_REQUESTED
FROM HEADS AS H
LEFT JOIN MODES AS M ON M.PLACE = 1 AND H.OTHER_HEADS = 0
CROSS JOIN TUNE.O_LOCK_BLOCKED_NOW AS O
WHERE
    H.PLACE = 1
    AND (
        H.LONGEST_WAIT_S >= O.MIN_WAIT_S
        OR (
            H.LONGEST_WAIT_S IS NULL
            AND (COALESCE(H.WORKLOAD_OCCURRENCE_STATE, 'UOWWAIT') = 'UOWWAIT' OR H.VICTIMS >= O.MIN_VICTIMS)
        )
    )
