-- Why load cannot be judged, in one row per reason: no usable interval exists, metrics are switched off, or the
-- database was idle. Without rows, load can be judged. Otherwise rules that judge load do not run; rules that judge
-- structure run, and claim no database time. UNTIMED is 1 if only database time is unknown: rules that judge rates run,
-- too, and claim none.
SELECT SPAN.REASON, 0 AS UNTIMED
FROM TUNE.RUN_WINDOW AS SPAN
WHERE SPAN.USABLE = 0
UNION ALL
SELECT 'metrics are switched off: ' || M.NAME || ' is NONE' AS REASON, 0 AS UNTIMED
FROM (
    SELECT MIN(NAME) AS NAME FROM TUNE.CONFIG
    WHERE SCOPE = 'DB' AND VALUE = 'NONE' AND NAME IN ('mon_req_metrics', 'mon_obj_metrics')
) AS M
WHERE M.NAME IS NOT NULL
UNION ALL
SELECT
    CASE
        WHEN DBTIME.ACTIVE_SESSIONS IS NULL
            THEN 'how much time the requests took is not known'
            || CASE WHEN MISSING.REASON IS NULL THEN '' ELSE ' (workload: ' || MISSING.REASON || ')' END
        ELSE
            'the database was idle: fewer active sessions than '
            -- whole numbers: Db2 omits the zero before the decimal point
            || CAST(CAST(FLOOR(SITE.IDLE_SESSIONS) AS BIGINT) AS VARCHAR(20)) || '.'
            || SUBSTR(CAST(CAST(ROUND(100 + 100 * (SITE.IDLE_SESSIONS - FLOOR(SITE.IDLE_SESSIONS)), 0) AS BIGINT)
                AS VARCHAR(20)), 2) || ' on average'
    END AS REASON,
    CASE WHEN DBTIME.ACTIVE_SESSIONS IS NULL THEN 1 ELSE 0 END AS UNTIMED
FROM TUNE.RUN_WINDOW AS SPAN
CROSS JOIN TUNE.DATABASE_TIME AS DBTIME
CROSS JOIN TUNE.IDLE_WINDOW AS QUIET
CROSS JOIN TUNE.O_SITE AS SITE
LEFT JOIN TUNE.NOT_COLLECTED AS MISSING
    ON MISSING.SOURCE = 'workload' AND MISSING.REASON <> 'not in the imported text'
WHERE SPAN.USABLE = 1 AND COALESCE(QUIET.IDLE, 1) = 1
