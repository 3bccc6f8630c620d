-- Does a conflicting utility run, such as a backup or a load?
SELECT
    T.UTILITY_TYPE,
    T.UTILITY_START_TIME
FROM TABLE(SYSPROC.MON_GET_UTILITY(-2)) AS T
ORDER BY T.UTILITY_START_TIME
