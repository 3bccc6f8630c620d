-- rule:      tablespace.container-spread
-- title:     A device that holds data is not used by a busy table space
-- area:      tablespace
-- lane:      P
-- effect:    ON
-- risk:      medium
-- applies:   not=managed,purescale; quiet=yes
-- evidence:  load
-- claims:    POOL_READ, PREFETCH_WAIT
-- needs:     container.CONTAINER_NAME, dbcfg.VALUE, workload.POOL_READ_TIME, host.device
-- threshold: min_share_pct = 5 -- [prop] percent of database time that its reads and prefetch waits take
-- source:    000_9a1c354496f94ea4.txt, "multiple logical disk partitions"; 001_518820f6be7b57c0.txt, rotation of
--            ranks; IBM documentation of table spaces on RAID devices
-- why:       Reads are spread over the devices that the containers lie on. A device that holds data of the same
--            member, but none of this table space, cannot help to read it.
-- not-if:    Every data device has a container; a device of a container is not known; devices come from one pool;
--            the unused device holds the log; flash; SMS, temporary, raw devices; a rebalance runs.
-- note:      One device is added at a time, because Db2 takes no further change while it rebalances. The device
--            of a mount without data is not proposed: nothing says what it is for. Several containers on one
--            device are not reported, since no command unites them.
WITH DATA_DEVICE AS (
    SELECT DISTINCT
        C.MEMBER,
        H.HOST_NAME,
        C.DEVICE
    FROM TUNE.CONTAINER AS C
    INNER JOIN TUNE.HOST AS H ON C.MEMBER = H.MEMBER
    WHERE C.DEVICE IS NOT NULL
),
LOG_PATH AS (
    SELECT DISTINCT
        P.HOST,
        P.NAME,
        P.DEVICE
    FROM TUNE.CONFIG AS C
    INNER JOIN TUNE.HOST AS H ON C.MEMBER = H.MEMBER
    INNER JOIN TUNE.PLACEMENT AS P ON C.VALUE = P.NAME AND P.KIND = 'path' AND H.HOST_NAME = P.HOST
    WHERE C.SCOPE = 'DB' AND C.NAME IN ('logpath', 'mirrorlogpath')
),
UNUSED AS (
    SELECT
        U.TBSP_NAME,
        U.MEMBER,
        D.HOST_NAME,
        D.DEVICE,
        MIN(P.NAME) AS PATH
    FROM TUNE.CONTAINER_SET AS U
    INNER JOIN TUNE.TABLESPACE AS T ON U.TBSP_NAME = T.TBSP_NAME
    INNER JOIN DATA_DEVICE AS D ON U.MEMBER = D.MEMBER
    INNER JOIN TUNE.PLACEMENT AS P ON D.HOST_NAME = P.HOST AND D.DEVICE = P.DEVICE AND P.KIND = 'path'
    LEFT JOIN TUNE.CONTAINER AS C ON U.TBSP_NAME = C.TBSP_NAME AND U.MEMBER = C.MEMBER AND D.DEVICE = C.DEVICE
    LEFT JOIN LOG_PATH AS L ON D.HOST_NAME = L.HOST AND D.DEVICE = L.DEVICE
    -- a storage path is no news to automatic storage
    LEFT JOIN TUNE.D_STORAGE_PATH AS S
        ON P.NAME = S.DB_STORAGE_PATH AND U.MEMBER = S.DBPARTITIONNUM AND T.TBSP_USING_AUTO_STORAGE = 1
    WHERE C.DEVICE IS NULL AND L.DEVICE IS NULL AND S.DB_STORAGE_PATH IS NULL
    GROUP BY U.TBSP_NAME, U.MEMBER, D.HOST_NAME, D.DEVICE
),
CHOICE AS (
    SELECT
        UNUSED.*,
        COUNT(*) OVER (PARTITION BY TBSP_NAME, MEMBER) AS AVAILABLE,
        ROW_NUMBER() OVER (PARTITION BY TBSP_NAME, MEMBER ORDER BY DEVICE) AS PLACE
    FROM UNUSED
),
COMMAND AS (
    SELECT
        U.TBSP_NAME,
        U.MEMBER,
        U.CONTAINERS,
        U.DEVICES,
        U.MOST_PAGES AS TOTAL_PAGES,
        X.AVAILABLE,
        X.DEVICE,
        REPLACE(X.PATH, '''', '''''') AS PATH,
        T.TBSP_USING_AUTO_STORAGE,
        T.STORAGE_GROUP_NAME,
        T.SHARE_PCT,
        T.PREFETCH_WAIT_PCT,
        'ALTER TABLESPACE "' || REPLACE(T.TBSP_NAME, '"', '""') || '"' AS ALTER_SPACE,
        'ALTER STOGROUP "' || REPLACE(COALESCE(T.STORAGE_GROUP_NAME, ''), '"', '""') || '"' AS ALTER_GROUP,
        '(FILE ''' || REPLACE(X.PATH, '''', '''''')
        || CASE
            WHEN SUBSTR(X.PATH, LENGTH(X.PATH), 1) IN ('/', '\') THEN ''
            WHEN B.PLATFORM = 'Windows' THEN '\'
            ELSE '/'
        END
        || REPLACE(T.TBSP_NAME, '''', '''''') || '_'
        || CASE WHEN B.TOPOLOGY = 'dpf' THEN 'N' || CAST(U.MEMBER AS VARCHAR(20)) || '_' ELSE '' END
        || CAST(U.CONTAINERS AS VARCHAR(20)) || '''' AS NEW_FILE,
        CASE WHEN B.TOPOLOGY = 'dpf' THEN ' ON DBPARTITIONNUM (' || CAST(U.MEMBER AS VARCHAR(20)) || ')' ELSE '' END
            AS ON_MEMBER
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
),
WORST AS (
    SELECT
        COMMAND.*,
        MIN(CAST(DEVICES AS DOUBLE) / NULLIF(DEVICES + AVAILABLE, 0)) OVER (PARTITION BY TBSP_NAME) AS USED_PART,
        MIN(DEVICES) OVER (PARTITION BY TBSP_NAME) AS LEAST_DEVICES,
        MAX(DEVICES + AVAILABLE) OVER (PARTITION BY TBSP_NAME) AS MOST_DEVICES
    FROM COMMAND
)
SELECT
    'TABLESPACE' AS OBJECT_TYPE,
    W.TBSP_NAME AS OBJECT_NAME,
    CASE WHEN W.TBSP_USING_AUTO_STORAGE = 0 THEN W.MEMBER END AS MEMBER,
    W.SHARE_PCT + W.PREFETCH_WAIT_PCT AS CLAIMED_PCT,
    CAST(0.05 AS DOUBLE) AS RECOVER_LOW,
    LEAST(0.5, GREATEST(0.05, 1 - COALESCE(W.USED_PART, 1))) AS RECOVER_EXPECTED,
    CAST(0.6 AS DOUBLE) AS RECOVER_HIGH,
    CAST(0.6 AS DOUBLE) AS CONFIDENCE,
    CASE
        WHEN W.TBSP_USING_AUTO_STORAGE = 1 THEN 'STOGROUP:' || W.STORAGE_GROUP_NAME || ':' || W.PATH
        ELSE 'TABLESPACE:' || W.TBSP_NAME || ':CONTAINERS'
    END AS TARGET,
    CAST(W.DEVICES AS VARCHAR(20)) AS CURRENT_VALUE,
    CAST(W.DEVICES + 1 AS VARCHAR(20)) AS PROPOSED_VALUE,
    'devices' AS UNIT,
    CAST(0 AS BIGINT) AS MEMORY_DELTA_KB,
    CASE
        WHEN W.TBSP_USING_AUTO_STORAGE = 1
            THEN W.ALTER_GROUP || ' ADD ''' || W.PATH || '''' || CHR(10) || W.ALTER_SPACE || ' REBALANCE'
        ELSE W.ALTER_SPACE || ' ADD ' || W.NEW_FILE || ' ' || CAST(W.TOTAL_PAGES AS VARCHAR(20)) || ')' || W.ON_MEMBER
    END AS ACTION_TEXT,
    CASE
        WHEN W.TBSP_USING_AUTO_STORAGE = 1
            THEN W.ALTER_GROUP || ' DROP ''' || W.PATH || '''' || CHR(10) || W.ALTER_SPACE || ' REBALANCE'
        ELSE W.ALTER_SPACE || ' DROP ' || W.NEW_FILE || ')' || W.ON_MEMBER
    END AS UNDO_TEXT,
    'devices_used=' || CAST(W.LEAST_DEVICES AS VARCHAR(20))
    || '; devices_with_data=' || CAST(W.MOST_DEVICES AS VARCHAR(20))
    || '; device=' || W.DEVICE
    || '; POOL_READ_TIME_pct=' || CAST(CAST(ROUND(W.SHARE_PCT, 2) AS DECIMAL(9, 2)) AS VARCHAR(20))
    || '; PREFETCH_WAIT_TIME_pct=' || CAST(CAST(ROUND(W.PREFETCH_WAIT_PCT, 2) AS DECIMAL(9, 2)) AS VARCHAR(20))
        AS EVIDENCE,
    'The table space lies on ' || CAST(W.LEAST_DEVICES AS VARCHAR(20)) || ' of '
    || CAST(W.MOST_DEVICES AS VARCHAR(20)) || ' devices that hold data; ' || W.DEVICE || ' is not used for it.'
        AS FINDING,
    W.PREFETCH_WAIT_PCT AS CLAIM_2_PCT,
    CAST(0 AS DOUBLE) AS CLAIM_3_PCT
FROM WORST AS W
