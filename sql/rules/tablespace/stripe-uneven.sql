/*---
rule: tablespace.stripe-uneven
title: Some devices hold more containers of a stripe set than others
lane: condition
severity: low
takes_effect: object rebuilt or moved
risk: medium
applies: {not: [managed, purescale]}
judged_by: config
needs: [container.CONTAINER_NAME, container.STRIPE_SET, tablespace.TBSP_USED_PAGES, host.device]
object: TABLESPACE {TBSP_NAME:text}
confidence: 0.6
defers_to:
  - {rule: tablespace.container-spread, within: object}
  - {rule: storage.hot-container, within: object}
thresholds:
  min_gb: {default: 1, from: own, why: 'a smaller table space is read from memory, wherever its containers lie'}
actions:
  - manual: >-
      Give every device as many containers: ALTER TABLESPACE {TBSP_NAME:name} ADD (FILE '<path>' <pages>)[ ON
      DBPARTITIONNUM ({ON_PARTITION})] on those that have fewer, where they have room, or DROP one of those on
      {DEVICE:text}. Db2 moves extents while applications run: at a quiet time.
    undo: {manual: 'What was added is taken away by ALTER TABLESPACE with DROP, which moves the extents back.'}
finding: >-
  {MOST} of the {CONTAINERS} containers of one stripe set lie on {DEVICE:text}, and {FEWEST} on each of those with the
  fewest: of every {CONTAINERS} extents it must read {MOST}, while others wait.
evidence: [containers=CONTAINERS, devices=DEVICES, most_on_a_device=MOST, least_on_a_device=FEWEST, device=DEVICE:text]
query: >-
  SELECT TBSP_NAME, MEMBER, STRIPE_SET, CONTAINER_NAME, FS_ID FROM TABLE(MON_GET_CONTAINER(NULL, -2)) AS T ORDER BY
  TBSP_NAME, MEMBER, STRIPE_SET; df <container paths>
references:
  - x445, balanced containers
  - IBM documentation of table spaces on RAID devices (c0005077)
why: >-
  Extents are dealt out to the containers of a stripe set in turn, so a device gets as many of them as it has
  containers. A scan takes as long as the device that has most.
not_if: >-
  Every device has as many; the device of a container is not known; one device has all, and others were never meant; the
  fuller device has more disks, in proportion, or is cut from a pool; flash; SMS, temporary and automatic storage table
  spaces, whose paths storage.paths-one-device looks at; below 1 GB; a rebalance runs; pureScale.
note: >-
  Which of several stripe sets is uneven: the worst is told. Without an interval it says nothing of time; with one, the
  device that is slower for it is storage.hot-container's.
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
        MIN(C.ROTATIONAL) AS ROTATIONAL
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
    CASE WHEN B.TOPOLOGY = 'dpf' THEN S.MEMBER END AS ON_PARTITION
FROM STRIPED AS S
INNER JOIN TUNE.TABLESPACE AS T ON S.TBSP_NAME = T.TBSP_NAME
CROSS JOIN TUNE.RUN_DATABASE AS B
CROSS JOIN TUNE.O_TABLESPACE_STRIPE_UNEVEN AS O
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
    AND CAST(T.TBSP_USED_PAGES_ALL AS DOUBLE) * T.TBSP_PAGE_SIZE >= O.MIN_GB * 1073741824
