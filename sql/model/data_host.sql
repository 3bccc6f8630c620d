-- The devices with containers and their adapters, one row per host; DEVICE is the first of them. DISKS are the spinning
-- disks that are not cut from a pool, ADAPTER the one of them all (NULL if there are several, or one is unknown).
-- MOST_ADAPTERS and LEAST_ADAPTERS are the numbers of the NUMA nodes with most and least adapters, over all nodes of
-- the host; NULL if nodes or adapters are unknown.
WITH DISK AS (
    SELECT
        HOST,
        MIN(DEVICE) AS DEVICE,
        SUM(COALESCE(DATA_DISKS, 1)) AS DISKS,
        CASE WHEN COUNT(ADAPTER) = COUNT(*) AND MIN(ADAPTER) = MAX(ADAPTER) THEN MIN(ADAPTER) END AS ADAPTER
    FROM TUNE.DATA_DEVICE
    WHERE ROTATIONAL = 1 AND POOLED = 0
    GROUP BY HOST
),
NODE AS (
    SELECT
        HOST,
        NUMA_NODE,
        COUNT(DISTINCT ADAPTER) AS ADAPTERS
    FROM TUNE.DATA_DEVICE
    WHERE NUMA_NODE IS NOT NULL AND ADAPTER IS NOT NULL
    GROUP BY HOST, NUMA_NODE
),
SPREAD AS (
    SELECT
        N.HOST,
        MAX(N.ADAPTERS) AS MOST_ADAPTERS,
        CASE WHEN COUNT(*) < MAX(FACT.NUM) THEN 0 ELSE MIN(N.ADAPTERS) END AS LEAST_ADAPTERS
    FROM NODE AS N
    INNER JOIN TUNE.HOST_FACT AS FACT ON N.HOST = FACT.HOST AND FACT.FACT_KEY = 'numa' AND FACT.ITEM = 'nodes'
    GROUP BY N.HOST
)
SELECT
    H.HOST,
    COALESCE(D.DEVICE, H.DEVICE) AS DEVICE,
    D.DISKS,
    D.ADAPTER,
    S.MOST_ADAPTERS,
    S.LEAST_ADAPTERS
FROM (
    SELECT
        HOST,
        MIN(DEVICE) AS DEVICE
    FROM TUNE.DATA_DEVICE
    GROUP BY HOST
) AS H
LEFT JOIN DISK AS D ON H.HOST = D.HOST
LEFT JOIN SPREAD AS S ON H.HOST = S.HOST
