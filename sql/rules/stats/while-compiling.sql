/*---
rule: stats.while-compiling
title: Statements wait while their compilation collects statistics
lane: performance
takes_effect: immediately
risk: medium
applies: {workload: [oltp, mixed]}
judged_by: load
needs: [dbcfg.VALUE, workload.TOTAL_SYNC_RUNSTATS_PROC_TIME, workload.TOTAL_STATS_FABRICATION_PROC_TIME,
  workload.TOTAL_COMPILATIONS, workload.TOTAL_IMPLICIT_COMPILATIONS]
object: DATABASE
claims: {STATISTICS: {events: ALL_COMPILATIONS, cost_ms: STATISTICS_MS}}
recover: [0, 0.6, 0.9]
confidence: 0.6
defers_to:
  - {rule: stats.stale-or-off, within: any}
  - {rule: memory.package-cache-miss, within: any}
  - {rule: memory.literal-statements, within: any}
  - {rule: memory.implicit-compiles, within: any, only_if_larger: true}
actions:
  - set: {kind: DBCFG, name: AUTO_STMT_STATS, from: '{AUTO_STMT_STATS:text}', to: 'OFF'}
  - manual: >-
      Run RUNSTATS at the end of each job that loads or empties tables. The statistics log (db2optstats.*.log in
      directory events below DIAGPATH) names the tables. Otherwise their statistics can be two hours old.
finding: >-
  Collecting statistics during compilation takes {STATISTICS_PCT:1} % of database time: {STATISTICS_MS:2} ms for each of
  {ALL_COMPILATIONS} compilations.
evidence: [AUTO_STMT_STATS:text, AUTO_RUNSTATS:text, SYNC_RUNSTATS_and_FABRICATION_pct=STATISTICS_PCT:2,
  TOTAL_COMPILATIONS=COMPILATIONS, 'TOTAL_IMPLICIT_COMPILATIONS=IMPLICIT_COMPILATIONS?']
references:
  - IBM documentation of automatic statistics collection (c0011762), its log (c0052970) and auto_maint (r0011479)
why: >-
  With AUTO_STMT_STATS, Db2 checks the tables of each statement that it compiles. If many rows changed since RUNSTATS,
  the statement waits up to five seconds for new statistics. AUTO_RUNSTATS checks all tables every two hours in the
  background, and continues.
not_if: >-
  AUTO_STMT_STATS is OFF or pending, or members differ; AUTO_MAINT, AUTO_TBL_MAINT or AUTO_RUNSTATS is not known to be
  ON, so that nothing else would collect statistics; less than 10 % of database time; fewer than 100 compilations;
  frequently read tables have old statistics, or fewer compilations are advised (other rules); analytics, whose plans
  depend on fresh statistics.
note: >-
  Plans can get worse for tables that fill and empty within two hours, so the range starts at 0. Fresh statistics are
  worth some time: hence 10 % and not 5.
---*/
SELECT
    S.VALUE AS AUTO_STMT_STATS,
    'ON' AS AUTO_RUNSTATS,
    W.STATISTICS_PCT,
    W.STATISTICS_MS,
    W.COMPILATIONS,
    W.IMPLICIT_COMPILATIONS,
    W.COMPILATIONS + COALESCE(W.IMPLICIT_COMPILATIONS, 0) AS ALL_COMPILATIONS
FROM TUNE.COMPILE_WORK AS W
CROSS JOIN TUNE.WORKLOAD_CLASS AS K
CROSS JOIN TUNE.O_SITE AS SITE
CROSS JOIN TUNE.CONSTANT AS CONST
CROSS JOIN (
    SELECT COUNT(*) AS SWITCHES
    FROM TUNE.SETTING
    WHERE
        SCOPE = 'DB' AND FIXED = 1 AND VALUE = 'ON' AND NAME IN ('auto_maint', 'auto_tbl_maint', 'auto_runstats')
) AS P
INNER JOIN TUNE.SETTING AS S ON S.SCOPE = 'DB' AND S.NAME = 'auto_stmt_stats'
WHERE
    S.FIXED = 1
    AND S.VALUE = 'ON'
    AND P.SWITCHES = 3
    AND K.CLASS <> 'BI'
    AND W.STATISTICS_PCT >= SITE.MAJOR_PCT
    AND W.COMPILATIONS + COALESCE(W.IMPLICIT_COMPILATIONS, 0) >= CONST.FEW_EVENTS
