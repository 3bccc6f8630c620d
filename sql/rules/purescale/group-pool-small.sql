/*---
rule: purescale.group-pool-small
title: Group buffer pool too small
lane: performance
lane_without_claim: condition
severity: medium
takes_effect: immediately
applies: {topology: purescale}
judged_by: load
needs: [group_bufferpool.NUM_GBP_FULL, bufferpool.POOL_DATA_GBP_L_READS, bufferpool.POOL_DATA_GBP_P_READS,
  bufferpool.POOL_DATA_GBP_INVALID_PAGES, dbcfg.VALUE]
object: DATABASE
claims: {POOL_READ: {events: SURE_MISSES, cost_ms: READ_MS}}
recover: [0.7, 0.9, 1.0]
confidence: 0.6
thresholds:
  full_per_min: {default: 1, from: manuals, why: 'more often: the size does not meet the needs (r0059811)'}
  always_per_min: {default: 10, from: own, why: 'full every six seconds: three steps at once'}
actions:
  - set: {kind: DBCFG, name: CF_GBP_SZ, from: '{OLD_PAGES:text}', to: '{NEW_PAGES}', unit: 4 KB pages}
  - when: NEW_PAGES IS NULL
    manual: >-
      Check the memory of the CF and this database's part of it, in 4 KB pages: SELECT ID, CURRENT_CF_GBP_SIZE,
      CONFIGURED_CF_GBP_SIZE, CONFIGURED_CF_LOCK_SIZE, CONFIGURED_CF_SCA_SIZE, CONFIGURED_CF_MEM_SIZE FROM
      TABLE(MON_GET_CF(NULL)) AS T
  - when: NEW_PAGES IS NULL
    manual: >-
      Raise CF_MEM_SZ of the instance and CF_DB_MEM_SZ first if the CF hosts have free memory: the group buffer pool is
      part of them.
finding:
  - when: FULL_UP = 1
    text: The group buffer pool was full {NUM_GBP_FULL} times, {PER_MIN:1} times per minute.
  - when: LOST = 1
    text: >-
      At least {SURE_MISSES} pages that another member had changed were no longer in it[, most of buffer pool
      {BP_NAME:text} on member {MEMBER}]. Reading them from disk took {LOST_PCT:1} % of database time.
query: SELECT MEMBER, NUM_GBP_FULL FROM TABLE(MON_GET_GROUP_BUFFERPOOL(-2)) AS T
evidence: [NUM_GBP_FULL, CF_GBP_SZ=OLD_PAGES:text, 'gbp_hit_ratio_pct=HIT_PCT:1?', POOL_GBP_L_READS=GBP_L_READS,
  POOL_GBP_P_READS=GBP_P_READS, POOL_GBP_INVALID_PAGES=INVALID_PAGES]
references:
  - >-
    IBM documentation of MON_GET_GROUP_BUFFERPOOL (r0059811), cf_gbp_sz (r0056154), cf_db_mem_sz (r0056183) and "Buffer
    pool hit rates and hit ratios in a Db2 pureScale environment" (c0056865)
why: >-
  A changed page stays in the group buffer pool until castout writes it to disk. If the pool is full, members wait for
  castout, and the next member that needs an evicted page reads it from disk.
not_if: >-
  The pool was full at most once per minute, or fewer than five times, and pages changed by other members come from it.
  A low hit ratio alone does not count: it also contains pages that no member had read.
note: >-
  Requests to the group buffer pool are for pages that are invalid in the local pool or missing there. Misses beyond the
  number of missing pages were pages that it had held: the claim is this lower bound. The step stays within CF_DB_MEM_SZ
  minus locks (CF_LOCK_SZ) and the shared communication area (CF_SCA_SZ).
---*/
WITH EACH_POOL AS (
    SELECT
        COALESCE(POOL_DATA_GBP_L_READS, 0) + COALESCE(POOL_INDEX_GBP_L_READS, 0) + COALESCE(POOL_XDA_GBP_L_READS, 0)
            AS GBP_L_READS,
        COALESCE(POOL_DATA_GBP_P_READS, 0) + COALESCE(POOL_INDEX_GBP_P_READS, 0) + COALESCE(POOL_XDA_GBP_P_READS, 0)
            AS GBP_P_READS,
        COALESCE(POOL_DATA_GBP_INVALID_PAGES, 0) + COALESCE(POOL_INDEX_GBP_INVALID_PAGES, 0)
        + COALESCE(POOL_XDA_GBP_INVALID_PAGES, 0) AS INVALID_PAGES,
        BP_NAME,
        MEMBER
    FROM TUNE.D_BUFFERPOOL
),
PAGES AS (
    -- the requests of another pool or member for pages that no one had read must not hide lost ones
    SELECT
        SUM(GBP_L_READS) AS GBP_L_READS,
        SUM(GBP_P_READS) AS GBP_P_READS,
        SUM(INVALID_PAGES) AS INVALID_PAGES,
        SUM(GREATEST(0, GBP_P_READS + INVALID_PAGES - GBP_L_READS)) AS SURE_MISSES,
        MAX(CASE WHEN PLACE = 1 AND GBP_P_READS + INVALID_PAGES > GBP_L_READS THEN BP_NAME END) AS BP_NAME,
        MAX(CASE WHEN PLACE = 1 AND GBP_P_READS + INVALID_PAGES > GBP_L_READS THEN MEMBER END) AS MEMBER
    FROM (
        SELECT
            EACH_POOL.*,
            ROW_NUMBER() OVER (ORDER BY GBP_P_READS + INVALID_PAGES - GBP_L_READS DESC, BP_NAME, MEMBER) AS PLACE
        FROM EACH_POOL
    ) AS P
),
READS AS (
    SELECT
        CAST(SUM(SYNC_READ_MS) AS DOUBLE) / NULLIF(SUM(SYNC_READS), 0) AS READ_MS
    FROM TUNE.BUFFERPOOL
),
SIZES AS (
    SELECT
        MAX(CASE WHEN NAME = 'cf_gbp_sz' THEN VALUE END) AS OLD_PAGES,
        MAX(CASE WHEN NAME = 'cf_gbp_sz' THEN NUM END) AS GBP_PAGES,
        MAX(CASE WHEN NAME = 'cf_gbp_sz' THEN FIXED END) AS FIXED,
        MAX(CASE WHEN NAME = 'cf_gbp_sz' THEN PENDING END) AS PENDING,
        MIN(CASE WHEN NAME = 'cf_db_mem_sz' THEN NUM END)
        - MAX(CASE WHEN NAME = 'cf_lock_sz' THEN NUM END) - MAX(CASE WHEN NAME = 'cf_sca_sz' THEN NUM END) AS MOST_PAGES
    FROM TUNE.SETTING
    WHERE SCOPE = 'DB'
),
STEP AS (
    -- a pool that is full all the time is far too small
    SELECT
        S.*,
        F.NUM_GBP_FULL,
        FLOOR(LEAST(
            S.GBP_PAGES * POWER(CONST.LIMIT_STEP, CASE
                WHEN 60 * F.NUM_GBP_FULL >= O.ALWAYS_PER_MIN * W.SECONDS THEN 3
                ELSE 1
            END),
            COALESCE(S.MOST_PAGES - 1, 0)
        )) AS STEP_PAGES
    FROM SIZES AS S
    CROSS JOIN (SELECT SUM(NUM_GBP_FULL) AS NUM_GBP_FULL FROM TUNE.D_GROUP_BUFFERPOOL) AS F
    CROSS JOIN TUNE.RUN_WINDOW AS W
    CROSS JOIN TUNE.O_PURESCALE_GROUP_POOL_SMALL AS O
    CROSS JOIN TUNE.CONSTANT AS CONST
),
JUDGED AS (
    SELECT
        P.*,
        S.OLD_PAGES,
        CASE WHEN S.FIXED = 1 AND S.STEP_PAGES >= CONST.LEAST_GROWTH * S.GBP_PAGES THEN S.STEP_PAGES END AS NEW_PAGES,
        COALESCE(S.NUM_GBP_FULL, 0) AS NUM_GBP_FULL,
        60 * CAST(S.NUM_GBP_FULL AS DOUBLE) / NULLIF(T.SECONDS, 0) AS PER_MIN,
        COALESCE(R.READ_MS, 0) AS READ_MS,
        100 * CAST(P.SURE_MISSES * COALESCE(R.READ_MS, 0) AS DOUBLE) / NULLIF(T.DBT_MS, 0) AS LOST_PCT,
        100 - 100 * CAST(P.GBP_P_READS AS DOUBLE) / NULLIF(P.GBP_L_READS, 0) AS HIT_PCT,
        CASE
            WHEN
                S.NUM_GBP_FULL >= CONST.SEVERAL
                AND 60 * CAST(S.NUM_GBP_FULL AS DOUBLE) / NULLIF(T.SECONDS, 0) > O.FULL_PER_MIN
                THEN 1
            ELSE 0
        END AS FULL_UP,
        SITE.SOME_PCT
    FROM PAGES AS P
    CROSS JOIN READS AS R
    CROSS JOIN STEP AS S
    CROSS JOIN TUNE.DATABASE_TIME AS T
    CROSS JOIN TUNE.O_PURESCALE_GROUP_POOL_SMALL AS O
    CROSS JOIN TUNE.O_SITE AS SITE
    CROSS JOIN TUNE.CONSTANT AS CONST
    WHERE COALESCE(S.PENDING, 0) = 0
)
SELECT
    OLD_PAGES,
    NEW_PAGES,
    NUM_GBP_FULL,
    PER_MIN,
    SURE_MISSES,
    READ_MS,
    LOST_PCT,
    HIT_PCT,
    GBP_L_READS,
    GBP_P_READS,
    INVALID_PAGES,
    BP_NAME,
    MEMBER,
    FULL_UP,
    CASE WHEN LOST_PCT >= SOME_PCT THEN 1 ELSE 0 END AS LOST
FROM JUDGED
WHERE FULL_UP = 1 OR LOST_PCT >= SOME_PCT
