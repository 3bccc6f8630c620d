/*---
rule: cleaning.softmax-or-pageage
title: The recovery window drives page cleaning
lane: performance
takes_effect: database reactivation
risk: medium
applies: {not: [managed, purescale]}
judged_by: config
needs: [dbcfg.VALUE]
object: DATABASE
claims: {POOL_WRITE: {events: OWN_WRITES, cost_ms: WRITE_MS}}
recover: [0.1, 0.2, 0.4]
confidence: 0.6
after: [log.space-sizing]
thresholds:
  new_softmax: {default: 300, from: manuals, why: 'three log files, the manual''s example; 002 used 1000'}
  min_writes_per_s: {default: 200, from: own, why: below it cleaning is no load}
actions:
  - set: {kind: DBCFG, name: SOFTMAX, from: '{SOFTMAX}', to: '{NEW_SOFTMAX}', unit: percent of a log file}
finding:
  - choose:
      - when: SHOWN > 0
        text: >-
          SOFTMAX makes page cleaners write pages older than {SOFTMAX} % of a log file[, {WINDOW_MB} MB of log]. It
          triggered {LOG_GAPS} of {TRIGGERS} cleanings.
      - SOFTMAX makes page cleaners write pages older than {SOFTMAX} % of a log file[, {WINDOW_MB} MB of log].
  - when: NEW_SOFTMAX = 0
    text: SOFTMAX is deprecated; with 0, PAGE_AGE_TRGT_MCR[ ({PAGE_AGE_TRGT_MCR} s)] replaces it.
evidence: [SOFTMAX, 'PAGE_AGE_TRGT_MCR?', POOL_LSN_GAP_CLNS=LOG_GAPS, all_triggers=TRIGGERS, pages_written=WRITES]
references:
  - vmware-netapp, appendices A (SOFTMAX 100) and B (1000)
  - IBM documentation of softmax (r0000242) and page_age_trgt_mcr (r0061025)
why: >-
  SOFTMAX makes page cleaners write pages older than a percentage of a log file, in bursts as the log fills. From 10.5,
  SOFTMAX 0 leaves the recovery window to PAGE_AGE_TRGT_MCR, in seconds. New databases have 0; upgraded ones keep the
  deprecated SOFTMAX.
not_if: >-
  SOFTMAX is 0; members differ or another value is pending. Before 10.5 also: the workload is not OLTP; more than one
  log file; another cause triggers the cleaners; few pages are written; proactive page cleaning is on.
note: >-
  Crash recovery may take longer; the finding shows how much log it reads now. Accept the finding if a promised recovery
  time forbids the change. PAGE_AGE_TRGT_MCR keeps its value, so only SOFTMAX is set. From 10.5 any value but 0 is at
  least housekeeping; time is claimed only if the load shows it.
---*/
WITH CHANGE AS (
    SELECT
        C.SOFTMAX,
        C.PAGE_AGE_TRGT_MCR,
        COALESCE(C.LOG_GAPS, 0) AS LOG_GAPS,
        COALESCE(C.TRIGGERS, 0) AS TRIGGERS,
        COALESCE(C.WRITES, 0) AS WRITES,
        -- a log file is LOGFILSIZ pages of 4 KB
        C.SOFTMAX * L.MAX_NUM * 4 / CAST(102400 AS DOUBLE) AS WINDOW_MB,
        CASE WHEN D.DB2_LEVEL >= 10050000 THEN 0 ELSE FLOOR(O.NEW_SOFTMAX) END AS NEW_SOFTMAX,
        CASE
            WHEN
                W.USABLE = 1
                AND K.CLASS = 'OLTP'
                AND C.ALTERNATE = 0
                AND C.SOFTMAX <= 100
                AND C.TRIGGERS >= CONST.ENOUGH_CLEANINGS
                AND C.LOG_GAP_PART >= CONST.TRIGGER_PART
                AND C.WRITES >= O.MIN_WRITES_PER_S * T.SECONDS
                THEN K.P_OLTP
            ELSE 0
        END AS SHOWN,
        C.OWN_WRITES,
        C.WRITE_MS
    FROM TUNE.PAGE_CLEANING AS C
    CROSS JOIN TUNE.RUN_DATABASE AS D
    CROSS JOIN TUNE.RUN_WINDOW AS W
    CROSS JOIN TUNE.DATABASE_TIME AS T
    CROSS JOIN TUNE.WORKLOAD_CLASS AS K
    CROSS JOIN TUNE.O_CLEANING_SOFTMAX_OR_PAGEAGE AS O
    CROSS JOIN TUNE.CONSTANT AS CONST
    LEFT JOIN TUNE.SETTING AS L ON L.SCOPE = 'DB' AND L.NAME = 'logfilsiz'
    WHERE C.SOFTMAX >= 1
)
SELECT
    SOFTMAX, NEW_SOFTMAX, PAGE_AGE_TRGT_MCR, LOG_GAPS, TRIGGERS, WRITES, WINDOW_MB, SHOWN,
    CAST(FLOOR(OWN_WRITES * SHOWN) AS BIGINT) AS OWN_WRITES,
    WRITE_MS
FROM CHANGE
WHERE NEW_SOFTMAX = 0 OR SHOWN > 0
