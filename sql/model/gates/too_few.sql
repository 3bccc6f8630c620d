-- The events that are too few in the interval to judge, one row per rule and kind of event. They happened as often as
-- the rule requires, or at as high a cost, but fewer times than it needs. A longer interval would be enough to judge;
-- an interval of an hour always is.
WITH SEEN (RULE, EVENT_KIND, EVENTS, NEEDED, RATE, LEAST_RATE) AS (
    SELECT
        'lock.escalations',
        'escalations',
        W.ESCALATIONS,
        CONST.INCIDENT,
        W.ESCALATIONS_PER_HOUR,
        SITE.ESCALATIONS_OLTP
    FROM TUNE.LOCK_WORK AS W
    CROSS JOIN TUNE.O_SITE AS SITE
    CROSS JOIN TUNE.CONSTANT AS CONST
    UNION ALL
    SELECT 'lock.wait-high', 'lock waits', W.LOCK_WAITS, CONST.SEVERAL, W.LOCK_PCT, SITE.HIGH_PCT
    FROM TUNE.LOCK_WORK AS W
    CROSS JOIN TUNE.O_SITE AS SITE
    CROSS JOIN TUNE.CONSTANT AS CONST
    UNION ALL
    -- if sessions may wait without a limit, the rule judges more than these
    SELECT
        'lock.timeouts-deadlocks',
        'deadlocks and timeouts',
        LOCKS.DEADLOCKS + LOCKS.TIMEOUTS,
        CONST.INCIDENT,
        LOCKS.DEADLOCKS_PER_HOUR + LOCKS.TIMEOUTS_PER_HOUR,
        SITE.EVENTS_PER_HOUR
    FROM TUNE.LOCK_WORK AS LOCKS
    CROSS JOIN TUNE.O_SITE AS SITE
    CROSS JOIN TUNE.CONSTANT AS CONST
    INNER JOIN TUNE.SETTING AS SETTING ON SETTING.SCOPE = 'DB' AND SETTING.NAME = 'locktimeout' AND SETTING.NUM >= 0
    UNION ALL
    SELECT
        'memory.sort-overflow',
        'spills',
        SORTS.OVERFLOWS,
        CONST.RARE_EVENTS,
        SORTS.SPILL_PCT,
        SITE.SMALL_PCT
    FROM TUNE.SORT_WORK AS SORTS
    CROSS JOIN TUNE.O_SITE AS SITE
    CROSS JOIN TUNE.CONSTANT AS CONST
    UNION ALL
    SELECT
        'memory.literal-statements',
        'statements that the package cache did not have',
        COMPILED.INSERTS,
        CONST.FEW_EVENTS,
        COMPILED.COMPILE_PCT,
        SITE.MAJOR_PCT
    FROM TUNE.COMPILE_WORK AS COMPILED
    CROSS JOIN TUNE.O_SITE AS SITE
    CROSS JOIN TUNE.CONSTANT AS CONST
)
SELECT
    S.RULE,
    CAST(CAST(S.EVENTS AS BIGINT) AS VARCHAR(20)) || ' ' || S.EVENT_KIND || ' in '
    || CAST(CAST(ROUND(SPAN.SECONDS, 0) AS BIGINT) AS VARCHAR(20)) || ' seconds are too few to judge by' AS REASON
FROM SEEN AS S
INNER JOIN TUNE.RULE AS HEADER ON S.RULE = HEADER.RULE
CROSS JOIN TUNE.RUN_WINDOW AS SPAN
WHERE S.EVENTS > 0 AND S.EVENTS < S.NEEDED AND S.RATE >= S.LEAST_RATE AND SPAN.USABLE = 1 AND SPAN.SECONDS < 3600
