-- rule:      os.io-scheduler
-- title:     The block scheduler does not fit the storage
-- area:      os
-- lane:      P
-- effect:    HR
-- applies:   platform=Linux; not=managed
-- evidence:  load
-- claims:    POOL_READ, PREFETCH_WAIT, LOG_DISK
-- needs:     host.scheduler, host.device, container.CONTAINER_NAME, workload.POOL_READ_TIME
-- source:    001_518820f6be7b57c0.txt, "Linux 2.6 I/O Schedulers" (as is not a good choice, the others are alike)
-- why:       The anticipatory scheduler waits after a read for the next one nearby, and cfq and bfq share the disk out
--            among processes. Both assume a single disk whose head moves: behind a storage system, with flash or
--            in a virtual machine the time that they wait is lost, for it is all one process that asks.
-- not-if:    The scheduler is none, noop, deadline, mq-deadline or kyber; cfq or bfq on a disk of one's own that turns;
--            neither containers nor log lie there.
-- note:      deadline takes the place of as and cfq, mq-deadline that of bfq, because kernels have the one set or
--            the other (cfq went with 5.0). Only as was measured, without a figure: the gain is proposed.
WITH USED (HOST, DEVICE, HAS_DATA) AS (
    SELECT
        P.HOST,
        P.DEVICE,
        1 AS HAS_DATA
    FROM TUNE.PLACEMENT AS P
    WHERE P.KIND = 'container'
    UNION ALL
    SELECT
        H.HOST_NAME,
        L.DEVICE,
        0
    FROM TUNE.LOG AS L
    INNER JOIN TUNE.HOST AS H ON L.MEMBER = H.MEMBER
    WHERE L.DEVICE IS NOT NULL
),
WRONG AS (
    SELECT
        V.HOST,
        V.DEVICE,
        V.SCHEDULER,
        MAX(U.HAS_DATA) AS HAS_DATA,
        MAX(1 - U.HAS_DATA) AS HAS_LOG
    FROM TUNE.DEVICE AS V
    INNER JOIN USED AS U ON V.HOST = U.HOST AND V.DEVICE = U.DEVICE
    LEFT JOIN TUNE.HOST_GUEST AS G ON V.HOST = G.HOST_NAME
    WHERE
        V.SCHEDULER IN ('anticipatory', 'as')
        OR (
            V.SCHEDULER IN ('cfq', 'bfq')
            AND (
                V.ROTATIONAL = 0 OR V.DATA_DISKS > 1 OR G.HOST_NAME IS NOT NULL
                OR V.TRANSPORT IN ('nvme', 'fc', 'iscsi', 'virtio')
            )
        )
    GROUP BY V.HOST, V.DEVICE, V.SCHEDULER
),
CHANGE AS (
    SELECT
        W.*,
        CASE WHEN W.SCHEDULER = 'bfq' THEN 'mq-deadline' ELSE 'deadline' END AS NEW_SCHEDULER,
        MIN(CASE WHEN W.SCHEDULER IN ('anticipatory', 'as') THEN 0.6 ELSE 0.3 END) OVER (PARTITION BY W.HOST)
            AS CONFIDENCE,
        MAX(W.HAS_DATA) OVER (PARTITION BY W.HOST) * COALESCE(T.POOL_READ_PCT, 0) * N.HOST_SHARE AS READ_PCT,
        MAX(W.HAS_DATA) OVER (PARTITION BY W.HOST) * COALESCE(T.PREFETCH_WAIT_PCT, 0) * N.HOST_SHARE AS WAIT_PCT,
        MAX(W.HAS_LOG) OVER (PARTITION BY W.HOST) * COALESCE(T.LOG_DISK_PCT, 0) * N.HOST_SHARE AS LOG_PCT
    FROM WRONG AS W
    INNER JOIN (SELECT DISTINCT HOST_NAME, HOST_SHARE FROM TUNE.HOST) AS N ON W.HOST = N.HOST_NAME
    CROSS JOIN TUNE.DATABASE_TIME AS T
)
SELECT
    'HOST' AS OBJECT_TYPE,
    C.HOST AS OBJECT_NAME,
    CAST(NULL AS SMALLINT) AS MEMBER,
    C.READ_PCT + C.WAIT_PCT + C.LOG_PCT AS CLAIMED_PCT,
    CAST(0.01 AS DOUBLE) AS RECOVER_LOW,
    CAST(0.03 AS DOUBLE) AS RECOVER_EXPECTED,
    CAST(0.1 AS DOUBLE) AS RECOVER_HIGH,
    CAST(C.CONFIDENCE AS DOUBLE) AS CONFIDENCE,
    'DEVICE:' || C.HOST || ':' || C.DEVICE || ':SCHEDULER' AS TARGET,
    C.SCHEDULER AS CURRENT_VALUE,
    C.NEW_SCHEDULER AS PROPOSED_VALUE,
    'block scheduler' AS UNIT,
    CAST(0 AS BIGINT) AS MEMORY_DELTA_KB,
    'echo ' || C.NEW_SCHEDULER || ' > /sys/block/' || C.DEVICE || '/queue/scheduler' || CHR(10)
    || '-- Keep it over a restart: a rule of udev or a profile of tuned for ' || C.DEVICE AS ACTION_TEXT,
    'echo ' || C.SCHEDULER || ' > /sys/block/' || C.DEVICE || '/queue/scheduler' AS UNDO_TEXT,
    'devices=' || CAST(COUNT(*) OVER (PARTITION BY C.HOST) AS VARCHAR(20))
    || '; device=' || C.DEVICE
    || '; scheduler=' || C.SCHEDULER
    || '; read_and_log_pct='
    || CAST(CAST(ROUND(C.READ_PCT + C.WAIT_PCT + C.LOG_PCT, 2) AS DECIMAL(9, 2)) AS VARCHAR(20)) AS EVIDENCE,
    'The block scheduler of ' || C.DEVICE || ' is ' || C.SCHEDULER || ', which is made for a single disk of a desktop; '
    || 'it is wrong for ' || CAST(COUNT(*) OVER (PARTITION BY C.HOST) AS VARCHAR(20))
    || ' of the devices of the database.' AS FINDING,
    C.WAIT_PCT AS CLAIM_2_PCT,
    C.LOG_PCT AS CLAIM_3_PCT
FROM CHANGE AS C
