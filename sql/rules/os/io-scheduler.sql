/*---
rule: os.io-scheduler
title: The block scheduler does not fit the storage
lane: housekeeping
takes_effect: host change
applies: {platform: [Linux], not: [managed]}
judged_by: host
needs: [host.scheduler, host.device, container.CONTAINER_NAME]
object: HOST {HOST_NAME:text}
confidence: CONFIDENCE
actions:
  - set:
      kind: DEVICE
      object: '{DEVICE:text}'
      name: SCHEDULER
      from: '{SCHEDULER:text}'
      to: '{NEW_SCHEDULER:text}'
      unit: block scheduler
  - {manual: 'Keep it over a restart: a rule of udev or a profile of tuned for {DEVICE:text}'}
finding: >-
  The block scheduler of {DEVICE:text} is {SCHEDULER:text}, which is made for a single disk of a desktop; it is wrong
  for {DEVICES} of the devices of the database.
evidence: [devices=DEVICES, device=DEVICE:text, scheduler=SCHEDULER:text]
references:
  - system-z, "Linux 2.6 I/O Schedulers" (as is not a good choice, the others are alike)
why: >-
  The anticipatory scheduler waits after a read for the next one nearby, and cfq and bfq share the disk out among
  processes. Both assume a single disk whose head moves: behind a storage system, with flash or in a virtual machine the
  time that they wait is lost, for it is all one process that asks.
not_if: >-
  The scheduler is none, noop, deadline, mq-deadline or kyber; cfq or bfq on a disk of one's own that turns; neither
  containers nor log lie there.
note: >-
  deadline takes the place of as and cfq, mq-deadline that of bfq, because kernels have the one set or the other (cfq
  went with 5.0). Only as was measured, without a figure, so nothing is claimed.
---*/
WITH USED (HOST_NAME, DEVICE) AS (
    SELECT
        HOST,
        DEVICE
    FROM TUNE.PLACEMENT
    WHERE KIND = 'container'
    UNION ALL
    SELECT
        H.HOST_NAME,
        L.DEVICE
    FROM TUNE.LOG AS L
    INNER JOIN TUNE.HOST AS H ON L.MEMBER = H.MEMBER
)
SELECT
    U.HOST_NAME,
    U.DEVICE,
    V.SCHEDULER,
    CASE V.SCHEDULER WHEN 'bfq' THEN 'mq-deadline' ELSE 'deadline' END AS NEW_SCHEDULER,
    COUNT(*) OVER (PARTITION BY U.HOST_NAME) AS DEVICES,
    CASE WHEN V.SCHEDULER IN ('anticipatory', 'as') THEN 0.6 ELSE 0.3 END AS CONFIDENCE
FROM (SELECT DISTINCT HOST_NAME, DEVICE FROM USED) AS U
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
