-- The processors of every host on which members run, one row a host: cores, sockets and hardware threads in use,
-- as the host told or, where it did not, as Db2 sees them (CPU_USAGE_TOTAL is percent busy at the last snapshot);
-- DB2_CPU_PCT is what this database used of them on average, in percent. TYPE is what the host is: none, or a
-- kind of virtual machine or zone; facts that are not known are NULL.
SELECT
    H.HOST_NAME,
    H.MEMBERS,
    H.CPU_ONLINE,
    H.CPU_USAGE_TOTAL,
    COALESCE(
        CAST(FLOOR(F.CORES) AS BIGINT),
        CAST(FLOOR(CAST(H.CPU_ONLINE AS DOUBLE) / NULLIF(H.CPU_HMT_DEGREE, 0)) AS BIGINT)
    ) AS CORES,
    COALESCE(
        CAST(FLOOR(F.SOCKETS) AS BIGINT),
        CAST(FLOOR(
            CAST(H.CPU_ONLINE AS DOUBLE) / NULLIF(H.CPU_HMT_DEGREE, 0) / NULLIF(H.CPU_CORES_PER_SOCKET, 0)
        ) AS BIGINT)
    ) AS SOCKETS,
    100 * CAST(H.CPU_US AS DOUBLE) / NULLIF(1000000 * W.SECONDS * H.CPU_ONLINE, 0) AS DB2_CPU_PCT,
    CAST(FLOOR(F.THREADS_PER_CORE) AS BIGINT) AS THREADS_PER_CORE,
    F.SMT_CAPABLE,
    F.GOVERNOR,
    F.MODEL,
    F.CPUSPEED_MODEL,
    F.TYPE,
    F.PSET_CPUS
FROM (
    SELECT
        A.HOST_NAME,
        MAX(A.MEMBERS) AS MEMBERS,
        MAX(A.CPU_ONLINE) AS CPU_ONLINE,
        MAX(A.CPU_HMT_DEGREE) AS CPU_HMT_DEGREE,
        MAX(A.CPU_CORES_PER_SOCKET) AS CPU_CORES_PER_SOCKET,
        MAX(A.CPU_USAGE_TOTAL) AS CPU_USAGE_TOTAL,
        SUM(T.TOTAL_CPU_TIME) AS CPU_US
    FROM TUNE.HOST AS A
    LEFT JOIN TUNE.MEMBER_TIME AS T ON A.MEMBER = T.MEMBER
    GROUP BY A.HOST_NAME
) AS H
CROSS JOIN TUNE.RUN_WINDOW AS W
LEFT JOIN (
    SELECT
        HOST,
        MAX(CASE WHEN FACT_KEY = 'cpu' AND ITEM = 'cores' THEN NUM END) AS CORES,
        MAX(CASE WHEN FACT_KEY = 'cpu' AND ITEM = 'sockets' THEN NUM END) AS SOCKETS,
        MAX(CASE WHEN FACT_KEY = 'cpu' AND ITEM = 'threads_per_core' THEN NUM END) AS THREADS_PER_CORE,
        MAX(CASE WHEN FACT_KEY = 'cpu' AND ITEM = 'smt_capable' THEN NUM END) AS SMT_CAPABLE,
        MAX(CASE WHEN FACT_KEY = 'cpu' AND ITEM = 'governor' THEN VALUE END) AS GOVERNOR,
        MAX(CASE WHEN FACT_KEY = 'cpu' AND ITEM = 'model' THEN VALUE END) AS MODEL,
        MAX(CASE WHEN FACT_KEY = 'cpu' AND ITEM = 'cpuspeed_model' THEN VALUE END) AS CPUSPEED_MODEL,
        MAX(CASE WHEN FACT_KEY = 'virtual' AND ITEM = 'type' THEN VALUE END) AS TYPE,
        MAX(CASE WHEN FACT_KEY = 'zone' AND ITEM = 'pset_cpus' THEN NUM END) AS PSET_CPUS
    FROM TUNE.HOST_FACT
    WHERE FACT_KEY IN ('cpu', 'virtual', 'zone')
    GROUP BY HOST
) AS F ON H.HOST_NAME = F.HOST
