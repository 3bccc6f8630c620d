-- The units of work that block others, and those that changed rows, began at least five minutes ago and wait for their
-- client. Their user, how long they have been open, their requests, and how many applications wait for their locks for
-- how long, in seconds. WAITS_FOR is the application that they wait for themselves, if any: the head of a lock chain
-- has none. At most 200: most waiters first, then the oldest.
--
-- object: MON_GET_UNIT_OF_WORK
-- reset:  restart
SELECT
    T.APPLICATION_HANDLE,         -- key BIGINT
    T.UOW_ID,                     -- key INTEGER
    T.MEMBER,                     -- key SMALLINT
    T.COORD_MEMBER,               -- gauge SMALLINT
    T.SESSION_AUTH_ID,            -- gauge VARCHAR(128)
    T.CLIENT_APPLNAME,            -- gauge VARCHAR(255)
    T.WORKLOAD_OCCURRENCE_STATE,  -- gauge VARCHAR(32)
    T.ROWS_MODIFIED,              -- gauge BIGINT
    T.APP_RQSTS_COMPLETED_TOTAL,  -- counter BIGINT
    (DAYS(CURRENT TIMESTAMP) - DAYS(T.UOW_START_TIME)) * 86400
    + MIDNIGHT_SECONDS(CURRENT TIMESTAMP) - MIDNIGHT_SECONDS(T.UOW_START_TIME) AS UOW_AGE_S,  -- gauge BIGINT
    W.WAITERS,                    -- gauge BIGINT
    W.LONGEST_WAIT_S,             -- gauge BIGINT
    W.WAITED_S,                   -- gauge BIGINT
    B.WAITS_FOR                   -- gauge BIGINT
FROM TABLE(SYSPROC.MON_GET_UNIT_OF_WORK(NULL, -2)) AS T
LEFT JOIN (
    SELECT
        L.HLD_APPLICATION_HANDLE,
        COUNT(DISTINCT L.REQ_APPLICATION_HANDLE) AS WAITERS,
        MAX(
            (DAYS(CURRENT TIMESTAMP) - DAYS(L.LOCK_WAIT_START_TIME)) * 86400
            + MIDNIGHT_SECONDS(CURRENT TIMESTAMP) - MIDNIGHT_SECONDS(L.LOCK_WAIT_START_TIME)
        ) AS LONGEST_WAIT_S,
        SUM(
            (DAYS(CURRENT TIMESTAMP) - DAYS(L.LOCK_WAIT_START_TIME)) * 86400
            + MIDNIGHT_SECONDS(CURRENT TIMESTAMP) - MIDNIGHT_SECONDS(L.LOCK_WAIT_START_TIME)
        ) AS WAITED_S
    FROM TABLE(SYSPROC.MON_GET_APPL_LOCKWAIT(NULL, -2, 0)) AS L
    GROUP BY L.HLD_APPLICATION_HANDLE
) AS W ON T.APPLICATION_HANDLE = W.HLD_APPLICATION_HANDLE
LEFT JOIN (
    SELECT L.REQ_APPLICATION_HANDLE, MIN(L.HLD_APPLICATION_HANDLE) AS WAITS_FOR
    FROM TABLE(SYSPROC.MON_GET_APPL_LOCKWAIT(NULL, -2, 0)) AS L
    GROUP BY L.REQ_APPLICATION_HANDLE
) AS B ON T.APPLICATION_HANDLE = B.REQ_APPLICATION_HANDLE
WHERE
    T.UOW_STOP_TIME IS NULL
    AND (
        W.WAITERS > 0
        OR (
            T.WORKLOAD_OCCURRENCE_STATE = 'UOWWAIT' AND T.ROWS_MODIFIED > 0
            AND (DAYS(CURRENT TIMESTAMP) - DAYS(T.UOW_START_TIME)) * 86400
            + MIDNIGHT_SECONDS(CURRENT TIMESTAMP) - MIDNIGHT_SECONDS(T.UOW_START_TIME) >= 300
        )
    )
ORDER BY W.WAITERS DESC NULLS LAST, T.UOW_START_TIME
FETCH FIRST 200 ROWS ONLY
