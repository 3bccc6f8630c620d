-- The applications of lock chains at the second snapshot, one row each: those that hold a lock for which others wait,
-- and those that wait, as far as they were collected.
--
-- WAITERS: applications that wait for it directly; NULL if none
-- LONGEST_WAIT_S: longest of these waits, seconds
-- WAITS_FOR: the application that it waits for; NULL for the head of a chain
SELECT
    APPLICATION_HANDLE,
    MAX(SESSION_AUTH_ID) AS SESSION_AUTH_ID,
    MAX(CLIENT_APPLNAME) AS CLIENT_APPLNAME,
    MAX(WORKLOAD_OCCURRENCE_STATE) AS WORKLOAD_OCCURRENCE_STATE,
    MAX(UOW_AGE_S) AS UOW_AGE_S,
    MAX(WAITERS) AS WAITERS,
    MAX(LONGEST_WAIT_S) AS LONGEST_WAIT_S,
    MAX(WAITS_FOR) AS WAITS_FOR
FROM TUNE.L_UNIT_OF_WORK
GROUP BY APPLICATION_HANDLE
HAVING MAX(WAITERS) > 0 OR MAX(WAITS_FOR) IS NOT NULL
