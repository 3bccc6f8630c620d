-- rule:       storage.write-latency-high
-- title:      Writes of page cleaners are slow
-- area:       storage
-- lane:       P
-- effect:     HR
-- applies:    not=managed; quiet=yes
-- judged-by:  load
-- claims:     POOL_WRITE
-- recover:    0.1, 0.3, 0.5
-- confidence: CONFIDENCE
-- needs:      tablespace.POOL_DATA_WRITES, tablespace.POOL_ASYNC_WRITE_TIME, workload.POOL_WRITE_TIME,
--             container.CONTAINER_NAME
-- threshold:  min_pages = 10000 -- [prop] fewer pages written by page cleaners make no average
-- threshold:  slow_ms = 20 -- [prop] per page, for disks that turn, and where it is not known
-- threshold:  slow_flash_ms = 5 -- [prop] per page, for flash
-- threshold:  min_write_pct = 2 -- [prop] what agents waited for writes, in percent of database time
-- object:     DATABASE
-- by-hand:    when RAID_LEVEL IS NOT NULL: {DEVICE:text} is RAID {RAID_LEVEL:text}: a small write reads and writes data
--             and parity. Put what is written most on RAID 10, or behind more write cache.
-- by-hand:    Check the write cache of the storage (switched on, backed by battery or NVRAM, large enough), and move
--             what is written most to faster disks.
-- undo-by-hand: There is nothing to undo.
-- finding:    A page cleaner takes {MS_PER_PAGE:1} ms to write a page, where {NORMAL_MS:1} ms are the most that is
--             normal, and agents wait for writes {CLAIM_POOL_WRITE:2} % of the time.
-- evidence:   ms_per_page_of_cleaners=MS_PER_PAGE:1, pages_written_by_cleaners=ASYNC_WRITES,
--             POOL_WRITE_TIME_pct=CLAIM_POOL_WRITE:2, raid_level=RAID_LEVEL:text?
-- source:     001_518820f6be7b57c0.txt, more non-volatile storage for writes; 002_e991ec30bbd9209f.txt, section 5.2,
--             RAID-DP with NVRAM
-- why:        Page cleaners write beside the agents. Only where they fall behind do agents wait for writes: they find
--             no clean page. A write cache that keeps its contents without power answers at once and writes in order.
-- not-if:     Writes are not slow for their kind of disk; agents hardly wait for writes; a utility ran.
-- note:       Where nobody said whether the disks turn, the bound of disks that do is used, at low confidence. More
--             cleaners do not make a slow disk faster: those rules look at who was called, this one at how long it
--             took.
WITH PARITY AS (
    -- arrays under the table spaces whose parity makes a small write four or more
    SELECT
        MIN(RAID_LEVEL) AS RAID_LEVEL,
        MIN(DEVICE) AS DEVICE
    FROM TUNE.DATA_DEVICE
    WHERE RAID_LEVEL IN ('5', '5E', '6', '50', '60')
),
DISKS AS (
    SELECT
        MAX(COALESCE(ROTATIONAL, 1)) AS ROTATIONAL,
        MAX(CASE WHEN ROTATIONAL IS NULL THEN 1 ELSE 0 END) AS GUESSED
    FROM TUNE.TABLESPACE
    WHERE WRITES > 0
),
BOUND AS (
    SELECT
        CASE WHEN K.ROTATIONAL = 0 THEN O.SLOW_FLASH_MS ELSE O.SLOW_MS END AS NORMAL_MS,
        CASE WHEN K.GUESSED = 1 THEN 0.3 ELSE 0.6 END AS CONFIDENCE,
        O.MIN_PAGES,
        O.MIN_WRITE_PCT
    FROM DISKS AS K
    CROSS JOIN TUNE.O_STORAGE_WRITE_LATENCY_HIGH AS O
)
SELECT
    P.RAID_LEVEL,
    P.DEVICE,
    C.MS_PER_PAGE,
    C.ASYNC_WRITES,
    B.NORMAL_MS,
    B.CONFIDENCE,
    T.POOL_WRITE_PCT AS CLAIM_POOL_WRITE
FROM TUNE.PAGE_CLEANING AS C
CROSS JOIN BOUND AS B
CROSS JOIN PARITY AS P
CROSS JOIN TUNE.DATABASE_TIME AS T
WHERE
    C.ASYNC_WRITES >= B.MIN_PAGES
    AND C.MS_PER_PAGE > B.NORMAL_MS
    AND T.POOL_WRITE_PCT >= B.MIN_WRITE_PCT
