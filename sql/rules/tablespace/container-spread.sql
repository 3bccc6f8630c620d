-- rule:       tablespace.container-spread
-- title:      A device that holds data is not used by a busy table space
-- area:       tablespace
-- lane:       P
-- effect:     ON
-- risk:       medium
-- applies:    not=managed,purescale; quiet=yes
-- judged-by:  load
-- claims:     POOL_READ, PREFETCH_WAIT
-- recover:    0.05, RECOVER, 0.6
-- confidence: 0.6
-- needs:      container.CONTAINER_NAME, dbcfg.VALUE, workload.POOL_READ_TIME, host.device
-- threshold:  min_share_pct = 5 -- [prop] percent of database time that its reads and prefetch waits take
-- object:     TABLESPACE {TBSP_NAME:text}
-- member:     MEMBER
-- unit:       devices
-- set:        when MEMBER IS NULL: STOGROUP {STORAGE_GROUP_NAME:text} {PATH:text}: {DEVICES} -> {MORE_DEVICES}
-- set:        when MEMBER IS NOT NULL: CONTAINERS: {DEVICES} -> {MORE_DEVICES}
-- undo:       when MEMBER IS NULL: ALTER TABLESPACE {TBSP_NAME:name} REBALANCE
-- do:         when MEMBER IS NULL: ALTER STOGROUP {STORAGE_GROUP_NAME:name} ADD {PATH:literal}
-- undo:       ALTER STOGROUP {STORAGE_GROUP_NAME:name} DROP {PATH:literal}
-- do:         when MEMBER IS NULL: ALTER TABLESPACE {TBSP_NAME:name} REBALANCE
-- do:         when MEMBER IS NOT NULL: ALTER TABLESPACE {TBSP_NAME:name} ADD (FILE {NEW_FILE:literal} {MOST_PAGES})[ ON
--             DBPARTITIONNUM ({ON_PARTITION})]
-- undo:       ALTER TABLESPACE {TBSP_NAME:name} DROP (FILE {NEW_FILE:literal})[ ON DBPARTITIONNUM ({ON_PARTITION})]
-- finding:    The table space lies on {LEAST_DEVICES} of {MOST_DEVICES} devices that hold data; {DEVICE:text} is not
--             used for it.
-- evidence:   devices_used=LEAST_DEVICES, devices_with_data=MOST_DEVICES, device=DEVICE:text,
--             POOL_READ_TIME_pct=CLAIM_POOL_READ:2, PREFETCH_WAIT_TIME_pct=CLAIM_PREFETCH_WAIT:2
-- source:     000_9a1c354496f94ea4.txt, "multiple logical disk partitions"; 001_518820f6be7b57c0.txt, rotation of
--             ranks; IBM documentation of table spaces on RAID devices
-- why:        Reads are spread over the devices that the containers lie on. A device that holds data of the same
--             member, but none of this table space, cannot help to read it.
-- not-if:     Every data device has a container; a device of a container is not known; devices come from one pool;
--             the unused device holds the log; flash; SMS, temporary, raw devices; a rebalance runs.
-- note:       One device is added at a time, because Db2 takes no further change while it rebalances. The device
--             of a mount without data is not proposed: nothing says what it is for. Several containers on one
--             device are not reported, since no command unites them.
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
        T.SHARE_PCT AS CLAIM_POOL_READ,
        T.PREFETCH_WAIT_PCT AS CLAIM_PREFETCH_WAIT
    FROM TUNE.CONTAINER_SET AS U
    INNER JOIN CHOICE AS X ON U.TBSP_NAME = X.TBSP_NAME AND U.MEMBER = X.MEMBER AND X.PLACE = 1
    INNER JOIN TUNE.TABLESPACE AS T ON U.TBSP_NAME = T.TBSP_NAME
    CROSS JOIN TUNE.RUN_DATABASE AS B
    CROSS JOIN TUNE.O_TABLESPACE_CONTAINER_SPREAD AS O
    WHERE
        U.KNOWN = U.CONTAINERS
        AND T.TBSP_TYPE = 'DMS'
        AND T.TBSP_CONTENT_TYPE NOT IN ('SYSTEMP', 'USRTEMP')
        AND T.TBSP_REBALANCER_MODE = 'NO_REBAL'
        AND COALESCE(T.ROTATIONAL, 1) <> 0
        AND T.BUSY = 1
        AND T.SHARE_PCT + T.PREFETCH_WAIT_PCT >= O.MIN_SHARE_PCT
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
    LEAST(0.5, GREATEST(0.05, 1 - COALESCE(
        MIN(CAST(DEVICES AS DOUBLE) / NULLIF(DEVICES + AVAILABLE, 0)) OVER (PARTITION BY TBSP_NAME), 1
    ))) AS RECOVER,
    MIN(DEVICES) OVER (PARTITION BY TBSP_NAME) AS LEAST_DEVICES,
    MAX(DEVICES + AVAILABLE) OVER (PARTITION BY TBSP_NAME) AS MOST_DEVICES
FROM SPREAD AS S
