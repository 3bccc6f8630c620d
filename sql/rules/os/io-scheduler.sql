-- rule:       os.io-scheduler
-- title:      The block scheduler does not fit the storage
-- area:       os
-- lane:       P
-- effect:     HR
-- applies:    platform=Linux; not=managed
-- judged-by:  load
-- claims:     POOL_READ, PREFETCH_WAIT, LOG_DISK
-- recover:    0.01, 0.03, 0.1
-- confidence: CONFIDENCE
-- needs:      host.scheduler, host.device, container.CONTAINER_NAME, workload.POOL_READ_TIME
-- object:     HOST {HOST_NAME:text}
-- set:        DEVICE {DEVICE:text} SCHEDULER: {SCHEDULER:text} -> {NEW_SCHEDULER:text} (block scheduler)
-- by-hand:    Keep it over a restart: a rule of udev or a profile of tuned for {DEVICE:text}
-- finding:    The block scheduler of {DEVICE:text} is {SCHEDULER:text}, which is made for a single disk of a desktop;
--             it is wrong for {DEVICES} of the devices of the database.
-- evidence:   devices=DEVICES, device=DEVICE:text, scheduler=SCHEDULER:text, read_and_log_pct=READ_AND_LOG_PCT:2
-- source:     001_518820f6be7b57c0.txt, "Linux 2.6 I/O Schedulers" (as is not a good choice, the others are alike)
-- why:        The anticipatory scheduler waits after a read for the next one nearby, and cfq and bfq share the disk out
--             among processes. Both assume a single disk whose head moves: behind a storage system, with flash or in a
--             virtual machine the time that they wait is lost, for it is all one process that asks.
-- not-if:     The scheduler is none, noop, deadline, mq-deadline or kyber; cfq or bfq on a disk of one's own that
--             turns; neither containers nor log lie there.
-- note:       deadline takes the place of as and cfq, mq-deadline that of bfq, because kernels have the one set or the
--             other (cfq went with 5.0). Only as was measured, without a figure: the gain is proposed.
WITH USED (HOST_NAME, DEVICE, HAS_DATA, HAS_LOG) AS (
    SELECT
        HOST,
        DEVICE,
        1,
        0
    FROM TUNE.PLACEMENT
    WHERE KIND = 'container'
    UNION ALL
    SELECT
        H.HOST_NAME,
        L.DEVICE,
        0,
        1
    FROM TUNE.LOG AS L
    INNER JOIN TUNE.HOST AS H ON L.MEMBER = H.MEMBER
),
WRONG AS (
    SELECT
        U.HOST_NAME,
        U.DEVICE,
        V.SCHEDULER,
        MAX(U.HAS_DATA) AS HAS_DATA,
        MAX(U.HAS_LOG) AS HAS_LOG
    FROM USED AS U
    INNER JOIN TUNE.DEVICE AS V ON U.HOST_NAME = V.HOST AND U.DEVICE = V.DEVICE
    LEFT JOIN TUNE.HOST_GUEST AS G ON U.HOST_NAME = G.HOST_NAME
    WHERE
        V.SCHEDULER IN ('anticipatory', 'as')
        OR (
            V.SCHEDULER IN ('cfq', 'bfq')
            AND (
                V.ROTATIONAL = 0 OR V.DATA_DISKS > 1 OR G.HOST_NAME IS NOT NULL
                OR V.TRANSPORT IN ('nvme', 'fc', 'iscsi', 'virtio')
            )
        )
    GROUP BY U.HOST_NAME, U.DEVICE, V.SCHEDULER
),
CLAIMED AS (
    -- what each host takes part in: the reads where a container is affected, the log where it is
    SELECT
        W.HOST_NAME,
        COUNT(*) AS DEVICES,
        MIN(CASE WHEN W.SCHEDULER IN ('anticipatory', 'as') THEN 0.6 ELSE 0.3 END) AS CONFIDENCE,
        MAX(W.HAS_DATA * H.HOST_SHARE * COALESCE(T.POOL_READ_PCT, 0)) AS CLAIM_POOL_READ,
        MAX(W.HAS_DATA * H.HOST_SHARE * COALESCE(T.PREFETCH_WAIT_PCT, 0)) AS CLAIM_PREFETCH_WAIT,
        MAX(W.HAS_LOG * H.HOST_SHARE * COALESCE(T.LOG_DISK_PCT, 0)) AS CLAIM_LOG_DISK
    FROM WRONG AS W
    INNER JOIN (SELECT DISTINCT HOST_NAME, HOST_SHARE FROM TUNE.HOST) AS H ON W.HOST_NAME = H.HOST_NAME
    CROSS JOIN TUNE.DATABASE_TIME AS T
    GROUP BY W.HOST_NAME
)
SELECT
    C.*,
    W.DEVICE,
    W.SCHEDULER,
    CASE W.SCHEDULER WHEN 'bfq' THEN 'mq-deadline' ELSE 'deadline' END AS NEW_SCHEDULER,
    C.CLAIM_POOL_READ + C.CLAIM_PREFETCH_WAIT + C.CLAIM_LOG_DISK AS READ_AND_LOG_PCT
FROM WRONG AS W
INNER JOIN CLAIMED AS C ON W.HOST_NAME = C.HOST_NAME
