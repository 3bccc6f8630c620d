-- rule:       os.large-pages-aix
-- title:      Database memory could lie in larger pages
-- area:       os
-- lane:       P
-- effect:     HR
-- risk:       medium
-- applies:    platform=AIX; not=managed
-- judged-by:  load
-- claims:     PROCESSING <= 13
-- recover:    0.3, 1, 1
-- confidence: 0.3
-- yields:     memory.overcommit@host, bufferpool.never-sized@any, bufferpool.hit-ratio-low@any
-- after:      bufferpool.dedicate-hot-tablespace, bufferpool.hit-ratio-low, bufferpool.never-sized, log.buffer-full,
--             memory.sort-overflow
-- needs:      host.lgpg_regions, dbcfg.VALUE, registry.REG_VAR_VALUE, system.MEMORY_TOTAL, system.CPU_USAGE_TOTAL,
--             memory_set.DB_NAME, workload.TOTAL_CPU_TIME
-- threshold:  min_database_gb = 32 -- [prop] the paper's small machine had its gain from 64 KB pages already
-- threshold:  min_huge_gb = 256 -- [prop] 16 GB pages were measured with 473 GB; fewer gain too little for the work
-- threshold:  min_cpu_pct = 60 -- [prop] percent that the processors are busy; below it there is little to gain
-- threshold:  margin_pct = 3 -- [prop] what segments round up to; too few pages, and the database does not use them
-- threshold:  max_free_pct = 20 -- [prop] of the 16 MB pages; with more unused, their number is to be set right first
-- threshold:  max_memory_pct = 96 -- [seed 003] 473 of 512 GB and the margin; pinned pages are lost to all others
-- object:     HOST {HOST_NAME:text}
-- by-hand:    when NEW_PAGE_KB = 64: Upgrade to Db2 9.1 or later on AIX 5.3 TL04 or later: 64 KB pages are then used
--             without a setting.
-- undo-by-hand: An upgrade is not undone.
-- by-hand:    when NEW_PAGE_KB = 16777216: Give the partition {NEED_PAGES} pages of 16 GB in its profile (HMC), in
--             exchange for ordinary memory; restart it.
-- undo-by-hand: Take the 16 GB pages out of the partition's profile.
-- set:        when NEW_PAGE_KB = 16384: LARGE_PAGES: {LARGE_PAGES} of {LGPG_SIZE} bytes -> {NEW_PAGES} of
--             {NEW_LGPG_SIZE} bytes
-- do:         when NEW_PAGE_KB = 16384: vmo -r -o lgpg_regions={NEW_PAGES} -o lgpg_size={NEW_LGPG_SIZE}
-- undo:       vmo -r -o lgpg_regions={LARGE_PAGES} -o lgpg_size={LGPG_SIZE}
-- by-hand:    when NEW_PAGE_KB = 16384: Run bosboot -a and restart AIX. The pages are pinned: see that nothing else
--             pages afterwards.
-- set:        when NEW_PAGE_KB = 16384 AND V_PINSHM = 0: v_pinshm: {V_PINSHM} -> 1
-- by-hand:    when NEW_PAGE_KB = 16384 AND V_PINSHM IS NULL: Shared memory must be allowed to be pinned: vmo -p -o
--             v_pinshm=1
-- set:        when NEW_PAGE_KB = 16384: USER {INSTANCE_NAME:text} capabilities: {CAPABILITIES:text} ->
--             {NEW_CAPABILITIES:text}
-- by-hand:    when NEW_PAGE_KB = 16384 AND NEW_CAPABILITIES IS NULL: {INSTANCE_NAME:text} needs the capabilities
--             CAP_BYPASS_RAC_VMM and CAP_PROPAGATE beside those it has (chuser).
-- set:        when NEW_PAGE_KB = 16384 AND COMPUTED = 1: DBCFG DATABASE_MEMORY: COMPUTED -> {MEMBER_PAGES} (4 KB pages)
-- set:        when NEW_PAGE_KB = 16384: REGISTRY DB2_LARGE_PAGE_MEM: -> DB
-- set:        when NEW_PAGE_KB = 16777216: REGISTRY DB2_LARGE_PAGE_MEM: DB -> DB:16GB
-- set:        when NEW_PAGE_KB = 16777216: LARGE_PAGES: {LARGE_PAGES} of {LGPG_SIZE} bytes -> {NEW_PAGES} of
--             {NEW_LGPG_SIZE} bytes
-- do:         when NEW_PAGE_KB = 16777216: vmo -r -o lgpg_regions={NEW_PAGES} -o lgpg_size={NEW_LGPG_SIZE}
-- undo:       vmo -r -o lgpg_regions={LARGE_PAGES} -o lgpg_size={LGPG_SIZE}
-- finding:    when NEW_PAGE_KB = 64: The {DATABASE_MB} MB of the database lie in 4 KB pages, which Db2 9.1 replaces by
--             64 KB pages.
-- finding:    else when NEW_PAGE_KB = 16384: The {DATABASE_MB} MB of the database lie in pages of 64 KB or less; they
--             would fit into {BARE_PAGES} pages of 16 MB, {NEED_PAGES} with a margin of {MARGIN_PCT:1} %.
-- finding:    else: The {DATABASE_MB} MB of the database lie in 16 MB pages; they would fit into {NEED_PAGES} pages of
--             16 GB.
-- evidence:   DATABASE_MEMORY_mb=DATABASE_MB, shm_page=SHM_PAGE:text, lgpg_regions=LARGE_PAGES?,
--             lgpg_free=LARGE_PAGES_FREE?, CPU_USAGE_TOTAL?, TOTAL_CPU_TIME_pct=CPU_PCT:2
-- source:     003_ca7f1162fd1d3e57.txt (8 % more throughput with 16 MB pages, 3 % with 16 GB, 13 % with 64 KB); IBM
--             documentation "Enabling large page support (AIX)" (t0010405), "Pinning Db2 database shared memory (AIX)"
--             and of vmo
-- why:        A processor keeps the places of few pages at hand. The larger the pages, the more of the buffer pool is
--             reached without looking up where it lies: the paper had 8 % more throughput with 16 MB than with 64 KB
--             pages, and 3 % more with 16 GB.
-- not-if:     DB2_LARGE_PAGE_MEM is set otherwise or waits; DATABASE_MEMORY is AUTOMATIC, changes at the next
--             activation, or is computed differently on the members; another database is active; less than 32 GB (256
--             GB for the second step, before which most 16 MB pages must be in use); processors below 60 %; the pages
--             would take more than 96 % of the memory.
-- note:       From Db2 9.1 on 64 KB pages need no setting, so they are advised to older levels as an upgrade only.
--             STMM does not size a database in large pages (IBM), so a computed size is written down as it is. The
--             paper's gains are scaled by size of memory as it measured them for 64 KB. Newer AIX joins 64 KB pages by
--             itself (VPLSS), one more reason for low confidence. The manual calls 16 GB pages rarely used.
WITH STEP AS (
    SELECT
        K.*,
        D.INSTANCE_NAME,
        D.DB2_LEVEL,
        O.MARGIN_PCT,
        O.MAX_MEMORY_PCT,
        CASE
            WHEN D.DB2_LEVEL < 9010000 THEN CASE WHEN K.SHM_PAGE = 's' THEN 64 END
            WHEN
                K.FIXED = 0 OR K.OTHERS > 0 OR K.LARGE_PAGES IS NULL OR K.LARGE_PAGES < K.LARGE_PAGES_FREE
                OR K.CPU_USAGE_TOTAL < O.MIN_CPU_PCT THEN CAST(NULL AS INTEGER)
            WHEN COALESCE(R.IS_SET, 0) = 0 AND (K.COMPUTED = 0 OR K.MEMBER_PAGES > 0)
                THEN CASE WHEN K.DATABASE_MB >= 1024 * O.MIN_DATABASE_GB THEN 16384 END
            WHEN
                R.FIXED = 1 AND R.VALUE = 'DB' AND K.SHM_PAGE = 'L' AND K.LARGE_PAGES > 0
                AND 100 * K.LARGE_PAGES_FREE < O.MAX_FREE_PCT * K.LARGE_PAGES
                THEN CASE WHEN K.DATABASE_MB >= 1024 * O.MIN_HUGE_GB THEN 16777216 END
        END AS NEW_PAGE_KB
    FROM TUNE.HOST_KERNEL AS K
    CROSS JOIN TUNE.RUN_DATABASE AS D
    CROSS JOIN TUNE.O_OS_LARGE_PAGES_AIX AS O
    LEFT JOIN TUNE.SETTING AS R ON R.SCOPE = 'REG' AND R.NAME = 'DB2_LARGE_PAGE_MEM'
),
SIZED AS (
    SELECT
        S.*,
        COALESCE(S.LARGE_PAGES - S.LARGE_PAGES_FREE, 0) AS USED_PAGES,
        CAST(CEIL(ROUND(
            (100 + CASE S.NEW_PAGE_KB WHEN 16384 THEN S.MARGIN_PCT ELSE 0 END) * S.DATABASE_KB
            / CAST(NULLIF(100 * CAST(S.NEW_PAGE_KB AS BIGINT), 0) AS DOUBLE), 6
        )) AS BIGINT) AS NEED_PAGES,
        -- 8 % and 3 % where 64 KB pages brought 13 %
        CASE S.NEW_PAGE_KB WHEN 64 THEN 1 WHEN 16384 THEN 0.6154 ELSE 0.2308 END * S.PAGE_GAIN AS GAIN
    FROM STEP AS S
    WHERE S.NEW_PAGE_KB > 0 AND S.DATABASE_KB > 0
)
SELECT
    S.HOST_NAME,
    S.INSTANCE_NAME,
    S.NEW_PAGE_KB,
    S.DATABASE_MB,
    S.MEMBER_PAGES,
    S.COMPUTED,
    S.SHM_PAGE,
    S.V_PINSHM,
    S.CPU_USAGE_TOTAL,
    S.MARGIN_PCT,
    S.NEED_PAGES,
    CEIL(CAST(S.DATABASE_KB AS DOUBLE) / 16384) AS BARE_PAGES,
    S.LARGE_PAGES,
    S.LARGE_PAGES_FREE,
    COALESCE(S.LGPG_SIZE, 0) AS LGPG_SIZE,
    CASE S.NEW_PAGE_KB WHEN 16384 THEN GREATEST(S.LARGE_PAGES, S.USED_PAGES + S.NEED_PAGES) ELSE 0 END AS NEW_PAGES,
    CASE S.NEW_PAGE_KB WHEN 16384 THEN 16777216 ELSE 0 END AS NEW_LGPG_SIZE,
    CASE WHEN S.OWNER_CAPABILITIES <> 'none' THEN S.OWNER_CAPABILITIES END AS CAPABILITIES,
    CASE
        WHEN S.OWNER_CAPABILITIES = 'none' THEN 'CAP_BYPASS_RAC_VMM,CAP_PROPAGATE'
        ELSE S.OWNER_CAPABILITIES
            || CASE WHEN S.OWNER_CAPABILITIES LIKE '%CAP_BYPASS_RAC_VMM%' THEN '' ELSE ',CAP_BYPASS_RAC_VMM' END
            || CASE WHEN S.OWNER_CAPABILITIES LIKE '%CAP_PROPAGATE%' THEN '' ELSE ',CAP_PROPAGATE' END
    END AS NEW_CAPABILITIES,
    T.CPU_PCT,
    T.CPU_PCT * S.HOST_SHARE * S.GAIN / CAST(NULLIF(1 + S.GAIN, 0) AS DOUBLE) AS CLAIM_PROCESSING
FROM SIZED AS S
CROSS JOIN TUNE.DATABASE_TIME AS T
WHERE
    T.CPU_PCT > 0
    AND CASE S.NEW_PAGE_KB
        WHEN 64 THEN 0
        WHEN 16384 THEN 100 * (S.USED_PAGES + S.NEED_PAGES) * 16
        ELSE 100 * S.NEED_PAGES * 16384
    END <= S.MAX_MEMORY_PCT * S.MEMORY_TOTAL
