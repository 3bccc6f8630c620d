/*---
rule: os.io-scheduler
title: I/O scheduler does not fit the storage
lane: housekeeping
takes_effect: host change
applies: {platform: [Linux]}
steps_need: host
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
  - {manual: 'Make the change permanent with a udev rule or a tuned profile for {DEVICE:text}.'}
finding: >-
  The I/O scheduler of {DEVICE:text} is {SCHEDULER:text}, designed for a single desktop disk. It is wrong for {DEVICES}
  of the database's devices.
evidence: [devices=DEVICES, device=DEVICE:text, scheduler=SCHEDULER:text]
references:
  - system-z, "Linux 2.6 I/O Schedulers" (as is not a good choice, the others perform alike)
why: >-
  After a read, the anticipatory scheduler waits for the next one nearby; cfq and bfq divide the disk among processes.
  Both assume a single disk with a moving head. Behind a storage system, with flash or in a virtual machine the waiting
  is lost time, because one process sends all requests.
not_if: >-
  The scheduler is none, noop, deadline, mq-deadline or kyber; cfq or bfq on a dedicated rotating disk; the device holds
  neither containers nor logs.
note: >-
  deadline replaces as and cfq, mq-deadline replaces bfq, because a kernel has one set or the other (5.0 removed cfq).
  Only as was measured, without a figure, so the rule claims nothing.
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
