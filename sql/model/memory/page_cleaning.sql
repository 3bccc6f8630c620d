-- Page cleaning over the interval: one row for the whole database (WHOLE = 1), and one for each buffer pool on each
-- member (WHOLE = 0), so that the others do not hide a pool whose agents write pages. Triggers wake the cleaners; only
-- the default method counts them. The parts of triggers are between 0 and 1, NULL without any. A setting is NULL if Db2
-- sets it, members differ, or another value is pending.
--
-- PART: name of the pool and, with several members, the member; NULL for the whole
-- STEALS: triggers because an agent found only a dirty page to replace
-- THRESHOLDS: triggers because too many pages were dirty
-- LOG_GAPS: triggers because the oldest change was too far back in the log
-- POOL_PAGES: pages of the pools
-- STARTS_IN_STAY: number of times that the threshold woke them while a page stays in its pool (its pages divided by
--   those read per second), for the pool of the database with the shortest stay
-- WRITES: pages written
-- SYNC_WRITES: pages that agents wrote themselves
-- OWN_WRITES: SYNC_WRITES that are not temporary
-- SPILL_PART: part of SYNC_WRITES that sorts and joins spilled; these end with the spills
-- WRITE_MS: time of a page that an agent writes, milliseconds
-- UNQUEUED: most that such a write takes on an idle device, as a part of WRITE_MS; the rest is queueing, which stays
--   for reads if others write the same pages
-- READ_WAIT_MS: time that agents read pages themselves, milliseconds
-- CLEANING_MS: time that the cleaners take for a page, milliseconds; NULL if times are not measured
-- BUSY: average number of cleaners that write, for a part those of its member; NULL if times are not measured
-- ALTERNATE: 1 if proactive cleaning is on or pending until db2start
-- ALTERNATE_SET: 1 if the variable is set at all
WITH PIECE (
    BP_NAME, MEMBER, STEALS, THRESHOLDS, LOG_GAPS, TRIGGERS, POOL_PAGES, WRITES, ASYNC_WRITES, OWN_WRITES,
    OWN_NORMAL_MS, SYNC_WRITE_MS, ASYNC_WRITE_MS, READ_WAIT_MS
) AS (
    SELECT
        BP_NAME,
        MEMBER,
        COALESCE(POOL_DRTY_PG_STEAL_CLNS, 0),
        COALESCE(POOL_DRTY_PG_THRSH_CLNS, 0),
        COALESCE(POOL_LSN_GAP_CLNS, 0),
        POOL_DRTY_PG_STEAL_CLNS + POOL_DRTY_PG_THRSH_CLNS + POOL_LSN_GAP_CLNS, -- unknown if one of them is
        CAST(BP_CUR_BUFFSZ AS DOUBLE),
        0,
        0,
        0,
        CAST(0 AS DOUBLE),
        0,
        0,
        0
    FROM TUNE.D_BUFFERPOOL
    UNION ALL
    SELECT
        SPACE.BPNAME,
        PAGEREADS.MEMBER,
        0,
        0,
        0,
        CAST(NULL AS BIGINT),
        CAST(0 AS DOUBLE),
        PAGEREADS.WRITES,
        PAGEREADS.ASYNC_WRITES,
        CASE
            WHEN SPACE.TBSP_CONTENT_TYPE NOT IN ('SYSTEMP', 'USRTEMP') THEN PAGEREADS.WRITES - PAGEREADS.ASYNC_WRITES
            ELSE 0
        END,
        CASE
            WHEN SPACE.TBSP_CONTENT_TYPE NOT IN ('SYSTEMP', 'USRTEMP')
                THEN CAST((PAGEREADS.WRITES - PAGEREADS.ASYNC_WRITES) * SPACE.NORMAL_MS AS DOUBLE)
            ELSE CAST(0 AS DOUBLE)
        END,
        PAGEREADS.SYNC_WRITE_MS,
        PAGEREADS.ASYNC_WRITE_MS,
        PAGEREADS.SYNC_READ_MS
    FROM TUNE.TABLESPACE_READS AS PAGEREADS
    INNER JOIN TUNE.TABLESPACE AS SPACE ON PAGEREADS.TBSP_NAME = SPACE.TBSP_NAME
    UNION ALL
    -- a row for the settings of a database without figures
    SELECT
        CAST(NULL AS VARCHAR(128)), CAST(NULL AS SMALLINT),
        0, 0, 0, CAST(NULL AS BIGINT), CAST(0 AS DOUBLE), 0, 0, 0, CAST(0 AS DOUBLE), 0, 0, 0
    FROM TUNE.RUN_DATABASE
),
SCOPES (WHOLE) AS (
    SELECT 1 AS WHOLE FROM TUNE.RUN_DATABASE
    UNION ALL
    SELECT 0 FROM TUNE.RUN_DATABASE
),
SUMMED AS (
    SELECT
        SCOPES.WHOLE,
        CASE WHEN SCOPES.WHOLE = 0 THEN PIECE.BP_NAME END AS BP_NAME,
        CASE WHEN SCOPES.WHOLE = 0 THEN PIECE.MEMBER END AS MEMBER,
        SUM(PIECE.STEALS) AS STEALS,
        SUM(PIECE.THRESHOLDS) AS THRESHOLDS,
        SUM(PIECE.LOG_GAPS) AS LOG_GAPS,
        SUM(PIECE.TRIGGERS) AS TRIGGERS,
        SUM(PIECE.POOL_PAGES) AS POOL_PAGES,
        SUM(PIECE.WRITES) AS WRITES,
        SUM(PIECE.ASYNC_WRITES) AS ASYNC_WRITES,
        SUM(PIECE.OWN_WRITES) AS OWN_WRITES,
        SUM(PIECE.OWN_NORMAL_MS) AS OWN_NORMAL_MS,
        CASE WHEN SUM(PIECE.SYNC_WRITE_MS) > 0 THEN SUM(PIECE.SYNC_WRITE_MS) END AS SYNC_WRITE_MS,
        CASE WHEN SUM(PIECE.ASYNC_WRITE_MS) > 0 THEN SUM(PIECE.ASYNC_WRITE_MS) END AS ASYNC_WRITE_MS,
        SUM(PIECE.READ_WAIT_MS) AS READ_WAIT_MS
    FROM PIECE
    CROSS JOIN SCOPES
    WHERE SCOPES.WHOLE = 1 OR PIECE.BP_NAME IS NOT NULL
    GROUP BY
        SCOPES.WHOLE, CASE WHEN SCOPES.WHOLE = 0 THEN PIECE.BP_NAME END,
        CASE WHEN SCOPES.WHOLE = 0 THEN PIECE.MEMBER END
),
STAY AS (
    SELECT
        MIN(
            CASE WHEN POOL_DRTY_PG_THRSH_CLNS > 0 THEN CAST(BP_CUR_BUFFSZ AS DOUBLE) * POOL_DRTY_PG_THRSH_CLNS / NULLIF(
                COALESCE(POOL_DATA_P_READS, 0) + COALESCE(POOL_INDEX_P_READS, 0)
                + COALESCE(POOL_XDA_P_READS, 0) + COALESCE(POOL_COL_P_READS, 0)
                + COALESCE(POOL_TEMP_DATA_P_READS, 0) + COALESCE(POOL_TEMP_INDEX_P_READS, 0)
                + COALESCE(POOL_TEMP_XDA_P_READS, 0) + COALESCE(POOL_TEMP_COL_P_READS, 0), 0
            ) END
        ) AS STARTS_IN_STAY,
        COUNT(DISTINCT MEMBER) AS MEMBERS
    FROM TUNE.D_BUFFERPOOL
),
TIMED AS (
    SELECT
        S.*,
        CASE
            WHEN S.WHOLE = 0 AND S.SYNC_WRITE_MS > 0
                THEN CAST(S.SYNC_WRITE_MS AS DOUBLE) / NULLIF(S.WRITES - S.ASYNC_WRITES, 0)
            ELSE CAST(DBTIME.POOL_WRITE_TIME AS DOUBLE) / NULLIF(A.WRITES - A.ASYNC_WRITES, 0)
        END AS WRITE_MS,
        CASE WHEN S.WHOLE = 0 AND S.READ_WAIT_MS > 0 THEN S.READ_WAIT_MS ELSE DBTIME.POOL_READ_TIME END AS WAIT_MS,
        CASE
            WHEN S.WHOLE = 1 THEN S.ASYNC_WRITE_MS
            ELSE SUM(CASE WHEN S.WHOLE = 0 THEN S.ASYNC_WRITE_MS END) OVER (PARTITION BY S.WHOLE, S.MEMBER)
        END AS MEMBER_WRITE_MS,
        DBTIME.DBT_MS,
        DBTIME.SECONDS
    FROM SUMMED AS S
    INNER JOIN SUMMED AS A ON A.WHOLE = 1
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
    W.WHOLE,
    'buffer pool ' || W.BP_NAME
    || CASE WHEN G.MEMBERS > 1 THEN ' on member ' || CAST(W.MEMBER AS VARCHAR(20)) ELSE '' END AS PART,
    W.STEALS,
    W.THRESHOLDS,
    W.LOG_GAPS,
    W.TRIGGERS,
    W.POOL_PAGES,
    G.STARTS_IN_STAY,
    CAST(W.STEALS AS DOUBLE) / NULLIF(W.TRIGGERS, 0) AS STEAL_PART,
    CAST(W.THRESHOLDS AS DOUBLE) / NULLIF(W.TRIGGERS, 0) AS THRESHOLD_PART,
    CAST(W.LOG_GAPS AS DOUBLE) / NULLIF(W.TRIGGERS, 0) AS LOG_GAP_PART,
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
    CAST(W.MEMBER_WRITE_MS AS DOUBLE) / NULLIF(1000 * W.SECONDS, 0) AS BUSY,
    W.WAIT_MS AS READ_WAIT_MS,
    M.ALTERNATE,
    M.ALTERNATE_SET,
    S.CHNGPGS_THRESH,
    S.NUM_IOCLEANERS,
    S.SOFTMAX,
    S.PAGE_AGE_TRGT_MCR
FROM TIMED AS W
CROSS JOIN STAY AS G
CROSS JOIN METHOD AS M
CROSS JOIN SETTING AS S
