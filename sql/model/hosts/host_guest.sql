-- Each host with members that is a virtual machine, one row per host: the resources that its hypervisor gives and
-- takes. Memory is in MB, processors are counted as the guest sees them, GUEST_NODES are the NUMA nodes that it sees.
-- SHARED_MB is the shared memory that Db2 has committed there. Control groups, zones and logical partitions do not
-- count as virtual machines here: they share by entitlement. NULL means "not known".
WITH FACT AS (
    SELECT
        HOST,
        MAX(CASE WHEN FACT_KEY = 'virtual' AND ITEM = 'type' THEN VALUE END) AS TYPE,
        MAX(CASE WHEN FACT_KEY = 'virtual' AND ITEM = 'tools' THEN NUM END) AS TOOLS,
        MAX(CASE WHEN FACT_KEY = 'virtual' AND ITEM = 'net_driver' THEN VALUE END) AS NET_DRIVER,
        MAX(CASE WHEN FACT_KEY = 'virtual' AND ITEM = 'balloon_mb' THEN NUM END) AS BALLOON_MB,
        MAX(CASE WHEN FACT_KEY = 'virtual' AND ITEM = 'host_swap_mb' THEN NUM END) AS HOST_SWAP_MB,
        MAX(CASE WHEN FACT_KEY = 'virtual' AND ITEM = 'reserved_mb' THEN NUM END) AS RESERVED_MB,
        MAX(CASE WHEN FACT_KEY = 'virtual' AND ITEM = 'limit_mb' THEN NUM END) AS LIMIT_MB,
        MAX(CASE WHEN FACT_KEY = 'hypervisor' AND ITEM = 'host_threads' THEN NUM END) AS HOST_THREADS,
        MAX(CASE WHEN FACT_KEY = 'hypervisor' AND ITEM = 'host_mb' THEN NUM END) AS HOST_MB,
        MAX(CASE WHEN FACT_KEY = 'hypervisor' AND ITEM = 'sum_vcpus' THEN NUM END) AS SUM_VCPUS,
        MAX(CASE WHEN FACT_KEY = 'hypervisor' AND ITEM = 'granted_mb' THEN NUM END) AS GRANTED_MB,
        MAX(CASE WHEN FACT_KEY = 'hypervisor' AND ITEM = 'numa_cores' THEN NUM END) AS NUMA_CORES,
        MAX(CASE WHEN FACT_KEY = 'hypervisor' AND ITEM = 'numa_mb' THEN NUM END) AS NUMA_MB,
        MAX(CASE WHEN FACT_KEY = 'numa' AND ITEM = 'nodes' THEN NUM END) AS GUEST_NODES,
        MAX(CASE WHEN FACT_KEY = 'hypervisor' AND ITEM = 'mmu_mode' THEN VALUE END) AS MMU_MODE,
        MAX(CASE WHEN FACT_KEY = 'hypervisor' AND ITEM = 'swap_on_data' THEN NUM END) AS SWAP_ON_DATA
    FROM TUNE.HOST_FACT
    WHERE FACT_KEY IN ('virtual', 'hypervisor', 'numa')
    GROUP BY HOST
),
SHARED AS (
    SELECT
        HOST.HOST_NAME,
        MAX(HOST.HOST_SHARE) AS HOST_SHARE,
        MAX(HOST.CPU_ONLINE) AS VCPUS,
        MAX(HOST.CPU_USAGE_TOTAL) AS CPU_USAGE_TOTAL,
        MAX(HOST.MEMORY_TOTAL) AS MEMORY_TOTAL,
        CAST(FLOOR(CAST(SUM(S.KB) AS DOUBLE) / 1024) AS BIGINT) AS SHARED_MB
    FROM TUNE.HOST AS HOST
    LEFT JOIN (
        SELECT MEMBER, SUM(MEMORY_SET_COMMITTED) AS KB
        FROM TUNE.D_MEMORY_SET
        WHERE MEMORY_SET_TYPE <> 'PRIVATE'
        GROUP BY MEMBER
    ) AS S ON HOST.MEMBER = S.MEMBER
    GROUP BY HOST.HOST_NAME
)
SELECT
    S.HOST_NAME,
    S.HOST_SHARE,
    S.VCPUS,
    S.CPU_USAGE_TOTAL,
    S.MEMORY_TOTAL,
    S.SHARED_MB,
    F.TYPE,
    F.GUEST_NODES,
    F.TOOLS,
    F.NET_DRIVER,
    CAST(FLOOR(F.BALLOON_MB) AS BIGINT) AS BALLOON_MB,
    CAST(FLOOR(F.HOST_SWAP_MB) AS BIGINT) AS HOST_SWAP_MB,
    CAST(FLOOR(F.RESERVED_MB) AS BIGINT) AS RESERVED_MB,
    CAST(FLOOR(F.LIMIT_MB) AS BIGINT) AS LIMIT_MB,
    CAST(FLOOR(F.HOST_THREADS) AS BIGINT) AS HOST_THREADS,
    CAST(FLOOR(F.HOST_MB) AS BIGINT) AS HOST_MB,
    CAST(FLOOR(F.SUM_VCPUS) AS BIGINT) AS SUM_VCPUS,
    CAST(FLOOR(F.GRANTED_MB) AS BIGINT) AS GRANTED_MB,
    CAST(FLOOR(F.NUMA_CORES) AS BIGINT) AS NUMA_CORES,
    CAST(FLOOR(F.NUMA_MB) AS BIGINT) AS NUMA_MB,
    F.MMU_MODE,
    F.SWAP_ON_DATA
FROM SHARED AS S
INNER JOIN FACT AS F ON S.HOST_NAME = F.HOST
WHERE F.TYPE NOT IN ('none', 'docker', 'zone', 'powervm')
