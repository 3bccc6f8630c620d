-- rule:      dpf.member-asymmetry
-- title:     Members that share the work differ in settings, containers or log devices
-- area:      dpf
-- lane:      H
-- effect:    RA
-- applies:   topology=dpf; not=managed
-- evidence:  config
-- needs:     partition_group.DBPARTITIONNUM, cat_tablespace.DBPGNAME, dbcfg.VALUE_FLAGS, container.TOTAL_PAGES,
--            tablespace.TBSP_USING_AUTO_STORAGE
-- threshold: size_tolerance = 0.05 -- [prop] table spaces that differ by less hold the same
-- threshold: memory_step_mb = 8192 -- [prop] hosts whose memory differs by less than about this are alike
-- source:    000_9a1c354496f94ea4.txt, "Balancing the hardware"; 002_e991ec30bbd9209f.txt, appendix A
-- why:       All members work on each large statement and it ends with the slowest, so a member that was set up
--            differently slows the others. Often it was forgotten when a setting was changed on the rest.
-- not-if:    No value is that of more than half of the like members; the value is AUTOMATIC or COMPUTED on either
--            side (members may be kept out of STMM on purpose) or a change waits; the host has other processors or
--            memory; the member holds the catalog, or no tables that are spread. Containers of automatic storage
--            and SMS grow with the data. Log devices that also hold data belong to log.shares-data-device; flash
--            and pooled devices serve several logs.
-- note:      UPDATE DB CFG names one member with MEMBER, and with DBPARTITIONNUM before 10.1. Which paths are free on
--            a host is not known, so containers and logs are told in words.
WITH PLACE AS (
    SELECT
        G.DBPGNAME,
        G.MEMBER,
        H.HOST_NAME,
        COALESCE(H.CPU_ONLINE, 0) AS CPUS,
        COALESCE(H.MEMBERS, 0) AS SHARING,
        CAST(ROUND(CAST(COALESCE(H.MEMORY_TOTAL, 0) AS DOUBLE) / NULLIF(O.MEMORY_STEP_MB, 0)) AS BIGINT) AS MEMORY_STEPS
    FROM TUNE.GROUP_MEMBER AS G
    CROSS JOIN TUNE.O_DPF_MEMBER_ASYMMETRY AS O
    LEFT JOIN TUNE.HOST AS H ON G.MEMBER = H.MEMBER
    WHERE G.PARTITIONS >= 2 AND G.PART > 0 AND G.HOLDS_CATALOG = 0
),
ALIKE AS (
    SELECT
        M.MEMBER,
        M.CPUS,
        M.SHARING,
        M.MEMORY_STEPS,
        COUNT(*) OVER (PARTITION BY M.CPUS, M.SHARING, M.MEMORY_STEPS) AS N
    FROM (SELECT DISTINCT MEMBER, CPUS, SHARING, MEMORY_STEPS FROM PLACE) AS M
),
FIXED AS (
    SELECT
        A.*,
        C.NAME,
        C.NUM,
        COUNT(*) OVER (PARTITION BY A.CPUS, A.SHARING, A.MEMORY_STEPS, C.NAME, C.NUM) AS SAME
    FROM ALIKE AS A
    INNER JOIN TUNE.CONFIG AS C ON A.MEMBER = C.MEMBER AND C.SCOPE = 'DB'
    INNER JOIN TUNE.D_DBCFG AS F ON C.MEMBER = F.MEMBER AND C.NAME = LOWER(F.NAME)
    WHERE
        C.NAME IN (
            'sortheap', 'logbufsz', 'chngpgs_thresh', 'num_ioservers', 'num_iocleaners', 'locklist', 'pckcachesz',
            'database_memory'
        )
        AND C.AUTOMATIC = 0 AND C.PENDING = 0 AND C.NUM >= 0 AND COALESCE(F.VALUE_FLAGS, 'NONE') <> 'COMPUTED'
),
ODD AS (
    SELECT
        X.MEMBER,
        X.NAME,
        X.NUM,
        X.N,
        Y.NUM AS USUAL,
        Y.SAME,
        D.DB_NAME,
        'UPDATE DB CFG FOR ' || D.DB_NAME
        || CASE WHEN D.DB2_LEVEL < 10010000 THEN ' DBPARTITIONNUM ' ELSE ' MEMBER ' END
        || CAST(X.MEMBER AS VARCHAR(20)) || ' USING ' || UPPER(X.NAME) || ' ' AS SETTING
    FROM FIXED AS X
    CROSS JOIN TUNE.RUN_DATABASE AS D
    INNER JOIN (
        SELECT DISTINCT CPUS, SHARING, MEMORY_STEPS, NAME, NUM, SAME FROM FIXED WHERE 2 * SAME > N
    ) AS Y
        ON
            X.CPUS = Y.CPUS AND X.SHARING = Y.SHARING AND X.MEMORY_STEPS = Y.MEMORY_STEPS
            AND X.NAME = Y.NAME AND X.NUM <> Y.NUM
),
CONTAINERS AS (
    SELECT
        S.TBSP_NAME,
        P.MEMBER,
        COUNT(C.CONTAINER_ID) AS CONTAINERS,
        COALESCE(SUM(C.TOTAL_PAGES), 0) AS PAGES
    FROM TUNE.TABLESPACE AS S
    INNER JOIN PLACE AS P ON S.DBPGNAME = P.DBPGNAME
    LEFT JOIN TUNE.CONTAINER AS C ON S.TBSP_NAME = C.TBSP_NAME AND P.MEMBER = C.MEMBER
    WHERE S.TBSP_USING_AUTO_STORAGE = 0 AND S.TBSP_TYPE = 'DMS'
    GROUP BY S.TBSP_NAME, P.MEMBER
),
UNEQUAL AS (
    SELECT
        Z.*,
        ROW_NUMBER() OVER (PARTITION BY Z.TBSP_NAME ORDER BY Z.CONTAINERS, Z.PAGES, Z.MEMBER) AS SMALLEST
    FROM (
        SELECT
            CONTAINERS.*,
            MAX(CONTAINERS) OVER (PARTITION BY TBSP_NAME) AS MAX_C,
            MAX(PAGES) OVER (PARTITION BY TBSP_NAME) AS MAX_PAGES,
            MIN(CONTAINERS) OVER (PARTITION BY TBSP_NAME) AS MIN_CONTAINERS,
            MIN(PAGES) OVER (PARTITION BY TBSP_NAME) AS MIN_PAGES
        FROM CONTAINERS
    ) AS Z
    CROSS JOIN TUNE.O_DPF_MEMBER_ASYMMETRY AS O
    WHERE Z.MIN_CONTAINERS < Z.MAX_C OR Z.MIN_PAGES < (1 - O.SIZE_TOLERANCE) * Z.MAX_PAGES
),
LOGS AS (
    SELECT
        H.HOST_NAME,
        L.DEVICE,
        COUNT(*) AS LOGS
    FROM TUNE.LOG AS L
    INNER JOIN TUNE.HOST AS H ON L.MEMBER = H.MEMBER
    INNER JOIN TUNE.DEVICE AS V ON H.HOST_NAME = V.HOST AND L.DEVICE = V.DEVICE
    WHERE L.DATA_TOO = 0 AND V.ROTATIONAL = 1 AND V.POOLED IS NULL
    GROUP BY H.HOST_NAME, L.DEVICE
)
SELECT
    'DATABASE' AS OBJECT_TYPE,
    X.DB_NAME || ' ' || UPPER(X.NAME) AS OBJECT_NAME,
    X.MEMBER,
    CAST(0 AS DOUBLE) AS CLAIMED_PCT,
    CAST(0 AS DOUBLE) AS RECOVER_LOW,
    CAST(0 AS DOUBLE) AS RECOVER_EXPECTED,
    CAST(0 AS DOUBLE) AS RECOVER_HIGH,
    CAST(0.6 AS DOUBLE) AS CONFIDENCE,
    -- the setting of the database, not of the member: who changes it everywhere decides for this member too
    'DBCFG:' || UPPER(X.NAME) AS TARGET,
    CAST(X.NUM AS VARCHAR(20)) AS CURRENT_VALUE,
    CAST(X.USUAL AS VARCHAR(20)) AS PROPOSED_VALUE,
    CAST(NULL AS VARCHAR(40)) AS UNIT,
    CASE
        WHEN X.NAME IN ('logbufsz', 'locklist', 'pckcachesz', 'database_memory') THEN 4 * (X.USUAL - X.NUM)
        ELSE CAST(0 AS BIGINT)
    END AS MEMORY_DELTA_KB,
    X.SETTING || CAST(X.USUAL AS VARCHAR(20)) AS ACTION_TEXT,
    X.SETTING || CAST(X.NUM AS VARCHAR(20)) AS UNDO_TEXT,
    UPPER(X.NAME) || '=' || CAST(X.NUM AS VARCHAR(20))
    || '; usual=' || CAST(X.USUAL AS VARCHAR(20))
    || '; members_with_usual=' || CAST(X.SAME AS VARCHAR(20))
    || '; like_members=' || CAST(X.N AS VARCHAR(20)) AS EVIDENCE,
    'Member ' || CAST(X.MEMBER AS VARCHAR(20)) || ' runs with ' || UPPER(X.NAME) || ' ' || CAST(X.NUM AS VARCHAR(20))
    || ', ' || CAST(X.SAME AS VARCHAR(20)) || ' of ' || CAST(X.N AS VARCHAR(20)) || ' like members with '
    || CAST(X.USUAL AS VARCHAR(20)) || '.' AS FINDING,
    CAST(0 AS DOUBLE) AS CLAIM_2_PCT,
    CAST(0 AS DOUBLE) AS CLAIM_3_PCT
