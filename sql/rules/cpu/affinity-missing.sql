-- rule:      cpu.affinity-missing
-- title:     Members run on processors far from their data
-- area:      cpu
-- lane:      P
-- effect:    IR
-- applies:   topology=dpf; not=managed
-- evidence:  load
-- claims:    PROCESSING
-- after:     dpf.missing-logical-nodes
-- needs:     host.numa_node, host.cpus, registry.REG_VAR_VALUE, system.HOST_NAME, container.CONTAINER_NAME,
--            workload.TOTAL_CPU_TIME
-- threshold: min_remote_pct = 20 -- [prop] fewer accesses to another node cost less than a binding can
-- threshold: unknown_remote_pct = 50 -- [prop] what is assumed where the host did not tell: two nodes, chance alone
-- source:    000_9a1c354496f94ea4.txt, "Setting processor affinity"; 004_131ea73468d225e1.txt (binding gave 22 %);
--            002_e991ec30bbd9209f.txt, section 5.3 (not in a virtual machine)
-- why:       Memory and adapters belong to one NUMA node. A member that runs on another node's processors
--            reaches its buffer pool and its disks across the interconnect.
-- not-if:    A binding is set or waits; the host is virtual or has one node; fewer than 20 % of the accesses are
--            remote; the arrays of the members do not lie on all the nodes, or of one member on several; a node
--            has fewer cores than members.
-- note:      DB2PROCESSORS (Windows) is known from the paper only. From 10.1 DB2_RESOURCE_POLICY takes its place:
--            AUTOMATIC is meant for AIX on large POWER7 and later; elsewhere it names a policy file, so the pairs
--            are given as text. DB2_CPU_BINDING (10.5) can name processors too, but on which platforms was not
--            found, so it is not used. A member gets a core with its hardware threads; where a node has more
--            cores than members, the node.
WITH PLACED AS (
    SELECT
        MEMBER,
        NODE
    FROM (
        SELECT
            MEMBER,
            MIN(NUMA_NODE) AS NODE,
            MAX(NUMA_NODE) AS LAST_NODE
        FROM TUNE.CONTAINER
        GROUP BY MEMBER
    ) AS RANGES
    WHERE NODE = LAST_NODE
),
MEMBERS AS (
    SELECT
        H.HOST_NAME,
        H.MEMBER,
        P.NODE,
        ROW_NUMBER() OVER (PARTITION BY H.HOST_NAME, P.NODE ORDER BY H.MEMBER) AS N,
        COUNT(*) OVER (PARTITION BY H.HOST_NAME, P.NODE) AS MEMBERS
    FROM TUNE.HOST AS H
    LEFT JOIN PLACED AS P ON H.MEMBER = P.MEMBER
),
CORES AS (
    SELECT
        F.HOST,
        F.NUM AS NODE,
        C.VALUE AS CPUS,
        ROW_NUMBER() OVER (PARTITION BY F.HOST, F.NUM ORDER BY LENGTH(F.FACT_KEY), F.FACT_KEY) AS N,
        COUNT(*) OVER (PARTITION BY F.HOST, F.NUM) AS CORES
    FROM TUNE.HOST_FACT AS F
    INNER JOIN TUNE.HOST_FACT AS C ON F.HOST = C.HOST AND F.FACT_KEY = C.FACT_KEY AND C.ITEM = 'cpus'
    WHERE F.FACT_KEY LIKE 'core:%' AND F.ITEM = 'numa_node'
),
NODES AS (
    SELECT
        HOST,
        COUNT(DISTINCT NODE) AS NODES
    FROM CORES
    GROUP BY HOST
),
HOSTS AS (
    SELECT HOST_NAME
    FROM (
        SELECT
            M.HOST_NAME,
            MAX(K.NODES) AS NODES,
            COUNT(DISTINCT M.NODE) AS USED,
            COUNT(*) - COUNT(M.NODE) AS UNPLACED,
            MIN(COALESCE(C.CORES, 0) - M.MEMBERS) AS SPARE
        FROM MEMBERS AS M
        INNER JOIN NODES AS K ON M.HOST_NAME = K.HOST
        LEFT JOIN CORES AS C ON M.HOST_NAME = C.HOST AND M.NODE = C.NODE AND C.N = 1
        GROUP BY M.HOST_NAME
    ) AS PER_HOST
    WHERE NODES >= 2 AND UNPLACED = 0 AND USED = NODES AND SPARE >= 0
),
BOUND AS (
    SELECT COUNT(*) AS SETTINGS
    FROM TUNE.CONFIG
    WHERE
        SCOPE = 'REG' AND NAME IN ('DB2PROCESSORS', 'DB2_RESOURCE_POLICY', 'DB2_CPU_BINDING')
        AND LENGTH('x' || COALESCE(VALUE, '') || COALESCE(NEXT_VALUE, '')) > 1
),
PAIRS AS (
    SELECT
        M.MEMBER,
        M.HOST_NAME,
        CAST(M.NODE AS BIGINT) AS NODE,
        -- a pair for every member or for none: a binding of some would look like one of all
        CASE WHEN MIN(CASE WHEN C.CORES = M.MEMBERS THEN 1 ELSE 0 END) OVER () = 1 THEN C.CPUS END AS CPUS,
        R.NUM AS REMOTE_PCT,
        COALESCE(R.NUM, O.UNKNOWN_REMOTE_PCT) AS ASSUMED_PCT
    FROM MEMBERS AS M
    INNER JOIN HOSTS AS H ON M.HOST_NAME = H.HOST_NAME
    INNER JOIN CORES AS C ON M.HOST_NAME = C.HOST AND M.NODE = C.NODE AND M.N = C.N
    CROSS JOIN BOUND
    CROSS JOIN TUNE.O_CPU_AFFINITY_MISSING AS O
    LEFT JOIN TUNE.HOST_FACT AS R ON M.HOST_NAME = R.HOST AND R.FACT_KEY = 'numa' AND R.ITEM = 'remote_pct'
    LEFT JOIN TUNE.HOST_FACT AS V ON M.HOST_NAME = V.HOST AND V.FACT_KEY = 'virtual' AND V.ITEM = 'type'
    WHERE
        BOUND.SETTINGS = 0
        AND COALESCE(V.VALUE, 'none') = 'none'
        AND COALESCE(R.NUM, O.UNKNOWN_REMOTE_PCT) >= O.MIN_REMOTE_PCT
),
BINDING AS (
    SELECT
        P.*,
        D.INSTANCE_NAME,
        CASE
            WHEN D.PLATFORM = 'Windows' AND D.DB2_LEVEL < 10010000 AND P.CPUS IS NOT NULL THEN 'DB2PROCESSORS'
            WHEN D.PLATFORM = 'AIX' AND D.DB2_LEVEL >= 10010000 THEN 'DB2_RESOURCE_POLICY'
        END AS VARIABLE,
        T.CPU_PCT * SUM(P.ASSUMED_PCT) OVER () / CAST(100 * NULLIF(W.MEMBERS, 0) AS DOUBLE) AS CLAIMED_PCT,
        MIN(CASE WHEN P.REMOTE_PCT IS NULL THEN 0.3 ELSE 0.6 END) OVER () AS CONFIDENCE
    FROM PAIRS AS P
    CROSS JOIN TUNE.RUN_DATABASE AS D
    CROSS JOIN TUNE.RUN_WINDOW AS W
    CROSS JOIN TUNE.DATABASE_TIME AS T
)
SELECT
    'INSTANCE' AS OBJECT_TYPE,
    B.INSTANCE_NAME AS OBJECT_NAME,
    B.MEMBER,
    B.CLAIMED_PCT,
    CAST(0.1 AS DOUBLE) AS RECOVER_LOW,
    CAST(0.3 AS DOUBLE) AS RECOVER_EXPECTED,
    CAST(0.5 AS DOUBLE) AS RECOVER_HIGH,
    CAST(B.CONFIDENCE AS DOUBLE) AS CONFIDENCE,
    CASE
        WHEN B.VARIABLE = 'DB2PROCESSORS' THEN 'REGISTRY:DB2PROCESSORS:' || CAST(B.MEMBER AS VARCHAR(20))
        ELSE 'REGISTRY:DB2_RESOURCE_POLICY'
    END AS TARGET,
    CAST(NULL AS VARCHAR(1024)) AS CURRENT_VALUE,
    COALESCE(B.CPUS, 'node ' || CAST(B.NODE AS VARCHAR(20))) AS PROPOSED_VALUE,
    'processors' AS UNIT,
    CAST(0 AS BIGINT) AS MEMORY_DELTA_KB,
    CASE
        WHEN B.VARIABLE = 'DB2PROCESSORS'
            THEN 'db2set DB2PROCESSORS=' || B.CPUS || ' -i ' || B.INSTANCE_NAME || ' ' || CAST(B.MEMBER AS VARCHAR(20))
        WHEN B.VARIABLE = 'DB2_RESOURCE_POLICY' THEN 'db2set DB2_RESOURCE_POLICY=AUTOMATIC -i ' || B.INSTANCE_NAME
        ELSE
            '-- bind member ' || CAST(B.MEMBER AS VARCHAR(20)) || ' to '
            || COALESCE('processors ' || B.CPUS, 'the processors') || ' of NUMA node ' || CAST(B.NODE AS VARCHAR(20))
            || ' (a policy file that DB2_RESOURCE_POLICY names, or the means of the operating system)'
    END AS ACTION_TEXT,
    CASE
        WHEN B.VARIABLE = 'DB2PROCESSORS'
            THEN 'db2set DB2PROCESSORS= -i ' || B.INSTANCE_NAME || ' ' || CAST(B.MEMBER AS VARCHAR(20))
        WHEN B.VARIABLE = 'DB2_RESOURCE_POLICY' THEN 'db2set DB2_RESOURCE_POLICY= -i ' || B.INSTANCE_NAME
        ELSE '-- remove the binding of member ' || CAST(B.MEMBER AS VARCHAR(20))
    END AS UNDO_TEXT,
    'host=' || B.HOST_NAME
    || '; numa_node=' || CAST(B.NODE AS VARCHAR(20))
    || '; remote_pct=' || COALESCE(CAST(CAST(ROUND(B.REMOTE_PCT, 2) AS DECIMAL(9, 2)) AS VARCHAR(20)), 'not known')
    || '; cpu_and_remote_pct=' || CAST(CAST(ROUND(B.CLAIMED_PCT, 2) AS DECIMAL(9, 2)) AS VARCHAR(20)) AS EVIDENCE,
    'The disks of member ' || CAST(B.MEMBER AS VARCHAR(20)) || ' hang on NUMA node ' || CAST(B.NODE AS VARCHAR(20))
    || ', but no member is bound to processors'
    || COALESCE(
        ': ' || CAST(CAST(ROUND(B.REMOTE_PCT, 2) AS DECIMAL(9, 2)) AS VARCHAR(20))
        || ' % of memory accesses go to the other node.', '.'
    ) AS FINDING,
    CAST(0 AS DOUBLE) AS CLAIM_2_PCT,
    CAST(0 AS DOUBLE) AS CLAIM_3_PCT
FROM BINDING AS B
