/*---
rule: memory.area-oversized
title: A memory area takes most of the database memory
lane: condition
severity: low
takes_effect: immediately
judged_by: config
needs: [dbcfg.VALUE]
object: DATABASE
confidence: 0.3
defers_to:
  - {rule: memory.over-limit, within: any}
  - {rule: memory.stmm-off-or-ineffective, within: any}
  - {rule: memory.package-cache-miss, within: any}
  - {rule: memory.catalog-cache-miss, within: any}
thresholds:
  part: {default: 0.5, from: own, why: 'half of DATABASE_MEMORY: the rest must hold buffer pools, locks and sorts'}
  grown_pages: {default: 262144, from: own, why: '1 GB: a database memory that is AUTOMATIC grows with smaller areas'}
actions:
  - when: NEW_VALUE IS NOT NULL
    set: {kind: DBCFG, name: '{AREA:text}', from: '{PAGES}', to: '{NEW_VALUE:text}', unit: 4 KB pages}
  - when: NEW_VALUE IS NULL
    manual: 'Set a smaller {AREA:text}.'
    undo: {manual: 'Set {AREA:text} to {PAGES} again.'}
finding: >-
  {AREA:text} has {PAGES} pages, {PART_PCT} % of the database memory ({DATABASE_MEMORY} pages).
evidence: ['{AREA:text}=PAGES', DATABASE_MEMORY]
query: db2 get db cfg for <database> show detail
references:
  - IBM documentation of database_memory (r0006017), pckcachesz (r0000266) and catalogcache_sz (r0000338)
  - IBM documentation of dbheap (r0000276) and sortheap (r0000259)
why: >-
  Buffer pools, lock list, caches and sorts share DATABASE_MEMORY. A cache or heap that was set to most of it leaves
  little for buffer pools; often a size in bytes or KB was entered as pages of 4 KB.
not_if: >-
  The area is AUTOMATIC, has less than half of the database memory (or less than 1 GB while DATABASE_MEMORY is
  AUTOMATIC, which grows on demand), is pending or differs between members; the size of DATABASE_MEMORY is not known;
  private sorts (SHEAPTHRES above 0), which are not part of it; all areas together exceed the limit
  (memory.over-limit).
---*/
SELECT
    UPPER(S.NAME) AS AREA,
    S.NUM AS PAGES,
    D.NUM AS DATABASE_MEMORY,
    100 * CAST(S.NUM AS DOUBLE) / NULLIF(D.NUM, 0) AS PART_PCT,
    CASE
        WHEN S.NAME = 'catalogcache_sz' THEN '-1'
        WHEN S.NAME = 'dbheap' THEN 'AUTOMATIC'
        WHEN S.NAME = 'pckcachesz' AND M.SWITCH = 'ON' AND M.WANTED = 1 THEN 'AUTOMATIC'
    END AS NEW_VALUE
FROM TUNE.SETTING AS S
INNER JOIN TUNE.SETTING AS D ON D.SCOPE = 'DB' AND D.NAME = 'database_memory' AND D.DIFFERS = 0 AND D.PENDING = 0
LEFT JOIN TUNE.SETTING AS P ON P.SCOPE = 'DBM' AND P.NAME = 'sheapthres'
CROSS JOIN TUNE.STMM AS M
CROSS JOIN TUNE.O_MEMORY_AREA_OVERSIZED AS O
WHERE
    S.SCOPE = 'DB' AND S.FIXED = 1
    AND (
        S.NAME IN ('catalogcache_sz', 'dbheap', 'pckcachesz') OR (S.NAME = 'sortheap' AND COALESCE(P.NUM, 0) = 0)
    )
    AND D.NUM > 0
    AND S.NUM >= O.PART * D.NUM
    AND (D.AUTOMATIC = 0 OR S.NUM >= O.GROWN_PAGES)
