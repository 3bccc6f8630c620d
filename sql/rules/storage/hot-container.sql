/*---
rule: storage.hot-container
title: One container is slower or busier than the others
lane: performance
takes_effect: host change
applies: {quiet: true}
steps_need: disks
judged_by: load
needs: [container.PAGES_READ, container.POOL_READ_TIME, tablespace.POOL_READ_TIME, workload.POOL_READ_TIME]
object: TABLESPACE {TBSP_NAME:text}
member: MEMBER
claims: {POOL_READ: {events: PAGES, cost_ms: EXCESS_MS}}
recover: [LOW, EXPECTED, HIGH]
confidence: CONFIDENCE
thresholds:
  busy_factor: {default: 1.5, from: own, why: 'pages read, compared with the average container'}
  min_ms: {default: 1, from: own, why: per page; below it a container is fast enough}
  queue_factor:
    default: 1.2
    from: own
    why: 'ms per page compared with the others: a busy container that is this much slower has a queue'
actions:
  - choose:
      - when: SLOW = 1
        manual: >-
          Find the reason why {CONTAINER_NAME:text} is slow: other users of {DEVICE:text|its device} (log, backup,
          another system), a failed disk or path. Or move it to a device as fast as the others.
      - when: STRIPE_SET > 0
        manual: >-
          Put the containers into one stripe set of equal sizes: containers in a new stripe set take no part in reads of
          existing data. The rebalance moves the {GB:1} GB of the table space: throttle it (SET UTIL_IMPACT_PRIORITY),
          at a quiet time.
      - when: DIFFERENCE > 0
        manual: >-
          Make all containers the same size, so that extents are spread over all of them. The rebalance moves the {GB:1}
          GB of the table space: throttle it (SET UTIL_IMPACT_PRIORITY), at a quiet time.
      - manual: >-
          Move the most-read tables to a table space on more devices: the containers are equal, so a few extents get
          most reads.
finding:
  - choose:
      - when: SLOW = 1
        text: '{CONTAINER_NAME:text} takes {MS_PER_PAGE:2} ms to read a page, the other containers {OTHER_MS:2} ms.'
      - >-
        {PAGES} of {ALL_PAGES} pages read from {CONTAINERS} containers came from {CONTAINER_NAME:text}, {MS_PER_PAGE:2}
        ms each[ (others {OTHER_MS:2} ms)].
evidence: [CONTAINER_NAME:text, 'device=DEVICE:text?', PAGES_READ=PAGES, PAGES_READ_of_all=ALL_PAGES,
  containers=CONTAINERS, 'ms_per_page=MS_PER_PAGE:2?', 'ms_per_page_of_others=OTHER_MS:2?']
references:
  - system-z, a balanced load on all paths and physical disks
  - x445, balanced containers
  - IBM documentation of MON_GET_CONTAINER (r0053944)
why: >-
  Db2 distributes extents over the containers in turn, so each takes part in every scan and in reads of most tables. The
  slowest container limits all.
not_if: >-
  One container; the others are as slow, or as busy; it answers within a millisecond, or, if all devices are from one
  pool, within the medium's normal time; it is busier but not slower, so nothing waits; a rebalance or utility runs; the
  table space takes little time.
note: >-
  The claim is the container's pages times the extra time per page, for the part of read time that agents themselves
  wait. The comparison is the other containers, or half of the normal maximum if they are not read. The claim is exact
  for a slow container, an upper bound for a busy one. Containers of other members count for read times, but not for the
  number of containers: that depends on the distribution of rows. Unequal sizes have their own rule with a command
  (tablespace.containers-uneven), so the text names no statement.
---*/
WITH CONTAINERS AS (
    SELECT
        C.TBSP_NAME,
        T.NORMAL_MS,
        CAST(T.TBSP_USED_PAGES_ALL AS DOUBLE) * T.TBSP_PAGE_SIZE / CAST(1073741824 AS DOUBLE) AS GB,
        CAST(T.SYNC_READ_MS AS DOUBLE) / NULLIF(T.SYNC_READ_MS + T.ASYNC_READ_MS, 0) AS AGENT_PART,
        C.MEMBER,
        C.CONTAINER_NAME,
        C.DEVICE,
        CASE WHEN V.POOLED = '1' THEN T.NORMAL_MS ELSE O.MIN_MS END AS MIN_MS,
        COALESCE(D.PAGES_READ, 0) AS PAGES,
        COALESCE(D.POOL_READ_TIME, 0) AS MS,
        COUNT(*) OVER (PARTITION BY C.TBSP_NAME, C.MEMBER) AS CONTAINERS,
        SUM(COALESCE(D.PAGES_READ, 0)) OVER (PARTITION BY C.TBSP_NAME, C.MEMBER) AS ALL_PAGES,
        SUM(COALESCE(D.PAGES_READ, 0)) OVER (PARTITION BY C.TBSP_NAME) AS SPACE_PAGES,
        SUM(COALESCE(D.POOL_READ_TIME, 0)) OVER (PARTITION BY C.TBSP_NAME) AS SPACE_MS,
        COUNT(*) OVER (PARTITION BY C.TBSP_NAME) AS SPACE_CONTAINERS,
        MAX(C.STRIPE_SET) OVER (PARTITION BY C.TBSP_NAME, C.MEMBER) AS STRIPE_SET,
        MAX(C.TOTAL_PAGES) OVER (PARTITION BY C.TBSP_NAME, C.MEMBER)
        - MIN(C.TOTAL_PAGES) OVER (PARTITION BY C.TBSP_NAME, C.MEMBER) AS DIFFERENCE
    FROM TUNE.TABLESPACE AS T
    CROSS JOIN TUNE.O_STORAGE_HOT_CONTAINER AS O
    CROSS JOIN TUNE.O_SITE AS SITE
    INNER JOIN TUNE.CONTAINER AS C ON T.TBSP_NAME = C.TBSP_NAME
    INNER JOIN TUNE.D_CONTAINER AS D
        ON C.TBSP_NAME = D.TBSP_NAME AND C.MEMBER = D.MEMBER AND C.CONTAINER_ID = D.CONTAINER_ID
    LEFT JOIN TUNE.HOST AS H ON C.MEMBER = H.MEMBER
    LEFT JOIN TUNE.DEVICE AS V ON H.HOST_NAME = V.HOST AND C.DEVICE = V.DEVICE
    WHERE T.SHARE_PCT >= SITE.SOME_PCT AND T.TBSP_REBALANCER_MODE = 'NO_REBAL'
),
COMPARED AS (
    SELECT
        K.*,
        CAST(MS AS DOUBLE) / NULLIF(PAGES, 0) AS MS_PER_PAGE,
        CAST(SPACE_MS - MS AS DOUBLE) / NULLIF(SPACE_PAGES - PAGES, 0) AS OTHER_MS,
        CONTAINERS * CAST(PAGES AS DOUBLE) / NULLIF(ALL_PAGES, 0) AS TIMES
    FROM CONTAINERS AS K
),
JUDGED AS (
    SELECT
        K.*,
        CASE WHEN K.MS_PER_PAGE >= CONST.QUEUE_FACTOR * K.OTHER_MS THEN 1 ELSE 0 END AS SLOW,
        K.AGENT_PART * (K.MS_PER_PAGE - COALESCE(K.OTHER_MS, K.NORMAL_MS / CAST(2 AS DOUBLE))) AS EXCESS_MS
    FROM COMPARED AS K
    CROSS JOIN TUNE.O_STORAGE_HOT_CONTAINER AS O
    CROSS JOIN TUNE.CONSTANT AS CONST
    WHERE
        K.SPACE_CONTAINERS > 1
        AND K.SPACE_PAGES >= CONST.ENOUGH_PAGES
        AND K.PAGES >= CONST.ENOUGH_EVENTS
        AND K.MS_PER_PAGE >= K.MIN_MS
        AND (
            K.MS_PER_PAGE >= CONST.QUEUE_FACTOR * K.OTHER_MS
            OR (
                K.CONTAINERS > 1
                AND K.TIMES >= O.BUSY_FACTOR
                AND K.MS_PER_PAGE >= O.QUEUE_FACTOR * COALESCE(K.OTHER_MS, K.NORMAL_MS)
            )
        )
),
WORST AS (
    SELECT
        J.*,
        CASE WHEN SLOW = 1 THEN 0.7 ELSE 0.1 END AS LOW,
        CASE WHEN SLOW = 1 THEN 0.9 ELSE 0.3 END AS EXPECTED,
        CASE WHEN SLOW = 1 THEN 1.0 ELSE 0.6 END AS HIGH,
        CASE WHEN SLOW = 1 THEN 0.9 ELSE 0.6 END AS CONFIDENCE,
        ROW_NUMBER() OVER (PARTITION BY TBSP_NAME ORDER BY SLOW DESC, PAGES * EXCESS_MS DESC, MEMBER, CONTAINER_NAME)
            AS PLACE
    FROM JUDGED AS J
)
SELECT
    TBSP_NAME, MEMBER, CONTAINER_NAME, DEVICE, SLOW, STRIPE_SET, DIFFERENCE, PAGES, ALL_PAGES, CONTAINERS, MS_PER_PAGE,
    OTHER_MS, EXCESS_MS, GB, LOW, EXPECTED, HIGH, CONFIDENCE
FROM WORST
WHERE PLACE = 1
