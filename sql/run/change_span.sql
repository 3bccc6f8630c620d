-- The two snapshots between which this session's run looks for changed settings: the end of the previous run on the
-- same database, or for the first run the begin of its interval, and the end of this run. So each change between two
-- runs is entered exactly once.
SELECT COALESCE(MAX(P.SNAP_ID), MAX(R.BEGIN_ID), MAX(R.QUIET_ID)) AS PREVIOUS_ID, R.END_ID
FROM TUNE.RUN AS R
INNER JOIN TUNE.SNAPSHOT AS E ON R.END_ID = E.SNAP_ID
LEFT JOIN TUNE.RUN AS B ON R.RUN_ID > B.RUN_ID AND R.END_ID > B.END_ID AND B.FINISHED_AT IS NOT NULL
LEFT JOIN TUNE.SNAPSHOT AS P
    ON B.END_ID = P.SNAP_ID AND E.INSTANCE_NAME = P.INSTANCE_NAME AND E.DB_NAME = P.DB_NAME
WHERE R.RUN_ID = COALESCE(TUNE.THIS_RUN, (SELECT MAX(X.RUN_ID) FROM TUNE.RUN AS X)) -- noqa: RF01
GROUP BY R.END_ID
