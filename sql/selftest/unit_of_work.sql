-- Bytes of log that this session's unit of work holds, on the member with the most.
SELECT MAX(T.UOW_LOG_SPACE_USED) AS UOW_LOG_SPACE_USED
FROM TABLE(SYSPROC.MON_GET_UNIT_OF_WORK(SYSPROC.MON_GET_APPLICATION_HANDLE(), -2)) AS T
