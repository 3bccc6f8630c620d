/*---
rule: vm.vcpu-overcommit
title: Virtual CPUs exceed hardware threads
lane: performance
takes_effect: host change
applies: {guest: true}
steps_need: host
judged_by: load
needs: [host.type, system.CPU_ONLINE, workload.TOTAL_RQST_TIME]
asks: [host.ready_pct, host.host_threads, host.sum_vcpus]
object: HOST {HOST_NAME:text}
claims: {PROCESSING: {at_most_pct: 6.5}}
recover: [0, 1, 1]
confidence: 0.3
thresholds:
  penalty_pct: {default: 0.13, from: vmware-netapp, why: throughput lost per percent of excess virtual processors}
actions:
  - when: FITS = 1
    set: {name: VCPUS, from: '{VCPUS}', to: '{NEW_VCPUS}', unit: virtual processors}
  - when: OVER_PCT > 0
    manual: >-
      Measure how long a virtual processor of {HOST_NAME:text} is ready but waits (esxtop, %RDY), and enter it as host
      fact hypervisor/ready_pct. Below 5 %, change nothing.
  - when: OVER_PCT > 0 AND FITS = 1
    manual: >-
      Otherwise reduce {HOST_NAME:text} to {NEW_VCPUS} virtual processors, now {VCPUS}, and the other guests in
      proportion. If they need theirs, move a guest to another host.
    undo: {manual: 'Set {VCPUS} virtual processors again.'}
  - when: OVER_PCT > 0 AND FITS = 0 AND NEW_VCPUS = VCPUS
    manual: Otherwise move a guest to another host.
    undo: {manual: Move the guest back.}
  - when: OVER_PCT > 0 AND FITS = 0 AND NEW_VCPUS < VCPUS
    manual: >-
      Otherwise move a guest to another host. {HOST_NAME:text} is busy: reduce it to {NEW_VCPUS} virtual processors, now
      {VCPUS}, only if all guests shrink together.
    undo: {manual: Move the guest back.}
  - when: OVER_PCT = 0
    manual: Set {NEW_VCPUS} virtual processors for virtual machine {HOST_NAME:text}, now {VCPUS}.
    undo: {manual: 'Set {VCPUS} virtual processors again.'}
finding:
  - choose:
      - when: OVER_PCT > 0
        text: >-
          The physical host has {HOST_THREADS} hardware threads for {SUM_VCPUS} virtual processors of its guests,
          {OVER_PCT} % too many. It is unknown whether they wait for each other.
      - The guest has {VCPUS} virtual processors; its load would fit in a NUMA node with {NUMA_CORES} cores.
evidence: [CPU_ONLINE=VCPUS, CPU_USAGE_TOTAL, 'sum_vcpus=SUM_VCPUS?', 'host_threads=HOST_THREADS?',
  'numa_cores=NUMA_CORES?']
references:
  - vmware-netapp, sections 4.3 (50 % too many cost 6.5 % at peak load) and 5.3, appendix C
why: >-
  The hypervisor schedules a guest's processors together if possible. With more virtual processors than hardware
  threads, some wait when all are busy, and caches are lost. A guest larger than a NUMA node reaches part of its memory
  through the other node.
not_if: >-
  All guests together fit; ready time was measured (vm.time-stolen); the guest fits a NUMA node, is too busy to fit, or
  sees the nodes itself; a control group, zone or logical partition, which share by entitlement.
note: >-
  Most physical hosts overcommit processors, and most guests are idle: only a measurement decides. The paper's loss was
  at peak load of all guests, so it is an upper bound.
---*/
WITH GUEST AS (
    SELECT
        G.*,
        CASE
            WHEN P.STOLEN_PCT IS NULL AND G.SUM_VCPUS > G.HOST_THREADS
                THEN 100 * CAST(G.SUM_VCPUS - G.HOST_THREADS AS DOUBLE) / NULLIF(G.HOST_THREADS, 0)
            ELSE 0
        END AS OVER_PCT,
        P.STOLEN_PCT,
        SITE.CEILING_CPU_PCT,
        O.PENALTY_PCT
    FROM TUNE.HOST_GUEST AS G
    INNER JOIN TUNE.HOST_PROCESSOR AS P ON G.HOST_NAME = P.HOST_NAME
    CROSS JOIN TUNE.O_VM_VCPU_OVERCOMMIT AS O
    CROSS JOIN TUNE.O_SITE AS SITE
    WHERE G.VCPUS > 0
),
SIZED AS (
    -- the processors that the hypervisor can give, or that fit a NUMA node
    SELECT
        U.*,
        CASE
            WHEN U.OVER_PCT > 0
                THEN CAST(GREATEST(1, FLOOR(
                    CAST(U.VCPUS * U.HOST_THREADS AS DOUBLE) / NULLIF(U.SUM_VCPUS, 0)
                )) AS BIGINT)
            WHEN
                U.VCPUS > U.NUMA_CORES AND COALESCE(U.GUEST_NODES, 1) <= 1
                AND COALESCE(U.MEMORY_TOTAL, 0) <= COALESCE(U.NUMA_MB, 0)
                THEN U.NUMA_CORES
        END AS NEW_VCPUS
    FROM GUEST AS U
),
JUDGED AS (
    SELECT
        S.*,
        CASE
            WHEN
                S.NEW_VCPUS < S.VCPUS
                AND S.CPU_USAGE_TOTAL * S.VCPUS <= S.CEILING_CPU_PCT * S.NEW_VCPUS
                THEN 1
            ELSE 0
        END AS FITS
    FROM SIZED AS S
)
SELECT
    HOST_NAME, VCPUS, CPU_USAGE_TOTAL, SUM_VCPUS, HOST_THREADS, NUMA_CORES, OVER_PCT, FITS, NEW_VCPUS,
    CASE WHEN OVER_PCT > 0 THEN PENALTY_PCT * OVER_PCT * HOST_SHARE END AS CLAIM_PROCESSING
FROM JUDGED
WHERE OVER_PCT > 0 OR FITS = 1
