-- rule:      storage.io-latency-high
-- title:     Reads of single pages are slow
-- area:      storage
-- lane:      P
-- effect:    HR
-- applies:   not=managed; quiet=yes
-- evidence:  load
-- claims:    POOL_READ, PREFETCH_WAIT
-- yields:    storage.hot-container@any+larger
-- needs:     tablespace.POOL_READ_TIME, tablespace.POOL_ASYNC_READ_TIME, workload.POOL_READ_TIME,
--            container.CONTAINER_NAME
-- threshold: min_read_pct = 15 -- [prop] percent of database time that agents spend on reads
-- threshold: min_sync_reads = 5000 -- [prop] fewer pages make no average
-- threshold: slow_ms = 10 -- [prop] for disks that turn, and where it is not known
-- threshold: target_ms = 5 -- [prop] what disks that are not overloaded reach
-- threshold: slow_flash_ms = 2 -- [prop] for flash
-- threshold: target_flash_ms = 1 -- [prop] what flash reaches
-- threshold: async_factor = 2 -- [prop] a prefetch reads an extent and may take this much longer than a page
-- threshold: max_cpu_pct = 40 -- [seed 000] processors idle while reads wait: the sign of too few disks
-- threshold: min_busy_pct = 80 -- [prop] a device that is nearly always busy
-- threshold: queue_per_disk = 2 -- [prop] more requests than this wait for each disk
-- source:    000_9a1c354496f94ea4.txt, "Disk drive technology" and "Verifying": too few disks, low CPU use, long
--            queues; 001_518820f6be7b57c0.txt: more small disks rather than few large ones
-- why:       An agent that needs a page waits for the disk. Reads that take longer than a disk needs to seek and turn
--            wait in a queue, which only more disks, adapters or paths, or faster ones, make shorter.
-- not-if:    Reads are not slow for their kind of disk; they take less than 15 % of database time; a utility ran.
-- note:      Where nobody said whether the disks turn, the bound of disks that do is used. A table space is told to
--            change its storage group only where the host facts say that it lies on disks that turn and the other
--            group does not.
WITH SUMS AS (
    SELECT
        CAST(SUM(SYNC_READ_MS) AS DOUBLE) / NULLIF(SUM(SYNC_READS), 0) AS SYNC_READ_MS,
        CAST(SUM(ASYNC_READ_MS) AS DOUBLE) / NULLIF(SUM(ASYNC_READ_REQS), 0) AS ASYNC_READ_MS,
        SUM(SYNC_READS) AS SYNC_READS,
        MAX(CASE WHEN SYNC_READS > 0 THEN COALESCE(ROTATIONAL, 1) END) AS ROTATIONAL
    FROM TUNE.TABLESPACE
),
BOUND AS (
    SELECT
        SUMS.*,
        CASE WHEN SUMS.ROTATIONAL = 0 THEN O.SLOW_FLASH_MS ELSE O.SLOW_MS END AS SLOW_MS,
        CASE WHEN SUMS.ROTATIONAL = 0 THEN O.TARGET_FLASH_MS ELSE O.TARGET_MS END AS TARGET_MS,
        O.ASYNC_FACTOR,
        O.MIN_READ_PCT,
        O.MIN_SYNC_READS
    FROM SUMS
    CROSS JOIN TUNE.O_STORAGE_IO_LATENCY_HIGH AS O
),
QUEUE AS (
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
PROCESSORS AS (
    SELECT MAX(CPU_USAGE_TOTAL) AS CPU_USAGE_TOTAL FROM TUNE.HOST
),
FASTER AS (
    -- for the table space that reads most, a storage group that is known to lie on flash
    SELECT
        T.TBSP_NAME,
        T.STORAGE_GROUP_NAME,
        MIN(S.STORAGE_GROUP_NAME) AS NEW_GROUP
    FROM (
        SELECT
            X.*,
            ROW_NUMBER() OVER (ORDER BY X.SHARE_PCT DESC, X.TBSP_NAME) AS PLACE
        FROM TUNE.TABLESPACE AS X
    ) AS T
    INNER JOIN (
        SELECT
            A.STORAGE_GROUP_NAME,
            MAX(COALESCE(V.ROTATIONAL, 1)) AS ROTATIONAL
        FROM TUNE.D_STORAGE_PATH AS A
        LEFT JOIN TUNE.PLACEMENT AS P ON A.DB_STORAGE_PATH = P.NAME AND P.KIND = 'path'
        LEFT JOIN TUNE.DEVICE AS V ON P.HOST = V.HOST AND P.DEVICE = V.DEVICE
        GROUP BY A.STORAGE_GROUP_NAME
    ) AS S ON T.STORAGE_GROUP_NAME <> S.STORAGE_GROUP_NAME AND S.ROTATIONAL = 0
    CROSS JOIN TUNE.RUN_DATABASE AS B
    WHERE
        T.PLACE = 1
        AND T.TBSP_USING_AUTO_STORAGE = 1
        AND T.ROTATIONAL = 1
        AND T.TBSP_CONTENT_TYPE NOT IN ('SYSTEMP', 'USRTEMP')
        AND T.TBSP_REBALANCER_MODE = 'NO_REBAL'
        AND B.DB2_LEVEL >= 10010000
        AND B.TOPOLOGY <> 'purescale'
    GROUP BY T.TBSP_NAME, T.STORAGE_GROUP_NAME
),
SLOW AS (
    SELECT
        B.SYNC_READ_MS,
        B.ASYNC_READ_MS,
        B.SYNC_READS,
        B.SLOW_MS,
        B.TARGET_MS,
        D.POOL_READ_PCT,
        CASE WHEN B.ASYNC_READ_MS > B.ASYNC_FACTOR * B.SLOW_MS THEN COALESCE(D.PREFETCH_WAIT_PCT, 0) ELSE 0 END AS WAIT_PCT,
        1 - CAST(B.TARGET_MS AS DOUBLE) / NULLIF(B.SYNC_READ_MS, 0) AS RECOVER,
        C.CPU_USAGE_TOTAL,
        Q.DEVICE,
        CASE WHEN Q.DEVICE IS NOT NULL AND C.CPU_USAGE_TOTAL < O.MAX_CPU_PCT THEN 1 ELSE 0 END AS TOO_FEW,
        CAST(CAST(ROUND(B.SYNC_READ_MS, 1) AS DECIMAL(15, 1)) AS VARCHAR(20)) AS SYNC_TEXT,
        COALESCE(' is ' || CAST(CAST(ROUND(Q.BUSY_PCT, 0) AS BIGINT) AS VARCHAR(20)) || ' % busy', ' is busy')
        || COALESCE(
            ' with ' || CAST(CAST(ROUND(Q.QUEUE_LENGTH, 0) AS BIGINT) AS VARCHAR(20)) || ' requests waiting', ''
        ) AS BUSY_TEXT
    FROM BOUND AS B
    CROSS JOIN TUNE.DATABASE_TIME AS D
    CROSS JOIN PROCESSORS AS C
    CROSS JOIN TUNE.O_STORAGE_IO_LATENCY_HIGH AS O
    LEFT JOIN QUEUE AS Q ON Q.PLACE = 1
    WHERE
        B.SYNC_READ_MS > B.SLOW_MS
        AND B.SYNC_READS >= B.MIN_SYNC_READS
        AND D.POOL_READ_PCT >= B.MIN_READ_PCT
)
SELECT
    'DATABASE' AS OBJECT_TYPE,
    N.DB_NAME AS OBJECT_NAME,
    CAST(NULL AS SMALLINT) AS MEMBER,
    S.POOL_READ_PCT + S.WAIT_PCT AS CLAIMED_PCT,
    0.5 * S.RECOVER AS RECOVER_LOW,
    S.RECOVER AS RECOVER_EXPECTED,
    S.RECOVER + 0.5 * (1 - S.RECOVER) AS RECOVER_HIGH,
    CASE WHEN S.TOO_FEW = 1 THEN CAST(0.9 AS DOUBLE) ELSE CAST(0.6 AS DOUBLE) END AS CONFIDENCE,
    CAST(NULL AS VARCHAR(400)) AS TARGET,
    S.SYNC_TEXT AS CURRENT_VALUE,
    CAST(CAST(ROUND(S.TARGET_MS, 1) AS DECIMAL(15, 1)) AS VARCHAR(20)) AS PROPOSED_VALUE,
    'ms per read' AS UNIT,
    CAST(0 AS BIGINT) AS MEMORY_DELTA_KB,
    COALESCE(
        'ALTER TABLESPACE "' || REPLACE(F.TBSP_NAME, '"', '""') || '" USING STOGROUP "'
        || REPLACE(F.NEW_GROUP, '"', '""') || '"' || CHR(10), ''
    )
    || CASE
        WHEN S.TOO_FEW = 1
            THEN '-- Too few disks: give the containers more disks, on more arrays, adapters and paths, '
            || 'or faster ones; ' || S.DEVICE || S.BUSY_TEXT || '.'
        ELSE '-- Find where reads wait (disks, array, adapter, path), and add disks or paths there, or faster ones.'
    END AS ACTION_TEXT,
    COALESCE(
        'ALTER TABLESPACE "' || REPLACE(F.TBSP_NAME, '"', '""') || '" USING STOGROUP "'
        || REPLACE(F.STORAGE_GROUP_NAME, '"', '""') || '"' || CHR(10), ''
    )
    || '-- Added disks and paths need no undoing.' AS UNDO_TEXT,
    'ms_per_synchronous_read=' || S.SYNC_TEXT
    || '; synchronous_reads=' || CAST(S.SYNC_READS AS VARCHAR(20))
    || '; POOL_READ_TIME_pct=' || CAST(CAST(ROUND(S.POOL_READ_PCT, 2) AS DECIMAL(9, 2)) AS VARCHAR(20))
    || COALESCE('; ms_per_prefetch=' || CAST(CAST(ROUND(S.ASYNC_READ_MS, 1) AS DECIMAL(15, 1)) AS VARCHAR(20)), '')
    || COALESCE('; CPU_USAGE_TOTAL=' || CAST(S.CPU_USAGE_TOTAL AS VARCHAR(20)), '')
    || COALESCE('; device=' || S.DEVICE, '') AS EVIDENCE,
    'An agent waits ' || S.SYNC_TEXT || ' ms for a page, where '
    || CAST(CAST(ROUND(S.TARGET_MS, 1) AS DECIMAL(15, 1)) AS VARCHAR(20)) || ' ms are normal.'
    || CASE
        WHEN S.TOO_FEW = 1
            THEN ' Too few disks: the processors are ' || CAST(S.CPU_USAGE_TOTAL AS VARCHAR(20)) || ' % busy while '
            || S.DEVICE || S.BUSY_TEXT || '.'
        ELSE ''
    END AS FINDING,
    S.WAIT_PCT AS CLAIM_2_PCT,
    CAST(0 AS DOUBLE) AS CLAIM_3_PCT
FROM SLOW AS S
CROSS JOIN TUNE.RUN_DATABASE AS N
LEFT JOIN FASTER AS F ON 1 = 1
