/*---
rule: memory.implicit-compiles
title: Statements that had been prepared are compiled again
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
thresholds:
  min_pct: {default: 5, from: own, why: percent of database time; now and then a statement is compiled again}
  min_compilations: {default: 100, from: own, why: fewer follow a single change}
actions:
  - manual: >-
      Find out what makes them invalid: RUNSTATS, DDL, GRANT and REVOKE do it to all statements on their tables, so run
      them outside of work. REOPT ALWAYS compiles at each execution. Rebind packages that are not valid: SELECT
      PKGSCHEMA, PKGNAME, VALID, REOPTVAR FROM SYSCAT.PACKAGES WHERE VALID <> 'Y' OR REOPTVAR = 'A'
    undo: {manual: Nothing is changed by looking.}
finding: >-
  {IMPLICIT_COMPILATIONS} statements were compiled although the application had prepared them before, {IMPLICIT_MS:2} ms
  each, in {IMPLICIT_PCT:1} % of database time.
evidence: [TOTAL_IMPLICIT_COMPILATIONS=IMPLICIT_COMPILATIONS, TOTAL_IMPLICIT_COMPILE_PROC_TIME_pct=IMPLICIT_PCT:2,
  'PKG_CACHE_NUM_OVERFLOWS=OVERFLOWS?']
references:
  - IBM documentation of total_implicit_compile_proc_time and of REBIND
why: >-
  A statement whose access plan is no longer valid, or was thrown out of the package cache, is compiled when it is
  executed next, while the application waits.
not_if: It takes less than 5 % of database time; fewer than 100; a package cache that is too small is advised.
note: What made a statement invalid Db2 does not tell afterwards, so a person must look.
---*/
SELECT
    W.IMPLICIT_COMPILATIONS,
    W.IMPLICIT_MS,
    W.IMPLICIT_PCT,
    W.OVERFLOWS
FROM TUNE.COMPILE_WORK AS W
CROSS JOIN TUNE.O_MEMORY_IMPLICIT_COMPILES AS O
WHERE W.IMPLICIT_PCT >= O.MIN_PCT AND W.IMPLICIT_COMPILATIONS >= O.MIN_COMPILATIONS