FROM ODD AS X
UNION ALL
SELECT
    'TABLESPACE',
    U.TBSP_NAME,
    U.MEMBER,
    CAST(0 AS DOUBLE),
    CAST(0 AS DOUBLE),
    CAST(0 AS DOUBLE),
    CAST(0 AS DOUBLE),
    CAST(0.6 AS DOUBLE),
    'TABLESPACE:' || U.TBSP_NAME || ':CONTAINERS:' || CAST(U.MEMBER AS VARCHAR(20)),
    CAST(U.CONTAINERS AS VARCHAR(20)) || ' containers, ' || CAST(U.PAGES AS VARCHAR(20)) || ' pages',
    CAST(U.MAX_C AS VARCHAR(20)) || ' containers, ' || CAST(U.MAX_PAGES AS VARCHAR(20)) || ' pages',
    CAST(NULL AS VARCHAR(40)),
    CAST(0 AS BIGINT),
    '-- Give table space "' || REPLACE(U.TBSP_NAME, '"', '""') || '" the same containers on member '
    || CAST(U.MEMBER AS VARCHAR(20)) || ' as on the others: ALTER TABLESPACE with ADD or EXTEND and ON DBPARTITIONNUM.',
    '-- Take them back with ALTER TABLESPACE and DROP or REDUCE, ON DBPARTITIONNUM.',
    'containers=' || CAST(U.CONTAINERS AS VARCHAR(20))
    || '; containers_max=' || CAST(U.MAX_C AS VARCHAR(20))
    || '; TOTAL_PAGES=' || CAST(U.PAGES AS VARCHAR(20))
    || '; TOTAL_PAGES_max=' || CAST(U.MAX_PAGES AS VARCHAR(20)),
    'On member ' || CAST(U.MEMBER AS VARCHAR(20)) || ' the table space has ' || CAST(U.CONTAINERS AS VARCHAR(20))
    || ' containers of ' || CAST(U.PAGES AS VARCHAR(20)) || ' pages in all, elsewhere up to '
    || CAST(U.MAX_C AS VARCHAR(20)) || ' of ' || CAST(U.MAX_PAGES AS VARCHAR(20)) || '.',
    CAST(0 AS DOUBLE),
    CAST(0 AS DOUBLE)
