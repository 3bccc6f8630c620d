-- The processors of every host with members, one row per host: cores, sockets and hardware threads in use, from the
-- host facts or otherwise as Db2 sees them. A control group with fewer processors has that number (CPU_LIMIT), and no
-- more cores. CPU_USAGE_TOTAL is percent busy at the last snapshot, in such a group this database's use of its share.
-- DB2_CPU_PCT is this database's average use of the processors, in percent. AIX counts the time of a core once, however
-- many threads share it. TYPE is the kind of host: none, or a kind of virtual machine or zone. STOLEN_PCT is the part
-- of the time that a virtual processor was ready and had to wait: the hypervisor's figure or the system's own,
-- whichever is more. VMware and Hyper-V let a guest count nothing, so 0 is meaningless there. Unknown facts are NULL.
WITH SEEN AS (
    SELECT
        HOST.HOST_NAME,
        MAX(HOST.MEMBERS) AS MEMBERS,
        MAX(HOST.HOST_SHARE) AS HOST_SHARE,
        MAX(HOST.CPU_ONLINE) AS CPU_ONLINE,
        MAX(HOST.CPU_HMT_DEGREE) AS CPU_HMT_DEGREE,
        MAX(HOST.CPU_CORES_PER_SOCKET) AS CPU_CORES_PER_SOCKET,
        MAX(HOST.CPU_USAGE_TOTAL) AS CPU_USAGE_TOTAL,
        SUM(SPENT.TOTAL_CPU_TIME) AS CPU_US
    FROM TUNE.HOST AS HOST
    LEFT JOIN TUNE.MEMBER_TIME AS SPENT ON HOST.MEMBER = SPENT.MEMBER
    GROUP BY HOST.HOST_NAME
),
FACT AS (
    SELECT
        HOST,
        MAX(CASE WHEN FACT_KEY = 'cpu' AND ITEM = 'cores' THEN NUM END) AS CORES,
        MAX(CASE WHEN FACT_KEY = 'cpu' AND ITEM = 'sockets' THEN NUM END) AS SOCKETS,
        MAX(CASE WHEN FACT_KEY = 'cpu' AND ITEM = 'threads_per_core' THEN NUM END) AS THREADS_PER_CORE,
        MAX(CASE WHEN FACT_KEY = 'cpu' AND ITEM = 'smt_capable' THEN NUM END) AS SMT_CAPABLE,
        MAX(CASE WHEN FACT_KEY = 'cpu' AND ITEM = 'governor' THEN VALUE END) AS GOVERNOR,
        MAX(CASE WHEN FACT_KEY = 'cpu' AND ITEM = 'frequency_driver' THEN VALUE END) AS FREQUENCY_DRIVER,
        MAX(CASE WHEN FACT_KEY = 'cpu' AND ITEM = 'energy_preference' THEN VALUE END) AS ENERGY_PREFERENCE,
        MAX(CASE WHEN FACT_KEY = 'cpu' AND ITEM = 'model' THEN VALUE END) AS MODEL,
        MAX(CASE WHEN FACT_KEY = 'cpu' AND ITEM = 'cpuspeed_model' THEN VALUE END) AS CPUSPEED_MODEL,
        MAX(CASE WHEN FACT_KEY = 'virtual' AND ITEM = 'type' THEN VALUE END) AS TYPE,
        MAX(CASE WHEN FACT_KEY = 'virtual' AND ITEM = 'steal_pct' THEN NUM END) AS STEAL_PCT,
        MAX(CASE WHEN FACT_KEY = 'hypervisor' AND ITEM = 'ready_pct' THEN NUM END) AS READY_PCT,
        MAX(CASE WHEN FACT_KEY = 'zone' AND ITEM = 'pset_cpus' THEN NUM END) AS PSET_CPUS,
        MAX(CASE WHEN FACT_KEY = 'cgroup' AND ITEM = 'cpu_limit' THEN NUM END) AS CPU_LIMIT,
        MAX(CASE WHEN FACT_KEY = 'cgroup' AND ITEM = 'throttled_pct' THEN NUM END) AS THROTTLED_PCT
    FROM TUNE.HOST_FACT
    WHERE FACT_KEY IN ('cpu', 'virtual', 'hypervisor', 'zone', 'cgroup')
    GROUP BY HOST
),
COUNTED AS (
    SELECT
        S.*,
        F.*,
        CASE WHEN F.CPU_LIMIT < S.CPU_ONLINE THEN F.CPU_LIMIT END AS SHARE_CPUS,
        COALESCE(F.CORES, FLOOR(CAST(S.CPU_ONLINE AS DOUBLE) / NULLIF(S.CPU_HMT_DEGREE, 0))) AS ALL_CORES
    FROM SEEN AS S
    LEFT JOIN FACT AS F ON S.HOST_NAME = F.HOST
),
USED AS (
    SELECT
        C.*,
        -- AIX reports processor time in parts of a core
        100 * CAST(C.CPU_US AS DOUBLE) / NULLIF(1000000 * SPAN.SECONDS * COALESCE(
            C.SHARE_CPUS,
            CASE WHEN DB.PLATFORM = 'AIX' THEN C.ALL_CORES END,
            C.CPU_ONLINE
        ), 0) AS USED_PCT
    FROM COUNTED AS C
    CROSS JOIN TUNE.RUN_WINDOW AS SPAN
    CROSS JOIN TUNE.RUN_DATABASE AS DB
)
SELECT
    HOST_NAME,
    MEMBERS,
    HOST_SHARE,
    CPU_ONLINE,
    SHARE_CPUS AS CPU_LIMIT,
    THROTTLED_PCT,
    CASE
        WHEN SHARE_CPUS IS NULL THEN CAST(CPU_USAGE_TOTAL AS BIGINT)
        WHEN USED_PCT > 100 THEN 100
        ELSE CAST(FLOOR(USED_PCT) AS BIGINT)
    END AS CPU_USAGE_TOTAL,
    CAST(CASE
        WHEN SHARE_CPUS < ALL_CORES THEN GREATEST(1, FLOOR(SHARE_CPUS))
        ELSE FLOOR(ALL_CORES)
    END AS BIGINT) AS CORES,
    COALESCE(
        CAST(FLOOR(SOCKETS) AS BIGINT),
        CAST(FLOOR(
            CAST(CPU_ONLINE AS DOUBLE) / NULLIF(CPU_HMT_DEGREE, 0) / NULLIF(CPU_CORES_PER_SOCKET, 0)
        ) AS BIGINT)
    ) AS SOCKETS,
    CASE WHEN USED_PCT > 100 THEN CAST(100 AS DOUBLE) ELSE USED_PCT END AS DB2_CPU_PCT,
    CAST(CPU_US AS DOUBLE) / 1000000 AS CPU_SECONDS,
    CAST(FLOOR(THREADS_PER_CORE) AS BIGINT) AS THREADS_PER_CORE,
    SMT_CAPABLE,
    GOVERNOR,
    FREQUENCY_DRIVER,
    ENERGY_PREFERENCE,
    MODEL,
    CPUSPEED_MODEL,
    TYPE,
    PSET_CPUS,
    CASE
        WHEN STEAL_PCT > COALESCE(READY_PCT, 0) THEN STEAL_PCT
        WHEN READY_PCT IS NULL AND TYPE NOT IN ('vmware', 'hyperv') THEN STEAL_PCT
        ELSE READY_PCT
    END AS STOLEN_PCT
FROM USED
