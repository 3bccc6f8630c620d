/*---
rule: stats.collection-off
title: Automatic statistics collection is off
lane: condition
severity: low
takes_effect: immediately
judged_by: config
needs: [dbcfg.VALUE]
object: DATABASE
confidence: 0.3
defers_to:
  - {rule: stats.stale-or-off, within: any}
thresholds:
  max_age_h:
    default: 720
    from: own
    why: age of the newest statistics; jobs that run at least monthly keep them younger
actions:
  - manual: >-
      If no job runs RUNSTATS, switch it on: UPDATE DB CFG FOR {DB_NAME:alias} USING AUTO_RUNSTATS ON. AUTO_MAINT and
      AUTO_TBL_MAINT must be ON too.
    undo: {manual: 'UPDATE DB CFG FOR {DB_NAME:alias} USING {SWITCH:text} OFF'}
finding:
  - '{SWITCH:text} is OFF: statistics change only by manual RUNSTATS or jobs.'
  - {when: NEWEST_DAYS IS NOT NULL, text: 'The newest statistics are {NEWEST_DAYS} days old.'}
evidence: ['{SWITCH:text}=STATE:text', 'newest_statistics_days=NEWEST_DAYS?']
query: >-
  SELECT MAX(STATS_TIME) AS NEWEST, COUNT(*) AS TABLES, COUNT(STATS_TIME) AS WITH_STATISTICS FROM SYSCAT.TABLES WHERE
  TYPE = 'T' AND TABSCHEMA NOT LIKE 'SYS%'
references:
  - IBM documentation of auto_maint (r0011479), parent of AUTO_RUNSTATS, which is ON by default
why: >-
  The optimizer uses statistics to choose indexes, join orders and sort memory. With old statistics it plans for the
  tables as they once were.
not_if: >-
  AUTO_RUNSTATS is ON or pending ON (config.contradiction reports its parents); members differ; a table has statistics
  younger than a month (a job collects them).
note: >-
  A site that runs RUNSTATS by jobs switches it off deliberately, and its tables show that. Output that contains only
  settings does not: then the finding is a question. If the output lacks AUTO_RUNSTATS, a parent that is OFF counts.
  For the cost of old statistics see stats.stale-or-off.
---*/
SELECT
    UPPER(A.NAME) AS SWITCH,
    A.VALUE AS STATE,
    FLOOR(T.NEWEST_H / CAST(24 AS DOUBLE)) AS NEWEST_DAYS,
    D.DB_NAME
FROM TUNE.SETTING AS A
LEFT JOIN TUNE.SETTING AS R ON R.SCOPE = 'DB' AND R.NAME = 'auto_runstats'
CROSS JOIN TUNE.RUN_DATABASE AS D
CROSS JOIN TUNE.O_STATS_COLLECTION_OFF AS O
CROSS JOIN (SELECT MIN(STATS_AGE_H) AS NEWEST_H FROM TUNE.D_CAT_TABLE) AS T
WHERE
    A.SCOPE = 'DB' AND A.FIXED = 1 AND A.VALUE = 'OFF'
    AND (
        A.NAME = 'auto_runstats'
        OR (A.NAME IN ('auto_maint', 'auto_tbl_maint') AND COALESCE(R.IS_SET, 0) = 0)
    )
    AND COALESCE(T.NEWEST_H, O.MAX_AGE_H) >= O.MAX_AGE_H