FROM UNEQUAL AS U
WHERE U.SMALLEST = 1
UNION ALL
SELECT
    'HOST',
    L.HOST_NAME || ' ' || L.DEVICE,
    CAST(NULL AS SMALLINT),
    CAST(0 AS DOUBLE),
    CAST(0 AS DOUBLE),
    CAST(0 AS DOUBLE),
    CAST(0 AS DOUBLE),
    CAST(0.6 AS DOUBLE),
    'HOST:' || L.HOST_NAME || ':LOGS:' || L.DEVICE,
    CAST(L.LOGS AS VARCHAR(20)),
    '1',
    'logs on the device',
    CAST(0 AS BIGINT),
    '-- Give each member a log device of its own: of those that log to ' || L.DEVICE || ' on host ' || L.HOST_NAME
    || ', move all but one with NEWLOGPATH.',
    '-- Set NEWLOGPATH of the moved members back to the path that they log to now.',
    'device=' || L.DEVICE || '; logs=' || CAST(L.LOGS AS VARCHAR(20)),
    CAST(L.LOGS AS VARCHAR(20)) || ' members write their logs to ' || L.DEVICE
    || ': what each writes in sequence becomes random.',
    CAST(0 AS DOUBLE),
    CAST(0 AS DOUBLE)
FROM LOGS AS L
WHERE L.LOGS >= 2
