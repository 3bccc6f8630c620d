/*---
rule: memory.package-cache-small
title: Package cache is far below Db2's own choice (PCKCACHESZ)
lane: condition
severity: low
takes_effect: immediately
judged_by: config
needs: [dbcfg.VALUE]
object: DATABASE
confidence: 0.3
defers_to:
  - {rule: memory.package-cache-miss, within: any}
  - {rule: memory.implicit-compiles, within: any}
  - {rule: memory.stmm-off-or-ineffective, within: any}
thresholds:
  pages_each: {default: 2, from: own, why: 'pages per application: a quarter of what -1 gives; benchmarks have half'}
actions:
  - set: {kind: DBCFG, name: PCKCACHESZ, from: '{PCKCACHESZ}', to: '{NEW_VALUE:text}', unit: 4 KB pages}
finding: 'PCKCACHESZ is {PCKCACHESZ} pages. With MAXAPPLS {MAXAPPLS} Db2 would choose {COMPUTED} (-1).'
evidence: [PCKCACHESZ, MAXAPPLS]
query: db2 get db cfg for <database> show detail
references:
  - IBM documentation of pckcachesz (r0000266)
why: >-
  The cache keeps the compiled form of statements for all sessions. If it is too small, sessions compile the same
  statements again and again. -1 is eight times MAXAPPLS, Db2's default before self-tuning memory.
not_if: >-
  AUTOMATIC, -1 or at least two pages per application; pending; members differ; MAXAPPLS or SELF_TUNING_MEM is not
  known; compiling was measured (memory.package-cache-miss gives the size).
---*/
SELECT
    S.NUM AS PCKCACHESZ,
    A.NUM AS MAXAPPLS,
    8 * A.NUM AS COMPUTED,
    CASE WHEN M.SWITCH = 'ON' AND M.WANTED = 1 THEN 'AUTOMATIC' ELSE '-1' END AS NEW_VALUE
FROM TUNE.SETTING AS S
INNER JOIN TUNE.SETTING AS A ON A.SCOPE = 'DB' AND A.NAME = 'maxappls' AND A.PENDING = 0 AND A.NUM > 0
CROSS JOIN TUNE.STMM AS M
CROSS JOIN TUNE.O_MEMORY_PACKAGE_CACHE_SMALL AS O
WHERE
    S.SCOPE = 'DB' AND S.NAME = 'pckcachesz' AND S.FIXED = 1 AND S.NUM > 0
    AND S.NUM < O.PAGES_EACH * A.NUM
    AND M.SWITCH IS NOT NULL
