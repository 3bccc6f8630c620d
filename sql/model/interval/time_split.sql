-- How database time splits into processor time of statements, reads and waits for prefetchers, one row of parts (0 to
-- 1): for statements of which only the sum is known.
SELECT
    CAST(SUM(CASE WHEN BUCKET = 'PROCESSING' THEN MS ELSE 0 END) AS DOUBLE) / NULLIF(SUM(MS), 0) AS PROCESSING_PART,
    CAST(SUM(CASE WHEN BUCKET = 'POOL_READ' THEN MS ELSE 0 END) AS DOUBLE) / NULLIF(SUM(MS), 0) AS READ_PART,
    CAST(SUM(CASE WHEN BUCKET = 'PREFETCH_WAIT' THEN MS ELSE 0 END) AS DOUBLE) / NULLIF(SUM(MS), 0) AS WAIT_PART
FROM TUNE.TIME_BUCKET
WHERE BUCKET IN ('PROCESSING', 'POOL_READ', 'PREFETCH_WAIT')
