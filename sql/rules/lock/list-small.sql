/*---
rule: lock.list-small
title: Lock list holds only a few locks
lane: condition
severity: low
takes_effect: immediately
applies: {not: [purescale]}
judged_by: config
needs: [dbcfg.VALUE]
object: DATABASE
confidence: 0.3
memory: GROWTH_KB
defers_to:
  - {rule: lock.escalations, within: any}
  - {rule: lock.escalations-counted, within: any}
thresholds:
  list_locks: {default: 5000, from: own, why: the whole list; a single batch job may hold as many}
  own_locks: {default: 500, from: manuals, why: 'locks of one application: the manual assumes 512 on average'}
  each_locks: {default: 50, from: own, why: 'a tenth of that, if all allowed applications are connected'}
  most_appls: {default: 2000, from: own, why: 'MAXAPPLS is only a limit; size for more by the measured peak'}
actions:
  - choose:
      - when: TUNED = 1
        set:
          - {kind: DBCFG, name: LOCKLIST, from: '{LOCKLIST}', to: AUTOMATIC, unit: 4 KB pages}
          - {kind: DBCFG, name: MAXLOCKS, from: '{OLD_MAXLOCKS:text}', to: AUTOMATIC, unit: percent}
      - when: SWITCH = 'OFF'
        set: {kind: DBCFG, name: LOCKLIST, from: '{LOCKLIST}', to: '{NEW_LOCKLIST}', unit: 4 KB pages}
      - manual: >-
          Check SELF_TUNING_MEM. If it is ON, set LOCKLIST and MAXLOCKS to AUTOMATIC; otherwise LOCKLIST to at least
          {NEW_LOCKLIST} pages.
        undo: {manual: 'Set LOCKLIST to {LOCKLIST} again.'}
finding:
  - 'LOCKLIST of {LOCKLIST} pages holds about {LOCKS} locks.'
  - when: OWN_LOCKS IS NOT NULL
    text: 'MAXLOCKS lets one application hold about {OWN_LOCKS}; the next escalates to a table lock.'
  - when: EACH_LOCKS IS NOT NULL
    text: 'With {MAXAPPLS} connected applications (MAXAPPLS) each has about {EACH_LOCKS}.'
evidence: [LOCKLIST, 'MAXLOCKS=OLD_MAXLOCKS:text?', 'MAXAPPLS?']
query: db2 get db cfg for <database> show detail
references:
  - IBM documentation of locklist (r0000267) and maxlocks (r0000268)
why: >-
  Each lock takes 128 bytes of the list, the first on an object 256. If the list is full, or one application has its
  part of it (MAXLOCKS), Db2 replaces row locks with a table lock, and all others that need the table wait.
not_if: >-
  LOCKLIST is AUTOMATIC or large enough; a value is pending or differs between members; pureScale; lock escalations
  were counted (lock.escalations gives the advice).
note: >-
  LOCKLIST AUTOMATIC also makes MAXLOCKS AUTOMATIC. Without self-tuning memory the list gets the size that passes all
  three limits, for at most 2,000 applications: MAXAPPLS may be 60,000, and few of them connect.
---*/
WITH KEPT AS (
    SELECT
        L.NUM AS LOCKLIST,
        -- 4096 bytes per page, 128 bytes per lock
        32 * CAST(L.NUM AS DOUBLE) AS LOCKS,
        CASE WHEN X.AUTOMATIC = 1 THEN 'AUTOMATIC' ELSE X.VALUE END AS OLD_MAXLOCKS,
        CASE WHEN X.FIXED = 1 AND X.NUM > 0 THEN X.NUM END AS MAXLOCKS,
        CASE WHEN A.FIXED = 1 AND A.NUM > 0 THEN A.NUM END AS MAXAPPLS,
        CASE WHEN M.SWITCH = 'ON' AND M.WANTED = 1 AND X.NAME IS NOT NULL THEN 1 ELSE 0 END AS TUNED,
        CASE WHEN M.WANTED = 0 THEN 'OFF' ELSE M.SWITCH END AS SWITCH
    FROM TUNE.SETTING AS L
    CROSS JOIN TUNE.STMM AS M
    LEFT JOIN TUNE.SETTING AS X ON X.SCOPE = 'DB' AND X.NAME = 'maxlocks' AND (X.IS_SET = 1 OR X.AUTOMATIC = 1)
    LEFT JOIN TUNE.SETTING AS A ON A.SCOPE = 'DB' AND A.NAME = 'maxappls'
    WHERE
        L.SCOPE = 'DB' AND L.NAME = 'locklist' AND L.FIXED = 1 AND L.NUM > 0
        AND COALESCE(X.PENDING, 0) = 0 AND COALESCE(X.DIFFERS, 0) = 0
),
COUNTED AS (
    SELECT
        K.*,
        K.LOCKS * K.MAXLOCKS / CAST(100 AS DOUBLE) AS OWN_LOCKS,
        K.LOCKS / CAST(NULLIF(K.MAXAPPLS, 0) AS DOUBLE) AS EACH_LOCKS,
        GREATEST(
            CEIL(O.LIST_LOCKS / CAST(32 AS DOUBLE)),
            CEIL(ROUND(COALESCE(100 * O.OWN_LOCKS / CAST(NULLIF(32 * K.MAXLOCKS, 0) AS DOUBLE), 0), 6)),
            CEIL(ROUND(O.EACH_LOCKS * CAST(LEAST(COALESCE(K.MAXAPPLS, 0), O.MOST_APPLS) AS DOUBLE) / 32, 6))
        ) AS NEW_LOCKLIST
    FROM KEPT AS K
    CROSS JOIN TUNE.O_LOCK_LIST_SMALL AS O
)
SELECT
    LOCKLIST, LOCKS, OLD_MAXLOCKS, MAXAPPLS, TUNED, SWITCH, NEW_LOCKLIST,
    OWN_LOCKS,
    EACH_LOCKS,
    CASE WHEN TUNED = 0 AND SWITCH = 'OFF' THEN 4 * (NEW_LOCKLIST - LOCKLIST) ELSE 0 END AS GROWTH_KB
FROM COUNTED
WHERE LOCKLIST < NEW_LOCKLIST
