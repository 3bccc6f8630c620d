/*---
rule: memory.implicit-compiles
title: Prepared statements are recompiled at execution
lane: performance
takes_effect: immediately
judged_by: load
needs: [workload.TOTAL_IMPLICIT_COMPILE_PROC_TIME, workload.TOTAL_IMPLICIT_COMPILATIONS]
object: DATABASE
claims: {IMPLICIT_COMPILE: {events: IMPLICIT_COMPILATIONS, cost_ms: IMPLICIT_MS}}
recover: [0.1, 0.3, 0.6]
confidence: 0.3
defers_to:
  - {rule: memory.package-cache-miss, within: any}
actions:
  - manual: >-
      Find the cause of invalidation: RUNSTATS, DDL and REVOKE invalidate all statements on their tables, so run them
      off-peak. REOPT ALWAYS compiles at each execution. Rebind packages that are not valid: SELECT PKGSCHEMA,
      PKGNAME, VALID, REOPTVAR FROM SYSCAT.PACKAGES WHERE VALID <> 'Y' OR REOPTVAR = 'A'
finding: >-
  {IMPLICIT_COMPILATIONS} statements were compiled again after the application had prepared them, {IMPLICIT_MS:2} ms
  each: {IMPLICIT_PCT:1} % of database time.
evidence: [TOTAL_IMPLICIT_COMPILATIONS=IMPLICIT_COMPILATIONS, TOTAL_IMPLICIT_COMPILE_PROC_TIME_pct=IMPLICIT_PCT:2,
  'PKG_CACHE_NUM_OVERFLOWS=OVERFLOWS?']
references:
  - IBM documentation of total_implicit_compile_proc_time and REBIND
why: >-
  If an access plan is no longer valid or has left the package cache, Db2 compiles the statement at its next execution.
  The application waits.
not_if: >-
  Recompilation takes less than 5 % of database time; fewer than 100 statements were recompiled; a larger package cache
  is advised.
note: Db2 does not record why a statement became invalid, so the cause must be found manually.
---*/
SELECT
    W.IMPLICIT_COMPILATIONS,
    W.IMPLICIT_MS,
    W.IMPLICIT_PCT,
    W.OVERFLOWS
FROM TUNE.COMPILE_WORK AS W
CROSS JOIN TUNE.O_SITE AS SITE
CROSS JOIN TUNE.CONSTANT AS CONST
WHERE W.IMPLICIT_PCT >= SITE.HIGH_PCT AND W.IMPLICIT_COMPILATIONS >= CONST.FEW_EVENTS
