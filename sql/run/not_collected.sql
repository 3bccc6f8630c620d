-- The sources that one of the run's snapshots lacks, with the reason: a source counts only if both snapshots have it.
SELECT S.SOURCE, MIN(S.REASON) AS REASON
FROM TUNE.RUN_SNAPSHOT AS W
INNER JOIN TUNE.SNAPSHOT_SOURCE AS S ON S.SNAP_ID IN (W.BEGIN_ID, W.END_ID)
WHERE S.REASON IS NOT NULL
GROUP BY S.SOURCE
