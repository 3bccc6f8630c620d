-- Page cleaning over the interval, one row. Triggers wake the cleaners; only the default method counts them. The parts
-- of triggers are between 0 and 1, NULL without any. A setting is NULL if Db2 sets it, members differ, or another value
-- is pending.
--
-- STEALS: triggers because an agent found only a dirty page to replace
-- THRESHOLDS: triggers because too many pages were dirty
-- LOG_GAPS: triggers because the oldest change was too far back in the log
-- POOL_PAGES: pages of all pools on all members
-- STARTS_IN_STAY: number of times that the threshold woke them while a page stays in its pool (its pages divided by
--   those read per second), for the pool with the shortest stay
-- WRITES: pages written
-- SYNC_WRITES: pages that agents wrote themselves
-- OWN_WRITES: SYNC_WRITES that are not temporary
-- SPILL_PART: part of SYNC_WRITES that sorts and joins spilled; these end with the spills
-- WRITE_MS: time of a page that an agent writes, milliseconds
-- UNQUEUED: most that such a write takes on an idle device, as a part of WRITE_MS; the rest is queueing, which stays
--   for reads if others write the same pages
-- CLEANING_MS: time that the cleaners take for a page, milliseconds; NULL if times are not measured
-- BUSY: average number of cleaners that write; NULL if times are not measured
-- ALTERNATE: 1 if proactive cleaning is on or pending until db2start
-- ALTERNATE_SET: 1 if the variable is set at all
WITH TRIGGERED AS (
    SELECT
        SUM(COALESCE(POOL_DRTY_PG_STEAL_CLNS, 0)) AS STEALS,
        SUM(COALESCE(POOL_DRTY_PG_THRSH_CLNS, 0)) AS THRESHOLDS,
        SUM(COALESCE(POOL_LSN_GAP_CLNS, 0)) AS LOG_GAPS,
        SUM(CAST(BP_CUR_BUFFSZ AS DOUBLE)) AS POOL_PAGES,
        MIN(
            CASE WHEN POOL_DRTY_PG_THRSH_CLNS > 0 THEN CAST(BP_CUR_BUFFSZ AS DOUBLE) * POOL_DRTY_PG_THRSH_CLNS / NULLIF(
                COALESCE(POOL_DATA_P_READS, 0) + COALESCE(POOL_INDEX_P_READS, 0)
                + COALESCE(POOL_XDA_P_READS, 0) + COALESCE(POOL_COL_P_READS, 0)
                + COALESCE(POOL_TEMP_DATA_P_READS, 0) + COALESCE(POOL_TEMP_INDEX_P_READS, 0)
                + COALESCE(POOL_TEMP_XDA_P_READS, 0) + COALESCE(POOL_TEMP_COL_P_READS, 0), 0
            ) END
        ) AS STARTS_IN_STAY,
        SUM(
            COALESCE(POOL_DRTY_PG_STEAL_CLNS, 0) + COALESCE(POOL_DRTY_PG_THRSH_CLNS, 0) + COALESCE(POOL_LSN_GAP_CLNS, 0)
        ) AS TRIGGERS
    FROM TUNE.D_BUFFERPOOL
),
WRITTEN AS (
    SELECT
        SUM(WRITES) AS WRITES,
        SUM(ASYNC_WRITES) AS ASYNC_WRITES,
        SUM(CASE WHEN TBSP_CONTENT_TYPE NOT IN ('SYSTEMP', 'USRTEMP') THEN WRITES - ASYNC_WRITES ELSE 0 END)
            AS OWN_WRITES,
        SUM(CASE WHEN TBSP_CONTENT_TYPE NOT IN ('SYSTEMP', 'USRTEMP') THEN (WRITES - ASYNC_WRITES) * NORMAL_MS END)
            AS OWN_NORMAL_MS,
        CASE WHEN SUM(ASYNC_WRITE_MS) > 0 THEN SUM(ASYNC_WRITE_MS) END AS ASYNC_WRITE_MS
    FROM TUNE.TABLESPACE
),
TIMED AS (
    SELECT
        W.*,
        CAST(DBTIME.POOL_WRITE_TIME AS DOUBLE) / NULLIF(W.WRITES - W.ASYNC_WRITES, 0) AS WRITE_MS,
        DBTIME.DBT_MS,
        DBTIME.SECONDS
    FROM WRITTEN AS W
    CROSS JOIN TUNE.DATABASE_TIME AS DBTIME
),
METHOD AS (
    SELECT
        COALESCE(MAX(
            CASE
                WHEN UPPER(VALUE) IN ('ON', 'YES', 'TRUE', '1') THEN 1
                WHEN UPPER(NEXT_VALUE) IN ('ON', 'YES', 'TRUE', '1') THEN 1
                ELSE 0
            END
        ), 0) AS ALTERNATE,
        COALESCE(MAX(CASE WHEN VALUE IS NULL AND NEXT_VALUE IS NULL THEN 0 ELSE 1 END), 0) AS ALTERNATE_SET
    FROM TUNE.CONFIG
    WHERE SCOPE = 'REG' AND NAME = 'DB2_USE_ALTERNATE_PAGE_CLEANING'
),
SETTING AS (
    SELECT
        MAX(CASE WHEN NAME = 'chngpgs_thresh' THEN NUM END) AS CHNGPGS_THRESH,
        MAX(CASE WHEN NAME = 'num_iocleaners' THEN NUM END) AS NUM_IOCLEANERS,
        MAX(CASE WHEN NAME = 'softmax' THEN NUM END) AS SOFTMAX,
        MAX(CASE WHEN NAME = 'page_age_trgt_mcr' THEN NUM END) AS PAGE_AGE_TRGT_MCR
    FROM TUNE.SETTING
    WHERE
        SCOPE = 'DB' AND FIXED = 1 AND NAME IN ('chngpgs_thresh', 'num_iocleaners', 'softmax', 'page_age_trgt_mcr')
)
SELECT
    G.STEALS,
    G.THRESHOLDS,
    G.LOG_GAPS,
    G.TRIGGERS,
    G.POOL_PAGES,
    G.STARTS_IN_STAY,
    CAST(G.STEALS AS DOUBLE) / NULLIF(G.TRIGGERS, 0) AS STEAL_PART,
    CAST(G.THRESHOLDS AS DOUBLE) / NULLIF(G.TRIGGERS, 0) AS THRESHOLD_PART,
    CAST(G.LOG_GAPS AS DOUBLE) / NULLIF(G.TRIGGERS, 0) AS LOG_GAP_PART,
    W.WRITES,
    W.ASYNC_WRITES,
    W.WRITES - W.ASYNC_WRITES AS SYNC_WRITES,
    CAST(W.WRITES - W.ASYNC_WRITES AS DOUBLE) / NULLIF(W.WRITES, 0) AS SYNC_PART,
    W.OWN_WRITES,
    1 - CAST(W.OWN_WRITES AS DOUBLE) / NULLIF(W.WRITES - W.ASYNC_WRITES, 0) AS SPILL_PART,
    W.WRITE_MS,
    LEAST(1, COALESCE(CAST(W.OWN_NORMAL_MS AS DOUBLE) / NULLIF(W.OWN_WRITES * W.WRITE_MS, 0), 1)) AS UNQUEUED,
    100 * W.OWN_WRITES * W.WRITE_MS / CAST(NULLIF(W.DBT_MS, 0) AS DOUBLE) AS OWN_PCT,
    CAST(W.ASYNC_WRITE_MS AS DOUBLE) / NULLIF(W.ASYNC_WRITES, 0) AS CLEANING_MS,
    CAST(W.ASYNC_WRITE_MS AS DOUBLE) / NULLIF(1000 * W.SECONDS, 0) AS BUSY,
    M.ALTERNATE,
    M.ALTERNATE_SET,
    S.CHNGPGS_THRESH,
    S.NUM_IOCLEANERS,
    S.SOFTMAX,
    S.PAGE_AGE_TRGT_MCR
FROM TRIGGERED AS G
CROSS JOIN TIMED AS W
CROSS JOIN METHOD AS M
CROSS JOIN SETTING AS S
