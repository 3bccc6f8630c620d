-- The errors of reading and computing in the earlier calls, by place and code.
SELECT
    T.PLACE,
    T.CODE,
    T.STATE
FROM TUNE.ERROR AS T
WHERE T.RUN_ID >= (SELECT MAX(R.RUN_ID) - 1 FROM TUNE.RUN AS R)
ORDER BY T.PLACE
