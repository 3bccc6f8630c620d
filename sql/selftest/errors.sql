-- What could not be read or computed in the calls before, by place and code.
SELECT
    T.PLACE,
    T.CODE,
    T.STATE
FROM TUNE.ERROR AS T
WHERE T.RUN_ID >= (SELECT MAX(R.RUN_ID) - 1 FROM TUNE.RUN AS R)
ORDER BY T.PLACE
