-- rule:      os.large-pages-linux
-- title:     Database memory lies in small pages
-- area:      os
-- lane:      P
-- effect:    IR
-- risk:      medium
-- applies:   platform=Linux; not=managed
-- evidence:  load
-- claims:    PROCESSING
-- yields:    memory.overcommit@any, bufferpool.never-sized@any, bufferpool.hit-ratio-low@any
-- after:     bufferpool.dedicate-hot-tablespace, bufferpool.hit-ratio-low, bufferpool.never-sized, log.buffer-full,
--            memory.sort-overflow
-- needs:     host.hugepage_kb, dbcfg.VALUE, registry.REG_VAR_VALUE, system.MEMORY_TOTAL, memory_set.DB_NAME,
--            workload.TOTAL_CPU_TIME
-- threshold: min_database_gb = 8 -- [prop] a smaller database needs few page table entries
-- threshold: min_page_table_pct = 1 -- [prop] percent of memory taken by page tables; with more, a smaller database too
-- threshold: min_cpu_pct = 30 -- [prop] percent of database time on processors; below it there is little to gain
-- threshold: margin_pct = 3 -- [prop] what segments round up to; too few pages, and none of them is used
-- threshold: max_memory_pct = 90 -- [prop] large pages cannot be paged out; the rest of the host needs memory too
-- source:    002_e991ec30bbd9209f.txt, section 5.4 and appendix A; 003_ca7f1162fd1d3e57.txt (gain by size of memory);
--            IBM documentation "Enabling large page support" (t0010405) and of database_memory
-- why:       A processor keeps the places of few pages at hand. With 2 MB pages it finds the buffer pool with a
--            five-hundredth of the entries, and the kernel keeps no page table of every process for it.
-- not-if:    DB2_LARGE_PAGE_MEM is set or waits; DATABASE_MEMORY is AUTOMATIC (with large pages STMM no longer sizes
--            it), changes at the next activation, or is computed differently on the members; another database is
--            active; the hypervisor takes memory back; a container; the pages would take 90 % of the host.
-- note:      The gain is that of the paper for AIX, 4 KB to 64 KB pages, by size of memory (5 % at 18 GB, 13 % at
--            473 GB): medium confidence. IBM says for AIX that STMM leaves the total alone and that a size should
--            be given; that Linux is no different is assumed, so a computed size is written down as it is.
WITH CANDIDATE AS (
    SELECT
        K.*,
        K.PAGE_GAIN / CAST(NULLIF(1 + K.PAGE_GAIN, 0) AS DOUBLE) AS RECOVER,
        K.LARGE_PAGES - K.LARGE_PAGES_FREE AS USED_PAGES,
        CAST(CEIL(ROUND(
            (100 + O.MARGIN_PCT) * K.DATABASE_KB / CAST(NULLIF(100 * K.LARGE_PAGE_KB, 0) AS DOUBLE), 6
        )) AS BIGINT) AS NEED_PAGES
    FROM TUNE.HOST_KERNEL AS K
    CROSS JOIN TUNE.O_OS_LARGE_PAGES_LINUX AS O
    LEFT JOIN TUNE.HOST_GUEST AS G ON K.HOST_NAME = G.HOST_NAME
    LEFT JOIN TUNE.HOST_FACT AS V ON K.HOST_NAME = V.HOST AND V.FACT_KEY = 'virtual' AND V.ITEM = 'type'
    WHERE
        K.FIXED = 1
        AND (K.COMPUTED = 0 OR K.MEMBER_PAGES > 0)
        AND K.OTHERS = 0
        AND K.LARGE_PAGES >= K.LARGE_PAGES_FREE
        AND COALESCE(G.BALLOON_MB, 0) + COALESCE(G.HOST_SWAP_MB, 0) = 0
        AND COALESCE(V.VALUE, 'none') <> 'docker'
        AND (
            K.DATABASE_KB >= O.MIN_DATABASE_GB * 1048576
            OR 100 * K.PAGETABLES_MB >= O.MIN_PAGE_TABLE_PCT * K.MEMORY_TOTAL
        )
),
SIZED AS (
    SELECT
        C.*,
        GREATEST(C.LARGE_PAGES, C.USED_PAGES + C.NEED_PAGES) AS NEW_PAGES
    FROM CANDIDATE AS C
    CROSS JOIN TUNE.O_OS_LARGE_PAGES_LINUX AS O
    WHERE
        C.NEED_PAGES > 0
        AND 100 * (C.USED_PAGES + C.NEED_PAGES) * C.LARGE_PAGE_KB < O.MAX_MEMORY_PCT * 1024 * C.MEMORY_TOTAL
),
SETTING AS (
    SELECT COUNT(*) AS SETTINGS
    FROM TUNE.CONFIG
    WHERE
        SCOPE = 'REG' AND NAME = 'DB2_LARGE_PAGE_MEM'
        AND LENGTH('x' || COALESCE(VALUE, '') || COALESCE(NEXT_VALUE, '')) > 1
)
SELECT
    'HOST' AS OBJECT_TYPE,
    S.HOST_NAME AS OBJECT_NAME,
    CAST(NULL AS SMALLINT) AS MEMBER,
    T.CPU_PCT * S.HOST_SHARE AS CLAIMED_PCT,
    0.3 * S.RECOVER AS RECOVER_LOW,
    S.RECOVER AS RECOVER_EXPECTED,
    1.3 * S.RECOVER AS RECOVER_HIGH,
    CAST(0.6 AS DOUBLE) AS CONFIDENCE,
    'REGISTRY:DB2_LARGE_PAGE_MEM' AS TARGET,
    CAST(NULL AS VARCHAR(1024)) AS CURRENT_VALUE,
    'DB' AS PROPOSED_VALUE,
    'page size' AS UNIT,
    CAST(0 AS BIGINT) AS MEMORY_DELTA_KB,
    CASE
        WHEN S.NEW_PAGES > S.LARGE_PAGES
            THEN 'sysctl -w vm.nr_hugepages=' || CAST(S.NEW_PAGES AS VARCHAR(20)) || CHR(10)
            || '-- Keep it in /etc/sysctl.d: vm.nr_hugepages = ' || CAST(S.NEW_PAGES AS VARCHAR(20))
            || '; restart the host where memory is too scattered for so many.' || CHR(10)
        ELSE ''
    END
    || '-- The instance owner needs memlock unlimited (/etc/security/limits.d) and the group of vm.hugetlb_shm_group.'
    || CASE
        WHEN S.COMPUTED = 1
            THEN CHR(10) || 'UPDATE DB CFG FOR ' || D.DB_NAME || ' USING DATABASE_MEMORY '
            || CAST(S.MEMBER_PAGES AS VARCHAR(20))
        ELSE ''
    END
    || CHR(10) || 'db2set DB2_LARGE_PAGE_MEM=DB' AS ACTION_TEXT,
    'db2set DB2_LARGE_PAGE_MEM='
    || CASE
        WHEN S.COMPUTED = 1 THEN CHR(10) || 'UPDATE DB CFG FOR ' || D.DB_NAME || ' USING DATABASE_MEMORY COMPUTED'
        ELSE ''
    END
    || CASE
        WHEN S.NEW_PAGES > S.LARGE_PAGES
            THEN CHR(10) || 'sysctl -w vm.nr_hugepages=' || CAST(S.LARGE_PAGES AS VARCHAR(20))
        ELSE ''
    END AS UNDO_TEXT,
    'DATABASE_MEMORY_mb=' || CAST(S.DATABASE_MB AS VARCHAR(20))
    || '; huge_page_kb=' || CAST(S.LARGE_PAGE_KB AS VARCHAR(20))
    || '; huge_pages=' || CAST(S.LARGE_PAGES AS VARCHAR(20))
    || '; huge_pages_free=' || CAST(S.LARGE_PAGES_FREE AS VARCHAR(20))
    || COALESCE('; page_tables_mb=' || CAST(S.PAGETABLES_MB AS VARCHAR(20)), '')
    || '; TOTAL_CPU_TIME_pct=' || CAST(CAST(ROUND(T.CPU_PCT, 2) AS DECIMAL(9, 2)) AS VARCHAR(20)) AS EVIDENCE,
    'The ' || CAST(S.DATABASE_MB AS VARCHAR(20)) || ' MB of the database lie in '
    || CAST(S.PAGE_KB AS VARCHAR(20)) || ' KB pages; processors take '
    || CAST(CAST(ROUND(T.CPU_PCT, 0) AS BIGINT) AS VARCHAR(20)) || ' % of database time.' AS FINDING,
    CAST(0 AS DOUBLE) AS CLAIM_2_PCT,
    CAST(0 AS DOUBLE) AS CLAIM_3_PCT
FROM SIZED AS S
CROSS JOIN SETTING
CROSS JOIN TUNE.RUN_DATABASE AS D
CROSS JOIN TUNE.DATABASE_TIME AS T
CROSS JOIN TUNE.O_OS_LARGE_PAGES_LINUX AS O
WHERE SETTING.SETTINGS = 0 AND T.CPU_PCT >= O.MIN_CPU_PCT
