-- The events that are too few in the interval to judge, one row per rule and kind of event. They happened as often as
-- the rule requires, or at as high a cost, but fewer times than it needs (both are options of the rule). A longer
-- interval would be enough to judge; an interval of an hour always is.
WITH BOUND AS (
    SELECT
        RULE,
        MAX(CASE WHEN NAME = NEEDED_OPTION THEN CAST(VALUE AS DOUBLE) END) AS NEEDED,
        MAX(CASE WHEN NAME <> NEEDED_OPTION THEN CAST(VALUE AS DOUBLE) END) AS LEAST_RATE
    FROM (
        SELECT
            RULE,
            NAME,
            VALUE,
            CASE RULE
                WHEN 'lock.escalations' THEN 'min_escalations'
                WHEN 'lock.wait-high' THEN 'min_waits'
                WHEN 'lock.timeouts-deadlocks' THEN 'min_events'
                WHEN 'memory.sort-overflow' THEN 'min_spills'
                ELSE 'min_new'
            END AS NEEDED_OPTION
        FROM TUNE.OPTION
        WHERE
            (RULE = 'lock.escalations' AND NAME IN ('min_escalations', 'oltp_per_hour'))
            OR (RULE = 'lock.wait-high' AND NAME IN ('min_waits', 'min_wait_pct'))
            OR (RULE = 'lock.timeouts-deadlocks' AND NAME IN ('min_events', 'per_hour'))
            OR (RULE = 'memory.sort-overflow' AND NAME IN ('min_spills', 'min_cost_pct'))
            OR (RULE = 'memory.literal-statements' AND NAME IN ('min_new', 'min_compile_pct'))
    ) AS O
    GROUP BY RULE
),
SEEN (RULE, EVENT_KIND, EVENTS, RATE) AS (
    SELECT
        'lock.escalations',
        'escalations',
        ESCALATIONS,
        ESCALATIONS_PER_HOUR
    FROM TUNE.LOCK_WORK
    UNION ALL
    SELECT
        'lock.wait-high',
        'lock waits',
        LOCK_WAITS,
        LOCK_PCT
    FROM TUNE.LOCK_WORK
    UNION ALL
    -- if sessions may wait without a limit, the rule judges more than these
    SELECT
        'lock.timeouts-deadlocks',
        'deadlocks and timeouts',
        LOCKS.DEADLOCKS + LOCKS.TIMEOUTS,
        LOCKS.DEADLOCKS_PER_HOUR + LOCKS.TIMEOUTS_PER_HOUR
    FROM TUNE.LOCK_WORK AS LOCKS
    INNER JOIN TUNE.SETTING AS SETTING ON SETTING.SCOPE = 'DB' AND SETTING.NAME = 'locktimeout' AND SETTING.NUM >= 0
    UNION ALL
    SELECT
        'memory.sort-overflow',
        'spills',
        OVERFLOWS,
        SPILL_PCT
    FROM TUNE.SORT_WORK
    UNION ALL
    SELECT
        'memory.literal-statements',
        'statements that the package cache did not have',
        INSERTS,
        COMPILE_PCT
    FROM TUNE.COMPILE_WORK
)
SELECT
    S.RULE,
    CAST(CAST(S.EVENTS AS BIGINT) AS VARCHAR(20)) || ' ' || S.EVENT_KIND || ' in '
    || CAST(CAST(ROUND(SPAN.SECONDS, 0) AS BIGINT) AS VARCHAR(20)) || ' seconds are too few to judge by' AS REASON
FROM SEEN AS S
INNER JOIN BOUND AS B ON S.RULE = B.RULE
CROSS JOIN TUNE.RUN_WINDOW AS SPAN
WHERE S.EVENTS > 0 AND S.EVENTS < B.NEEDED AND S.RATE >= B.LEAST_RATE AND SPAN.USABLE = 1 AND SPAN.SECONDS < 3600
