/*---
rule: os.large-pages-missized
title: Large page pool does not fit the database
lane: condition
takes_effect: host change
applies: {platform: [Linux, AIX]}
steps_need: host
judged_by: host
needs: [dbcfg.VALUE, registry.REG_VAR_VALUE, system.MEMORY_TOTAL, memory_set.DB_NAME]
object: HOST {HOST_NAME:text}
confidence: CONFIDENCE
defers_to:
  - {rule: os.large-pages-linux, within: object}
  - {rule: os.large-pages-aix, within: object}
after: [bufferpool.dedicate-hot-tablespace, bufferpool.hit-ratio-low, bufferpool.never-sized, log.buffer-full,
  memory.sort-overflow]
thresholds:
  min_idle_pct: {default: 1, from: own, why: percent of memory in an unused pool; a smaller one does no harm}
actions:
  - when: NEW_PAGES = 0
    manual: >-
      Find out first why the pages were reserved: a stopped program, or one that a cluster would start here, may need
      them.
  - when: PLATFORM = 'Linux' AND NEW_PAGES > LARGE_PAGES AND ALONE = 1
    command: db2stop
    undo: {command: db2start}
  - when: PLATFORM = 'Linux' AND NEW_PAGES > LARGE_PAGES AND ALONE = 0
    manual: >-
      Stop the instance on all hosts (db2stop). Its memory must be free before the pages are reserved, or the host
      swaps.
    undo: {manual: Start the instance again.}
  - when: PLATFORM = 'Linux'
    set: {name: vm.nr_hugepages, from: '{LARGE_PAGES}', to: '{NEW_PAGES}', unit: large pages}
  - {when: PLATFORM = 'Linux', manual: 'Keep it in /etc/sysctl.d: vm.nr_hugepages = {NEW_PAGES}'}
  - when: PLATFORM = 'AIX'
    set: {name: LARGE_PAGES, from: '{LARGE_PAGES} of {LGPG_SIZE} bytes', to: '{NEW_PAGES} of {NEW_LGPG_SIZE} bytes'}
  - when: PLATFORM = 'AIX'
    command: vmo -r -o lgpg_regions={NEW_PAGES} -o lgpg_size={NEW_LGPG_SIZE}
    undo: {command: 'vmo -r -o lgpg_regions={LARGE_PAGES} -o lgpg_size={LGPG_SIZE}'}
  - {when: PLATFORM = 'AIX', manual: Run bosboot -a and restart AIX.}
  - when: PLATFORM = 'Linux' AND NEW_PAGES > LARGE_PAGES AND ALONE = 1
    command: db2start
    undo: {command: db2stop}
  - when: PLATFORM = 'Linux' AND NEW_PAGES > LARGE_PAGES AND ALONE = 0
    manual: Start the instance (db2start), so that the database uses the pages.
    undo: {manual: Stop the instance.}
finding:
  - choose:
      - {when: NEW_PAGES = 0, text: '{LARGE_PAGES} large pages are reserved and none is used.'}
      - when: NEW_PAGES > LARGE_PAGES
        text: The database's {DATABASE_MB} MB do not fit in {LARGE_PAGES} large pages of {LARGE_PAGE_KB} KB.
      - >-
        {LARGE_PAGES_FREE} of {LARGE_PAGES} large pages are free while the database is active: {IDLE_MB} MB are pinned
        and unused.
query: grep Huge /proc/meminfo
evidence: [large_pages=LARGE_PAGES, large_pages_free=LARGE_PAGES_FREE, large_page_kb=LARGE_PAGE_KB,
  'DATABASE_MEMORY_mb=DATABASE_MB?', DB2_LARGE_PAGE_MEM=LARGE_PAGE_MEM:text]
references:
  - vmware-netapp, section 5.4 (note)
  - power5 ("extreme caution")
why: >-
  Memory in the pool is pinned for large pages only: excess pages make the rest of the host page. With too few, the
  database falls back to small pages and the whole pool is unused, or it does not start.
not_if: >-
  The sizes are unknown; DATABASE_MEMORY is AUTOMATIC or pending, or DB2_LARGE_PAGE_MEM takes effect at the next
  db2start; another database is active; DB2_LARGE_PAGE_MEM is not set and other programs use the pool, or it will be
  used, or has less than 1 % of memory.
note: >-
  The rule finds a pool that is too small from the sizes, not from messages in db2diag.log. It does not judge 16 GB
  pages (AIX), which vmo does not report.
---*/
WITH POOL AS (
    SELECT
        K.*,
        K.LARGE_PAGES - K.LARGE_PAGES_FREE AS USED_PAGES,
        COALESCE(R.IS_SET, 0) AS IS_SET,
        COALESCE(R.FIXED, 0) AS SETTLED,
        R.VALUE AS LARGE_PAGE_MEM,
        CAST(CEIL(ROUND(
            (100 + CONST.PAGE_MARGIN_PCT) * K.DATABASE_KB / CAST(NULLIF(100 * K.LARGE_PAGE_KB, 0) AS DOUBLE), 6
        )) AS BIGINT) AS NEED_PAGES
    FROM TUNE.HOST_KERNEL AS K
    CROSS JOIN TUNE.CONSTANT AS CONST
    LEFT JOIN TUNE.SETTING AS R ON R.SCOPE = 'REG' AND R.NAME = 'DB2_LARGE_PAGE_MEM'
    WHERE K.LARGE_PAGES > 0 AND K.LARGE_PAGE_KB > 0 AND K.LARGE_PAGES >= K.LARGE_PAGES_FREE
),
JUDGED AS (
    SELECT
        P.*,
        CASE
            WHEN P.IS_SET = 0 OR (P.SETTLED = 1 AND P.LARGE_PAGE_MEM = 'DB:16GB')
                THEN CASE WHEN P.USED_PAGES = 0 THEN 0 END
            WHEN
                P.SETTLED = 0 OR P.LARGE_PAGE_MEM NOT IN ('DB', '*') OR P.FIXED = 0 OR P.OTHERS > 0
                OR P.DATABASE_KB <= 0 THEN CAST(NULL AS BIGINT)
            WHEN P.LARGE_PAGES * P.LARGE_PAGE_KB < P.DATABASE_KB THEN P.NEED_PAGES
            WHEN P.USED_PAGES > 0 AND 100 * P.LARGE_PAGES_FREE >= CONST.UNUSED_PAGE_PCT * P.LARGE_PAGES
                THEN GREATEST(P.USED_PAGES, P.NEED_PAGES)
        END AS NEW_PAGES
    FROM POOL AS P
    CROSS JOIN TUNE.CONSTANT AS CONST
)
SELECT
    J.HOST_NAME,
    D.PLATFORM,
    CASE WHEN D.TOPOLOGY = 'single' THEN 1 ELSE 0 END AS ALONE,
    CASE WHEN J.NEW_PAGES = 0 THEN 0.6 ELSE 0.9 END AS CONFIDENCE,
    J.LARGE_PAGES,
    J.LARGE_PAGES_FREE,
    J.LARGE_PAGE_KB,
    1024 * J.LARGE_PAGE_KB AS LGPG_SIZE,
    J.DATABASE_MB,
    J.NEW_PAGES,
    CASE WHEN J.NEW_PAGES = 0 THEN 0 ELSE 1024 * J.LARGE_PAGE_KB END AS NEW_LGPG_SIZE,
    FLOOR(CAST((J.LARGE_PAGES - J.NEW_PAGES) * J.LARGE_PAGE_KB AS DOUBLE) / 1024) AS IDLE_MB,
    CASE WHEN J.SETTLED = 1 AND J.LARGE_PAGE_MEM IN ('DB', '*') THEN 'DB' ELSE 'not set' END AS LARGE_PAGE_MEM
FROM JUDGED AS J
CROSS JOIN TUNE.RUN_DATABASE AS D
CROSS JOIN TUNE.O_OS_LARGE_PAGES_MISSIZED AS O
CROSS JOIN TUNE.CONSTANT AS CONST
WHERE
    J.NEW_PAGES >= 0
    AND J.NEW_PAGES <> J.LARGE_PAGES
    AND (J.NEW_PAGES > 0 OR 100 * J.LARGE_PAGES * J.LARGE_PAGE_KB >= O.MIN_IDLE_PCT * 1024 * J.MEMORY_TOTAL)
    AND (
        J.NEW_PAGES < J.LARGE_PAGES
        OR 100 * J.NEW_PAGES * J.LARGE_PAGE_KB <= CONST.LARGE_PAGE_PCT * 1024 * J.MEMORY_TOTAL
    )
