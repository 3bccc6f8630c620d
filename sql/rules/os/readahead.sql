-- rule:      os.readahead
-- title:     The kernel reads ahead where the work is random
-- area:      os
-- lane:      P
-- effect:    HR
-- applies:   platform=Linux; workload=oltp; not=managed
-- evidence:  load
-- claims:    POOL_READ
-- after:     prefetch.oltp-useless
-- needs:     host.readahead_sectors, host.device, tablespace.FS_CACHING, container.CONTAINER_NAME,
--            workload.POOL_READ_TIME
-- threshold: min_sectors = 128 -- [seed 001] 64 KB; what the kernel takes when nobody set it
-- source:    001_518820f6be7b57c0.txt, "Read-ahead setup" (with prefetching off, read-ahead off gave 43 %)
-- why:       Through the file cache, a read of one page becomes a read of all that read-ahead fetches behind it. Where
--            pages are read at random, that is disk time and memory for what nobody asked for.
-- not-if:    The table spaces bypass the file cache, or serve analysis too; the device holds table spaces that do;
--            read-ahead is below 128 sectors, or not known.
-- note:      The 43 % of the paper are of prefetching and read-ahead together; prefetch.oltp-useless promises them, and
--            what is left here is a proposal with low confidence. Backups and other readers of the device are not
--            seen. That a scan profits from more read-ahead is not advised: its prefetchers ask for whole extents.
WITH PLACED AS (
    -- every container on a known device, with the part of the reads of its table space that falls to it
    SELECT
        H.HOST_NAME,
        C.DEVICE,
        CASE WHEN T.CLASS = 'OLTP' AND T.FS_CACHING = 0 THEN 1 ELSE 0 END AS RANDOM,
        T.SHARE_PCT * T.P_OLTP * H.HOST_SHARE
        / CAST(NULLIF(COUNT(*) OVER (PARTITION BY H.HOST_NAME, C.TBSP_NAME), 0) AS DOUBLE) AS SHARE_PCT
    FROM TUNE.CONTAINER AS C
    INNER JOIN TUNE.HOST AS H ON C.MEMBER = H.MEMBER
    INNER JOIN TUNE.TABLESPACE AS T ON C.TBSP_NAME = T.TBSP_NAME
    WHERE T.TBSP_CONTENT_TYPE NOT IN ('SYSTEMP', 'USRTEMP')
),
DEVICES AS (
    SELECT
        HOST_NAME,
        DEVICE,
        MIN(RANDOM) AS RANDOM,
        SUM(SHARE_PCT) AS SHARE_PCT
    FROM PLACED
    WHERE DEVICE IS NOT NULL
    GROUP BY HOST_NAME, DEVICE
),
-- a logical volume has a read-ahead of its own, beside that of the devices below it
UNITS (HOST_NAME, TARGET, COMMAND, NAME, SECTORS, DEVICE, RANDOM, SHARE_PCT) AS (
    SELECT
        S.HOST_NAME,
        'DEVICE' AS TARGET,
        'blockdev --setra ' AS COMMAND,
        S.DEVICE AS NAME,
        V.READAHEAD_SECTORS AS SECTORS,
        S.DEVICE,
        S.RANDOM,
        S.SHARE_PCT
    FROM DEVICES AS S
    INNER JOIN TUNE.DEVICE AS V ON S.HOST_NAME = V.HOST AND S.DEVICE = V.DEVICE
    UNION ALL
    SELECT
        R.HOST,
        'VOLUME',
        'lvchange -r ',
        SUBSTR(R.FACT_KEY, 8),
        CAST(FLOOR(R.NUM) AS BIGINT),
        S.DEVICE,
        S.RANDOM,
        S.SHARE_PCT
    FROM TUNE.HOST_FACT AS R
    INNER JOIN TUNE.HOST_FACT AS D ON R.HOST = D.HOST AND R.FACT_KEY = D.FACT_KEY AND D.ITEM = 'devices'
    INNER JOIN DEVICES AS S
        ON R.HOST = S.HOST_NAME AND REPLACE(',' || D.VALUE || ',', ',' || S.DEVICE || ',', '') <> ',' || D.VALUE || ','
    WHERE R.FACT_KEY LIKE 'volume:%' AND R.ITEM = 'lv_readahead_sectors'
),
READ_AHEAD AS (
    SELECT U.*
    FROM (
        SELECT
            HOST_NAME,
            TARGET,
            COMMAND,
            NAME,
            SECTORS,
            MIN(RANDOM) AS RANDOM
        FROM UNITS
        GROUP BY HOST_NAME, TARGET, COMMAND, NAME, SECTORS
    ) AS U
    CROSS JOIN TUNE.O_OS_READAHEAD AS O
    WHERE U.RANDOM = 1 AND U.SECTORS >= O.MIN_SECTORS
),
CLAIMED AS (
    SELECT
        HOST_NAME,
        SUM(SHARE_PCT) AS SHARE_PCT
    FROM (
        SELECT DISTINCT
            U.HOST_NAME,
            U.DEVICE,
            U.SHARE_PCT
        FROM UNITS AS U
        INNER JOIN READ_AHEAD AS R ON U.HOST_NAME = R.HOST_NAME AND U.TARGET = R.TARGET AND U.NAME = R.NAME
    ) AS AFFECTED
    GROUP BY HOST_NAME
)
SELECT
    'HOST' AS OBJECT_TYPE,
    R.HOST_NAME AS OBJECT_NAME,
    CAST(NULL AS SMALLINT) AS MEMBER,
    C.SHARE_PCT AS CLAIMED_PCT,
    CAST(0.02 AS DOUBLE) AS RECOVER_LOW,
    CAST(0.08 AS DOUBLE) AS RECOVER_EXPECTED,
    CAST(0.2 AS DOUBLE) AS RECOVER_HIGH,
    CAST(0.3 AS DOUBLE) AS CONFIDENCE,
    R.TARGET || ':' || R.HOST_NAME || ':' || R.NAME || ':READAHEAD' AS TARGET,
    CAST(R.SECTORS AS VARCHAR(20)) AS CURRENT_VALUE,
    '0' AS PROPOSED_VALUE,
    'sectors' AS UNIT,
    CAST(0 AS BIGINT) AS MEMORY_DELTA_KB,
    R.COMMAND || '0 /dev/' || R.NAME
    || CASE
        WHEN R.TARGET = 'DEVICE'
            THEN CHR(10) || '-- Keep it over a restart: a rule of udev or a profile of tuned for ' || R.NAME
        ELSE ''
    END AS ACTION_TEXT,
    R.COMMAND || CAST(R.SECTORS AS VARCHAR(20)) || ' /dev/' || R.NAME AS UNDO_TEXT,
    'devices_and_volumes=' || CAST(COUNT(*) OVER (PARTITION BY R.HOST_NAME) AS VARCHAR(20))
    || '; name=' || R.NAME
    || '; readahead_sectors=' || CAST(R.SECTORS AS VARCHAR(20))
    || '; FS_CACHING=0'
    || '; synchronous_reads_pct=' || CAST(CAST(ROUND(C.SHARE_PCT, 2) AS DECIMAL(9, 2)) AS VARCHAR(20)) AS EVIDENCE,
    'Table spaces with random reads go through the file cache, and for each page the kernel reads ahead, on '
    || R.NAME || ' ' || CAST(R.SECTORS AS VARCHAR(20)) || ' sectors.' AS FINDING,
    CAST(0 AS DOUBLE) AS CLAIM_2_PCT,
    CAST(0 AS DOUBLE) AS CLAIM_3_PCT
FROM READ_AHEAD AS R
INNER JOIN CLAIMED AS C ON R.HOST_NAME = C.HOST_NAME
