-- Bytes of log in use by everybody, on the member where most are.
SELECT MAX(T.TOTAL_LOG_USED) AS TOTAL_LOG_USED
FROM TABLE(SYSPROC.MON_GET_TRANSACTION_LOG(-2)) AS T
