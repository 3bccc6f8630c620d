-- Bytes of log in use by all sessions, on the member with the most.
SELECT MAX(T.TOTAL_LOG_USED) AS TOTAL_LOG_USED
FROM TABLE(SYSPROC.MON_GET_TRANSACTION_LOG(-2)) AS T
