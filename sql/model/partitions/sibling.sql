-- How far each member is from its siblings: the one way in which rules compare members, in every topology. One row per
-- measure, object and member, if at least two members have the measure. A measure is the cost of an event, so a member
-- with more or less work than the others is like them.
--
-- MEASURE: CF (requests to the caching facility), READ (pages of table space NAME that agents read themselves), POOL
--   (such reads per page that is requested of buffer pool NAME), SORT (sorts and hash joins, by the time of sorts),
--   SPILL (the same, by reads of temporary table spaces), LOG_BUFFER (commits, by waits for the log buffer), CPU
--   (percent busy of the host, in the row of its first member)
-- EVENTS, MS: events on the member, and their time in milliseconds
-- OWN_COST: time per event, milliseconds; or percent
-- USUAL_COST: OWN_COST of the siblings: the lower median of all members, which no single member moves
-- EXCESS: OWN_COST above USUAL_COST
-- FAR: 1 if OWN_COST is a multiple of USUAL_COST and the excess a share of an average member's database time, or host.
--   So neither a fixed number of milliseconds nor a mean over all members decides. An idle member, with a small part of
--   an average member's events, is left out
WITH FIGURE (MEASURE, NAME, MEMBER, EVENTS, MS) AS (
    SELECT 'CF' AS MEASURE, CAST('' AS VARCHAR(128)) AS NAME, MEMBER, SUM(CF_WAITS) AS EVENTS, SUM(CF_WAIT_TIME) AS MS
    FROM TUNE.D_WORKLOAD
    GROUP BY MEMBER
    UNION ALL
    SELECT 'READ', TBSP_NAME, MEMBER, SYNC_READS, SYNC_READ_MS FROM TUNE.TABLESPACE_READS
    UNION ALL
    SELECT
        'POOL',
        BP_NAME,
        MEMBER,
        COALESCE(POOL_DATA_L_READS, 0) + COALESCE(POOL_INDEX_L_READS, 0)
        + COALESCE(POOL_XDA_L_READS, 0) + COALESCE(POOL_COL_L_READS, 0),
        COALESCE(POOL_READ_TIME, 0) - COALESCE(POOL_ASYNC_READ_TIME, 0)
    FROM TUNE.D_BUFFERPOOL
    UNION ALL
    SELECT 'SORT', '', MEMBER, TOTAL_SORTS + TOTAL_HASH_JOINS, TOTAL_SECTION_SORT_PROC_TIME FROM TUNE.MEMBER_TIME
    UNION ALL
    SELECT 'SPILL', '', SPENT.MEMBER, MAX(SPENT.TOTAL_SORTS + SPENT.TOTAL_HASH_JOINS), SUM(R.SYNC_READ_MS)
    FROM TUNE.MEMBER_TIME AS SPENT
    INNER JOIN TUNE.TABLESPACE_READS AS R ON SPENT.MEMBER = R.MEMBER
    INNER JOIN TUNE.TABLESPACE AS SPACE ON R.TBSP_NAME = SPACE.TBSP_NAME AND SPACE.TBSP_CONTENT_TYPE = 'SYSTEMP'
    GROUP BY SPENT.MEMBER
    UNION ALL
    SELECT 'LOG_BUFFER', '', MEMBER, TOTAL_APP_COMMITS, LOG_BUFFER_WAIT_TIME FROM TUNE.MEMBER_TIME
    UNION ALL
    SELECT 'CPU', '', MIN(HOST.MEMBER), 1, MAX(PROCESSORS.CPU_USAGE_TOTAL)
    FROM TUNE.HOST AS HOST
    INNER JOIN TUNE.HOST_PROCESSOR AS PROCESSORS ON HOST.HOST_NAME = PROCESSORS.HOST_NAME
    GROUP BY HOST.HOST_NAME
),
VALUED AS (
    SELECT
        F.*,
        CAST(F.MS AS DOUBLE) / NULLIF(F.EVENTS, 0) AS OWN_COST,
        AVG(CAST(F.EVENTS AS DOUBLE)) OVER (PARTITION BY F.MEASURE, F.NAME) AS AVERAGE_EVENTS
    FROM FIGURE AS F
    WHERE F.MS >= 0 AND F.EVENTS > 0
),
PLACED AS (
    SELECT
        V.*,
        COUNT(*) OVER (PARTITION BY V.MEASURE, V.NAME) AS MEMBERS,
        ROW_NUMBER() OVER (PARTITION BY V.MEASURE, V.NAME ORDER BY V.OWN_COST, V.MEMBER) AS PLACE
    FROM VALUED AS V
    CROSS JOIN TUNE.CONSTANT AS CONST
    WHERE V.EVENTS >= CONST.IDLE_PART * V.AVERAGE_EVENTS
),
COMPARED AS (
    SELECT
        P.*,
        MAX(CASE WHEN 2 * P.PLACE IN (P.MEMBERS, P.MEMBERS + 1) THEN P.OWN_COST END)
            OVER (PARTITION BY P.MEASURE, P.NAME) AS USUAL_COST
    FROM PLACED AS P
    WHERE P.MEMBERS >= 2
)
SELECT
    C.MEASURE,
    C.NAME,
    C.MEMBER,
    C.EVENTS,
    C.MS,
    C.OWN_COST,
    C.USUAL_COST,
    C.OWN_COST - C.USUAL_COST AS EXCESS,
    CASE
        WHEN
            C.OWN_COST > C.USUAL_COST
            AND C.OWN_COST >= CONST.FAR_FACTOR * C.USUAL_COST
            AND 100 * C.EVENTS * (C.OWN_COST - C.USUAL_COST)
            >= SITE.HIGH_PCT * CASE C.MEASURE WHEN 'CPU' THEN 100 ELSE M.DBT_MS END
            THEN 1
        ELSE 0
    END AS FAR
FROM COMPARED AS C
CROSS JOIN TUNE.O_SITE AS SITE
CROSS JOIN TUNE.CONSTANT AS CONST
CROSS JOIN (SELECT AVG(CAST(DBT_MS AS DOUBLE)) AS DBT_MS FROM TUNE.MEMBER_TIME) AS M
