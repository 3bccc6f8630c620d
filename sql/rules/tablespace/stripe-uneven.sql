/*---
rule: tablespace.stripe-uneven
title: Containers of a stripe set are unevenly spread over devices
lane: condition
severity: low
takes_effect: object rebuilt or moved
risk: medium
applies: {not: [purescale]}
steps_need: storage
judged_by: config
needs: [container.CONTAINER_NAME, container.STRIPE_SET, tablespace.TBSP_USED_PAGES, host.device, system.HOST_NAME]
object: TABLESPACE {TBSP_NAME:text}
confidence: 0.6
defers_to:
  - {rule: tablespace.container-spread, within: object}
  - {rule: storage.hot-container, within: object}
actions:
  - manual: >-
      Use the same number of containers on every device. Choose a file on a device with fewer containers and free space:
      ALTER TABLESPACE {TBSP_NAME:name} ADD (FILE '/path/you/chose' {PAGES})[ ON DBPARTITIONNUM ({ON_PARTITION})], or
      DROP a container on {DEVICE:text}. Db2 moves extents online: do it at a quiet time.
    undo: {manual: ALTER TABLESPACE with DROP removes the added containers and moves the extents back.}
finding: >-
  Device {DEVICE:text} holds {MOST} of {CONTAINERS} containers of one stripe set, the least used devices {FEWEST} each.
  It reads {MOST} of every {CONTAINERS} extents while others wait.
evidence: [containers=CONTAINERS, devices=DEVICES, most_on_a_device=MOST, least_on_a_device=FEWEST, device=DEVICE:text]
query: >-
  SELECT TBSP_NAME, MEMBER, STRIPE_SET, CONTAINER_NAME, FS_ID FROM TABLE(MON_GET_CONTAINER(NULL, -2)) AS T ORDER BY
  TBSP_NAME, MEMBER, STRIPE_SET
references:
  - x445, balanced containers
  - IBM documentation of table spaces on RAID devices (c0005077)
why: >-
  Db2 distributes extents over the containers of a stripe set in turn, so a device gets extents in proportion to its
  containers. The device with most containers determines the duration of a scan.
not_if: >-
  Every device has the same number; the device of a container is unknown; one device has all containers, by design; the
  fuller device has more disks, in proportion, or is part of a pool; flash; SMS, temporary and automatic storage table
  spaces (storage.paths-one-device checks their paths); less than 1 GB; a rebalance runs; pureScale.
note: >-
  With several stripe sets, the worst is reported. Without an interval the rule claims nothing; with one,
  storage.hot-container reports the slower device.
---*/
WITH ON_DEVICE AS (
    SELECT
        C.TBSP_NAME,
        C.MEMBER,
        COALESCE(C.STRIPE_SET, 0) AS STRIPE_SET,
        C.DEVICE,
        COUNT(*) AS CONTAINERS,
        CAST(COUNT(*) AS DOUBLE) / NULLIF(COALESCE(MAX(C.DATA_DISKS), 1), 0) AS PER_DISK,
        COUNT(C.DATA_DISKS) AS DISKS_KNOWN,
        MAX(C.POOLED) AS POOLED,
        MIN(C.ROTATIONAL) AS ROTATIONAL,
        MAX(C.TOTAL_PAGES) AS PAGES
    FROM TUNE.CONTAINER AS C
    GROUP BY C.TBSP_NAME, C.MEMBER, COALESCE(C.STRIPE_SET, 0), C.DEVICE
),
STRIPED AS (
    SELECT
        D.*,
        COUNT(*) OVER (PARTITION BY TBSP_NAME, MEMBER, STRIPE_SET) AS PLACES,
        COUNT(DEVICE) OVER (PARTITION BY TBSP_NAME, MEMBER, STRIPE_SET) AS DEVICES,
        SUM(CONTAINERS) OVER (PARTITION BY TBSP_NAME, MEMBER, STRIPE_SET) AS ALL_CONTAINERS,
        SUM(CASE WHEN DISKS_KNOWN = 0 THEN 1 ELSE 0 END) OVER (PARTITION BY TBSP_NAME, MEMBER, STRIPE_SET) AS NOT_TOLD,
        MIN(CONTAINERS) OVER (PARTITION BY TBSP_NAME, MEMBER, STRIPE_SET) AS FEWEST,
        MIN(PER_DISK) OVER (PARTITION BY TBSP_NAME, MEMBER, STRIPE_SET) AS LEAST_PER_DISK,
        MAX(POOLED) OVER (PARTITION BY TBSP_NAME, MEMBER, STRIPE_SET) AS SOME_POOLED,
        MIN(COALESCE(ROTATIONAL, 1)) OVER (PARTITION BY TBSP_NAME, MEMBER, STRIPE_SET) AS ALL_TURN,
        ROW_NUMBER() OVER (PARTITION BY TBSP_NAME ORDER BY CONTAINERS DESC, MEMBER, STRIPE_SET, DEVICE) AS PLACE
    FROM ON_DEVICE AS D
)
SELECT
    S.TBSP_NAME,
    S.DEVICE,
    S.DEVICES,
    S.ALL_CONTAINERS AS CONTAINERS,
    S.CONTAINERS AS MOST,
    S.FEWEST,
    S.PAGES,
    CASE WHEN B.TOPOLOGY = 'dpf' THEN S.MEMBER END AS ON_PARTITION
FROM STRIPED AS S
INNER JOIN TUNE.TABLESPACE AS T ON S.TBSP_NAME = T.TBSP_NAME
CROSS JOIN TUNE.RUN_DATABASE AS B
CROSS JOIN TUNE.O_SITE AS SITE
WHERE
    S.PLACE = 1
    AND S.PLACES = S.DEVICES AND S.DEVICES > 1
    AND S.CONTAINERS > S.FEWEST
    AND (S.NOT_TOLD = S.PLACES OR (S.NOT_TOLD = 0 AND S.PER_DISK > S.LEAST_PER_DISK))
    AND S.SOME_POOLED = 0 AND S.ALL_TURN = 1
    AND T.TBSP_TYPE = 'DMS'
    AND T.TBSP_CONTENT_TYPE NOT IN ('SYSTEMP', 'USRTEMP')
    AND T.TBSP_USING_AUTO_STORAGE = 0
    AND COALESCE(T.TBSP_REBALANCER_MODE, 'NO_REBAL') = 'NO_REBAL'
    AND CAST(T.TBSP_USED_PAGES_ALL AS DOUBLE) * T.TBSP_PAGE_SIZE >= SITE.SMALL_GB * 1073741824
