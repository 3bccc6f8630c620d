/*---
rule: cpu.affinity-missing
title: Members run on processors far from their data
lane: performance
takes_effect: instance restart
applies: {topology: dpf}
steps_need: host
judged_by: load
needs: [host.numa_node, host.cpus, registry.REG_VAR_VALUE, system.HOST_NAME, container.CONTAINER_NAME,
  workload.TOTAL_CPU_TIME]
asks: [host.remote_pct]
object: INSTANCE
member: MEMBER
claims: {PROCESSING: {at_most_pct: 18}}
recover: [0.1, 0.3, 0.5]
confidence: 0.3
unit: processors
after: [dpf.missing-logical-nodes]
thresholds:
  min_remote_pct: {default: 20, from: own, why: fewer remote accesses cost less than a binding can}
actions:
  - when: VARIABLE = 'DB2PROCESSORS'
    set: {kind: REGISTRY, object: '{INSTANCE_NAME:text}', name: DB2PROCESSORS, member: MEMBER, to: '{CPUS:text}'}
  - when: VARIABLE = 'DB2_RESOURCE_POLICY'
    set: {kind: REGISTRY, object: '{INSTANCE_NAME:text}', name: DB2_RESOURCE_POLICY, to: AUTOMATIC}
  - when: VARIABLE IS NULL AND CPUS IS NOT NULL
    manual: >-
      Bind member {MEMBER} to processors {CPUS:text} of NUMA node {NODE} (with a policy file named by
      DB2_RESOURCE_POLICY, or with the operating system).
    undo: {manual: 'Remove the binding of member {MEMBER}.'}
  - when: VARIABLE IS NULL AND CPUS IS NULL
    manual: >-
      Bind member {MEMBER} to the processors of NUMA node {NODE} (with a policy file named by DB2_RESOURCE_POLICY, or
      with the operating system).
    undo: {manual: 'Remove the binding of member {MEMBER}.'}
finding: >-
  The disks of member {MEMBER} are attached to NUMA node {NODE}, but no member is bound to processors[. {REMOTE_PCT:1} %
  of memory accesses go to the other node].
evidence: [host=HOST_NAME:text, numa_node=NODE, 'remote_pct=REMOTE_PCT:2?', 'cpu_and_remote_pct=CLAIM_PROCESSING:2?']
references:
  - x445, "Setting processor affinity"
  - x4470 (binding gave 22 % more throughput, 18 % less time)
  - vmware-netapp, section 5.3 (not in a virtual machine)
why: >-
  Memory and adapters belong to one NUMA node. A member on another node's processors reaches its buffer pool and disks
  across the interconnect.
not_if: >-
  A binding is set or pending; the host is virtual or has a single node; fewer than 20 % of the accesses are remote; the
  members' arrays do not cover all nodes, or one member's arrays are on several; a node has fewer cores than members.
note: >-
  Without a measurement of remote accesses nothing is claimed. DB2PROCESSORS (Windows) is known only from the paper.
  From 10.1 DB2_RESOURCE_POLICY replaces it: AUTOMATIC is meant for AIX on large POWER7 and later. On other platforms it
  names a policy file, so the bindings are manual steps. DB2_CPU_BINDING (10.5) can also name processors, but its
  platforms are not known, so it is not used. A member gets one core with its hardware threads, or the whole node if the
  node has more cores than members.
---*/
WITH UNBOUND AS (
    SELECT
        N.*,
        R.NUM AS REMOTE_PCT,
        -- a pair for every member or for none: a binding of some would look like a binding of all
        MIN(CASE WHEN N.NODE_CORES = N.NODE_MEMBERS THEN 1 ELSE 0 END) OVER () AS PAIRED
    FROM TUNE.MEMBER_NODE AS N
    CROSS JOIN TUNE.O_CPU_AFFINITY_MISSING AS O
    LEFT JOIN TUNE.HOST_FACT AS R ON N.HOST_NAME = R.HOST AND R.FACT_KEY = 'numa' AND R.ITEM = 'remote_pct'
    LEFT JOIN TUNE.HOST_FACT AS V ON N.HOST_NAME = V.HOST AND V.FACT_KEY = 'virtual' AND V.ITEM = 'type'
    WHERE
        COALESCE(V.VALUE, 'none') = 'none'
        AND COALESCE(R.NUM, O.MIN_REMOTE_PCT) >= O.MIN_REMOTE_PCT
        AND NOT EXISTS (
            SELECT 1 FROM TUNE.SETTING AS S
            WHERE
                S.SCOPE = 'REG' AND S.NAME IN ('DB2PROCESSORS', 'DB2_RESOURCE_POLICY', 'DB2_CPU_BINDING')
                AND S.IS_SET = 1
        )
)
SELECT
    U.MEMBER,
    U.HOST_NAME,
    U.NODE,
    U.REMOTE_PCT,
    CASE WHEN U.PAIRED = 1 THEN U.CPUS END AS CPUS,
    D.INSTANCE_NAME,
    CASE
        WHEN D.PLATFORM = 'Windows' AND D.DB2_LEVEL < 10010000 AND U.PAIRED = 1 THEN 'DB2PROCESSORS'
        WHEN D.PLATFORM = 'AIX' AND D.DB2_LEVEL >= 10010000 THEN 'DB2_RESOURCE_POLICY'
    END AS VARIABLE,
    T.CPU_PCT * SUM(U.REMOTE_PCT) OVER () / CAST(100 * NULLIF(W.MEMBERS, 0) AS DOUBLE) AS CLAIM_PROCESSING
FROM UNBOUND AS U
CROSS JOIN TUNE.RUN_DATABASE AS D
CROSS JOIN TUNE.RUN_WINDOW AS W
CROSS JOIN TUNE.DATABASE_TIME AS T
