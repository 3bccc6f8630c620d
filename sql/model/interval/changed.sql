-- The settings that differ between the end of the previous run and the end of this one: configuration, registry and the
-- definitions of table spaces and buffer pools. A value is the requested one, even if it takes effect only at the next
-- activation, and AUTOMATIC if Db2 sets it; the work of self-tuning is not a change. MEMBER is NULL if the change is
-- the same on all members; NULL as a value means that no value existed, or exists. A source that one of the two
-- snapshots lacks is not compared.
WITH STATE (SNAP_ID, SOURCE, SCOPE, MEMBER, NAME, VALUE, WHOLE) AS (
    SELECT
        SNAP_ID,
        'dbcfg',
        'DB',
        MEMBER,
        LOWER(NAME),
        CASE
            WHEN COALESCE(DEFERRED_VALUE_FLAGS, VALUE_FLAGS) IN ('AUTOMATIC', 'COMPUTED')
                THEN COALESCE(DEFERRED_VALUE_FLAGS, VALUE_FLAGS)
            ELSE REPLACE(REPLACE(COALESCE(DEFERRED_VALUE, VALUE), ' (Active)', ''), ' (Inactive)', '')
        END,
        0
    FROM TUNE.S_DBCFG
    WHERE LOWER(NAME) NOT IN ('loghead', 'database_consistent')
    UNION ALL
    SELECT
        SNAP_ID,
        'dbmcfg',
        'DBM',
        CAST(NULL AS SMALLINT),
        LOWER(NAME),
        CASE
            WHEN COALESCE(DEFERRED_VALUE_FLAGS, VALUE_FLAGS) IN ('AUTOMATIC', 'COMPUTED')
                THEN COALESCE(DEFERRED_VALUE_FLAGS, VALUE_FLAGS)
            ELSE COALESCE(DEFERRED_VALUE, VALUE)
        END,
        0
    FROM TUNE.S_DBMCFG
    UNION ALL
    SELECT
        SNAP_ID,
        'registry',
        'REG',
        MEMBER,
        UPPER(REG_VAR_NAME),
        COALESCE(REG_VAR_ON_DISK_VALUE, REG_VAR_VALUE),
        1
    FROM TUNE.S_REGISTRY
    UNION ALL
    SELECT
        SNAP_ID,
        'cat_tablespace',
        'DDL',
        CAST(NULL AS SMALLINT),
        'TABLESPACE:' || TBSPACE,
        'defined',
        1
    FROM TUNE.S_CAT_TABLESPACE
    UNION ALL
    SELECT
        SNAP_ID,
        'cat_tablespace',
        'DDL',
        CAST(NULL AS SMALLINT),
        'TABLESPACE:' || TBSPACE || ':PREFETCHSIZE',
        CASE PREFETCHSIZE WHEN -1 THEN 'AUTOMATIC' ELSE CAST(PREFETCHSIZE AS VARCHAR(20)) END,
        0
    FROM TUNE.S_CAT_TABLESPACE
    UNION ALL
    SELECT
        SNAP_ID,
        'cat_tablespace',
        'DDL',
        CAST(NULL AS SMALLINT),
        'TABLESPACE:' || TBSPACE || ':EXTENTSIZE',
        CAST(EXTENTSIZE AS VARCHAR(20)),
        0
    FROM TUNE.S_CAT_TABLESPACE
    UNION ALL
    SELECT
        SNAP_ID,
        'cat_tablespace',
        'DDL',
        CAST(NULL AS SMALLINT),
        'TABLESPACE:' || TBSPACE || ':PAGESIZE',
        CAST(PAGESIZE AS VARCHAR(20)),
        0
    FROM TUNE.S_CAT_TABLESPACE
    UNION ALL
    SELECT
        SNAPCAT.SNAP_ID,
        'cat_tablespace',
        'DDL',
        CAST(NULL AS SMALLINT),
        'TABLESPACE:' || SNAPCAT.TBSPACE || ':BUFFERPOOL',
        SNAPPOOL.BPNAME,
        0
    FROM TUNE.S_CAT_TABLESPACE AS SNAPCAT
    INNER JOIN TUNE.S_CAT_BUFFERPOOL AS SNAPPOOL
        ON SNAPCAT.SNAP_ID = SNAPPOOL.SNAP_ID AND SNAPCAT.BUFFERPOOLID = SNAPPOOL.BUFFERPOOLID
    UNION ALL
    SELECT
        SNAP_ID,
        'container',
        'DDL',
        MEMBER,
        'TABLESPACE:' || TBSP_NAME || ':CONTAINERS',
        CAST(COUNT(*) AS VARCHAR(20)),
        0
    FROM TUNE.S_CONTAINER
    GROUP BY SNAP_ID, MEMBER, TBSP_NAME
    UNION ALL
    SELECT
        SNAP_ID,
        'cat_bufferpool',
        'DDL',
        CAST(NULL AS SMALLINT),
        'BUFFERPOOL:' || BPNAME,
        'defined',
        1
    FROM TUNE.S_CAT_BUFFERPOOL
    UNION ALL
    SELECT
        SNAP_ID,
        'cat_bufferpool',
        'DDL',
        CAST(NULL AS SMALLINT),
        'BUFFERPOOL:' || BPNAME || ':SIZE',
        CASE NPAGES WHEN -2 THEN 'AUTOMATIC' ELSE CAST(NPAGES AS VARCHAR(20)) END,
        0
    FROM TUNE.S_CAT_BUFFERPOOL
),
COMPARED AS (
    SELECT
        S.SCOPE,
        S.MEMBER,
        S.NAME,
        S.VALUE,
        S.WHOLE,
        CASE WHEN S.SNAP_ID = RUNS.END_ID THEN 1 ELSE 0 END AS AT_END
    FROM TUNE.CHANGE_SPAN AS RUNS
    INNER JOIN STATE AS S ON S.SNAP_ID IN (RUNS.PREVIOUS_ID, RUNS.END_ID)
    LEFT JOIN (
        SELECT DISTINCT LOADED.SOURCE
        FROM TUNE.CHANGE_SPAN AS W
        INNER JOIN TUNE.SNAPSHOT_SOURCE AS LOADED ON LOADED.SNAP_ID IN (W.PREVIOUS_ID, W.END_ID)
        WHERE LOADED.REASON IS NOT NULL
    ) AS X ON S.SOURCE = X.SOURCE
    WHERE RUNS.PREVIOUS_ID IS NOT NULL AND X.SOURCE IS NULL
),
PAIR AS (
    SELECT
        SCOPE,
        MEMBER,
        NAME,
        MAX(CASE WHEN AT_END = 0 THEN VALUE END) AS OLD_VALUE,
        MAX(CASE WHEN AT_END = 1 THEN VALUE END) AS NEW_VALUE,
        MAX(WHOLE) AS WHOLE,
        COUNT(*) AS TIMES
    FROM COMPARED
    GROUP BY SCOPE, MEMBER, NAME
),
DIFFERENT AS (
    SELECT SCOPE, MEMBER, NAME, OLD_VALUE, NEW_VALUE
    FROM PAIR
    WHERE COALESCE(OLD_VALUE, ' ') <> COALESCE(NEW_VALUE, ' ') AND (WHOLE = 1 OR TIMES = 2)
),
ALIKE AS (
    SELECT
        P.SCOPE,
        P.MEMBER,
        P.NAME,
        P.OLD_VALUE,
        P.NEW_VALUE,
        (
            SELECT COUNT(*)
            FROM DIFFERENT AS N
            WHERE
                P.SCOPE = N.SCOPE AND P.NAME = N.NAME
                AND COALESCE(P.OLD_VALUE, ' ') = COALESCE(N.OLD_VALUE, ' ')
                AND COALESCE(P.NEW_VALUE, ' ') = COALESCE(N.NEW_VALUE, ' ')
        ) AS ON_MEMBERS
    FROM DIFFERENT AS P
)
SELECT DISTINCT
    A.SCOPE,
    CASE WHEN A.ON_MEMBERS < M.MEMBERS THEN A.MEMBER END AS MEMBER,
    A.NAME,
    A.OLD_VALUE,
    A.NEW_VALUE
FROM ALIKE AS A
CROSS JOIN (SELECT COUNT(DISTINCT MEMBER) AS MEMBERS FROM COMPARED) AS M
