/*---
rule: memory.literal-statements
title: Statements that differ only in their literals are compiled one by one
lane: performance
takes_effect: immediately
risk: medium
applies: {workload: [oltp, mixed]}
judged_by: load
needs: [dbcfg.VALUE, workload.TOTAL_COMPILE_PROC_TIME, workload.PKG_CACHE_LOOKUPS, workload.PKG_CACHE_INSERTS]
object: DATABASE
claims: {COMPILE: {events: NEW_STATEMENTS, cost_ms: COMPILE_MS}}
recover: [0.2, 0.5, 0.8]
confidence: CONFIDENCE
thresholds:
  min_compile_pct: {default: 10, from: own, why: for less of the time nobody should risk other access plans}
  min_new: {default: 100, from: own, why: fewer new statements are a deployment or a person}
  new_pct: {default: 50, from: own, why: 'where every other lookup misses, most statements are new, whatever the cache'}
  some_new_pct: {default: 10, from: own, why: misses of a cache that is as large as it should be are new statements}
  enough_pages: {default: 131072, from: own, why: what misses in 512 MB is new each time}
actions:
  - when: CONCENTRATED = 0
    set: {kind: DBCFG, name: STMT_CONC, from: '{STMT_CONC:text}', to: LITERALS}
  - choose:
      - when: CONCENTRATED = 0
        manual: >-
          Parameter markers in the application are better still. Where a statement needs its literals for a good access
          plan, its connections switch the concentrator off (StmtConcentrator=OFF).
      - when: STMT_CONC IS NULL
        manual: >-
          Give the statements parameter markers, or let Db2 do it: UPDATE DB CFG USING STMT_CONC LITERALS, where it is
          OFF and one access plan fits all values.
      - manual: >-
          Give the statements parameter markers. The concentrator leaves those alone that mix literals with markers, or
          differ in more than literals, as lists of another length.
  - when: CONCENTRATED IS NULL OR CONCENTRATED = 1
    manual: >-
      Find them: SELECT CAST(SUBSTR(STMT_TEXT, 1, 60) AS VARCHAR(60)) AS BEGINNING, COUNT(*) AS STATEMENTS FROM
      TABLE(MON_GET_PKG_CACHE_STMT('D', NULL, NULL, -2)) AS T GROUP BY CAST(SUBSTR(STMT_TEXT, 1, 60) AS VARCHAR(60))
      ORDER BY STATEMENTS DESC FETCH FIRST 20 ROWS ONLY
    undo: {manual: Nothing is changed by looking.}
finding: >-
  Compiling takes {COMPILE_PCT:1} % of database time: {MISS_PCT} % of {LOOKUPS} statements were not in the package
  cache, {COMPILE_MS:2} ms each. A larger cache does not hold what is new each time.
evidence: [STMT_CONC:text, PCKCACHESZ:text, PKG_CACHE_LOOKUPS=LOOKUPS, PKG_CACHE_INSERTS=INSERTS,
  TOTAL_COMPILE_PROC_TIME_pct=COMPILE_PCT:2, 'TOTAL_IMPLICIT_COMPILATIONS=IMPLICIT_COMPILATIONS?']
references:
  - IBM documentation of stmt_conc (r0054239) and of the statement concentrator (c0054137)
why: >-
  For the package cache a statement with another literal is another statement, so it is compiled again, and throws out
  one that was in use. With STMT_CONC LITERALS all of them share one entry, and one plan.
not_if: >-
  Compiling takes less than 10 % of database time; fewer than half of the lookups miss, or than a tenth in a cache that
  is self-tuned or has 512 MB; half of the compilations are implicit: these statements were prepared before; STMT_CONC
  is pending or differs between members; the workload is analysis, where a plan must fit its values.
note: >-
  No text is compared: that the statements are new is concluded from lookups that miss, with less confidence below one
  in two. The manual warns that one plan may not fit all values.
---*/
SELECT
    S.VALUE AS STMT_CONC,
    CASE WHEN S.VALUE = 'OFF' THEN 0 WHEN S.VALUE IS NOT NULL THEN 1 END AS CONCENTRATED,
    CASE WHEN P.AUTOMATIC = 1 THEN 'AUTOMATIC' ELSE P.VALUE END AS PCKCACHESZ,
    W.LOOKUPS,
    W.INSERTS,
    W.MISS_PCT,
    W.COMPILE_PCT,
    W.IMPLICIT_COMPILATIONS,
    LEAST(W.INSERTS, W.COMPILATIONS) AS NEW_STATEMENTS,
    W.COMPILE_MS,
    CASE WHEN W.MISS_PCT >= O.NEW_PCT AND S.VALUE = 'OFF' THEN 0.6 ELSE 0.3 END AS CONFIDENCE
FROM TUNE.COMPILE_WORK AS W
CROSS JOIN TUNE.STMM AS M
CROSS JOIN TUNE.WORKLOAD_CLASS AS K
CROSS JOIN TUNE.O_MEMORY_LITERAL_STATEMENTS AS O
LEFT JOIN TUNE.SETTING AS S ON S.SCOPE = 'DB' AND S.NAME = 'stmt_conc'
LEFT JOIN TUNE.SETTING AS P ON P.SCOPE = 'DB' AND P.NAME = 'pckcachesz'
WHERE
    COALESCE(S.FIXED, 1) = 1
    AND K.CLASS <> 'BI'
    AND W.COMPILE_PCT >= O.MIN_COMPILE_PCT
    AND W.INSERTS >= O.MIN_NEW
    AND 2 * COALESCE(W.IMPLICIT_COMPILATIONS, 0) < W.INSERTS
    AND (
        W.MISS_PCT >= O.NEW_PCT
        OR (
            W.MISS_PCT >= O.SOME_NEW_PCT
            AND ((P.AUTOMATIC = 1 AND P.PENDING = 0 AND M.ACTIVE = 1) OR P.NUM >= O.ENOUGH_PAGES)
        )
    )
