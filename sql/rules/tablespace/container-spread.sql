/*---
rule: tablespace.container-spread
title: Busy table space does not use all data devices
lane: performance
takes_effect: immediately
risk: medium
applies: {not: [purescale], quiet: true}
steps_need: storage
judged_by: load
needs: [container.CONTAINER_NAME, dbcfg.VALUE, workload.POOL_READ_TIME, host.device, tablespace.POOL_READ_TIME,
  system.HOST_NAME]
object: TABLESPACE {TBSP_NAME:text}
member: MEMBER
claims:
  POOL_READ: {events: SYNC_READS, cost_ms: SAVED_MS}
  PREFETCH_WAIT: {events: PREFETCH_WAITS, cost_ms: SAVED_WAIT_MS}
recover: [0.3, 0.6, 1.0]
confidence: 0.6
unit: devices
thresholds:
  async_factor: {default: 2, from: own, why: a prefetch reads an extent and may take this much longer than a page}
actions:
  - when: MEMBER IS NULL
    set:
      kind: STOGROUP
      object: '{STORAGE_GROUP_NAME:text}'
      name: '{PATH:text}'
      from: '{DEVICES}'
      to: '{MORE_DEVICES}'
  - when: MEMBER IS NOT NULL
    set: {name: CONTAINERS, from: '{DEVICES}', to: '{MORE_DEVICES}'}
  - when: MEMBER IS NULL
    undo: {command: 'ALTER TABLESPACE {TBSP_NAME:name} REBALANCE'}
  - when: MEMBER IS NULL
    command: ALTER STOGROUP {STORAGE_GROUP_NAME:name} ADD {PATH:literal}
    undo: {command: 'ALTER STOGROUP {STORAGE_GROUP_NAME:name} DROP {PATH:literal}'}
  - {when: MEMBER IS NULL, command: 'ALTER TABLESPACE {TBSP_NAME:name} REBALANCE'}
  - when: MEMBER IS NOT NULL
    command: >-
      ALTER TABLESPACE {TBSP_NAME:name} ADD (FILE {NEW_FILE:literal} {MOST_PAGES})[ ON DBPARTITIONNUM ({ON_PARTITION})]
    undo:
      command: ALTER TABLESPACE {TBSP_NAME:name} DROP (FILE {NEW_FILE:literal})[ ON DBPARTITIONNUM ({ON_PARTITION})]
  - manual: 'Db2 now moves up to {GB:1} GB online: throttle it (SET UTIL_IMPACT_PRIORITY), at a quiet time.'
    undo: {manual: Removing the container moves the extents back.}
finding: >-
  Agents wait {READ_MS:1} ms for a page. The table space uses {LEAST_DEVICES} of {MOST_DEVICES} data devices, and not
  {DEVICE:text}.
evidence: [devices_used=LEAST_DEVICES, devices_with_data=MOST_DEVICES, device=DEVICE:text,
  ms_per_synchronous_read=READ_MS:1, POOL_READ_TIME_pct=SHARE_PCT:2, PREFETCH_WAIT_TIME_pct=PREFETCH_WAIT_PCT:2]
references:
  - x445, "multiple logical disk partitions"
  - system-z, rotation of ranks
  - IBM documentation of table spaces on RAID devices
why: >-
  Db2 spreads reads over the devices of the containers. A device that holds data of the same member, but no container of
  this table space, does not help to read it.
not_if: >-
  Every data device has a container; the device of a container is unknown; devices are from one pool; the unused device
  is busy or slower, holds the log, or has no space; reads and prefetches are normal for the medium; flash; SMS,
  temporary, raw devices; a rebalance runs.
note: >-
  One more device reduces the load on each in proportion. The claim is that part of the read time above half of the
  normal maximum, and of the prefetch waits. Devices are added one at a time, because Db2 accepts no further change
  during a rebalance. A mounted device without data is not proposed: its purpose is unknown. Several containers on one
  device are not reported, because no command merges them.
---*/
WITH CHOICE AS (
    SELECT
        U.*,
        COUNT(*) OVER (PARTITION BY TBSP_NAME, MEMBER) AS AVAILABLE,
        ROW_NUMBER() OVER (PARTITION BY TBSP_NAME, MEMBER ORDER BY DEVICE) AS PLACE
    FROM TUNE.UNUSED_DEVICE AS U
),
SPREAD AS (
    SELECT
        U.TBSP_NAME,
        CASE WHEN T.TBSP_USING_AUTO_STORAGE = 0 THEN U.MEMBER END AS MEMBER,
        CASE WHEN B.TOPOLOGY = 'dpf' THEN U.MEMBER END AS ON_PARTITION,
        T.STORAGE_GROUP_NAME,
        U.DEVICES,
        U.DEVICES + 1 AS MORE_DEVICES,
        U.MOST_PAGES,
        X.AVAILABLE,
        X.DEVICE,
        X.PATH,
        X.PATH
        || CASE
            WHEN SUBSTR(X.PATH, LENGTH(X.PATH), 1) IN ('/', '\') THEN ''
            WHEN B.PLATFORM = 'Windows' THEN '\'
            ELSE '/'
        END
        || T.TBSP_NAME || '_'
        || CASE WHEN B.TOPOLOGY = 'dpf' THEN 'N' || CAST(U.MEMBER AS VARCHAR(20)) || '_' ELSE '' END
        || CAST(U.CONTAINERS AS VARCHAR(20)) AS NEW_FILE,
        T.SYNC_READS,
        T.READ_MS,
        CASE WHEN T.READ_MS > T.NORMAL_MS THEN T.READ_MS - T.NORMAL_MS / CAST(2 AS DOUBLE) END AS EXCESS_MS,
        T.PREFETCH_WAITS,
        T.WAIT_MS,
        T.SHARE_PCT,
        T.PREFETCH_WAIT_PCT,
        CAST(T.TBSP_USED_PAGES_ALL AS DOUBLE) * T.TBSP_PAGE_SIZE / CAST(1073741824 AS DOUBLE) AS GB
    FROM TUNE.CONTAINER_SET AS U
    INNER JOIN CHOICE AS X ON U.TBSP_NAME = X.TBSP_NAME AND U.MEMBER = X.MEMBER AND X.PLACE = 1
    INNER JOIN TUNE.TABLESPACE AS T ON U.TBSP_NAME = T.TBSP_NAME
    CROSS JOIN TUNE.RUN_DATABASE AS B
    CROSS JOIN TUNE.O_TABLESPACE_CONTAINER_SPREAD AS O
    CROSS JOIN TUNE.O_SITE AS SITE
    WHERE
        U.KNOWN = U.CONTAINERS
        AND T.TBSP_TYPE = 'DMS'
        AND T.TBSP_CONTENT_TYPE NOT IN ('SYSTEMP', 'USRTEMP')
        AND T.TBSP_REBALANCER_MODE = 'NO_REBAL'
        AND COALESCE(T.ROTATIONAL, 1) <> 0
        AND T.BUSY = 1
        AND T.SHARE_PCT + T.PREFETCH_WAIT_PCT >= SITE.HIGH_PCT
        AND (T.READ_MS > T.NORMAL_MS OR T.REQUEST_MS > O.ASYNC_FACTOR * T.NORMAL_MS)
        AND COALESCE(X.ROTATIONAL, 1) <= COALESCE(T.ROTATIONAL, 1)
        AND COALESCE(X.BUSY_PCT, 0) < SITE.BUSY_PCT
        AND COALESCE(X.MS_PER_PAGE, 0) <= COALESCE(T.READ_MS, X.MS_PER_PAGE, 0)
        AND (X.FREE_BYTES IS NULL OR X.FREE_BYTES > CAST(U.MOST_PAGES AS DOUBLE) * T.TBSP_PAGE_SIZE)
        AND (
            (T.TBSP_USING_AUTO_STORAGE = 0 AND U.RAW = 0)
            OR (
                T.TBSP_USING_AUTO_STORAGE = 1 AND T.STORAGE_GROUP_NAME IS NOT NULL
                AND B.DB2_LEVEL >= 10010000 AND B.TOPOLOGY <> 'dpf'
            )
        )
        AND NOT EXISTS (
            SELECT 1 FROM TUNE.DEVICE AS V WHERE COALESCE(V.POOLED, '0') NOT IN ('0', 'no') AND V.HOST = X.HOST_NAME
        )
)
SELECT
    S.*,
    CAST(EXCESS_MS AS DOUBLE) / NULLIF(1 + MIN(DEVICES) OVER (PARTITION BY TBSP_NAME), 0) AS SAVED_MS,
    CAST(WAIT_MS AS DOUBLE) / NULLIF(1 + MIN(DEVICES) OVER (PARTITION BY TBSP_NAME), 0) AS SAVED_WAIT_MS,
    MIN(DEVICES) OVER (PARTITION BY TBSP_NAME) AS LEAST_DEVICES,
    MAX(DEVICES + AVAILABLE) OVER (PARTITION BY TBSP_NAME) AS MOST_DEVICES
FROM SPREAD AS S
