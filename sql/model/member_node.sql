-- The NUMA node of each member, one row per member: the node of its disks. A host is listed only if that decides the
-- node of every member: it has several nodes, each has the disks of some member, no member has disks on two nodes, and
-- each has a core for every member there. CPUS are the hardware threads of the member's core, cores and members being
-- paired in order; NODE_CORES and NODE_MEMBERS belong to the node.
WITH PLACED AS (
    SELECT
        HOST.HOST_NAME,
        HOST.MEMBER,
        CASE WHEN MIN(CONTAINER.NUMA_NODE) = MAX(CONTAINER.NUMA_NODE) THEN MIN(CONTAINER.NUMA_NODE) END AS NODE
    FROM TUNE.HOST AS HOST
    LEFT JOIN TUNE.CONTAINER AS CONTAINER ON HOST.MEMBER = CONTAINER.MEMBER
    GROUP BY HOST.HOST_NAME, HOST.MEMBER
),
COUNTED AS (
    SELECT
        P.*,
        ROW_NUMBER() OVER (PARTITION BY P.HOST_NAME, P.NODE ORDER BY P.MEMBER) AS N,
        COUNT(*) OVER (PARTITION BY P.HOST_NAME, P.NODE) AS NODE_MEMBERS,
        COUNT(*) OVER (PARTITION BY P.HOST_NAME) AS HOST_MEMBERS
    FROM PLACED AS P
),
CORE AS (
    SELECT
        F.HOST,
        F.NUM AS NODE,
        C.VALUE AS CPUS,
        ROW_NUMBER() OVER (PARTITION BY F.HOST, F.NUM ORDER BY LENGTH(F.FACT_KEY), F.FACT_KEY) AS N,
        COUNT(*) OVER (PARTITION BY F.HOST, F.NUM) AS NODE_CORES
    FROM TUNE.HOST_FACT AS F
    INNER JOIN TUNE.HOST_FACT AS C ON F.HOST = C.HOST AND F.FACT_KEY = C.FACT_KEY AND C.ITEM = 'cpus'
    WHERE F.FACT_KEY LIKE 'core:%' AND F.ITEM = 'numa_node'
),
PAIRED AS (
    SELECT
        M.*,
        C.CPUS,
        C.NODE_CORES,
        COUNT(*) OVER (PARTITION BY M.HOST_NAME) AS PAIRS,
        SUM(CASE WHEN M.N = 1 THEN 1 ELSE 0 END) OVER (PARTITION BY M.HOST_NAME) AS USED_NODES
    FROM COUNTED AS M
    INNER JOIN CORE AS C ON M.HOST_NAME = C.HOST AND M.NODE = C.NODE AND M.N = C.N
)
SELECT
    P.MEMBER,
    P.HOST_NAME,
    P.NODE,
    P.NODE_MEMBERS,
    P.NODE_CORES,
    P.CPUS
FROM PAIRED AS P
INNER JOIN (
    SELECT
        HOST,
        COUNT(DISTINCT NODE) AS NODES
    FROM CORE
    GROUP BY HOST
) AS K ON P.HOST_NAME = K.HOST
WHERE K.NODES >= 2 AND P.USED_NODES = K.NODES AND P.PAIRS = P.HOST_MEMBERS
