/*---
rule: dpf.members-vs-cores
title: Partition count does not fit the host
lane: housekeeping
takes_effect: object rebuilt or moved
risk: high
applies: {workload: [bi, mixed], topology: dpf}
steps_need: instance
judged_by: load
needs: [system.CPU_ONLINE, system.CPU_HMT_DEGREE, system.MEMORY_TOTAL, workload.TOTAL_CPU_TIME]
object: HOST {HOST_NAME:text}
confidence: 0.3
defers_to:
  - {rule: dpf.missing-logical-nodes, within: any}
thresholds:
  max_cores: {default: 16, from: own, why: a partition without intra-partition parallelism cannot use more cores}
  min_memory_mb: {default: 1024, from: own, why: less memory per partition is too little for pools and sorts}
actions:
  - set: {name: MEMBERS, from: '{MEMBERS}', to: '{FITTING}', unit: partitions}
  - choose:
      - when: MEMBERS > FITTING
        manual: >-
          Reduce the partitions of host {HOST_NAME:text} to {FITTING}: for each database partition group REDISTRIBUTE
          DATABASE PARTITION GROUP with UNIFORM and DROP DBPARTITIONNUM, then db2stop DROP DBPARTITIONNUM.
        undo: {manual: 'Add the partitions again with db2start and ADD DBPARTITIONNUM, and redistribute onto them.'}
      - manual: >-
          Increase the partitions of host {HOST_NAME:text} to {FITTING}: db2start DBPARTITIONNUM with ADD
          DBPARTITIONNUM, HOSTNAME and PORT for each new one. Then REDISTRIBUTE DATABASE PARTITION GROUP with UNIFORM
          and ADD DBPARTITIONNUM for each database partition group.
        undo:
          manual: >-
            Drop the new partitions again: redistribute with DROP DBPARTITIONNUM, then db2stop DROP DBPARTITIONNUM.
finding:
  - choose:
      - when: MEMBERS > FITTING
        text: >-
          Host {HOST_NAME:text} runs {MEMBERS} partitions on {CORES} cores, {NUMA_NODES} NUMA nodes and {MEMORY_TOTAL}
          MB. It has room for {FITTING}.
      - >-
        Host {HOST_NAME:text} runs {MEMBERS} partitions on {CORES} cores, {NUMA_NODES} NUMA nodes and {MEMORY_TOTAL} MB.
        It can use {FITTING}.
evidence: [members=MEMBERS, cores=CORES, numa_nodes=NUMA_NODES, MEMORY_TOTAL_MB=MEMORY_TOTAL, CPU_USAGE_TOTAL]
references:
  - x445 (one partition a processor, 2 GB each)
  - vmware-netapp, appendix A
why: >-
  Each partition works on its part of the data with its agents and memory. Too few partitions leave processors and NUMA
  nodes idle. Too many compete for processors and split the memory into pieces that are too small.
not_if: >-
  The workload is OLTP; tables are column-organized (few large partitions are best for them); INTRA_PARALLEL lets a
  partition use many cores. The papers' 2 and 2.75 GB per partition with one partition per core fit.
note: >-
  The gain of another number of partitions cannot be counted, so no time is claimed. More partitions are advised only
  while the host has spare CPU. Unknown NUMA nodes are not judged.
---*/
WITH HOSTS AS (
    SELECT
        HOST_NAME,
        MAX(MEMBERS) AS MEMBERS,
        CAST(FLOOR(CAST(MAX(CPU_ONLINE) AS DOUBLE) / NULLIF(MAX(CPU_HMT_DEGREE), 0)) AS BIGINT) AS CORES,
        MAX(CPU_USAGE_TOTAL) AS CPU_USAGE_TOTAL,
        MAX(MEMORY_TOTAL) AS MEMORY_TOTAL
    FROM TUNE.HOST
    GROUP BY HOST_NAME
),
NUMA AS (
    SELECT
        HOST,
        COUNT(DISTINCT NUM) AS NUMA_NODES
    FROM TUNE.HOST_FACT
    WHERE FACT_KEY LIKE 'core:%' AND ITEM = 'numa_node'
    GROUP BY HOST
),
ROOM AS (
    SELECT
        H.*,
        CASE
            WHEN I.VALUE = 'YES' THEN H.NUMA_NODES
            ELSE GREATEST(H.NUMA_NODES, CAST(CEIL(CAST(H.CORES AS DOUBLE) / NULLIF(O.MAX_CORES, 0)) AS BIGINT))
        END AS LEAST_MEMBERS,
        GREATEST(
            1, LEAST(H.CORES, CAST(FLOOR(CAST(H.MEMORY_TOTAL AS DOUBLE) / NULLIF(O.MIN_MEMORY_MB, 0)) AS BIGINT))
        ) AS MOST_MEMBERS
    FROM (
        SELECT
            HOSTS.*,
            COALESCE(NUMA.NUMA_NODES, 1) AS NUMA_NODES
        FROM HOSTS
        LEFT JOIN NUMA ON HOSTS.HOST_NAME = NUMA.HOST
    ) AS H
    CROSS JOIN TUNE.O_DPF_MEMBERS_VS_CORES AS O
    LEFT JOIN TUNE.SETTING AS I ON I.SCOPE = 'DBM' AND I.NAME = 'intra_parallel'
    WHERE H.CORES > 0 AND H.MEMORY_TOTAL > 0
),
MISFIT AS (
    SELECT
        ROOM.*,
        CASE WHEN MEMBERS > MOST_MEMBERS THEN MOST_MEMBERS ELSE LEAST_MEMBERS END AS FITTING
    FROM ROOM
    WHERE MEMBERS > MOST_MEMBERS OR (MEMBERS < LEAST_MEMBERS AND LEAST_MEMBERS <= MOST_MEMBERS)
)
SELECT
    M.HOST_NAME,
    M.MEMBERS,
    M.FITTING,
    M.CORES,
    M.NUMA_NODES,
    M.MEMORY_TOTAL,
    M.CPU_USAGE_TOTAL
FROM MISFIT AS M
CROSS JOIN TUNE.O_SITE AS SITE
CROSS JOIN TUNE.WORKLOAD_CLASS AS K
WHERE
    K.CLASS <> 'OLTP'
    AND (M.MEMBERS > M.FITTING OR COALESCE(M.CPU_USAGE_TOTAL, 0) < SITE.SATURATED_PCT)
    AND NOT EXISTS (SELECT 1 FROM TUNE.D_CAT_TABLE AS C WHERE C.TABLEORG = 'C')
