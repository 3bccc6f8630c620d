-- What shows whether a change helped, in one form: each metric is per unit of work, so that more or less load cancels
-- out. EVENTS is how many events the value is a mean of; LOW_IS_GOOD is 1 where less is better. Times are
-- milliseconds; database time is that of all members.
SELECT
    'database time per activity' AS METRIC,
    'ms' AS UNIT,
    CAST(DBT_MS AS DOUBLE) / NULLIF(ACT_COMPLETED_TOTAL, 0) AS VALUE,
    ACT_COMPLETED_TOTAL AS EVENTS,
    1 AS LOW_IS_GOOD
FROM TUNE.DATABASE_TIME
UNION ALL
SELECT
    'CPU time per activity',
    'ms',
    CAST(TOTAL_CPU_TIME AS DOUBLE) / NULLIF(CAST(1000 AS DOUBLE) * ACT_COMPLETED_TOTAL, 0),
    ACT_COMPLETED_TOTAL,
    1
FROM TUNE.DATABASE_TIME
UNION ALL
SELECT
    'page read time per activity',
    'ms',
    CAST(POOL_READ_TIME AS DOUBLE) / NULLIF(ACT_COMPLETED_TOTAL, 0),
    ACT_COMPLETED_TOTAL,
    1
FROM TUNE.DATABASE_TIME
UNION ALL
SELECT
    'prefetch wait per activity',
    'ms',
    CAST(PREFETCH_WAIT_TIME AS DOUBLE) / NULLIF(ACT_COMPLETED_TOTAL, 0),
    ACT_COMPLETED_TOTAL,
    1
FROM TUNE.DATABASE_TIME
UNION ALL
SELECT
    'lock wait per activity',
    'ms',
    CAST(LOCK_WAIT_TIME AS DOUBLE) / NULLIF(ACT_COMPLETED_TOTAL, 0),
    ACT_COMPLETED_TOTAL,
    1
FROM TUNE.DATABASE_TIME
UNION ALL
SELECT
    'log disk wait per commit',
    'ms',
    CAST(LOG_DISK_WAIT_TIME AS DOUBLE) / NULLIF(TOTAL_APP_COMMITS, 0),
    TOTAL_APP_COMMITS,
    1
FROM TUNE.DATABASE_TIME
UNION ALL
SELECT
    'sorts that overflowed',
    '%',
    100 * CAST(SORT_OVERFLOWS AS DOUBLE) / NULLIF(TOTAL_SORTS, 0),
    TOTAL_SORTS,
    1
FROM TUNE.DATABASE_TIME
UNION ALL
SELECT
    'commits per second',
    '1/s',
    COMMITS_PER_S,
    TOTAL_APP_COMMITS,
    0
FROM TUNE.DATABASE_TIME
