/*---
rule: stats.collection-off
title: Statistics are collected by nobody but jobs
lane: condition
severity: low
takes_effect: immediately
applies: {not: [managed]}
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
    why: 'of the newest statistics: jobs that run once a month or more often are at work'
actions:
  - manual: >-
      Where no job runs RUNSTATS: UPDATE DB CFG FOR {DB_NAME:text} USING AUTO_RUNSTATS ON, with AUTO_MAINT and
      AUTO_TBL_MAINT ON above it.
    undo: {manual: 'UPDATE DB CFG FOR {DB_NAME:text} USING AUTO_RUNSTATS OFF'}
finding:
  - 'AUTO_RUNSTATS is OFF: statistics are as old as the last RUNSTATS that somebody ran.'
  - {when: NEWEST_DAYS IS NOT NULL, text: 'The newest of any table are {NEWEST_DAYS} days old.'}
evidence: [AUTO_RUNSTATS=AUTO_RUNSTATS:text, 'newest_statistics_days=NEWEST_DAYS?']
query: >-
  SELECT MAX(STATS_TIME) AS NEWEST, COUNT(*) AS TABLES, COUNT(STATS_TIME) AS WITH_STATISTICS FROM SYSCAT.TABLES WHERE
  TYPE = 'T' AND TABSCHEMA NOT LIKE 'SYS%'
references:
  - IBM documentation of auto_maint (r0011479), which AUTO_RUNSTATS belongs to and which has it ON by default
why: >-
  The optimizer chooses indexes, join orders and sort memory by the statistics. Without new ones it goes on planning for
  the tables that there once were.
not_if: >-
  AUTO_RUNSTATS is ON, or about to be; members differ; the statistics of some table are younger than a month, so that
  somebody collects them; a managed database.
note: >-
  A site that runs RUNSTATS by jobs has it off on purpose, and its tables show it. What a text says of settings alone
  does not: then this is a question. What old statistics cost is stats.stale-or-off's to say.
---*/
SELECT
    A.VALUE AS AUTO_RUNSTATS,
    FLOOR(T.NEWEST_H / CAST(24 AS DOUBLE)) AS NEWEST_DAYS,
    D.DB_NAME
FROM TUNE.SETTING AS A
CROSS JOIN TUNE.RUN_DATABASE AS D
CROSS JOIN TUNE.O_STATS_COLLECTION_OFF AS O
CROSS JOIN (SELECT MIN(STATS_AGE_H) AS NEWEST_H FROM TUNE.D_CAT_TABLE) AS T
WHERE
    A.SCOPE = 'DB' AND A.NAME = 'auto_runstats' AND A.FIXED = 1 AND A.VALUE = 'OFF'
    AND COALESCE(T.NEWEST_H, O.MAX_AGE_H) >= O.MAX_AGE_H
