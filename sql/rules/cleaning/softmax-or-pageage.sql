/*---
rule: cleaning.softmax-or-pageage
title: The recovery window drives page cleaning
lane: performance
takes_effect: database reactivation
risk: medium
applies: {not: [purescale]}
judged_by: config
needs: [dbcfg.VALUE]
object: DATABASE
claims: {POOL_WRITE: {events: OWN_WRITES, cost_ms: WRITE_MS}}
recover: [0.1, 0.2, 0.4]
confidence: 0.6
after: [log.space-sizing]
thresholds:
  new_softmax: {default: 300, from: manuals, why: 'three log files, the manual''s example; 002 used 1000'}
  new_page_age: {default: 240, from: manuals, why: 'seconds: the default of PAGE_AGE_TRGT_MCR'}
  max_page_age: {default: 60, from: own, why: 'seconds: at a quarter of the default, hot pages are written repeatedly'}
  log_part: {default: 0.5, from: own, why: part of the primary log that pages may hold until they are written}
  min_writes_per_s: {default: 200, from: own, why: below it cleaning is no load}
actions:
  - when: NEW_SOFTMAX IS NOT NULL
    set: {kind: DBCFG, name: SOFTMAX, from: '{SOFTMAX}', to: '{NEW_SOFTMAX}', unit: percent of a log file}
  - when: NEW_PAGE_AGE IS NOT NULL
    set: {kind: DBCFG, name: PAGE_AGE_TRGT_MCR, from: '{PAGE_AGE_TRGT_MCR}', to: '{NEW_PAGE_AGE}', unit: seconds}
finding:
  - choose:
      - when: NEW_SOFTMAX IS NULL
        text: >-
          PAGE_AGE_TRGT_MCR makes page cleaners write pages {PAGE_AGE_TRGT_MCR} s after their first change. It triggered
          {LOG_GAPS} of {TRIGGERS} cleanings[ of {PART:text}]. {WRITES} pages were written[ for {ROWS_MODIFIED} changed
          rows].
      - when: SHOWN > 0
        text: >-
          SOFTMAX makes page cleaners write pages older than {SOFTMAX} % of a log file[, {WINDOW_MB} MB of log]. It
          triggered {LOG_GAPS} of {TRIGGERS} cleanings[ of {PART:text}].
      - SOFTMAX makes page cleaners write pages older than {SOFTMAX} % of a log file[, {WINDOW_MB} MB of log].
  - when: NEW_SOFTMAX = 0
    text: SOFTMAX is deprecated; with 0, PAGE_AGE_TRGT_MCR[ ({PAGE_AGE_TRGT_MCR} s)] replaces it.
  - when: NEW_PAGE_AGE IS NOT NULL
    text: 'With {NEW_PAGE_AGE} s, crash recovery reads more log[, up to {NEW_WINDOW_MB} MB].'
evidence: [SOFTMAX, 'PAGE_AGE_TRGT_MCR?', POOL_LSN_GAP_CLNS=LOG_GAPS, all_triggers=TRIGGERS, pages_written=WRITES,
  'seconds_that_fit_the_log=FITS_S?']
references:
  - vmware-netapp, appendices A (SOFTMAX 100) and B (1000)
  - IBM documentation of softmax (r0000242), page_age_trgt_mcr (r0061025) and proactive page cleaning (c0011381)
why: >-
  SOFTMAX makes page cleaners write pages older than a percentage of a log file, in bursts as the log fills. From 10.5,
  SOFTMAX 0 leaves the recovery window to PAGE_AGE_TRGT_MCR, in seconds. New databases have 0; upgraded ones keep the
  deprecated SOFTMAX. With a window of seconds, a page that changes all the time is written again in each window.
not_if: >-
  SOFTMAX is 0 and PAGE_AGE_TRGT_MCR 60 or more; members differ or another value is pending. Before 10.5, or with
  SOFTMAX 0, also: the workload is not OLTP; more than one log file; another cause triggers the cleaners; few pages are
  written; proactive page cleaning is on. With SOFTMAX 0 also: agents find no clean page in 5 % of the cases or more;
  half of the primary log holds less than twice the present page age, or the log's rate or size is not known.
note: >-
  Crash recovery may take longer; the finding shows how much log it reads. Accept the finding if a promised recovery
  time forbids the change. The log that a dirty page needs stays active, so the page age rises only so far that half of
  the primary log holds it. PAGE_AGE_TRGT_MCR keeps its value with SOFTMAX 0, unless it is below 60. From 10.5 any
  SOFTMAX but 0 is at least housekeeping; time is claimed only if the load shows it. A longer page age claims no time:
  the saved writes are not those of agents.
---*/
WITH LOG_RATE AS (
    -- pages of 4 KB per second
    SELECT
        MIN(
            CAST(L.LOGFILSIZ AS DOUBLE) * L.LOGPRIMARY * T.SECONDS / CAST(NULLIF(L.LOG_WRITES, 0) AS DOUBLE)
        ) AS LOG_S,
        MAX(CAST(L.LOG_WRITES AS DOUBLE) / NULLIF(T.SECONDS, 0)) AS PAGES_PER_S
    FROM TUNE.LOG AS L
    CROSS JOIN TUNE.DATABASE_TIME AS T
),
CHANGE AS (
    SELECT
        C.WHOLE,
        C.PART,
        C.SOFTMAX,
        C.PAGE_AGE_TRGT_MCR,
        COALESCE(C.LOG_GAPS, 0) AS LOG_GAPS,
        COALESCE(C.TRIGGERS, 0) AS TRIGGERS,
        COALESCE(C.WRITES, 0) AS WRITES,
        NULLIF(T.ROWS_MODIFIED, 0) AS ROWS_MODIFIED,
        -- a log file is LOGFILSIZ pages of 4 KB
        C.SOFTMAX * L.MAX_NUM * 4 / CAST(102400 AS DOUBLE) AS WINDOW_MB,
        CASE
            WHEN C.SOFTMAX >= 1 THEN CASE WHEN LEVELS.LEVEL_NUMBER >= 10050000 THEN 0 ELSE FLOOR(O.NEW_SOFTMAX) END
        END AS NEW_SOFTMAX,
        O.LOG_PART * R.LOG_S AS FITS_S,
        CASE
            WHEN C.PAGE_AGE_TRGT_MCR < O.MAX_PAGE_AGE AND LEVELS.LEVEL_NUMBER >= 10050000
                THEN FLOOR(LEAST(O.NEW_PAGE_AGE, COALESCE(O.LOG_PART * R.LOG_S, O.NEW_PAGE_AGE)))
        END AS NEW_PAGE_AGE,
        R.PAGES_PER_S,
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
        CASE WHEN C.STEAL_PART < CONST.STEAL_PART THEN 1 ELSE 0 END AS CLEAN,
        C.OWN_WRITES,
        C.OWN_PCT,
        C.WRITE_MS
    FROM TUNE.PAGE_CLEANING AS C
    CROSS JOIN LOG_RATE AS R
    CROSS JOIN TUNE.LEAST_LEVEL AS LEVELS
    CROSS JOIN TUNE.RUN_WINDOW AS W
    CROSS JOIN TUNE.DATABASE_TIME AS T
    CROSS JOIN TUNE.WORKLOAD_CLASS AS K
    CROSS JOIN TUNE.O_CLEANING_SOFTMAX_OR_PAGEAGE AS O
    CROSS JOIN TUNE.CONSTANT AS CONST
    LEFT JOIN TUNE.SETTING AS L ON L.SCOPE = 'DB' AND L.NAME = 'logfilsiz'
)
SELECT
    PART, SOFTMAX, NEW_SOFTMAX, PAGE_AGE_TRGT_MCR, LOG_GAPS, TRIGGERS, WRITES, ROWS_MODIFIED, WINDOW_MB, SHOWN,
    CASE WHEN NEW_PAGE_AGE > PAGE_AGE_TRGT_MCR THEN NEW_PAGE_AGE END AS NEW_PAGE_AGE,
    CASE WHEN NEW_PAGE_AGE > PAGE_AGE_TRGT_MCR THEN FITS_S END AS FITS_S,
    NEW_PAGE_AGE * PAGES_PER_S * 4 / CAST(1024 AS DOUBLE) AS NEW_WINDOW_MB,
    CASE WHEN SOFTMAX >= 1 THEN CAST(FLOOR(OWN_WRITES * SHOWN) AS BIGINT) ELSE 0 END AS OWN_WRITES,
    WRITE_MS
FROM CHANGE
WHERE
    (SOFTMAX >= 1 AND (SHOWN > 0 OR (NEW_SOFTMAX = 0 AND WHOLE = 1)))
    OR (SOFTMAX = 0 AND SHOWN > 0 AND CLEAN = 1 AND FITS_S > 0 AND NEW_PAGE_AGE >= 2 * PAGE_AGE_TRGT_MCR)
-- the whole database, or otherwise the pool whose agents wait longest
ORDER BY SHOWN DESC, WHOLE DESC, OWN_PCT DESC NULLS LAST, PART
FETCH FIRST 1 ROWS ONLY
