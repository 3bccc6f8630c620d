-- rule:       bufferpool.fixed-size-stmm-on
-- title:      Buffer pool is left out of self-tuning memory
-- area:       bufferpool
-- lane:       P
-- effect:     ON
-- applies:    from=9.1
-- judged-by:  load
-- claims:     POOL_READ
-- recover:    0.05, 0.1, 0.3
-- confidence: 0.3
-- exclusive:  bufferpool
-- yields:     bufferpool.system-pool-in-use@any
-- needs:      cat_bufferpool.NPAGES, bufferpool.AUTOMATIC
-- threshold:  min_share_pct = 3 -- [prop] below 3 % of database time the pool's size does not matter
-- threshold:  max_skew = 2 -- [prop] self-tuning copies one member's sizes to all: only for members that do alike
-- object:     BUFFERPOOL {BP_NAME:text}
-- member:     MEMBER
-- set:        when SIZEABLE = 1: SIZE: {NPAGES} -> AUTOMATIC (pages)
-- do:         when PLACE = 1: ALTER BUFFERPOOL {BP_NAME:name} IMMEDIATE SIZE {BP_CUR_BUFFSZ}
-- set:        when MEMBER IS NOT NULL: SIZE on MEMBER: {MEMBER_PAGES} -> {BP_CUR_BUFFSZ} (pages)
-- do:         when PLACE = EXCEPTIONS: ALTER BUFFERPOOL {BP_NAME:name} IMMEDIATE SIZE AUTOMATIC
-- finding:    when SIZEABLE = 1: Buffer pool {BP_NAME:text} has the fixed size {NPAGES} while self-tuning memory is on,
-- finding:    else: Buffer pool {BP_NAME:text} is AUTOMATIC, but {EXCEPTIONS} member(s) have a size of their own and
--             are not tuned,
-- finding:    and {SHARE_PCT:1} % of database time goes into reading its pages.
-- evidence:   NPAGES, BP_CUR_BUFFSZ, exceptions=EXCEPTIONS, self_tuning_mem=SELF_TUNING:text,
--             POOL_READ_TIME_pct=SHARE_PCT:2
-- source:     002_e991ec30bbd9209f.txt, "use DB2 automatic parameters whenever possible"; IBM documentation of
--             self-tuning memory and of removing a buffer pool exception
-- why:        Self-tuning memory moves memory to where it saves most time, but only among pools that are
--             AUTOMATIC. A fixed pool, or a member with a size of its own, keeps what it has whatever it needs.
-- not-if:     Self-tuning is off, or the site wants it off; DB2_LARGE_PAGE_MEM is set (a fixed layout); the pool
--             has a block area; the members do not do alike; another size is pending; DB2_WORKLOAD is ANALYTICS.
-- note:       A member's exception goes by setting pool and member to the same size before AUTOMATIC, which itself
--             takes no member. DBPARTITIONNUM is read on every level, MEMBER only from 10.1 on. That a benchmark's
--             fixed pools are meant so is not seen: declare stmm=off.
WITH BALANCE AS (
    SELECT
        BP_NAME,
        MAX(COALESCE(POOL_DATA_L_READS, 0) + COALESCE(POOL_INDEX_L_READS, 0)) AS MOST_READS,
        MIN(COALESCE(POOL_DATA_L_READS, 0) + COALESCE(POOL_INDEX_L_READS, 0)) AS LEAST_READS
    FROM TUNE.D_BUFFERPOOL
    GROUP BY BP_NAME
),
POOL AS (
    SELECT B.*
    FROM TUNE.SIZED_POOL AS B
    CROSS JOIN TUNE.O_BUFFERPOOL_FIXED_SIZE_STMM_ON AS O
    INNER JOIN BALANCE AS M ON B.BP_NAME = M.BP_NAME
    WHERE
        B.STMM = 1
        AND B.ANALYTICS = 0
        AND B.BUSY = 1
        AND B.SHARE_PCT >= O.MIN_SHARE_PCT
        AND COALESCE(B.NUMBLOCKPAGES, 0) = 0
        AND M.MOST_READS <= O.MAX_SKEW * M.LEAST_READS
        AND NOT EXISTS (
            SELECT 1 FROM TUNE.SETTING AS S WHERE S.SCOPE = 'REG' AND S.NAME = 'DB2_LARGE_PAGE_MEM' AND S.IS_SET = 1
        )
)
SELECT
    P.BP_NAME,
    P.SIZEABLE,
    P.NPAGES,
    P.BP_CUR_BUFFSZ,
    P.EXCEPTIONS,
    E.DBPARTITIONNUM AS MEMBER,
    E.NPAGES AS MEMBER_PAGES,
    CASE WHEN E.DBPARTITIONNUM IS NOT NULL THEN ROW_NUMBER() OVER (PARTITION BY P.BP_NAME ORDER BY E.DBPARTITIONNUM) END
        AS PLACE,
    'ON' AS SELF_TUNING,
    P.SHARE_PCT,
    P.SHARE_PCT AS CLAIM_POOL_READ
FROM POOL AS P
-- a pool that is AUTOMATIC except on some members
LEFT JOIN TUNE.D_CAT_BUFFERPOOL_EXCEPTION AS E ON P.NPAGES = -2 AND P.BUFFERPOOLID = E.BUFFERPOOLID
WHERE P.SIZEABLE = 1 OR E.DBPARTITIONNUM IS NOT NULL
