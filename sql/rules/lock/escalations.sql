/*---
rule: lock.escalations
title: Row locks are escalated to table locks
lane: performance
lane_without_claim: safety
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
  oltp_per_hour: {default: 1, from: own, why: 'transactions hold few locks: none should ever be escalated'}
  bi_per_hour: {default: 10, from: own, why: a load or a purge may take a table for itself now and then}
  min_escalations: {default: 3, from: own, why: 'fewer in the interval are one job, and no rate'}
  min_wait_pct: {default: 5, from: own, why: 'from 5 % of database time on, lock waits go with the escalations'}
  least_wait_pct: {default: 0.1, from: own, why: percent of database time; below it nobody else wanted the table}
  min_sampled: {default: 3, from: own, why: waits seen at the snapshot; fewer do not say what is waited for}
  maxlocks_low: {default: 22, from: manuals, why: the default before it became AUTOMATIC}
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
      Self-tuning memory is off, so the list stays as it is: switch it on (SELF_TUNING_MEM), or set LOCKLIST yourself.
  - when: WAY = 'person' AND LOCK_ESCALS_GLOBAL > 0
    manual: >-
      The coupling facility has too little room for locks: see CF_LOCK_SZ and, where it is AUTOMATIC, CF_DB_MEM_SZ.
  - when: WAY = 'person'
    manual: >-
      Let the job that makes them commit more often, or take the table for itself before it begins (LOCK TABLE ... IN
      EXCLUSIVE MODE) where nobody else needs it. See who holds most locks: SELECT APPLICATION_HANDLE, NUM_LOCKS_HELD,
      LOCK_ESCALS FROM TABLE(MON_GET_CONNECTION(NULL, -2)) AS T ORDER BY NUM_LOCKS_HELD DESC FETCH FIRST 10 ROWS ONLY
    undo: {manual: Nothing is changed by looking.}
finding:
  - >-
    {PER_HOUR} escalations an hour: {LOCK_ESCALS_LOCKLIST} because the list of {LOCKLIST} pages was full,
    {LOCK_ESCALS_MAXLOCKS} because one application held {MAXLOCKS} % of it.
  - {when: LOCK_ESCALS_GLOBAL > 0, text: '{LOCK_ESCALS_GLOBAL} because the coupling facility had no room.'}
  - {when: USED_PAGES IS NOT NULL, text: 'Now {USED_PAGES} pages of it are in use.'}
  - choose:
      - {when: WAY = 'person' AND TUNED = 1, text: 'Db2 sizes the list itself, as far as its memory goes.'}
      - If one job makes them, let it commit more often instead.
evidence: [LOCK_ESCALS_LOCKLIST, LOCK_ESCALS_MAXLOCKS, LOCK_ESCALS_GLOBAL, LOCKLIST, MAXLOCKS,
  'LOCK_LIST_IN_USE_pages=USED_PAGES?', LOCK_WAIT_TIME_pct=LOCK_PCT:2, waits_seen=WAITERS,
  waits_for_tables=TABLE_WAITERS]
references:
  - vmware-netapp, appendices (LOCKLIST 5000, MAXLOCKS 100)
  - IBM documentation of locklist (r0000267) and maxlocks (r0000268)
why: >-
  When the lock list is full, or one application holds its part (MAXLOCKS), Db2 trades the row locks of a table for one
  lock on the table: everybody else who wants the table waits.
not_if: >-
  Fewer than three, or than one an hour (transactions) or ten (analysis); nobody waited for a lock, ran into a timeout
  or a deadlock: then nobody else wanted the table; the parameter to change is pending, or differs between members; a
  fixed list has 131,072 pages.
note: >-
  With STMM on, LOCKLIST AUTOMATIC brings MAXLOCKS with it. Without, a step doubles the list, or raises MAXLOCKS to 22
  and then 60, by the cause that was counted more often; from 60 on the list grows, which MAXLOCKS is a part of. Where
  Db2 sizes both, and on pureScale, where members may differ, a person must look. Who asks for an intent lock waits for
  a whole table: where at least three waits were seen, that part of all waits is claimed, else all of them as an upper
  bound, from 5 % of database time on. The manual of 11.5 calls LOCKLIST configurable online, that of 10.5 does not say
  so: there it may take the next activation.
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
            ELSE 'LOCKLIST'
        END AS WAY,
        CASE WHEN L.AUTOMATIC = 1 AND S.VALUE NOT LIKE 'ON%' THEN 0 ELSE 1 END AS TUNED
    FROM TUNE.SETTING AS L
    INNER JOIN TUNE.SETTING AS X ON X.SCOPE = 'DB' AND X.NAME = 'maxlocks' AND X.PENDING = 0
    INNER JOIN TUNE.SETTING AS S ON S.SCOPE = 'DB' AND S.NAME = 'self_tuning_mem' AND S.PENDING = 0
    CROSS JOIN TUNE.RUN_DATABASE AS D
    CROSS JOIN TUNE.LOCK_WORK AS W
    CROSS JOIN TUNE.O_LOCK_ESCALATIONS AS O
    WHERE
        L.SCOPE = 'DB' AND L.NAME = 'locklist' AND L.PENDING = 0
        AND (D.TOPOLOGY = 'purescale' OR (L.DIFFERS = 0 AND X.DIFFERS = 0))
),
JUDGED AS (
    SELECT
        S.*,
        W.*,
        FLOOR(LEAST(2 * S.LOCKLIST, O.MAX_PAGES)) AS NEW_LOCKLIST,
        CASE WHEN S.MAXLOCKS < O.MAXLOCKS_LOW THEN O.MAXLOCKS_LOW ELSE O.MAXLOCKS_HIGH END AS NEW_MAXLOCKS,
        CASE
            WHEN W.LOCK_PCT < O.MIN_WAIT_PCT THEN 0
            WHEN W.WAITERS >= O.MIN_SAMPLED
                THEN W.LOCK_WAITS * CAST(W.TABLE_WAITERS AS DOUBLE) / NULLIF(W.WAITERS, 0)
            ELSE W.LOCK_WAITS
        END AS CAUSED_WAITS,
        CASE WHEN W.WAITERS >= O.MIN_SAMPLED THEN 1 ELSE 0 END AS SAMPLED
    FROM SETTING AS S
    CROSS JOIN TUNE.LOCK_WORK AS W
    CROSS JOIN TUNE.WORKLOAD_CLASS AS K
    CROSS JOIN TUNE.O_LOCK_ESCALATIONS AS O
    WHERE
        W.ESCALATIONS >= O.MIN_ESCALATIONS
        AND W.ESCALATIONS_PER_HOUR >= O.OLTP_PER_HOUR + (O.BI_PER_HOUR - O.OLTP_PER_HOUR) * K.P_BI
        AND (W.LOCK_PCT >= O.LEAST_WAIT_PCT OR W.TIMEOUTS + W.DEADLOCKS > 0)
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
    CASE WHEN WAY = 'person' OR SAMPLED = 0 THEN 0.3 ELSE 0.6 END AS CONFIDENCE
FROM JUDGED
WHERE
    WAY = 'person'
    OR (WAY = 'AUTOMATIC' AND (LOCKLIST_AUTOMATIC = 0 OR MAXLOCKS_AUTOMATIC = 0))
    OR WAY = 'MAXLOCKS'
    OR (WAY = 'LOCKLIST' AND LOCKLIST_AUTOMATIC = 0 AND NEW_LOCKLIST > LOCKLIST)
