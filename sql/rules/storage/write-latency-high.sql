-- rule:      storage.write-latency-high
-- title:     Writes of page cleaners are slow
-- area:      storage
-- lane:      P
-- effect:    HR
-- applies:   not=managed; quiet=yes
-- evidence:  load
-- claims:    POOL_WRITE
-- needs:     tablespace.POOL_DATA_WRITES, tablespace.POOL_ASYNC_WRITE_TIME, workload.POOL_WRITE_TIME,
--            container.CONTAINER_NAME
-- threshold: min_pages = 10000 -- [prop] fewer pages written by page cleaners make no average
-- threshold: slow_ms = 20 -- [prop] per page, for disks that turn, and where it is not known
-- threshold: slow_flash_ms = 5 -- [prop] per page, for flash
-- threshold: min_write_pct = 2 -- [prop] what agents waited for writes, in percent of database time
-- source:    001_518820f6be7b57c0.txt, more non-volatile storage for writes; 002_e991ec30bbd9209f.txt, section 5.2,
--            RAID-DP with NVRAM
-- why:       Page cleaners write beside the agents. Only where they fall behind do agents wait for writes: they find no
--            clean page. A write cache that keeps its contents without power answers at once and writes in order.
-- not-if:    Writes are not slow for their kind of disk; agents hardly wait for writes; a utility ran.
-- note:      Where nobody said whether the disks turn, the bound of disks that do is used, at low confidence. More
--            cleaners do not make a slow disk faster: those rules look at who was called, this one at how long it took.
WITH ARRAYS AS (
    -- arrays under the table spaces whose parity makes a small write four or more
    SELECT
        MIN(F.VALUE) AS RAID_LEVEL,
        MIN(C.DEVICE) AS DEVICE
    FROM TUNE.CONTAINER AS C
    INNER JOIN TUNE.HOST AS H ON C.MEMBER = H.MEMBER
    INNER JOIN TUNE.HOST_FACT AS F
        ON H.HOST_NAME = F.HOST AND F.FACT_KEY = 'device:' || C.DEVICE AND F.ITEM = 'raid_level'
    WHERE F.VALUE IN ('5', '5E', '6', '50', '60')
),
WRITTEN AS (
    SELECT
        MAX(CASE WHEN WRITES > 0 THEN COALESCE(ROTATIONAL, 1) END) AS ROTATIONAL,
        MAX(CASE WHEN WRITES > 0 AND ROTATIONAL IS NULL THEN 1 ELSE 0 END) AS GUESSED
    FROM TUNE.TABLESPACE
),
SLOW AS (
    SELECT
        D.DB_NAME,
        T.POOL_WRITE_PCT,
        C.ASYNC_WRITES,
        W.GUESSED,
        A.RAID_LEVEL,
        A.DEVICE,
        CAST(CAST(ROUND(C.MS_PER_PAGE, 1) AS DECIMAL(15, 1)) AS VARCHAR(20)) AS MS_TEXT,
        CAST(CAST(ROUND(CASE WHEN W.ROTATIONAL = 0 THEN O.SLOW_FLASH_MS ELSE O.SLOW_MS END, 1) AS DECIMAL(15, 1))
            AS VARCHAR(20)) AS BOUND_TEXT
    FROM TUNE.PAGE_CLEANING AS C
    CROSS JOIN WRITTEN AS W
    CROSS JOIN ARRAYS AS A
    CROSS JOIN TUNE.RUN_DATABASE AS D
    CROSS JOIN TUNE.DATABASE_TIME AS T
    CROSS JOIN TUNE.O_STORAGE_WRITE_LATENCY_HIGH AS O
    WHERE
        C.ASYNC_WRITES >= O.MIN_PAGES
        AND C.MS_PER_PAGE > CASE WHEN W.ROTATIONAL = 0 THEN O.SLOW_FLASH_MS ELSE O.SLOW_MS END
        AND T.POOL_WRITE_PCT >= O.MIN_WRITE_PCT
)
SELECT
    'DATABASE' AS OBJECT_TYPE,
    S.DB_NAME AS OBJECT_NAME,
    CAST(NULL AS SMALLINT) AS MEMBER,
    S.POOL_WRITE_PCT AS CLAIMED_PCT,
    CAST(0.1 AS DOUBLE) AS RECOVER_LOW,
    CAST(0.3 AS DOUBLE) AS RECOVER_EXPECTED,
    CAST(0.5 AS DOUBLE) AS RECOVER_HIGH,
    CASE WHEN S.GUESSED = 1 THEN CAST(0.3 AS DOUBLE) ELSE CAST(0.6 AS DOUBLE) END AS CONFIDENCE,
    CAST(NULL AS VARCHAR(400)) AS TARGET,
    S.MS_TEXT AS CURRENT_VALUE,
    S.BOUND_TEXT AS PROPOSED_VALUE,
    'ms per page written' AS UNIT,
    CAST(0 AS BIGINT) AS MEMORY_DELTA_KB,
    CASE
        WHEN S.RAID_LEVEL IS NULL THEN ''
        ELSE '-- ' || S.DEVICE || ' is RAID ' || S.RAID_LEVEL || ': a small write reads and writes data and parity.'
            || ' Put what is written most on RAID 10, or behind more write cache.' || CHR(10)
    END
    || '-- Check the write cache of the storage (switched on, backed by battery or NVRAM, large enough), and move'
    || ' what is written most to faster disks.' AS ACTION_TEXT,
    '-- There is nothing to undo.' AS UNDO_TEXT,
    'ms_per_page_of_cleaners=' || S.MS_TEXT
    || '; pages_written_by_cleaners=' || CAST(S.ASYNC_WRITES AS VARCHAR(20))
    || '; POOL_WRITE_TIME_pct=' || CAST(CAST(ROUND(S.POOL_WRITE_PCT, 2) AS DECIMAL(9, 2)) AS VARCHAR(20))
    || COALESCE('; raid_level=' || S.RAID_LEVEL, '') AS EVIDENCE,
    'A page cleaner takes ' || S.MS_TEXT || ' ms to write a page, where ' || S.BOUND_TEXT
    || ' ms are the most that is normal, and agents wait for writes '
    || CAST(CAST(ROUND(S.POOL_WRITE_PCT, 2) AS DECIMAL(9, 2)) AS VARCHAR(20)) || ' % of the time.' AS FINDING,
    CAST(0 AS DOUBLE) AS CLAIM_2_PCT,
    CAST(0 AS DOUBLE) AS CLAIM_3_PCT
FROM SLOW AS S
