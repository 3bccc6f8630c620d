-- What a list prints in addition to its recommendations, above all if it has none; one row. STATE is
--   untimed      no interval: the begin of the counters is unknown, or no counters exist
--   unusable     the interval could not be judged
--   unmeasured   Db2 did not measure how long requests took
--   idle         no applications worked
--   blind        most of the rules that judge load could not run
--   unexplained  a large share of the time is waits or overhead that no recommendation claims
--   seen         enough was measured, and none of these applies
-- and SAYS the sentence for people, with the number of table spaces in object storage: no rule judges their layout and
-- reads. EMPTY is 1 if nothing is recommended.
WITH RULE_COUNT AS (
    SELECT
        SUM(CASE WHEN N.RULE IS NULL THEN 1 ELSE 0 END) AS RAN,
        SUM(CASE WHEN N.RULE IS NULL THEN 0 ELSE 1 END) AS MISSED,
        SUM(CASE WHEN HEADER.JUDGED_BY IN ('load', 'rates') THEN 1 ELSE 0 END) AS LOAD_RULES,
        SUM(CASE WHEN HEADER.JUDGED_BY IN ('load', 'rates') AND N.RULE IS NOT NULL THEN 1 ELSE 0 END) AS LOAD_MISSED
    FROM TUNE.RULE AS HEADER
    LEFT JOIN (SELECT DISTINCT RULE FROM TUNE.NOT_RUN) AS N ON HEADER.RULE = N.RULE
    LEFT JOIN (SELECT DISTINCT RULE FROM TUNE.GATE WHERE KIND = 'not applicable') AS G ON HEADER.RULE = G.RULE
    WHERE G.RULE IS NULL
),
WORDED AS (
    SELECT
        SHOWN.POSITION,
        SHOWN.TITLE || ' ' || CAST(CAST(ROUND(ROUND(SHOWN.PCT, 6), 0) AS BIGINT) AS VARCHAR(20)) || ' %' AS TEXT,
        CASE
            WHEN SHOWN.NOTED = 1 AND SHOWN.KIND IN ('wait', 'overhead')
                THEN SUM(CASE WHEN SHOWN.KIND IN ('wait', 'overhead') THEN SHOWN.NOTED ELSE 0 END) OVER (
                    ORDER BY SHOWN.POSITION ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
                )
        END AS UNEXPLAINED_NO
    FROM TUNE.TIME_SPENT AS SHOWN
    WHERE SHOWN.PCT >= 0.5
),
TEXTS AS (
    SELECT
        MAX(CASE WHEN POSITION = 1 THEN TEXT END)
        || COALESCE(MAX(CASE WHEN POSITION = 2 THEN ', ' || TEXT END), '')
        || COALESCE(MAX(CASE WHEN POSITION = 3 THEN ', ' || TEXT END), '') AS MOST,
        MAX(CASE WHEN UNEXPLAINED_NO = 1 THEN TEXT END)
        || COALESCE(MAX(CASE WHEN UNEXPLAINED_NO = 2 THEN ', ' || TEXT END), '')
        || COALESCE(MAX(CASE WHEN UNEXPLAINED_NO = 3 THEN ', ' || TEXT END), '') AS UNEXPLAINED
    FROM WORDED
),
SITUATION AS (
    SELECT
        CASE
            WHEN SPAN.SECONDS IS NULL THEN 'untimed'
            WHEN SPAN.USABLE = 0 THEN 'unusable'
            WHEN DBTIME.ACTIVE_SESSIONS IS NULL OR M.REASON IS NOT NULL THEN 'unmeasured'
            WHEN QUIET.IDLE = 1 THEN 'idle'
            WHEN 2 * C.LOAD_MISSED > C.LOAD_RULES THEN 'blind'
            WHEN X.UNEXPLAINED IS NOT NULL THEN 'unexplained'
            ELSE 'seen'
        END AS STATE,
        CASE WHEN A.RANKED = 0 THEN 1 ELSE 0 END AS EMPTY,
        SPAN.REASON,
        M.REASON AS NOT_MEASURED,
        X.MOST,
        X.UNEXPLAINED,
        CASE
            WHEN R.SPACES = 1 THEN ' Not judged: a table space in object storage (' || R.FIRST_NAME || ').'
            WHEN R.SPACES > 1
                THEN
                    ' Not judged: ' || CAST(R.SPACES AS VARCHAR(20)) || ' table spaces in object storage ('
                    || R.FIRST_NAME || ' and others).'
            ELSE ''
        END AS REMOTE,
        CAST(COALESCE(C.RAN, 0) AS VARCHAR(20)) || CASE WHEN C.RAN = 1 THEN ' rule looked' ELSE ' rules looked' END
        || CASE WHEN C.MISSED > 0 THEN ', ' || CAST(C.MISSED AS VARCHAR(20)) || ' could not run' ELSE '' END AS LOOKED,
        CAST(C.LOAD_MISSED AS VARCHAR(20)) || ' of ' || CAST(C.LOAD_RULES AS VARCHAR(20)) AS LOAD_MISSED,
        -- whole numbers: Db2 omits a zero before the decimal point
        CAST(CAST(FLOOR(DBTIME.ACTIVE_SESSIONS) AS BIGINT) AS VARCHAR(20)) || '.'
        || SUBSTR(
            CAST(
                CAST(FLOOR(100 + 100 * (DBTIME.ACTIVE_SESSIONS - FLOOR(DBTIME.ACTIVE_SESSIONS))) AS BIGINT) AS VARCHAR(
                    20
                )
            ),
            2
        ) AS SESSIONS
    FROM TUNE.RUN_WINDOW AS SPAN
    CROSS JOIN TUNE.DATABASE_TIME AS DBTIME
    CROSS JOIN TUNE.IDLE_WINDOW AS QUIET
    CROSS JOIN RULE_COUNT AS C
    CROSS JOIN TEXTS AS X
    CROSS JOIN (
        SELECT MAX(CASE WHEN NAME = 'mon_req_metrics' AND VALUE = 'NONE' THEN 'mon_req_metrics is NONE' END) AS REASON
        FROM TUNE.CONFIG
        WHERE SCOPE = 'DB'
    ) AS M
    CROSS JOIN (
        SELECT COUNT(DISTINCT TBSP_NAME) AS SPACES, MIN(TBSP_NAME) AS FIRST_NAME
        FROM TUNE.L_CONTAINER
        WHERE CONTAINER_TYPE = 'FILE_REMOTE'
    ) AS R
    CROSS JOIN (SELECT COUNT(*) AS RANKED FROM TUNE.ADVICE WHERE POSITION IS NOT NULL) AS A
)
SELECT
    CAST(STATE AS VARCHAR(12)) AS STATE,
    EMPTY,
    CAST(
        CASE STATE
            WHEN 'untimed' THEN 'No time was measured: only structure, space, state and settings were judged.'
            WHEN 'unusable'
                THEN 'Nothing was judged by load: ' || COALESCE(REASON, 'the interval cannot be used') || '.'
            WHEN 'unmeasured'
                THEN
                    CASE
                        WHEN NOT_MEASURED IS NOT NULL THEN 'Nothing was judged by load: ' || NOT_MEASURED
                        ELSE
                            'Only rates and times per operation were judged by load, with low confidence: '
                            || 'how much time the requests took is not known'
                    END || '.'
            WHEN 'idle'
                THEN
                    'The database was idle, with ' || SESSIONS
                    || ' active sessions on average: nothing was judged by load. Capture an hour in which it works.'
            WHEN 'blind' THEN 'Too little was seen: ' || LOAD_MISSED || ' rules that judge load could not run.'
            WHEN 'unexplained' THEN 'No recommendation claims this time: ' || UNEXPLAINED || ' (' || LOOKED || ').'
            WHEN 'seen'
                THEN
                    CASE WHEN EMPTY = 1 THEN 'Nothing to recommend (' || LOOKED || '). ' ELSE '' END
                    || 'Most of the time: ' || COALESCE(MOST, 'nothing measured') || '.'
        END || REMOTE AS VARCHAR(1200)
    ) AS SAYS
FROM SITUATION
