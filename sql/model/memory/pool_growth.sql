-- The savings of a larger pool, one row per pool of the catalog that holds less than its table spaces, keeps all of
-- them, and has been filled since activation. If everything fits, all of their reads of user pages are saved. Otherwise
-- Zipf's law applies, since some pages are read far more often than others: the hit ratio is a power of the part of all
-- pages that the pool holds. The exponent is the pool's own, from its present contents and hits, and a pool that holds
-- all pages finds all. So an added page never saves more than a present page does now. Scanned pages leave before they
-- are read again: a scanning workload counts only reads of indexes, and of prefetched pages that left before they were
-- read; for a pool that was never sized all that agents read themselves. The other columns are those of
-- SIZED_POOL.
--
-- DEFAULT_SIZE: 1 if the pool has the size of a new pool
-- USEFUL_PART: part of the pool without unread prefetched pages, which are useless to others
-- TUNED_KB: memory that Db2 takes by itself, less all pools
-- HIT_PART: part of the reads of user pages that agents find in the pool
-- UNSIZED: 1 for a pool that was never sized and gets a start size: its part of half of the member's memory, in one
--   significant digit
-- READS_PART: its part of the reads by agents of all these pools
-- HAS_ROOM: 1 if memory is there for a step: all pages, or a tenth more
-- NEW_PAGES: one step: the start size; or its part of the room, at least twice the size, never more than the existing
--   pages, or than the room; twice the size if the room is not known, if self-tuning memory makes it (STMM = 1), or
--   without a room (HAS_ROOM = 0), as if memory were added
-- HOLDS_ALL: 1 if NEW_PAGES are all pages
-- RANDOM_READS: reads by agents that a larger pool can save
-- EVEN_PART: part of them that is saved if every page is read equally often
-- GAIN_PART: part of the saving that is real: reads from the file system cache become hits, and gain hardly more
-- EXPONENT: exponent of Zipf's law
-- SAVED_READS: reads by agents that the step saves, in the interval and on all members
-- SAVED_PCT: their time in percent of database time
-- SAVED_WRITES: pages that agents need no longer write first; a page that is read replaces another, so an equal part
-- LEAST_PART: part of SAVED_READS that is saved at least: if every page is read equally often
-- LIKELY_PART: part of SAVED_READS that is expected
-- MOST_PART: factor on SAVED_READS at most, over 1: fewer reads hinder each other less, and reading takes processor
--   time. It and LEAST_PART are wider if scans are part of the work: measured gains differed that much from the law on
--   a model of a server (docs/model-study.md)
-- REACH_PAGES: size that self-tuning memory could reach: its part of the memory budget and of TUNED_KB; twice the size
--   if the member's memory is not known
-- REACH_READS: reads that REACH_PAGES save
-- GROWTH_KB: memory of the step, KB
WITH POOL AS (
    SELECT
        SIZED.*,
        CASE
            WHEN
                SIZED.BP_CUR_BUFFSZ + SIZED.GROW_PAGES
                >= LEAST(SIZED.USED_PAGES, CONST.LEAST_GROWTH * SIZED.BP_CUR_BUFFSZ)
                THEN 1
            ELSE 0
        END AS HAS_ROOM,
        CASE WHEN SIZED.NPAGES = -1 OR SIZED.BP_CUR_BUFFSZ <= CONST.NEW_POOL_PAGES THEN 1 ELSE 0 END AS DEFAULT_SIZE,
        -- a page that is prefetched and never read is not a miss
        SIZED.LOGICAL_READS
        - SIZED.TEMP_LOGICAL_READS
        - SIZED.PHYSICAL_READS
        + SIZED.TEMP_PHYSICAL_READS
        + SIZED.UNREAD_READS AS HITS,
        CAST(SIZED.BP_CUR_BUFFSZ AS DOUBLE) / NULLIF(SIZED.USED_PAGES, 0) AS HELD_PART,
        -- unread prefetched pages occupy a part of the pool, which is useless to others
        1 - CASE WHEN SIZED.UNREAD_READS > CONST.UNREAD_LEAST_PART * SIZED.PHYSICAL_READS THEN
            LEAST(0.999, COALESCE(SIZED.UNREAD_READS / CAST(NULLIF(SIZED.PHYSICAL_READS, 0) AS DOUBLE), 0)) ELSE 0 END
            AS USEFUL_PART,
        CONST.INSTANCE_MEMORY_PART * SIZED.MEMBER_MEMORY_KB - SIZED.POOLS_KB AS TUNED_KB,
        1 - SIZED.TEMP_PHYSICAL_READS / CAST(NULLIF(SIZED.PHYSICAL_READS, 0) AS DOUBLE) AS USER_PART,
        LEAST(SIZED.SYNC_READS, GREATEST(SIZED.INDEX_SYNC_READS, 0) + SIZED.UNREAD_READS) AS LOST_READS
    FROM TUNE.SIZED_POOL AS SIZED
    CROSS JOIN TUNE.CONSTANT AS CONST
    INNER JOIN TUNE.POOL_SPACES AS SPACES ON SIZED.BP_NAME = SPACES.BPNAME AND SPACES.MOVING = 0
    WHERE
        SIZED.ANALYTICS = 0 AND SIZED.FILLING = 0 AND SIZED.BP_CUR_BUFFSZ > 0 AND SIZED.USED_PAGES > SIZED.BP_CUR_BUFFSZ
),
-- half of the member's memory less the other pools' size, or a tenth of their size, by physical reads
DEFAULT_POOL AS (
    SELECT POOL.*
    FROM POOL
    CROSS JOIN TUNE.CONSTANT AS CONST
    WHERE
        DEFAULT_SIZE = 1 AND SIZEABLE = 1
        AND LOGICAL_READS >= CONST.LEAST_READS AND PHYSICAL_READS >= CONST.LEAST_READS
        AND MEMBER_MEMORY_KB >= CONST.SMALL_MEMBER_KB
),
SHARED AS (
    SELECT
        D.BP_NAME,
        LEAST(D.USED_PAGES, D.BP_CUR_BUFFSZ + D.GROW_PAGES, FLOOR(
            GREATEST(CONST.START_MEMORY_PART * D.MEMBER_MEMORY_KB - D.POOLS_KB, CONST.START_POOLS_PART * D.POOLS_KB)
            * 1024
            / CAST(NULLIF(D.PAGESIZE, 0) AS DOUBLE)
            * D.PHYSICAL_READS / CAST(NULLIF(A.PHYSICAL_READS, 0) AS DOUBLE)
        )) AS WANTED
    FROM DEFAULT_POOL AS D
    CROSS JOIN TUNE.CONSTANT AS CONST
    CROSS JOIN (SELECT SUM(PHYSICAL_READS) AS PHYSICAL_READS FROM DEFAULT_POOL) AS A
),
START AS (
    SELECT
        BP_NAME,
        ROUND(FLOOR(CAST(WANTED AS DOUBLE) / NULLIF(TEN_POWER, 0)) * TEN_POWER, 0) AS START_PAGES
    FROM (
        SELECT
            BP_NAME,
            WANTED,
            -- 2.302585... is the natural logarithm of 10
            POWER(
                CAST(10 AS DOUBLE), FLOOR(LN(CAST(WANTED AS DOUBLE)) / CAST(2.302585092994046 AS DOUBLE) + 0.000000001)
            ) AS TEN_POWER
        FROM SHARED
        WHERE WANTED >= 1
    ) AS S
),
STEP AS (
    SELECT
        P.*,
        CAST(P.HITS AS DOUBLE) / NULLIF(P.HITS + P.USER_PART * P.SYNC_READS, 0) AS HIT_PART,
        CASE WHEN S.START_PAGES IS NULL THEN 0 ELSE 1 END AS UNSIZED,
        CASE
            WHEN S.START_PAGES IS NOT NULL THEN S.START_PAGES
            WHEN P.STMM = 1 OR P.HAS_ROOM = 0 THEN LEAST(CONST.GROWTH_STEP * P.BP_CUR_BUFFSZ, P.USED_PAGES)
            ELSE LEAST(P.USED_PAGES, P.BP_CUR_BUFFSZ + P.GROW_PAGES, GREATEST(
                CONST.GROWTH_STEP * P.BP_CUR_BUFFSZ,
                P.ROOM_KNOWN * (P.BP_CUR_BUFFSZ + FLOOR(P.GROW_PAGES * P.READS_PART))
            ))
        END AS NEW_PAGES,
        CASE
            WHEN P.TUNED_KB IS NULL THEN LEAST(P.USED_PAGES, CONST.GROWTH_STEP * P.BP_CUR_BUFFSZ)
            ELSE LEAST(P.USED_PAGES, P.BP_CUR_BUFFSZ + FLOOR(
                LEAST(P.GROW_PAGES, 1024 * GREATEST(0, P.TUNED_KB) / CAST(NULLIF(P.PAGESIZE, 0) AS DOUBLE))
                * P.READS_PART
            ))
        END AS REACH_PAGES
    FROM (
        SELECT
            POOL.*,
            COALESCE(CAST(SYNC_READS AS DOUBLE) / NULLIF(SUM(SYNC_READS) OVER (), 0), 0) AS READS_PART
        FROM POOL
    ) AS P
    CROSS JOIN TUNE.CONSTANT AS CONST
    LEFT JOIN START AS S
        ON
            P.BP_NAME = S.BP_NAME
            AND CONST.NEW_POOL_PAGES < S.START_PAGES
            AND S.START_PAGES >= CONST.GROWTH_STEP * P.BP_CUR_BUFFSZ
),
BOUNDED AS (
    SELECT
        STEP.*,
        CASE WHEN NEW_PAGES >= USED_PAGES THEN 1 ELSE 0 END AS HOLDS_ALL,
        P_OLTP * SYNC_READS + P_BI * CASE
            WHEN UNSIZED = 1
                THEN SYNC_READS
            ELSE LOST_READS
        END AS RANDOM_READS,
        CAST(NEW_PAGES - BP_CUR_BUFFSZ AS DOUBLE) / NULLIF(USED_PAGES - BP_CUR_BUFFSZ, 0) AS EVEN_PART,
        -- the pool takes its memory from the file system cache: reads that were copies become hits, hardly more. A pool
        -- smaller than the cache only holds pages that the cache holds as well
        CASE
            WHEN
                FS_CACHED_PART > CONST.CACHED_READS_PART
                AND CAST(NEW_PAGES AS DOUBLE) * PAGESIZE
                < CONST.CACHE_MEMORY_PART * 1024 * CAST(MEMBER_MEMORY_KB AS DOUBLE)
                THEN 0
            ELSE 1 - CONST.CACHED_LOSS_PART * FS_CACHED_PART
        END AS GAIN_PART,
        CASE
            WHEN HIT_PART > 0 AND HIT_PART < 1
                THEN CAST(LN(HIT_PART) AS DOUBLE) / NULLIF(LN(USEFUL_PART * HELD_PART), 0)
        END AS EXPONENT
    FROM STEP
    CROSS JOIN TUNE.CONSTANT AS CONST
    WHERE NEW_PAGES > BP_CUR_BUFFSZ
),
LIKELY AS (
    SELECT
        BOUNDED.*,
        COALESCE(
            (
                POWER(USEFUL_PART * LEAST(NEW_PAGES, USED_PAGES) / CAST(NULLIF(USED_PAGES, 0) AS DOUBLE), EXPONENT)
                - HIT_PART
            ) / CAST(NULLIF(1 - HIT_PART, 0) AS DOUBLE), 0
        ) AS SAVED_PART,
        COALESCE(
            (POWER(USEFUL_PART * REACH_PAGES / CAST(NULLIF(USED_PAGES, 0) AS DOUBLE), EXPONENT) - HIT_PART)
            / CAST(NULLIF(1 - HIT_PART, 0) AS DOUBLE), 0
        ) AS REACH_PART
    FROM BOUNDED
),
SAVED AS (
    SELECT
        LIKELY.*,
        CAST(FLOOR(ROUND(USER_PART * CASE
            WHEN HOLDS_ALL = 1 AND USEFUL_PART = 1 THEN SYNC_READS * GAIN_PART
            ELSE RANDOM_READS * SAVED_PART * GAIN_PART
        END, 6)) AS BIGINT) AS SAVED_READS,
        CAST(FLOOR(ROUND(USER_PART * CASE
            WHEN REACH_PAGES >= USED_PAGES AND USEFUL_PART = 1 THEN SYNC_READS * GAIN_PART
            ELSE RANDOM_READS * REACH_PART * GAIN_PART
        END, 6)) AS BIGINT) AS REACH_READS
    FROM LIKELY
)
SELECT
    S.*,
    CAST(FLOOR(S.OWN_WRITES * CAST(S.SAVED_READS AS DOUBLE) / NULLIF(S.PHYSICAL_READS, 0)) AS BIGINT) AS SAVED_WRITES,
    100 * S.SAVED_READS * S.SYNC_MS / CAST(NULLIF(DBTIME.DBT_MS, 0) AS DOUBLE) AS SAVED_PCT,
    CASE
        WHEN S.HOLDS_ALL = 1 AND S.CLASS = 'OLTP' THEN CONST.OLTP_LEAST_PART
        ELSE LEAST(
            CASE WHEN S.CLASS = 'OLTP' THEN CONST.OLTP_LEAST_PART ELSE CONST.SCAN_LEAST_PART END,
            COALESCE(CAST(S.EVEN_PART AS DOUBLE) / NULLIF(S.SAVED_PART, 0), 0)
        )
    END AS LEAST_PART,
    CASE
        WHEN S.HOLDS_ALL = 1 THEN CONST.ALL_LIKELY_PART
        WHEN S.UNSIZED = 1 AND S.CLASS = 'BI' THEN CONST.UNSIZED_LIKELY_PART -- some were only late prefetches
        ELSE 1
    END AS LIKELY_PART,
    GREATEST(CONST.LEAST_MOST_PART, LEAST(
        CASE
            WHEN S.CLASS = 'OLTP' THEN CONST.OLTP_MOST_PART
            WHEN S.UNSIZED = 1 THEN CONST.UNSIZED_MOST_PART
            ELSE CONST.SCAN_MOST_PART
        END,
        COALESCE(CONST.ALL_READS_PART * CAST(S.SYNC_READS AS DOUBLE) / NULLIF(S.SAVED_READS, 0), CONST.LEAST_MOST_PART)
    )) AS MOST_PART,
    CEIL((S.NEW_PAGES - S.BP_CUR_BUFFSZ) * CAST(S.PAGESIZE AS DOUBLE) / 1024) AS GROWTH_KB
FROM SAVED AS S
CROSS JOIN TUNE.DATABASE_TIME AS DBTIME
CROSS JOIN TUNE.CONSTANT AS CONST
