-- The host's facts about each storage device: strip in KB, disks that hold data (without parity), whether they spin,
-- whether they rebuild or lack a disk (IMPAIRED), the NUMA node of its adapter, its utilization (percent), the waiting
-- requests, its block scheduler, transport and driver. NULL means "not known", never a guess; a fact that should be a
-- number but is not counts as not known.
SELECT
    HOST,
    SUBSTR(FACT_KEY, 8) AS DEVICE,
    CAST(FLOOR(MAX(CASE WHEN ITEM = 'strip_kb' THEN NUM END)) AS BIGINT) AS STRIP_KB,
    CAST(FLOOR(MAX(CASE WHEN ITEM = 'data_disks' THEN NUM END)) AS BIGINT) AS DATA_DISKS,
    CAST(FLOOR(MAX(CASE WHEN ITEM = 'rotational' THEN NUM END)) AS BIGINT) AS ROTATIONAL,
    CAST(FLOOR(MAX(CASE WHEN ITEM = 'impaired' THEN NUM END)) AS BIGINT) AS IMPAIRED,
    CAST(FLOOR(MAX(CASE WHEN ITEM = 'numa_node' THEN NUM END)) AS BIGINT) AS NUMA_NODE,
    MAX(CASE WHEN ITEM = 'busy_pct' THEN NUM END) AS BUSY_PCT,
    MAX(CASE WHEN ITEM = 'queue_length' THEN NUM END) AS QUEUE_LENGTH,
    MAX(CASE WHEN ITEM = 'pooled' THEN VALUE END) AS POOLED,
    MAX(CASE WHEN ITEM = 'scheduler' THEN VALUE END) AS SCHEDULER,
    MAX(CASE WHEN ITEM = 'transport' THEN VALUE END) AS TRANSPORT,
    MAX(CASE WHEN ITEM = 'driver' THEN VALUE END) AS DRIVER,
    CAST(FLOOR(MAX(CASE WHEN ITEM = 'readahead_sectors' THEN NUM END)) AS BIGINT) AS READAHEAD_SECTORS
FROM TUNE.HOST_FACT
WHERE FACT_KEY LIKE 'device:%'
GROUP BY HOST, FACT_KEY
