-- rule:      os.large-pages-aix
-- title:     Database memory could lie in larger pages
-- area:      os
-- lane:      P
-- effect:    HR
-- risk:      medium
-- applies:   platform=AIX; not=managed
-- evidence:  load
-- claims:    PROCESSING
-- yields:    memory.overcommit@any, bufferpool.never-sized@any, bufferpool.hit-ratio-low@any
-- after:     bufferpool.dedicate-hot-tablespace, bufferpool.hit-ratio-low, bufferpool.never-sized, log.buffer-full,
--            memory.sort-overflow
-- needs:     host.lgpg_regions, dbcfg.VALUE, registry.REG_VAR_VALUE, system.MEMORY_TOTAL, system.CPU_USAGE_TOTAL,
--            memory_set.DB_NAME, workload.TOTAL_CPU_TIME
-- threshold: min_database_gb = 32 -- [prop] the paper's small machine had its gain from 64 KB pages already
-- threshold: min_huge_gb = 256 -- [prop] 16 GB pages were measured with 473 GB; fewer gain too little for the work
-- threshold: min_cpu_pct = 60 -- [prop] percent that the processors are busy; below it there is little to gain
-- threshold: margin_pct = 3 -- [prop] what segments round up to; too few pages, and the database does not use them
-- threshold: max_free_pct = 20 -- [prop] of the 16 MB pages; with more unused, their number is to be set right first
-- threshold: max_memory_pct = 96 -- [seed 003] 473 of 512 GB and the margin; pinned pages are lost to all others
-- source:    003_ca7f1162fd1d3e57.txt; IBM documentation "Enabling large page support (AIX)" (t0010405), "Pinning Db2
--            database shared memory (AIX)" and of vmo
-- why:       A processor keeps the places of few pages at hand. The larger the pages, the more of the buffer pool is
--            reached without looking up where it lies: the paper had 8 % more throughput with 16 MB than with 64 KB
--            pages, and 3 % more with 16 GB.
-- not-if:    DB2_LARGE_PAGE_MEM is set otherwise or waits; DATABASE_MEMORY is AUTOMATIC, changes at the next
--            activation, or is computed differently on the members; another database is active; less than 32 GB (256
--            GB for the second step, before which most 16 MB pages must be in use); processors below 60 %; the pages
--            would take more than 96 % of the memory.
-- note:      From Db2 9.1 on 64 KB pages need no setting, so they are advised to older levels as an upgrade only. STMM
--            does not size a database in large pages (IBM), so a computed size is written down as it is. The paper's
--            gains are scaled by size of memory as it measured them for 64 KB. Newer AIX joins 64 KB pages by itself
--            (VPLSS), so confidence is low from 10.1 on. The manual calls 16 GB pages rarely used.
WITH SETTING AS (
    SELECT
        MAX(VALUE) AS VALUE,
        MIN(CASE WHEN VALUE = 'DB' AND NEXT_VALUE = 'DB' THEN 1 ELSE 0 END) AS IS_DB,
        COUNT(CASE WHEN LENGTH('x' || COALESCE(VALUE, '') || COALESCE(NEXT_VALUE, '')) > 1 THEN 1 END) AS SETTINGS
    FROM TUNE.CONFIG
    WHERE SCOPE = 'REG' AND NAME = 'DB2_LARGE_PAGE_MEM'
),
STEP AS (
    SELECT
        K.*,
        D.INSTANCE_NAME,
        D.DB2_LEVEL,
        'UPDATE DB CFG FOR ' || D.DB_NAME || ' USING DATABASE_MEMORY ' AS COMMAND,
        CASE
            WHEN D.DB2_LEVEL < 9010000 THEN CASE WHEN K.SHM_PAGE = 's' THEN 64 END
            WHEN
                K.FIXED = 0 OR K.OTHERS > 0 OR K.LARGE_PAGES < K.LARGE_PAGES_FREE
                OR K.CPU_USAGE_TOTAL < O.MIN_CPU_PCT THEN CAST(NULL AS INTEGER)
            WHEN S.SETTINGS = 0 AND (K.COMPUTED = 0 OR K.MEMBER_PAGES > 0)
                THEN CASE WHEN K.DATABASE_MB >= 1024 * O.MIN_DATABASE_GB THEN 16384 END
            WHEN
                S.IS_DB = 1 AND K.SHM_PAGE = 'L' AND K.LARGE_PAGES > 0
                AND 100 * K.LARGE_PAGES_FREE < O.MAX_FREE_PCT * K.LARGE_PAGES
                THEN CASE WHEN K.DATABASE_MB >= 1024 * O.MIN_HUGE_GB THEN 16777216 END
        END AS NEW_PAGE_KB,
        O.MARGIN_PCT,
        O.MAX_MEMORY_PCT
    FROM TUNE.HOST_KERNEL AS K
    CROSS JOIN SETTING AS S
    CROSS JOIN TUNE.RUN_DATABASE AS D
    CROSS JOIN TUNE.O_OS_LARGE_PAGES_AIX AS O
),
SIZED AS (
    SELECT
        STEP.*,
        COALESCE(STEP.LARGE_PAGES - STEP.LARGE_PAGES_FREE, 0) AS USED_PAGES,
        CAST(CEIL(ROUND(
            (100 + CASE NEW_PAGE_KB WHEN 16384 THEN MARGIN_PCT ELSE 0 END) * DATABASE_KB
            / CAST(NULLIF(100 * CAST(NEW_PAGE_KB AS BIGINT), 0) AS DOUBLE), 6
        )) AS BIGINT) AS NEED_PAGES,
        -- 8 % and 3 % where 64 KB pages brought 13 %
        CASE NEW_PAGE_KB WHEN 64 THEN 1 WHEN 16384 THEN 0.6154 ELSE 0.2308 END * PAGE_GAIN AS GAIN
    FROM STEP
    WHERE NEW_PAGE_KB > 0 AND DATABASE_KB > 0
),
CHANGE AS (
    SELECT
        SIZED.*,
        GREATEST(LARGE_PAGES, USED_PAGES + NEED_PAGES) AS NEW_PAGES,
        GAIN / CAST(NULLIF(1 + GAIN, 0) AS DOUBLE) AS RECOVER,
        OWNER_CAPABILITIES
        || CASE WHEN OWNER_CAPABILITIES LIKE '%CAP_BYPASS_RAC_VMM%' THEN '' ELSE ',CAP_BYPASS_RAC_VMM' END
        || CASE WHEN OWNER_CAPABILITIES LIKE '%CAP_PROPAGATE%' THEN '' ELSE ',CAP_PROPAGATE' END
            AS CAPABILITIES
    FROM SIZED
)
SELECT
    'HOST' AS OBJECT_TYPE,
    C.HOST_NAME AS OBJECT_NAME,
    CAST(NULL AS SMALLINT) AS MEMBER,
    T.CPU_PCT * C.HOST_SHARE AS CLAIMED_PCT,
    0.3 * C.RECOVER AS RECOVER_LOW,
    C.RECOVER AS RECOVER_EXPECTED,
    1.3 * C.RECOVER AS RECOVER_HIGH,
    CASE WHEN C.DB2_LEVEL < 10010000 THEN CAST(0.6 AS DOUBLE) ELSE CAST(0.3 AS DOUBLE) END AS CONFIDENCE,
    'REGISTRY:DB2_LARGE_PAGE_MEM' || CASE WHEN C.NEW_PAGE_KB = 16777216 THEN ':DB:16GB' ELSE '' END AS TARGET,
    CASE C.NEW_PAGE_KB WHEN 64 THEN '4 KB' WHEN 16777216 THEN '16 MB' END AS CURRENT_VALUE,
    CASE C.NEW_PAGE_KB WHEN 64 THEN '64 KB' WHEN 16384 THEN '16 MB' ELSE '16 GB' END AS PROPOSED_VALUE,
    'page size' AS UNIT,
    CAST(0 AS BIGINT) AS MEMORY_DELTA_KB,
    CASE C.NEW_PAGE_KB
        WHEN 64
            THEN '-- Upgrade to Db2 9.1 or later on AIX 5.3 TL04 or later: 64 KB pages are then used without a setting.'
        WHEN 16384
            THEN 'vmo -r -o lgpg_regions=' || CAST(C.NEW_PAGES AS VARCHAR(20)) || ' -o lgpg_size=16777216' || CHR(10)
            || '-- Run bosboot -a and restart AIX. The pages are pinned: see that nothing else pages afterwards.'
            || CASE
                WHEN C.V_PINSHM = 1 THEN ''
                WHEN C.V_PINSHM = 0 THEN CHR(10) || 'vmo -p -o v_pinshm=1'
                ELSE CHR(10) || '-- Shared memory must be allowed to be pinned: vmo -p -o v_pinshm=1'
            END
            || CASE
                WHEN C.OWNER_CAPABILITIES = 'none'
                    THEN CHR(10) || 'chuser capabilities=CAP_BYPASS_RAC_VMM,CAP_PROPAGATE ' || C.INSTANCE_NAME
                WHEN C.CAPABILITIES <> C.OWNER_CAPABILITIES
                    THEN CHR(10) || 'chuser capabilities=' || C.CAPABILITIES || ' ' || C.INSTANCE_NAME
                WHEN C.OWNER_CAPABILITIES IS NULL
                    THEN CHR(10) || '-- ' || C.INSTANCE_NAME
                    || ' needs the capabilities CAP_BYPASS_RAC_VMM and CAP_PROPAGATE beside those it has (chuser).'
                ELSE ''
            END
            || CASE WHEN C.COMPUTED = 1 THEN CHR(10) || C.COMMAND || CAST(C.MEMBER_PAGES AS VARCHAR(20)) ELSE '' END
            || CHR(10) || 'db2set DB2_LARGE_PAGE_MEM=DB'
        ELSE
            '-- Give the partition ' || CAST(C.NEED_PAGES AS VARCHAR(20))
            || ' pages of 16 GB in its profile (HMC), in exchange for ordinary memory; restart it.' || CHR(10)
            || 'db2set DB2_LARGE_PAGE_MEM=DB:16GB' || CHR(10) || 'vmo -r -o lgpg_regions=0 -o lgpg_size=0'
    END AS ACTION_TEXT,
    CASE C.NEW_PAGE_KB
        WHEN 64 THEN '-- An upgrade is not undone.'
        WHEN 16384
            THEN 'db2set DB2_LARGE_PAGE_MEM='
            || CASE WHEN C.COMPUTED = 1 THEN CHR(10) || C.COMMAND || 'COMPUTED' ELSE '' END
            || CASE
                WHEN C.OWNER_CAPABILITIES = 'none' THEN CHR(10) || 'chuser capabilities= ' || C.INSTANCE_NAME
                WHEN C.CAPABILITIES <> C.OWNER_CAPABILITIES
                    THEN CHR(10) || 'chuser capabilities=' || C.OWNER_CAPABILITIES || ' ' || C.INSTANCE_NAME
                ELSE ''
            END
            || CASE WHEN C.V_PINSHM = 0 THEN CHR(10) || 'vmo -p -o v_pinshm=0' ELSE '' END
            || CHR(10) || 'vmo -r -o lgpg_regions=' || CAST(C.LARGE_PAGES AS VARCHAR(20)) || ' -o lgpg_size='
            || CAST(COALESCE(C.LGPG_SIZE, 0) AS VARCHAR(20))
        ELSE
            'vmo -r -o lgpg_regions=' || CAST(C.LARGE_PAGES AS VARCHAR(20)) || ' -o lgpg_size='
            || CAST(C.LGPG_SIZE AS VARCHAR(20)) || CHR(10) || 'db2set DB2_LARGE_PAGE_MEM=DB' || CHR(10)
            || '-- Take the 16 GB pages out of the partition''s profile.'
    END AS UNDO_TEXT,
    'DATABASE_MEMORY_mb=' || CAST(C.DATABASE_MB AS VARCHAR(20))
    || '; shm_page=' || COALESCE(C.SHM_PAGE, 'not known')
    || COALESCE('; lgpg_regions=' || CAST(C.LARGE_PAGES AS VARCHAR(20)), '')
    || COALESCE('; lgpg_free=' || CAST(C.LARGE_PAGES_FREE AS VARCHAR(20)), '')
    || COALESCE('; CPU_USAGE_TOTAL=' || CAST(C.CPU_USAGE_TOTAL AS VARCHAR(20)), '')
    || '; TOTAL_CPU_TIME_pct=' || CAST(CAST(ROUND(T.CPU_PCT, 2) AS DECIMAL(9, 2)) AS VARCHAR(20)) AS EVIDENCE,
    'The ' || CAST(C.DATABASE_MB AS VARCHAR(20)) || ' MB of the database lie in '
    || CASE C.NEW_PAGE_KB
        WHEN 64 THEN '4 KB pages, which Db2 9.1 replaces by 64 KB pages.'
        WHEN 16384
            THEN 'pages of 64 KB or less; they would fit into '
            || CAST(CAST(CEIL(CAST(C.DATABASE_KB AS DOUBLE) / 16384) AS BIGINT) AS VARCHAR(20))
            || ' pages of 16 MB, ' || CAST(C.NEED_PAGES AS VARCHAR(20)) || ' with a margin of '
            || CAST(CAST(ROUND(C.MARGIN_PCT, 1) AS DECIMAL(9, 1)) AS VARCHAR(20)) || ' %.'
        ELSE '16 MB pages; they would fit into ' || CAST(C.NEED_PAGES AS VARCHAR(20)) || ' pages of 16 GB.'
    END AS FINDING,
    CAST(0 AS DOUBLE) AS CLAIM_2_PCT,
    CAST(0 AS DOUBLE) AS CLAIM_3_PCT
FROM CHANGE AS C
CROSS JOIN TUNE.DATABASE_TIME AS T
WHERE
    T.CPU_PCT > 0
    AND (
        C.NEW_PAGE_KB <> 16384
        OR 100 * (C.USED_PAGES + C.NEED_PAGES) * C.NEW_PAGE_KB <= C.MAX_MEMORY_PCT * 1024 * C.MEMORY_TOTAL
    )
    AND (C.NEW_PAGE_KB <> 16777216 OR 100 * C.NEED_PAGES * 16384 <= C.MAX_MEMORY_PCT * C.MEMORY_TOTAL)
