-- rule:      os.large-pages-missized
-- title:     The pool of large pages does not fit the database
-- area:      os
-- lane:      S
-- effect:    HR
-- applies:   platform=Linux,AIX; not=managed
-- evidence:  host
-- yields:    os.large-pages-linux@object, os.large-pages-aix@object
-- after:     bufferpool.dedicate-hot-tablespace, bufferpool.hit-ratio-low, bufferpool.never-sized, log.buffer-full,
--            memory.sort-overflow
-- needs:     dbcfg.VALUE, registry.REG_VAR_VALUE, system.MEMORY_TOTAL, memory_set.DB_NAME
-- threshold: max_free_pct = 20 -- [prop] percent of the pool that nobody uses although the database is active
-- threshold: margin_pct = 3 -- [prop] what segments round up to
-- threshold: max_memory_pct = 96 -- [seed 003] a pool that takes more leaves too little for everything else
-- source:    002_e991ec30bbd9209f.txt, section 5.4 (note); 003_ca7f1162fd1d3e57.txt ("extreme caution")
-- why:       Memory in the pool is pinned and good for nothing else: what is too much makes the rest of the host
--            page. With too few, the database falls back to small pages and the whole pool lies idle, or it does
--            not start.
-- not-if:    The sizes are not known; DATABASE_MEMORY is AUTOMATIC or about to change, or the setting waits for
--            db2start; another database is active; other programs use an unset pool, or it will be used.
-- note:      A pool that is too small is known from the sizes, not from the messages in db2diag.log. That of 16 GB
--            pages (AIX) is not known to vmo and not judged.
WITH SETTING AS (
    SELECT
        COUNT(CASE WHEN LENGTH('x' || COALESCE(VALUE, '') || COALESCE(NEXT_VALUE, '')) > 1 THEN 1 END) AS SETTINGS,
        MIN(CASE WHEN VALUE IN ('DB', '*') AND NEXT_VALUE = VALUE THEN 1 ELSE 0 END) AS USES,
        MIN(CASE WHEN VALUE = 'DB:16GB' AND NEXT_VALUE = VALUE THEN 1 ELSE 0 END) AS HUGE
    FROM TUNE.CONFIG
    WHERE SCOPE = 'REG' AND NAME = 'DB2_LARGE_PAGE_MEM'
),
POOL AS (
    SELECT
        K.*,
        K.LARGE_PAGES - K.LARGE_PAGES_FREE AS USED_PAGES,
        S.USES,
        CAST(CEIL(ROUND(
            (100 + O.MARGIN_PCT) * K.DATABASE_KB / CAST(NULLIF(100 * K.LARGE_PAGE_KB, 0) AS DOUBLE), 6
        )) AS BIGINT) AS NEED_PAGES,
        CASE WHEN S.SETTINGS = 0 OR S.HUGE = 1 THEN 1 ELSE 0 END AS UNUSED
    FROM TUNE.HOST_KERNEL AS K
    CROSS JOIN SETTING AS S
    CROSS JOIN TUNE.O_OS_LARGE_PAGES_MISSIZED AS O
    WHERE K.LARGE_PAGES > 0 AND K.LARGE_PAGE_KB > 0 AND K.LARGE_PAGES >= K.LARGE_PAGES_FREE
),
JUDGED AS (
    SELECT
        P.*,
        CASE
            WHEN P.UNUSED = 1 THEN CASE WHEN P.USED_PAGES = 0 THEN 0 END
            WHEN P.USES = 0 OR P.FIXED = 0 OR P.OTHERS > 0 OR P.DATABASE_KB <= 0 THEN CAST(NULL AS BIGINT)
            WHEN P.LARGE_PAGES * P.LARGE_PAGE_KB < P.DATABASE_KB THEN P.NEED_PAGES
            WHEN P.USED_PAGES > 0 AND 100 * P.LARGE_PAGES_FREE >= O.MAX_FREE_PCT * P.LARGE_PAGES
                THEN GREATEST(P.USED_PAGES, P.NEED_PAGES)
        END AS NEW_PAGES
    FROM POOL AS P
    CROSS JOIN TUNE.O_OS_LARGE_PAGES_MISSIZED AS O
)
SELECT
    'HOST' AS OBJECT_TYPE,
    J.HOST_NAME AS OBJECT_NAME,
    CAST(NULL AS SMALLINT) AS MEMBER,
    CAST(0 AS DOUBLE) AS CLAIMED_PCT,
    CAST(0 AS DOUBLE) AS RECOVER_LOW,
    CAST(0 AS DOUBLE) AS RECOVER_EXPECTED,
    CAST(0 AS DOUBLE) AS RECOVER_HIGH,
    CAST(0.9 AS DOUBLE) AS CONFIDENCE,
    'HOST:' || J.HOST_NAME || ':LARGE_PAGES' AS TARGET,
    CAST(J.LARGE_PAGES AS VARCHAR(20)) AS CURRENT_VALUE,
    CAST(J.NEW_PAGES AS VARCHAR(20)) AS PROPOSED_VALUE,
    'large pages' AS UNIT,
    CAST(0 AS BIGINT) AS MEMORY_DELTA_KB,
    CASE
        WHEN D.PLATFORM = 'AIX'
            THEN 'vmo -r -o lgpg_regions=' || CAST(J.NEW_PAGES AS VARCHAR(20)) || ' -o lgpg_size='
            || CASE WHEN J.NEW_PAGES = 0 THEN '0' ELSE CAST(J.LGPG_SIZE AS VARCHAR(20)) END || CHR(10)
            || '-- Run bosboot -a and restart AIX.'
        ELSE
            'sysctl -w vm.nr_hugepages=' || CAST(J.NEW_PAGES AS VARCHAR(20)) || CHR(10)
            || '-- Keep it in /etc/sysctl.d: vm.nr_hugepages = ' || CAST(J.NEW_PAGES AS VARCHAR(20))
    END
    || CASE
        WHEN J.NEW_PAGES > J.LARGE_PAGES THEN CHR(10) || '-- Then restart the instance, so that the database uses them.'
        ELSE ''
    END AS ACTION_TEXT,
    CASE
        WHEN D.PLATFORM = 'AIX'
            THEN 'vmo -r -o lgpg_regions=' || CAST(J.LARGE_PAGES AS VARCHAR(20)) || ' -o lgpg_size='
            || CAST(J.LGPG_SIZE AS VARCHAR(20))
        ELSE 'sysctl -w vm.nr_hugepages=' || CAST(J.LARGE_PAGES AS VARCHAR(20))
    END AS UNDO_TEXT,
    'large_pages=' || CAST(J.LARGE_PAGES AS VARCHAR(20))
    || '; large_pages_free=' || CAST(J.LARGE_PAGES_FREE AS VARCHAR(20))
    || '; large_page_kb=' || CAST(J.LARGE_PAGE_KB AS VARCHAR(20))
    || COALESCE('; DATABASE_MEMORY_mb=' || CAST(J.DATABASE_MB AS VARCHAR(20)), '')
    || '; DB2_LARGE_PAGE_MEM=' || CASE WHEN J.USES = 1 THEN 'DB' ELSE 'not set' END AS EVIDENCE,
    CASE
        WHEN J.NEW_PAGES = 0
            THEN CAST(J.LARGE_PAGES AS VARCHAR(20)) || ' large pages are set aside, and nobody uses one of them.'
        WHEN J.NEW_PAGES > J.LARGE_PAGES
            THEN 'The database''s ' || CAST(J.DATABASE_MB AS VARCHAR(20)) || ' MB do not fit into '
            || CAST(J.LARGE_PAGES AS VARCHAR(20)) || ' large pages of '
            || CAST(J.LARGE_PAGE_KB AS VARCHAR(20)) || ' KB.'
        ELSE
            CAST(J.LARGE_PAGES_FREE AS VARCHAR(20)) || ' of ' || CAST(J.LARGE_PAGES AS VARCHAR(20))
            || ' large pages are free although the database is active: '
            || CAST(CAST(FLOOR(
                CAST((J.LARGE_PAGES - J.NEW_PAGES) * J.LARGE_PAGE_KB AS DOUBLE) / 1024
            ) AS BIGINT) AS VARCHAR(20)) || ' MB are pinned for nothing.'
    END AS FINDING,
    CAST(0 AS DOUBLE) AS CLAIM_2_PCT,
    CAST(0 AS DOUBLE) AS CLAIM_3_PCT
FROM JUDGED AS J
CROSS JOIN TUNE.RUN_DATABASE AS D
CROSS JOIN TUNE.O_OS_LARGE_PAGES_MISSIZED AS O
WHERE
    J.NEW_PAGES >= 0
    AND J.NEW_PAGES <> J.LARGE_PAGES
    AND (
        J.NEW_PAGES < J.LARGE_PAGES
        OR 100 * J.NEW_PAGES * J.LARGE_PAGE_KB <= O.MAX_MEMORY_PCT * 1024 * J.MEMORY_TOTAL
    )
