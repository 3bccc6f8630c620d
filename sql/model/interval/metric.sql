-- The measures of a change's effect, in one form: each metric is per unit of work, so that more or less load cancels
-- out. EVENTS is the number of events that the value averages or counts; LOW_IS_GOOD is 1 if less is better. GUARD is 1
-- for metrics that a change must not make worse. TOO_LITTLE is the difference that is not worth reporting: a tiny wait
-- may double. Times are milliseconds; database time is the sum of all members.
SELECT
    'database time per activity' AS METRIC,
    'ms' AS UNIT,
    CAST(DBT_MS AS DOUBLE) / NULLIF(ACT_COMPLETED_TOTAL, 0) AS VALUE,
    ACT_COMPLETED_TOTAL AS EVENTS,
    1 AS LOW_IS_GOOD,
    0 AS GUARD,
    CAST(0 AS DOUBLE) AS TOO_LITTLE
FROM TUNE.DATABASE_TIME
UNION ALL
SELECT
    'database time per commit',
    'ms',
    CAST(DBT_MS AS DOUBLE) / NULLIF(TOTAL_APP_COMMITS, 0),
    TOTAL_APP_COMMITS,
    1,
    0,
    CAST(0 AS DOUBLE)
FROM TUNE.DATABASE_TIME
UNION ALL
SELECT
    'CPU time per activity',
    'ms',
    CAST(TOTAL_CPU_TIME AS DOUBLE) / NULLIF(CAST(1000 AS DOUBLE) * ACT_COMPLETED_TOTAL, 0),
    ACT_COMPLETED_TOTAL,
    1,
    0,
    CAST(0.01 AS DOUBLE)
FROM TUNE.DATABASE_TIME
UNION ALL
SELECT
    'page read time per activity',
    'ms',
    CAST(POOL_READ_TIME AS DOUBLE) / NULLIF(ACT_COMPLETED_TOTAL, 0),
    ACT_COMPLETED_TOTAL,
    1,
    0,
    CAST(0.01 AS DOUBLE)
FROM TUNE.DATABASE_TIME
UNION ALL
SELECT
    'prefetch wait per activity',
    'ms',
    CAST(PREFETCH_WAIT_TIME AS DOUBLE) / NULLIF(ACT_COMPLETED_TOTAL, 0),
    ACT_COMPLETED_TOTAL,
    1,
    0,
    CAST(0.01 AS DOUBLE)
FROM TUNE.DATABASE_TIME
UNION ALL
SELECT
    'lock wait per activity',
    'ms',
    CAST(LOCK_WAIT_TIME AS DOUBLE) / NULLIF(ACT_COMPLETED_TOTAL, 0),
    ACT_COMPLETED_TOTAL,
    1,
    0,
    CAST(0.01 AS DOUBLE)
FROM TUNE.DATABASE_TIME
UNION ALL
SELECT
    'log disk wait per commit',
    'ms',
    CAST(LOG_DISK_WAIT_TIME AS DOUBLE) / NULLIF(TOTAL_APP_COMMITS, 0),
    TOTAL_APP_COMMITS,
    1,
    1,
    CAST(0.2 AS DOUBLE)
FROM TUNE.DATABASE_TIME
UNION ALL
SELECT
    'lock time-outs per 1000 commits',
    'time-outs',
    1000 * CAST(LOCK_TIMEOUTS AS DOUBLE) / NULLIF(TOTAL_APP_COMMITS, 0),
    LOCK_TIMEOUTS,
    1,
    1,
    CAST(0.5 AS DOUBLE)
FROM TUNE.DATABASE_TIME
UNION ALL
SELECT
    'sorts that overflowed',
    '%',
    100 * CAST(SORT_OVERFLOWS AS DOUBLE) / NULLIF(TOTAL_SORTS, 0),
    TOTAL_SORTS,
    1,
    1,
    CAST(1 AS DOUBLE)
FROM TUNE.DATABASE_TIME
UNION ALL
SELECT
    'pages swapped out per second',
    '1/s',
    CAST(S.SWAP_PAGES_OUT AS DOUBLE) / NULLIF(SPAN.SECONDS, 0),
    S.SWAP_PAGES_OUT,
    1,
    1,
    CAST(10 AS DOUBLE)
FROM (
    SELECT SUM(H.SWAP_PAGES_OUT) AS SWAP_PAGES_OUT
    FROM (SELECT HOST_NAME, MAX(SWAP_PAGES_OUT) AS SWAP_PAGES_OUT FROM TUNE.D_SYSTEM GROUP BY HOST_NAME) AS H
) AS S
CROSS JOIN TUNE.RUN_WINDOW AS SPAN
UNION ALL
SELECT 'commits per second', '1/s', COMMITS_PER_S, TOTAL_APP_COMMITS, 0, 0, CAST(0 AS DOUBLE)
FROM TUNE.DATABASE_TIME
