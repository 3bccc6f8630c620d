/*---
rule: lock.escalations
title: Lock escalation to table locks
lane: performance
lane_without_claim: condition
severity: medium
takes_effect: immediately
judged_by: load
needs: [workload.LOCK_ESCALS_LOCKLIST, workload.LOCK_ESCALS_MAXLOCKS, workload.LOCK_WAIT_TIME, dbcfg.VALUE]
object: DATABASE
claims: {LOCK: {events: CAUSED_WAITS, cost_ms: WAIT_MS}}
recover: [LOW, EXPECTED, HIGH]
confidence: CONFIDENCE
memory: GROWTH_KB
thresholds:
  least_wait_pct: {default: 0.1, from: own, why: percent of database time; below it no other session needed the table}
  maxlocks_high: {default: 60, from: own, why: one application leaves the others 40 % of the list}
  max_pages: {default: 131072, from: own, why: '512 MB: work that fills it holds too many locks'}
actions:
  - choose:
      - when: WAY = 'AUTOMATIC'
        set:
          - {kind: DBCFG, name: LOCKLIST, from: '{OLD_LOCKLIST:text}', to: AUTOMATIC, unit: 4 KB pages}
          - {kind: DBCFG, name: MAXLOCKS, from: '{OLD_MAXLOCKS:text}', to: AUTOMATIC, unit: percent}
      - when: WAY = 'MAXLOCKS'
        set: {kind: DBCFG, name: MAXLOCKS, from: '{MAXLOCKS}', to: '{NEW_MAXLOCKS}', unit: percent}
      - when: WAY = 'LOCKLIST'
        set: {kind: DBCFG, name: LOCKLIST, from: '{LOCKLIST}', to: '{NEW_LOCKLIST}', unit: 4 KB pages}
  - when: WAY = 'person' AND TUNED = 0
    manual: >-
      Self-tuning memory is off, so the lock list does not grow. Switch it on (SELF_TUNING_MEM), or set LOCKLIST
      manually.
  - when: WAY = 'person' AND LOCK_ESCALS_GLOBAL > 0
    manual: >-
      Give the coupling facility more room for locks: check CF_LOCK_SZ and, if it is AUTOMATIC, CF_DB_MEM_SZ.
  - when: WAY IN ('person', 'job')
    manual: >-
      Commit more often in the job that escalates, or lock the table first (LOCK TABLE ... IN EXCLUSIVE MODE) if no
      other session needs it. Find the sessions with most locks: SELECT APPLICATION_HANDLE, NUM_LOCKS_HELD, LOCK_ESCALS
      FROM TABLE(MON_GET_CONNECTION(NULL, -2)) AS T ORDER BY NUM_LOCKS_HELD DESC FETCH FIRST 10 ROWS ONLY
finding:
  - >-
    {PER_HOUR} lock escalations per hour: {LOCK_ESCALS_LOCKLIST} because the list of {LOCKLIST} pages was full,
    {LOCK_ESCALS_MAXLOCKS} because one application held {MAXLOCKS} % of it.
  - {when: LOCK_ESCALS_GLOBAL > 0, text: '{LOCK_ESCALS_GLOBAL} because the coupling facility had no room.'}
  - {when: USED_PAGES IS NOT NULL, text: 'Now {USED_PAGES} pages of it are in use.'}
  - choose:
      - {when: WAY = 'person' AND TUNED = 1, text: 'Db2 sizes the list itself within its memory.'}
      - {when: WAY = 'job', text: 'The list was not full: a larger one would only help the job that escalates.'}
      - If a single job escalates, commit more often in it instead.
query: >-
  SELECT MEMBER, SUM(LOCK_ESCALS_LOCKLIST) AS LIST_FULL, SUM(LOCK_ESCALS_MAXLOCKS) AS ONE_APPLICATION FROM
  TABLE(MON_GET_WORKLOAD(NULL, -2)) AS T GROUP BY MEMBER
evidence: [LOCK_ESCALS_LOCKLIST, LOCK_ESCALS_MAXLOCKS, LOCK_ESCALS_GLOBAL, LOCKLIST, MAXLOCKS,
  'LOCK_LIST_IN_USE_pages=USED_PAGES?', LOCK_WAIT_TIME_pct=LOCK_PCT:2, waits_seen=WAITERS,
  waits_for_tables=TABLE_WAITERS]
references:
  - vmware-netapp, appendices (LOCKLIST 5000, MAXLOCKS 100)
  - IBM documentation of locklist (r0000267) and maxlocks (r0000268)
why: >-
  If the lock list is full, or one application holds its maximum part (MAXLOCKS), Db2 replaces a table's row locks with
  one table lock. All other sessions that need the table wait.
not_if: >-
  Fewer than three escalations, or fewer than one per hour (OLTP) or ten (analysis); no lock waits, timeouts or
  deadlocks, so no other session needed the table; the list was not full, lock waits take less than 2 % of database
  time, and fewer than ten sessions got a timeout or a deadlock; the parameter to change is pending, or differs between
  members; a fixed list has 131,072 pages.
note: >-
  With STMM on, LOCKLIST AUTOMATIC also makes MAXLOCKS AUTOMATIC. Without STMM, one step doubles the list, or raises
  MAXLOCKS to 22 and then 60, by the more frequent cause. From 60 the list grows, because MAXLOCKS is a part of it, if
  it was full or lock waits take 2 % of database time; otherwise the step is manual. If Db2 sizes both, and on
  pureScale, whose members may differ, the steps are manual. A request for an intent lock waits for a whole table. With
  at least three sampled waits, their part of all waits is claimed; otherwise all waits as an upper bound, from 5 % of
  database time. The 11.5 manual calls LOCKLIST configurable online; 10.5 does not, so there it may need the next
  activation.
---*/
WITH SETTING AS (
    SELECT
        L.VALUE AS LOCKLIST_VALUE,
        X.VALUE AS MAXLOCKS_VALUE,
        L.NUM AS LOCKLIST,
        X.NUM AS MAXLOCKS,
        L.AUTOMATIC AS LOCKLIST_AUTOMATIC,
        X.AUTOMATIC AS MAXLOCKS_AUTOMATIC,
        CASE
            WHEN D.TOPOLOGY = 'purescale' OR (L.AUTOMATIC = 1 AND (X.AUTOMATIC = 1 OR S.VALUE NOT LIKE 'ON%'))
                THEN 'person'
            WHEN S.VALUE LIKE 'ON%' THEN 'AUTOMATIC'
            WHEN
                W.LOCK_ESCALS_MAXLOCKS > W.LOCK_ESCALS_LOCKLIST AND X.AUTOMATIC = 0 AND X.NUM < O.MAXLOCKS_HIGH
                THEN 'MAXLOCKS'
            WHEN W.LOCK_ESCALS_LOCKLIST < CONST.INCIDENT AND W.LOCK_PCT < SITE.SMALL_PCT THEN 'job'
            ELSE 'LOCKLIST'
        END AS WAY,
        CASE WHEN L.AUTOMATIC = 1 AND S.VALUE NOT LIKE 'ON%' THEN 0 ELSE 1 END AS TUNED
    FROM TUNE.SETTING AS L
    INNER JOIN TUNE.SETTING AS X ON X.SCOPE = 'DB' AND X.NAME = 'maxlocks' AND X.PENDING = 0
    INNER JOIN TUNE.SETTING AS S ON S.SCOPE = 'DB' AND S.NAME = 'self_tuning_mem' AND S.PENDING = 0
    CROSS JOIN TUNE.RUN_DATABASE AS D
    CROSS JOIN TUNE.LOCK_WORK AS W
    CROSS JOIN TUNE.O_LOCK_ESCALATIONS AS O
    CROSS JOIN TUNE.O_SITE AS SITE
    CROSS JOIN TUNE.CONSTANT AS CONST
    WHERE
        L.SCOPE = 'DB' AND L.NAME = 'locklist' AND L.PENDING = 0
        AND (D.TOPOLOGY = 'purescale' OR (L.DIFFERS = 0 AND X.DIFFERS = 0))
),
JUDGED AS (
    SELECT
        S.*,
        W.*,
        FLOOR(LEAST(2 * S.LOCKLIST, O.MAX_PAGES)) AS NEW_LOCKLIST,
        CASE WHEN S.MAXLOCKS < 22 THEN 22 ELSE O.MAXLOCKS_HIGH END AS NEW_MAXLOCKS,
        CASE
            WHEN W.LOCK_PCT < SITE.HIGH_PCT THEN 0
            WHEN W.WAITERS >= CONST.INCIDENT
                THEN W.LOCK_WAITS * CAST(W.TABLE_WAITERS AS DOUBLE) / NULLIF(W.WAITERS, 0)
            ELSE W.LOCK_WAITS
        END AS CAUSED_WAITS,
        CASE WHEN W.WAITERS >= CONST.INCIDENT THEN 1 ELSE 0 END AS SAMPLED
    FROM SETTING AS S
    CROSS JOIN TUNE.LOCK_WORK AS W
    CROSS JOIN TUNE.O_LOCK_ESCALATIONS AS O
    CROSS JOIN TUNE.O_SITE AS SITE
    CROSS JOIN TUNE.CONSTANT AS CONST
    WHERE
        W.ESCALATIONS >= CONST.INCIDENT
        AND W.ESCALATIONS_PER_HOUR >= W.NORMAL_PER_HOUR
        AND (W.LOCK_PCT >= O.LEAST_WAIT_PCT OR W.TIMEOUTS + W.DEADLOCKS > 0)
        -- the few escalations of one job need more than that: a share of the time, a full list, or failures of others
        AND (
            W.LOCK_ESCALS_LOCKLIST + W.LOCK_ESCALS_GLOBAL >= CONST.INCIDENT
            OR W.LOCK_PCT >= SITE.SMALL_PCT OR W.TIMEOUTS + W.DEADLOCKS >= CONST.RARE_EVENTS
        )
)
SELECT
    WAY,
    TUNED,
    CASE WHEN LOCKLIST_AUTOMATIC = 1 THEN 'AUTOMATIC' ELSE LOCKLIST_VALUE END AS OLD_LOCKLIST,
    CASE WHEN MAXLOCKS_AUTOMATIC = 1 THEN 'AUTOMATIC' ELSE MAXLOCKS_VALUE END AS OLD_MAXLOCKS,
    LOCKLIST,
    MAXLOCKS,
    NEW_LOCKLIST,
    NEW_MAXLOCKS,
    CASE WHEN WAY = 'LOCKLIST' THEN 4 * (NEW_LOCKLIST - LOCKLIST) ELSE 0 END AS GROWTH_KB,
    LOCK_ESCALS_LOCKLIST,
    LOCK_ESCALS_MAXLOCKS,
    LOCK_ESCALS_GLOBAL,
    ESCALATIONS_PER_HOUR AS PER_HOUR,
    CEIL(USED_KB / CAST(4 AS DOUBLE)) AS USED_PAGES,
    LOCK_PCT,
    WAITERS,
    TABLE_WAITERS,
    CAUSED_WAITS,
    WAIT_MS,
    CASE WHEN SAMPLED = 1 THEN 0.3 ELSE 0.1 END AS LOW,
    CASE WHEN SAMPLED = 1 THEN 0.6 ELSE 0.3 END AS EXPECTED,
    CASE WHEN SAMPLED = 1 THEN 0.9 ELSE 0.6 END AS HIGH,
    CASE WHEN WAY IN ('person', 'job') OR SAMPLED = 0 THEN 0.3 ELSE 0.6 END AS CONFIDENCE
FROM JUDGED
WHERE
    WAY IN ('person', 'job')
    OR (WAY = 'AUTOMATIC' AND (LOCKLIST_AUTOMATIC = 0 OR MAXLOCKS_AUTOMATIC = 0))
    OR WAY = 'MAXLOCKS'
    OR (WAY = 'LOCKLIST' AND LOCKLIST_AUTOMATIC = 0 AND NEW_LOCKLIST > LOCKLIST)
