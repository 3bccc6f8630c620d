/*---
rule: memory.literal-statements
title: 'Literals in SQL: each statement is compiled separately'
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
actions:
  - when: CONCENTRATED = 0
    set: {kind: DBCFG, name: STMT_CONC, from: '{STMT_CONC:text}', to: LITERALS}
  - choose:
      - when: CONCENTRATED = 0
        manual: >-
          Parameter markers in the application are the better solution. Connections whose statements need literals for a
          good access plan can switch the concentrator off (StmtConcentrator=OFF).
      - when: STMT_CONC IS NULL
        manual: >-
          Use parameter markers in the statements, or let Db2 add them if STMT_CONC is OFF and one access plan fits all
          values: UPDATE DB CFG USING STMT_CONC LITERALS
      - manual: >-
          Use parameter markers in the statements. The concentrator ignores statements that mix literals with markers,
          or that differ in more than literals, such as lists of different length.
  - when: CONCENTRATED IS NULL OR CONCENTRATED = 1
    manual: >-
      Find the statements: SELECT CAST(SUBSTR(STMT_TEXT, 1, 60) AS VARCHAR(60)) AS BEGINNING, COUNT(*) AS STATEMENTS
      FROM TABLE(MON_GET_PKG_CACHE_STMT('D', NULL, NULL, -2)) AS T GROUP BY CAST(SUBSTR(STMT_TEXT, 1, 60) AS
      VARCHAR(60)) ORDER BY STATEMENTS DESC FETCH FIRST 20 ROWS ONLY
finding: >-
  Compiling takes {COMPILE_PCT:1} % of database time: {MISS_PCT} % of {LOOKUPS} statements were not in the package
  cache, {COMPILE_MS:2} ms each. A larger cache will not help: most statement texts are new.[ {LITERAL_TEXTS} of the
  {NEW_TEXTS} newest texts have literals.]
evidence: [STMT_CONC:text, PCKCACHESZ:text, PKG_CACHE_LOOKUPS=LOOKUPS, PKG_CACHE_INSERTS=INSERTS,
  TOTAL_COMPILE_PROC_TIME_pct=COMPILE_PCT:2, 'TOTAL_IMPLICIT_COMPILATIONS=IMPLICIT_COMPILATIONS?']
references:
  - IBM documentation of stmt_conc (r0054239) and the statement concentrator (c0054137)
why: >-
  To the package cache, a statement with another literal is another statement. Db2 compiles it and removes one that was
  in use. With STMT_CONC LITERALS all of them share one entry and one plan.
not_if: >-
  Compiling takes less than 10 % of database time; fewer than half of the lookups miss, unless the cache is self-tuned
  or has 512 MB: their misses are new statements, however many others hit; a fixed cache has less than 16 MB, or the
  cache overflowed, because it may be too small; all texts that are known, or the newest, have parameter markers; half
  of the compilations are implicit (these statements were prepared before); STMT_CONC is pending or differs between
  members; the workload is analytics, which needs a plan for each value.
note: >-
  The rule concludes from missed lookups that statements are new, with less confidence below one miss in two. It counts
  the part with literals of the texts that are newer than the interval; if these are unknown, all. The manual warns that
  one plan may not fit all values.
---*/
WITH TEXT_COUNT AS (
    SELECT
        COUNT(*) AS TEXTS,
        SUM(X.MARKED) AS MARKED,
        SUM(X.NEW) AS NEW_TEXTS,
        SUM(CASE WHEN X.NEW = 1 THEN X.MARKED ELSE 0 END) AS NEW_MARKED
    FROM (
        SELECT
            CASE WHEN INSTR(L.STMT_TEXT, '?') > 0 AND INSTR(L.STMT_TEXT, '''') = 0 THEN 1 ELSE 0 END AS MARKED,
            CASE WHEN L.CACHED_S < SPAN.SECONDS THEN 1 ELSE 0 END AS NEW
        FROM TUNE.L_STATEMENT AS L
        CROSS JOIN TUNE.RUN_WINDOW AS SPAN
        WHERE L.STMT_TEXT IS NOT NULL
    ) AS X
),
LITERAL AS (
    SELECT
        CASE WHEN C.NEW_TEXTS >= CONST.SEVERAL THEN C.NEW_TEXTS END AS NEW_TEXTS,
        C.NEW_TEXTS - C.NEW_MARKED AS LITERAL_TEXTS,
        CASE
            WHEN C.NEW_TEXTS >= CONST.SEVERAL THEN 1 - CAST(C.NEW_MARKED AS DOUBLE) / NULLIF(C.NEW_TEXTS, 0)
            WHEN C.TEXTS >= CONST.SEVERAL AND C.MARKED = C.TEXTS THEN 0
            ELSE 1
        END AS LITERAL_PART
    FROM TEXT_COUNT AS C
    CROSS JOIN TUNE.CONSTANT AS CONST
)
SELECT
    S.VALUE AS STMT_CONC,
    CASE WHEN S.VALUE = 'OFF' THEN 0 WHEN S.VALUE IS NOT NULL THEN 1 END AS CONCENTRATED,
    CASE WHEN P.AUTOMATIC = 1 THEN 'AUTOMATIC' ELSE P.VALUE END AS PCKCACHESZ,
    W.LOOKUPS,
    W.INSERTS,
    W.MISS_PCT,
    W.COMPILE_PCT,
    W.IMPLICIT_COMPILATIONS,
    FLOOR(T.LITERAL_PART * LEAST(W.INSERTS, W.COMPILATIONS)) AS NEW_STATEMENTS,
    T.LITERAL_TEXTS,
    T.NEW_TEXTS,
    W.COMPILE_MS,
    CASE WHEN W.MISS_PCT >= CONST.NEW_STATEMENT_PCT AND S.VALUE = 'OFF' THEN 0.6 ELSE 0.3 END AS CONFIDENCE
FROM TUNE.COMPILE_WORK AS W
CROSS JOIN TUNE.STMM AS M
CROSS JOIN TUNE.WORKLOAD_CLASS AS K
CROSS JOIN TUNE.O_SITE AS SITE
CROSS JOIN TUNE.CONSTANT AS CONST
CROSS JOIN LITERAL AS T
LEFT JOIN TUNE.SETTING AS S ON S.SCOPE = 'DB' AND S.NAME = 'stmt_conc'
LEFT JOIN TUNE.SETTING AS P ON P.SCOPE = 'DB' AND P.NAME = 'pckcachesz'
WHERE
    COALESCE(S.FIXED, 1) = 1
    AND K.CLASS <> 'BI'
    AND T.LITERAL_PART * W.COMPILE_PCT >= SITE.MAJOR_PCT
    AND W.INSERTS >= CONST.FEW_EVENTS
    -- if statements in use do not fit, the cache is too small
    AND W.EVICTS = 0
    AND (
        (P.AUTOMATIC = 1 AND P.PENDING = 0 AND M.ACTIVE = 1)
        OR P.NUM >= CONST.PACKAGE_PAGES
        OR (
            W.MISS_PCT >= CONST.NEW_STATEMENT_PCT
            AND (P.FIXED = 0 OR P.NUM IS NULL OR P.NUM >= CONST.SMALL_CACHE_PAGES)
        )
    )
