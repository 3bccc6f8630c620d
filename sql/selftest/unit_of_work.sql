-- Bytes of log that the unit of work of this session holds, on the member where it holds most.
SELECT MAX(T.UOW_LOG_SPACE_USED) AS UOW_LOG_SPACE_USED
FROM TABLE(SYSPROC.MON_GET_UNIT_OF_WORK(SYSPROC.MON_GET_APPLICATION_HANDLE(), -2)) AS T
