-- rule:      bufferpool.fixed-size-stmm-on
-- title:     Buffer pool is left out of self-tuning memory
-- area:      bufferpool
-- lane:      P
-- effect:    ON
-- applies:   from=9.1
-- evidence:  load
-- claims:    POOL_READ
-- exclusive: bufferpool
-- yields:    bufferpool.system-pool-in-use@any
-- needs:     cat_bufferpool.NPAGES, bufferpool.AUTOMATIC
-- threshold: min_share_pct = 3 -- [prop] below 3 % of database time the pool's size does not matter
-- threshold: max_skew = 2 -- [prop] self-tuning copies one member's sizes to all: only for members that do alike
-- source:    002_e991ec30bbd9209f.txt, "use DB2 automatic parameters whenever possible"; IBM documentation of
--            self-tuning memory and of removing a buffer pool exception
-- why:       Self-tuning memory moves memory to where it saves most time, but only among pools that are
--            AUTOMATIC. A fixed pool, or a member with a size of its own, keeps what it has whatever it needs.
-- not-if:    Self-tuning is off, or the site wants it off; DB2_LARGE_PAGE_MEM is set (a fixed layout); the pool
--            has a block area; the members do not do alike; another size is pending; DB2_WORKLOAD is ANALYTICS.
-- note:      A member's exception goes by setting pool and member to the same size before AUTOMATIC, which itself
--            takes no member. DBPARTITIONNUM is read on every level, MEMBER only from 10.1 on. That a benchmark's
--            fixed pools are meant so is not seen: declare stmm=off.
WITH BALANCE AS (
    SELECT
        BP_NAME,
        MAX(LOGICAL_READS) AS MOST,
        MIN(LOGICAL_READS) AS LEAST_READ
    FROM (
        SELECT
            BP_NAME,
            MEMBER,
            COALESCE(POOL_DATA_L_READS, 0) + COALESCE(POOL_INDEX_L_READS, 0) AS LOGICAL_READS
        FROM TUNE.D_BUFFERPOOL
    ) AS PER_MEMBER
    GROUP BY BP_NAME
),
LARGE_PAGES AS (
    SELECT COUNT(VALUE) AS SET_ON FROM TUNE.CONFIG WHERE SCOPE = 'REG' AND NAME = 'DB2_LARGE_PAGE_MEM'
),
POOL AS (
    SELECT B.*
    FROM TUNE.SIZED_POOL AS B
    CROSS JOIN TUNE.O_BUFFERPOOL_FIXED_SIZE_STMM_ON AS O
    CROSS JOIN LARGE_PAGES AS G
    INNER JOIN BALANCE AS M ON B.BP_NAME = M.BP_NAME
    WHERE
        B.STMM = 1
        AND B.ANALYTICS = 0
        AND G.SET_ON = 0
        AND B.BUSY = 1
        AND B.SHARE_PCT >= O.MIN_SHARE_PCT
        AND COALESCE(B.NUMBLOCKPAGES, 0) = 0
        AND M.MOST <= O.MAX_SKEW * M.LEAST_READ
),
EXCEPTED AS (
    -- a pool that is AUTOMATIC except on some members: the steps of its members in order
    SELECT
        P.BP_NAME,
        E.DBPARTITIONNUM,
        E.NPAGES,
        ROW_NUMBER() OVER (PARTITION BY P.BP_NAME ORDER BY E.DBPARTITIONNUM) AS N,
        ' DBPARTITIONNUM ' || CAST(E.DBPARTITIONNUM AS VARCHAR(20)) || ' SIZE ' AS ON_MEMBER
    FROM POOL AS P
    INNER JOIN TUNE.D_CAT_BUFFERPOOL_EXCEPTION AS E ON P.BUFFERPOOLID = E.BUFFERPOOLID
    WHERE P.NPAGES = -2
),
STEP (BP_NAME, MEMBER, OLD_SIZE, NEW_SIZE, ACTION_TEXT, UNDO_TEXT, WHAT) AS (
    SELECT
        P.BP_NAME,
        CAST(NULL AS SMALLINT) AS MEMBER,
        P.OLD_SIZE,
        'AUTOMATIC' AS NEW_SIZE,
        'ALTER BUFFERPOOL ' || P.QUOTED || ' IMMEDIATE SIZE AUTOMATIC' AS ACTION_TEXT,
        'ALTER BUFFERPOOL ' || P.QUOTED || ' IMMEDIATE SIZE ' || P.OLD_SIZE AS UNDO_TEXT,
        'Buffer pool ' || P.BP_NAME || ' has the fixed size ' || P.OLD_SIZE
        || ' while self-tuning memory is on' AS WHAT
    FROM POOL AS P
    WHERE P.SIZEABLE = 1
    UNION ALL
    SELECT
        P.BP_NAME,
        E.DBPARTITIONNUM,
        CAST(E.NPAGES AS VARCHAR(20)),
        'AUTOMATIC',
        CASE
            WHEN E.N = 1
                THEN 'ALTER BUFFERPOOL ' || P.QUOTED || ' IMMEDIATE SIZE '
                    || CAST(P.BP_CUR_BUFFSZ AS VARCHAR(20)) || CHR(10)
            ELSE ''
        END
        || 'ALTER BUFFERPOOL ' || P.QUOTED || ' IMMEDIATE' || E.ON_MEMBER || CAST(P.BP_CUR_BUFFSZ AS VARCHAR(20))
        || CASE
            WHEN E.N = P.EXCEPTIONS THEN CHR(10) || 'ALTER BUFFERPOOL ' || P.QUOTED || ' IMMEDIATE SIZE AUTOMATIC'
            ELSE ''
        END,
        'ALTER BUFFERPOOL ' || P.QUOTED || ' IMMEDIATE' || E.ON_MEMBER || CAST(E.NPAGES AS VARCHAR(20)),
        'Buffer pool ' || P.BP_NAME || ' is AUTOMATIC, but ' || CAST(P.EXCEPTIONS AS VARCHAR(20))
        || ' member(s) have a size of their own and are not tuned'
    FROM POOL AS P
    INNER JOIN EXCEPTED AS E ON P.BP_NAME = E.BP_NAME
)
SELECT
    'BUFFERPOOL' AS OBJECT_TYPE,
    P.BP_NAME AS OBJECT_NAME,
    S.MEMBER,
    P.SHARE_PCT AS CLAIMED_PCT,
    CAST(0.05 AS DOUBLE) AS RECOVER_LOW,
    CAST(0.1 AS DOUBLE) AS RECOVER_EXPECTED,
    CAST(0.3 AS DOUBLE) AS RECOVER_HIGH,
    CAST(0.3 AS DOUBLE) AS CONFIDENCE,
    'BUFFERPOOL:' || P.BP_NAME || ':SIZE' AS TARGET,
    S.OLD_SIZE AS CURRENT_VALUE,
    S.NEW_SIZE AS PROPOSED_VALUE,
    'pages' AS UNIT,
    CAST(0 AS BIGINT) AS MEMORY_DELTA_KB,
    S.ACTION_TEXT,
    S.UNDO_TEXT,
    'NPAGES=' || CAST(P.NPAGES AS VARCHAR(20))
    || '; BP_CUR_BUFFSZ=' || CAST(P.BP_CUR_BUFFSZ AS VARCHAR(20))
    || '; exceptions=' || CAST(P.EXCEPTIONS AS VARCHAR(20))
    || '; self_tuning_mem=ON'
    || '; POOL_READ_TIME_pct=' || CAST(CAST(ROUND(P.SHARE_PCT, 2) AS DECIMAL(9, 2)) AS VARCHAR(20)) AS EVIDENCE,
    S.WHAT || ', and ' || CAST(CAST(ROUND(P.SHARE_PCT, 1) AS DECIMAL(9, 1)) AS VARCHAR(20))
    || ' % of database time goes into reading its pages.' AS FINDING,
    CAST(0 AS DOUBLE) AS CLAIM_2_PCT,
    CAST(0 AS DOUBLE) AS CLAIM_3_PCT
FROM POOL AS P
INNER JOIN STEP AS S ON P.BP_NAME = S.BP_NAME
