-- rule:       storage.io-latency-high
-- title:      Reads of single pages are slow
-- area:       storage
-- lane:       P
-- effect:     HR
-- applies:    not=managed; quiet=yes
-- judged-by:  load
-- claims:     POOL_READ, PREFETCH_WAIT
-- recover:    LOW, EXPECTED, HIGH
-- confidence: CONFIDENCE
-- yields:     storage.hot-container@any+larger
-- needs:      tablespace.POOL_READ_TIME, tablespace.POOL_ASYNC_READ_TIME, workload.POOL_READ_TIME,
--             container.CONTAINER_NAME
-- threshold:  min_read_pct = 15 -- [prop] percent of database time that agents spend on reads
-- threshold:  min_sync_reads = 5000 -- [prop] fewer pages make no average
-- threshold:  slow_ms = 10 -- [prop] for disks that turn, and where it is not known
-- threshold:  target_ms = 5 -- [prop] what disks that are not overloaded reach
-- threshold:  slow_flash_ms = 2 -- [prop] for flash
-- threshold:  target_flash_ms = 1 -- [prop] what flash reaches
-- threshold:  async_factor = 2 -- [prop] a prefetch reads an extent and may take this much longer than a page
-- threshold:  max_cpu_pct = 40 -- [seed 000] processors idle while reads wait: the sign of too few disks
-- threshold:  min_busy_pct = 80 -- [prop] a device that is nearly always busy
-- threshold:  queue_per_disk = 2 -- [prop] more requests than this wait for each disk
-- object:     DATABASE
-- undo-by-hand: Added disks and paths need no undoing.
-- set:        TABLESPACE {TBSP_NAME:text} STOGROUP: {STORAGE_GROUP_NAME:text} -> {NEW_GROUP:text}
-- by-hand:    when TOO_FEW = 1: Too few disks: give the containers more disks, on more arrays, adapters and paths, or
--             faster ones; {DEVICE:text} is[ {BUSY_PCT} %] busy[ with {QUEUE_LENGTH} requests waiting].
-- by-hand:    else: Find where reads wait (disks, array, adapter, path), and add disks or paths there, or faster ones.
-- finding:    An agent waits {SYNC_READ_MS:1} ms for a page, where {TARGET_MS:1} ms are normal.
-- finding:    when TOO_FEW = 1: Too few disks: the processors are {CPU_USAGE_TOTAL} % busy while {DEVICE:text} is[
--             {BUSY_PCT} %] busy[ with {QUEUE_LENGTH} requests waiting].
-- evidence:   ms_per_synchronous_read=SYNC_READ_MS:1, synchronous_reads=SYNC_READS,
--             POOL_READ_TIME_pct=CLAIM_POOL_READ:2, ms_per_prefetch=ASYNC_READ_MS:1?, CPU_USAGE_TOTAL?,
--             device=DEVICE:text?
-- source:     000_9a1c354496f94ea4.txt, "Disk drive technology" and "Verifying": too few disks, low CPU use, long
--             queues; 001_518820f6be7b57c0.txt: more small disks rather than few large ones
-- why:        An agent that needs a page waits for the disk. Reads that take longer than a disk needs to seek and turn
--             wait in a queue, which only more disks, adapters or paths, or faster ones, make shorter.
-- not-if:     Reads are not slow for their kind of disk; they take less than 15 % of database time; a utility ran.
-- note:       Where nobody said whether the disks turn, the bound of disks that do is used. A table space is told to
--             change its storage group only where the host facts say that it lies on disks that turn and the other
--             group does not.
WITH SPACES AS (
    SELECT
        CAST(SUM(SYNC_READ_MS) AS DOUBLE) / NULLIF(SUM(SYNC_READS), 0) AS SYNC_READ_MS,
        CAST(SUM(ASYNC_READ_MS) AS DOUBLE) / NULLIF(SUM(ASYNC_READ_REQS), 0) AS ASYNC_READ_MS,
        SUM(SYNC_READS) AS SYNC_READS,
        MAX(CASE WHEN SYNC_READS > 0 THEN COALESCE(ROTATIONAL, 1) END) AS ROTATIONAL
    FROM TUNE.TABLESPACE
),
READS AS (
    SELECT
        S.*,
        CASE WHEN S.ROTATIONAL = 0 THEN O.SLOW_FLASH_MS ELSE O.SLOW_MS END AS SLOW_MS,
        CASE WHEN S.ROTATIONAL = 0 THEN O.TARGET_FLASH_MS ELSE O.TARGET_MS END AS TARGET_MS
    FROM SPACES AS S
    CROSS JOIN TUNE.O_STORAGE_IO_LATENCY_HIGH AS O
),
BUSY_DEVICE AS (
    -- the busiest device that holds containers, where the host told
    SELECT
        C.DEVICE,
        MAX(C.BUSY_PCT) AS BUSY_PCT,
        MAX(C.QUEUE_LENGTH) AS QUEUE_LENGTH,
        ROW_NUMBER() OVER (
            ORDER BY MAX(COALESCE(C.BUSY_PCT, 0)) DESC, MAX(COALESCE(C.QUEUE_LENGTH, 0)) DESC, C.DEVICE
        ) AS PLACE
    FROM TUNE.CONTAINER AS C
    CROSS JOIN TUNE.O_STORAGE_IO_LATENCY_HIGH AS O
    WHERE C.BUSY_PCT > O.MIN_BUSY_PCT OR C.QUEUE_LENGTH > O.QUEUE_PER_DISK * COALESCE(C.DATA_DISKS, 1)
    GROUP BY C.DEVICE
),
SLOW AS (
    SELECT
        R.*,
        Q.DEVICE,
        Q.BUSY_PCT,
        Q.QUEUE_LENGTH,
        P.CPU_USAGE_TOTAL,
        CASE WHEN Q.DEVICE IS NOT NULL AND P.CPU_USAGE_TOTAL < O.MAX_CPU_PCT THEN 1 ELSE 0 END AS TOO_FEW,
        1 - CAST(R.TARGET_MS AS DOUBLE) / NULLIF(R.SYNC_READ_MS, 0) AS EXPECTED,
        T.POOL_READ_PCT AS CLAIM_POOL_READ,
        CASE WHEN R.ASYNC_READ_MS > O.ASYNC_FACTOR * R.SLOW_MS THEN T.PREFETCH_WAIT_PCT END AS CLAIM_PREFETCH_WAIT
    FROM READS AS R
    CROSS JOIN TUNE.DATABASE_TIME AS T
    CROSS JOIN (SELECT MAX(CPU_USAGE_TOTAL) AS CPU_USAGE_TOTAL FROM TUNE.HOST) AS P
    CROSS JOIN TUNE.O_STORAGE_IO_LATENCY_HIGH AS O
    LEFT JOIN BUSY_DEVICE AS Q ON Q.PLACE = 1
    WHERE
        R.SYNC_READ_MS > R.SLOW_MS
        AND R.SYNC_READS >= O.MIN_SYNC_READS
        AND T.POOL_READ_PCT >= O.MIN_READ_PCT
)
SELECT
    S.SYNC_READ_MS,
    S.SYNC_READS,
    S.ASYNC_READ_MS,
    S.TARGET_MS,
    S.CPU_USAGE_TOTAL,
    S.TOO_FEW,
    S.DEVICE,
    S.BUSY_PCT,
    S.QUEUE_LENGTH,
    F.TBSP_NAME,
    F.STORAGE_GROUP_NAME,
    F.NEW_GROUP,
    0.5 * S.EXPECTED AS LOW,
    S.EXPECTED,
    S.EXPECTED + 0.5 * (1 - S.EXPECTED) AS HIGH,
    CASE WHEN S.TOO_FEW = 1 THEN 0.9 ELSE 0.6 END AS CONFIDENCE,
    S.CLAIM_POOL_READ,
    S.CLAIM_PREFETCH_WAIT
FROM SLOW AS S
LEFT JOIN TUNE.FASTER_GROUP AS F ON 1 = 1
