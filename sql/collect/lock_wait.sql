-- The lock waits at the moment of the snapshot: the number of applications by requested and held lock mode, and the
-- longest wait in seconds.
--
-- object: MON_GET_APPL_LOCKWAIT
SELECT
    T.REQ_MEMBER AS MEMBER,                               -- key SMALLINT
    COALESCE(T.LOCK_MODE_REQUESTED, '-') AS MODE_REQUESTED, -- key VARCHAR(3)
    COALESCE(T.LOCK_MODE, '-') AS MODE_HELD,               -- key VARCHAR(3)
    COUNT(DISTINCT T.REQ_APPLICATION_HANDLE) AS WAITERS,  -- gauge BIGINT
    MAX(
        (DAYS(CURRENT TIMESTAMP) - DAYS(T.LOCK_WAIT_START_TIME)) * 86400
        + MIDNIGHT_SECONDS(CURRENT TIMESTAMP) - MIDNIGHT_SECONDS(T.LOCK_WAIT_START_TIME)
    ) AS LONGEST_WAIT_S                                   -- gauge BIGINT
FROM TABLE(SYSPROC.MON_GET_APPL_LOCKWAIT(NULL, -2, 0)) AS T
GROUP BY T.REQ_MEMBER, COALESCE(T.LOCK_MODE_REQUESTED, '-'), COALESCE(T.LOCK_MODE, '-')
