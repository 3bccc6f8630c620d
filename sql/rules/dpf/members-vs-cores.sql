-- rule:      dpf.members-vs-cores
-- title:     The number of partitions on a host does not fit its processors or memory
-- area:      dpf
-- lane:      P
-- effect:    OB
-- risk:      high
-- applies:   workload=bi,mixed; topology=dpf; not=managed
-- evidence:  load
-- claims:    PROCESSING
-- yields:    dpf.missing-logical-nodes@any
-- needs:     system.CPU_ONLINE, system.CPU_HMT_DEGREE, system.MEMORY_TOTAL, workload.TOTAL_CPU_TIME
-- threshold: max_cores = 16 -- [prop] a partition without intra-partition parallelism cannot keep more cores busy
-- threshold: min_memory_mb = 1024 -- [prop] less memory per partition leaves nothing for pools and sorts
-- threshold: saturated_pct = 90 -- [prop] with processors this busy more partitions only compete for them
-- source:    000_9a1c354496f94ea4.txt (one partition a processor, 2 GB each); 002_e991ec30bbd9209f.txt, appendix A
-- why:       Each partition works on its slice with its own agents and memory. Too few leave processors and
--            NUMA nodes idle, too many compete for processors and split the memory into pieces too small.
-- not-if:    The work is transaction processing, tables are column-organized (few large partitions serve them
--            best), or INTRA_PARALLEL lets a partition use many cores. The papers' 2 and 2.75 GB a partition with
--            one partition a core fit.
-- note:      Whether processors are used unevenly cannot be seen; time is claimed only while the host has processors to
--            spare. Where NUMA nodes are not known they are not judged.
WITH HOSTS AS (
    SELECT
        H.HOST_NAME,
        MAX(H.MEMBERS) AS MEMBERS,
        CAST(FLOOR(CAST(MAX(H.CPU_ONLINE) AS DOUBLE) / NULLIF(MAX(H.CPU_HMT_DEGREE), 0)) AS BIGINT) AS CORES,
        MAX(H.CPU_USAGE_TOTAL) AS CPU_USAGE_TOTAL,
        MAX(H.MEMORY_TOTAL) AS MEMORY_TOTAL,
        COALESCE(MAX(N.NODES), 1) AS NODES
    FROM TUNE.HOST AS H
    LEFT JOIN (
        SELECT
            HOST,
            COUNT(DISTINCT NUM) AS NODES
        FROM TUNE.HOST_FACT
        WHERE FACT_KEY LIKE 'core:%' AND ITEM = 'numa_node'
        GROUP BY HOST
    ) AS N ON H.HOST_NAME = N.HOST
    GROUP BY H.HOST_NAME
),
FIT AS (
    SELECT
        H.*,
        I.INTRA,
        CASE
            WHEN I.INTRA = 1 THEN H.NODES
            ELSE GREATEST(H.NODES, CAST(CEIL(CAST(H.CORES AS DOUBLE) / NULLIF(O.MAX_CORES, 0)) AS BIGINT))
        END AS LEAST_MEMBERS,
        GREATEST(
            1, LEAST(H.CORES, CAST(FLOOR(CAST(H.MEMORY_TOTAL AS DOUBLE) / NULLIF(O.MIN_MEMORY_MB, 0)) AS BIGINT))
        ) AS MOST_MEMBERS
    FROM HOSTS AS H
    CROSS JOIN TUNE.O_DPF_MEMBERS_VS_CORES AS O
    CROSS JOIN (
        SELECT COALESCE(MAX(CASE WHEN VALUE = 'YES' THEN 1 ELSE 0 END), 0) AS INTRA
        FROM TUNE.CONFIG
        WHERE SCOPE = 'DBM' AND NAME = 'intra_parallel'
    ) AS I
    WHERE H.CORES > 0 AND H.MEMORY_TOTAL > 0
),
MISFIT AS (
    SELECT
        F.*,
        CASE WHEN F.MEMBERS > F.MOST_MEMBERS THEN 1 ELSE 0 END AS TOO_MANY,
        CASE WHEN F.MEMBERS > F.MOST_MEMBERS THEN F.MOST_MEMBERS ELSE F.LEAST_MEMBERS END AS PROPOSED
    FROM FIT AS F
    WHERE F.MEMBERS > F.MOST_MEMBERS OR (F.MEMBERS < F.LEAST_MEMBERS AND F.LEAST_MEMBERS <= F.MOST_MEMBERS)
)
SELECT
    'HOST' AS OBJECT_TYPE,
    M.HOST_NAME AS OBJECT_NAME,
    CAST(NULL AS SMALLINT) AS MEMBER,
    CASE
        WHEN M.CPU_USAGE_TOTAL < O.SATURATED_PCT THEN COALESCE(T.CPU_PCT, 0) * K.P_BI
        ELSE CAST(0 AS DOUBLE)
    END AS CLAIMED_PCT,
    CAST(0.05 AS DOUBLE) AS RECOVER_LOW,
    CAST(0.15 AS DOUBLE) AS RECOVER_EXPECTED,
    CAST(0.4 AS DOUBLE) AS RECOVER_HIGH,
    CAST(0.3 AS DOUBLE) AS CONFIDENCE,
    'HOST:' || M.HOST_NAME || ':MEMBERS' AS TARGET,
    CAST(M.MEMBERS AS VARCHAR(20)) AS CURRENT_VALUE,
    CAST(M.PROPOSED AS VARCHAR(20)) AS PROPOSED_VALUE,
    'partitions' AS UNIT,
    CAST(0 AS BIGINT) AS MEMORY_DELTA_KB,
    CASE
        WHEN M.TOO_MANY = 1
            THEN '-- Reduce the partitions of host ' || M.HOST_NAME || ' to ' || CAST(M.PROPOSED AS VARCHAR(20))
                || ': for each database partition group REDISTRIBUTE DATABASE PARTITION GROUP with UNIFORM and DROP'
                || ' DBPARTITIONNUM, then db2stop DROP DBPARTITIONNUM.'
        ELSE '-- Bring host ' || M.HOST_NAME || ' to ' || CAST(M.PROPOSED AS VARCHAR(20))
            || ' partitions: db2start DBPARTITIONNUM with ADD DBPARTITIONNUM, HOSTNAME and PORT for each new one, then'
            || ' REDISTRIBUTE DATABASE PARTITION GROUP with UNIFORM and ADD DBPARTITIONNUM for each database partition'
            || ' group.'
    END AS ACTION_TEXT,
    CASE
        WHEN M.TOO_MANY = 1
            THEN '-- Add the partitions again with db2start and ADD DBPARTITIONNUM, and redistribute onto them.'
        ELSE '-- Drop the new partitions again: redistribute with DROP DBPARTITIONNUM, then db2stop DROP'
            || ' DBPARTITIONNUM.'
    END AS UNDO_TEXT,
    'members=' || CAST(M.MEMBERS AS VARCHAR(20))
    || '; cores=' || CAST(M.CORES AS VARCHAR(20))
    || '; numa_nodes=' || CAST(M.NODES AS VARCHAR(20))
    || '; MEMORY_TOTAL_MB=' || CAST(M.MEMORY_TOTAL AS VARCHAR(20))
    || '; CPU_USAGE_TOTAL=' || COALESCE(CAST(M.CPU_USAGE_TOTAL AS VARCHAR(20)), 'not known') AS EVIDENCE,
    'Host ' || M.HOST_NAME || ' runs ' || CAST(M.MEMBERS AS VARCHAR(20)) || ' partitions on '
    || CAST(M.CORES AS VARCHAR(20)) || ' cores, ' || CAST(M.NODES AS VARCHAR(20)) || ' NUMA nodes and '
    || CAST(M.MEMORY_TOTAL AS VARCHAR(20)) || ' MB: '
    || CASE WHEN M.TOO_MANY = 1 THEN 'it has room for ' ELSE 'it can use ' END
    || CAST(M.PROPOSED AS VARCHAR(20)) || '.' AS FINDING,
    CAST(0 AS DOUBLE) AS CLAIM_2_PCT,
    CAST(0 AS DOUBLE) AS CLAIM_3_PCT
FROM MISFIT AS M
CROSS JOIN TUNE.O_DPF_MEMBERS_VS_CORES AS O
CROSS JOIN TUNE.DATABASE_TIME AS T
CROSS JOIN TUNE.WORKLOAD_CLASS AS K
WHERE
    K.CLASS <> 'OLTP'
    AND NOT EXISTS (SELECT 1 FROM TUNE.D_CAT_TABLE AS C WHERE C.TABLEORG = 'C')
