/*---
rule: os.readahead
title: Kernel read-ahead on devices with random reads
lane: performance
takes_effect: host change
applies: {platform: [Linux], workload: [oltp]}
steps_need: host
judged_by: load
needs: [host.readahead_sectors, host.device, tablespace.FS_CACHING, container.CONTAINER_NAME, workload.POOL_READ_TIME,
  system.HOST_NAME]
asks: [host.request_kb]
object: HOST {HOST_NAME:text}
claims: {POOL_READ: {at_most_pct: 30}}
recover: [0.02, 0.08, 0.2]
confidence: 0.3
unit: sectors
after: [prefetch.oltp-useless]
thresholds:
  min_pages:
    default: 2
    from: own
    why: average pages per read of the device; below it the kernel reads nothing ahead
actions:
  - when: KIND = 'DEVICE'
    set: {kind: DEVICE, object: '{NAME:text}', name: READAHEAD, from: '{SECTORS}', to: '0'}
  - {when: KIND = 'DEVICE', manual: 'Make the change permanent with a udev rule or a tuned profile for {NAME:text}.'}
  - when: KIND = 'VOLUME'
    set: {kind: VOLUME, object: '{NAME:text}', name: READAHEAD, from: '{SECTORS}', to: '0'}
finding: >-
  Table spaces with random reads use the file system cache. On {NAME:text}, the kernel reads {SECTORS} sectors ahead for
  each page[; an average read of {REQUEST_DEVICE:text} has {REQUEST_KB} KB].
evidence: [devices_and_volumes=UNITS, name=NAME:text, readahead_sectors=SECTORS, 'request_kb=REQUEST_KB:1?',
  FS_CACHING, 'synchronous_reads_pct=CLAIM_POOL_READ:2?']
references:
  - system-z, "Read-ahead setup" (without prefetching, read-ahead off gave 43 % more throughput, 30 % less time)
  - Linux kernel, mm/readahead.c (on-demand read-ahead since 2.6.23)
why: >-
  Through the file system cache, a read of one page becomes a read of the whole read-ahead window. With random reads,
  that costs disk time and memory for pages that no statement requested.
not_if: >-
  The table spaces bypass the file system cache, serve analytics too, or hold LOBs, which are read one page after the
  other; the device holds table spaces that serve
  analytics; read-ahead is below 128 sectors or unknown; a read of the device is hardly larger than a page.
note: >-
  The paper's 43 % covers prefetching and read-ahead together. The claim for prefetching is in prefetch.oltp-useless;
  the rest here is a proposal with low confidence. Later kernels read ahead only if reads look sequential, so the rule
  claims nothing until the read size shows it. Backups and other readers of the device are not visible. The rule does
  not advise more read-ahead for scans: prefetchers request whole extents.
---*/
WITH PLACED AS (
    -- every container on a known device, with its part of the reads of its table space
    SELECT
        H.HOST_NAME,
        C.DEVICE,
        CASE WHEN T.CLASS = 'OLTP' AND T.FS_CACHING = 0 AND L.TBSP_NAME IS NULL THEN 1 ELSE 0 END AS RANDOM,
        T.TBSP_PAGE_SIZE / CAST(1024 AS DOUBLE) AS PAGE_KB,
        T.SHARE_PCT * T.P_OLTP * H.HOST_SHARE
        / CAST(NULLIF(COUNT(*) OVER (PARTITION BY H.HOST_NAME, C.TBSP_NAME), 0) AS DOUBLE) AS READ_PCT
    FROM TUNE.CONTAINER AS C
    INNER JOIN TUNE.HOST AS H ON C.MEMBER = H.MEMBER
    INNER JOIN TUNE.TABLESPACE AS T ON C.TBSP_NAME = T.TBSP_NAME
    LEFT JOIN TUNE.LOB_SPACE AS L ON T.TBSP_NAME = L.TBSP_NAME
    WHERE T.TBSP_CONTENT_TYPE NOT IN ('SYSTEMP', 'USRTEMP')
),
DEVICES AS (
    SELECT
        P.HOST_NAME,
        P.DEVICE,
        P.READ_PCT,
        Q.NUM AS REQUEST_KB,
        CASE WHEN Q.NUM < O.MIN_PAGES * P.PAGE_KB THEN 0 ELSE P.RANDOM END AS RANDOM
    FROM (
        SELECT
            HOST_NAME,
            DEVICE,
            MIN(RANDOM) AS RANDOM,
            MAX(PAGE_KB) AS PAGE_KB,
            SUM(READ_PCT) AS READ_PCT
        FROM PLACED
        WHERE DEVICE IS NOT NULL
        GROUP BY HOST_NAME, DEVICE
    ) AS P
    CROSS JOIN TUNE.O_OS_READAHEAD AS O
    LEFT JOIN TUNE.HOST_FACT AS Q
        ON P.HOST_NAME = Q.HOST AND Q.FACT_KEY = 'device:' || P.DEVICE AND Q.ITEM = 'request_kb'
),
UNITS (HOST_NAME, KIND, NAME, SECTORS, DEVICE, RANDOM, REQUEST_KB, READ_PCT) AS (
    SELECT
        S.HOST_NAME,
        'DEVICE',
        S.DEVICE AS NAME,
        V.READAHEAD_SECTORS,
        S.DEVICE,
        S.RANDOM,
        S.REQUEST_KB,
        S.READ_PCT
    FROM DEVICES AS S
    INNER JOIN TUNE.DEVICE AS V ON S.HOST_NAME = V.HOST AND S.DEVICE = V.DEVICE
    UNION ALL
    -- a logical volume has its own read-ahead, in addition to that of the devices below it
    SELECT
        R.HOST,
        'VOLUME',
        SUBSTR(R.FACT_KEY, 8),
        CAST(FLOOR(R.NUM) AS BIGINT),
        S.DEVICE,
        S.RANDOM,
        S.REQUEST_KB,
        S.READ_PCT
    FROM TUNE.HOST_FACT AS R
    INNER JOIN TUNE.HOST_FACT AS D ON R.HOST = D.HOST AND R.FACT_KEY = D.FACT_KEY AND D.ITEM = 'devices'
    INNER JOIN DEVICES AS S
        ON R.HOST = S.HOST_NAME AND REPLACE(',' || D.VALUE || ',', ',' || S.DEVICE || ',', '') <> ',' || D.VALUE || ','
    WHERE R.ITEM = 'lv_readahead_sectors'
),
READ_AHEAD AS (
    SELECT
        U.*,
        MIN(U.RANDOM) OVER (PARTITION BY U.HOST_NAME, U.KIND, U.NAME) AS ALL_RANDOM
    FROM UNITS AS U
    WHERE U.SECTORS >= 128 -- 64 KB, the value of the kernel without a setting
),
CLAIMED AS (
    SELECT
        HOST_NAME,
        MAX(REQUEST_KB) AS REQUEST_KB,
        MIN(CASE WHEN REQUEST_KB = LARGEST_KB THEN DEVICE END) AS REQUEST_DEVICE,
        SUM(CASE WHEN REQUEST_KB IS NOT NULL THEN READ_PCT END) AS CLAIM_POOL_READ
    FROM (
        SELECT DISTINCT
            HOST_NAME, DEVICE, REQUEST_KB, READ_PCT,
            MAX(REQUEST_KB) OVER (PARTITION BY HOST_NAME) AS LARGEST_KB
        FROM READ_AHEAD
        WHERE ALL_RANDOM = 1
    ) AS AFFECTED
    GROUP BY HOST_NAME
)
SELECT
    R.*,
    0 AS FS_CACHING,
    COUNT(*) OVER (PARTITION BY R.HOST_NAME) AS UNITS,
    C.REQUEST_KB,
    C.REQUEST_DEVICE,
    C.CLAIM_POOL_READ
FROM (SELECT DISTINCT HOST_NAME, KIND, NAME, SECTORS FROM READ_AHEAD WHERE ALL_RANDOM = 1) AS R
INNER JOIN CLAIMED AS C ON R.HOST_NAME = C.HOST_NAME
