/*---
rule: os.large-pages-linux
title: Database memory uses small pages
lane: performance
takes_effect: instance restart
risk: medium
applies: {platform: [Linux]}
steps_need: host
judged_by: load
needs: [host.hugepage_kb, dbcfg.VALUE, registry.REG_VAR_VALUE, system.MEMORY_TOTAL, memory_set.DB_NAME,
  workload.TOTAL_CPU_TIME]
object: HOST {HOST_NAME:text}
claims: {PROCESSING: {at_most_pct: 5}}
recover: [0.3, 1, 1]
confidence: 0.3
defers_to:
  - {rule: memory.overcommit, within: host}
  - {rule: bufferpool.never-sized, within: any}
  - {rule: bufferpool.hit-ratio-low, within: any}
after: [bufferpool.dedicate-hot-tablespace, bufferpool.hit-ratio-low, bufferpool.never-sized, log.buffer-full,
  memory.sort-overflow]
thresholds:
  min_database_gb: {default: 8, from: own, why: a smaller database needs few page table entries}
  min_page_table_pct:
    default: 1
    from: own
    why: percent of memory used by page tables; above it a smaller database qualifies too
  min_cpu_pct: {default: 30, from: own, why: CPU percent of database time; below it there is little to gain}
  max_memory_pct:
    default: 90
    from: own
    why: large pages cannot be paged out, and the rest of the host needs memory too
actions:
  - when: COMPUTED = 1 AND PLACE = 1
    set: {kind: DBCFG, name: DATABASE_MEMORY, from: COMPUTED, to: '{MEMBER_PAGES}', unit: 4 KB pages}
  - when: IN_POD = 0 AND NEW_PAGES > LARGE_PAGES AND ALONE = 0
    manual: >-
      Stop the instance on all hosts (db2stop). Its memory must be free before the pages are reserved, or the host
      swaps.
    undo: {manual: Start the instance again.}
  - when: IN_POD = 0 AND NEW_PAGES > LARGE_PAGES AND ALONE = 1
    command: db2stop
    undo: {command: db2start}
  - when: IN_POD = 0
    set: {name: vm.nr_hugepages, from: '{LARGE_PAGES}', to: '{NEW_PAGES}', unit: large pages}
  - when: IN_POD = 1
    manual: >-
      Set resources.limits.{POD_LIMIT:text} of the database pod to {POD_MB}Mi. The worker needs that many free huge
      pages. The pod restarts.
    undo: {manual: 'Remove resources.limits.{POD_LIMIT:text} of the database pod.'}
  - when: IN_POD = 0 AND NEW_PAGES > LARGE_PAGES
    manual: >-
      Check the number of pages (grep HugePages_Total /proc/meminfo). If it is lower, memory is fragmented: set
      {LARGE_PAGES} again, start Db2, and let the next boot of the host set {NEW_PAGES}.
  - {when: IN_POD = 0 AND NEW_PAGES > LARGE_PAGES, manual: 'Keep it in /etc/sysctl.d: vm.nr_hugepages = {NEW_PAGES}'}
  - when: IN_POD = 0
    manual: >-
      Set memlock unlimited for the instance owner (/etc/security/limits.d), and add it to the group in
      vm.hugetlb_shm_group.
  - when: PLACE = 1 AND HOSTS > 1
    manual: >-
      Reserve the pages on the other hosts too before Db2 uses them: {HOSTS} hosts need them, and the recommendation for
      each gives its number.
  - when: PLACE = 1
    set: {kind: REGISTRY, name: DB2_LARGE_PAGE_MEM, to: DB}
  - when: PLACE > 1
    manual: >-
      DB2_LARGE_PAGE_MEM applies to all hosts: set it once, with the recommendation for {FIRST_HOST:text}, when each
      host has its pages.
  - when: IN_POD = 0 AND NEW_PAGES > LARGE_PAGES AND ALONE = 1
    command: db2start
    undo: {command: db2stop}
  - when: IN_POD = 0 AND NEW_PAGES > LARGE_PAGES AND ALONE = 0
    manual: Start the instance (db2start).
    undo: {manual: Stop the instance.}
finding: The {DATABASE_MB} MB of the database use {PAGE_KB} KB pages. CPU takes {CPU_PCT} % of database time.
evidence: [DATABASE_MEMORY_mb=DATABASE_MB, huge_page_kb=LARGE_PAGE_KB, huge_pages=LARGE_PAGES,
  huge_pages_free=LARGE_PAGES_FREE, 'page_tables_mb=PAGETABLES_MB?', TOTAL_CPU_TIME_pct=CPU_PCT:2]
references:
  - vmware-netapp, section 5.4 and appendix A
  - power5 (gain by size of memory)
  - IBM documentation "Enabling large page support" (t0010405) and database_memory
why: >-
  A processor caches the addresses of few pages. With 2 MB pages the buffer pool needs one five-hundredth of the
  entries, and the kernel keeps no page tables for it in every process.
not_if: >-
  DB2_LARGE_PAGE_MEM is set or pending; DATABASE_MEMORY is AUTOMATIC (STMM does not size it with large pages), pending,
  or computed differently on the members; another database is active; the hypervisor reclaims memory; a container,
  except a pod of Db2uInstance; the pages would take 90 % of the host.
note: >-
  The gain is the paper's for AIX, 4 KB to 64 KB pages, by memory size (5 % at 18 GB, 13 % at 473 GB). It is scaled and
  limited to 5 % on other processors: low confidence. IBM states for AIX that STMM leaves the total alone and that a
  size should be set. The rule assumes the same on Linux, so a computed size is set explicitly.
---*/
WITH SIZED AS (
    SELECT
        K.*,
        K.PAGE_GAIN / CAST(NULLIF(1 + K.PAGE_GAIN, 0) AS DOUBLE) AS EXPECTED,
        K.LARGE_PAGES - K.LARGE_PAGES_FREE
        + CAST(CEIL(ROUND(
            (100 + CONST.PAGE_MARGIN_PCT) * K.DATABASE_KB / CAST(NULLIF(100 * K.LARGE_PAGE_KB, 0) AS DOUBLE), 6
        )) AS BIGINT) AS NEED_PAGES,
        CASE WHEN W.RUNS_ON = 'db2u' THEN 1 ELSE 0 END AS IN_POD
    FROM TUNE.HOST_KERNEL AS K
    CROSS JOIN TUNE.O_OS_LARGE_PAGES_LINUX AS O
    CROSS JOIN TUNE.CONSTANT AS CONST
    LEFT JOIN TUNE.HOST_GUEST AS G ON K.HOST_NAME = G.HOST_NAME
    LEFT JOIN TUNE.SETTING AS R ON R.SCOPE = 'REG' AND R.NAME = 'DB2_LARGE_PAGE_MEM'
    LEFT JOIN TUNE.RUNS_ON AS W ON W.RUNS_ON = 'db2u'
    WHERE
        K.FIXED = 1
        AND (K.COMPUTED = 0 OR K.MEMBER_PAGES > 0)
        AND K.DATABASE_KB > 0
        AND K.OTHERS = 0
        AND K.LARGE_PAGES >= K.LARGE_PAGES_FREE
        AND COALESCE(G.BALLOON_MB, 0) + COALESCE(G.HOST_SWAP_MB, 0) = 0
        -- a pod requests its huge pages from the worker
        AND (K.TYPE <> 'docker' OR (W.RUNS_ON = 'db2u' AND K.LARGE_PAGE_KB = 2048))
        AND COALESCE(R.IS_SET, 0) = 0
        AND (
            K.DATABASE_KB >= O.MIN_DATABASE_GB * 1048576
            OR 100 * K.PAGETABLES_MB >= O.MIN_PAGE_TABLE_PCT * K.MEMORY_TOTAL
        )
)
SELECT
    S.HOST_NAME,
    S.DATABASE_MB,
    S.PAGE_KB,
    S.LARGE_PAGE_KB,
    S.LARGE_PAGES,
    S.LARGE_PAGES_FREE,
    S.PAGETABLES_MB,
    S.COMPUTED,
    S.MEMBER_PAGES,
    S.IN_POD,
    CASE WHEN S.LARGE_PAGE_KB = 1048576 THEN 'hugepages-1Gi' ELSE 'hugepages-2Mi' END AS POD_LIMIT,
    CAST((S.NEED_PAGES - S.LARGE_PAGES + S.LARGE_PAGES_FREE) * S.LARGE_PAGE_KB AS DOUBLE) / 1024 AS POD_MB,
    GREATEST(S.LARGE_PAGES, S.NEED_PAGES) AS NEW_PAGES,
    -- one host, and one member: a failed start of the instance there stops no other
    CASE WHEN D.TOPOLOGY = 'single' THEN 1 ELSE 0 END AS ALONE,
    -- two recommendations cannot set one variable
    ROW_NUMBER() OVER (ORDER BY S.HOST_NAME) AS PLACE,
    COUNT(*) OVER () AS HOSTS,
    MIN(S.HOST_NAME) OVER () AS FIRST_HOST,
    T.CPU_PCT,
    T.CPU_PCT * S.HOST_SHARE * S.EXPECTED AS CLAIM_PROCESSING
FROM SIZED AS S
CROSS JOIN TUNE.DATABASE_TIME AS T
CROSS JOIN TUNE.RUN_DATABASE AS D
CROSS JOIN TUNE.O_OS_LARGE_PAGES_LINUX AS O
WHERE
    100 * S.NEED_PAGES * S.LARGE_PAGE_KB < O.MAX_MEMORY_PCT * 1024 * S.MEMORY_TOTAL
    AND T.CPU_PCT >= O.MIN_CPU_PCT
