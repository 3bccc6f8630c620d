/*---
rule: vm.vcpu-overcommit
title: More virtual processors than the hardware has threads
lane: performance
takes_effect: host change
applies: {guest: true, not: [managed]}
judged_by: load
needs: [host.type, system.CPU_ONLINE, workload.TOTAL_RQST_TIME]
asks: [host.ready_pct, host.host_threads, host.sum_vcpus]
object: HOST {HOST_NAME:text}
claims: {PROCESSING: {at_most_pct: 6.5}}
recover: [0, 1, 1]
confidence: 0.3
thresholds:
  penalty_pct: {default: 0.13, from: vmware-netapp, why: of throughput for each percent of virtual processors too many}
  max_busy_pct: {default: 80, from: vmware-netapp, why: of the processors may be busy once the guest is made to fit}
actions:
  - when: FITS = 1
    set: {name: VCPUS, from: '{VCPUS}', to: '{NEW_VCPUS}', unit: virtual processors}
  - when: OVER_PCT > 0
    manual: >-
      Measure for what part of the time a virtual processor of {HOST_NAME:text} is ready and waits (esxtop, %RDY), and
      state it as the host fact hypervisor/ready_pct: below 5 % there is nothing to do.
    undo: {manual: Nothing is changed by looking.}
  - when: OVER_PCT > 0 AND FITS = 1
    manual: >-
      Else give {HOST_NAME:text} {NEW_VCPUS} virtual processors, now {VCPUS}, and the other guests in proportion; where
      they need theirs, move a guest to another host.
    undo: {manual: 'Give it {VCPUS} virtual processors again.'}
  - when: OVER_PCT > 0 AND FITS = 0
    manual: >-
      Else move a guest to another host. Only where all guests shrink together may {HOST_NAME:text} have {NEW_VCPUS}
      virtual processors, now {VCPUS}: it is busy.
    undo: {manual: Move the guest back.}
  - when: OVER_PCT = 0
    manual: Give the virtual machine {HOST_NAME:text} {NEW_VCPUS} virtual processors, now {VCPUS}.
    undo: {manual: 'Give it {VCPUS} virtual processors again.'}
finding:
  - choose:
      - when: OVER_PCT > 0
        text: >-
          The guests of the physical host have {SUM_VCPUS} virtual processors for {HOST_THREADS} hardware threads,
          {OVER_PCT} % too many; whether they wait for each other is not known.
      - The guest has {VCPUS} virtual processors, and a NUMA node {NUMA_CORES} cores, which its load would fit.
evidence: [CPU_ONLINE=VCPUS, CPU_USAGE_TOTAL, 'sum_vcpus=SUM_VCPUS?', 'host_threads=HOST_THREADS?',
  'numa_cores=NUMA_CORES?']
references:
  - vmware-netapp, sections 4.3 (50 % too many cost 6.5 % at peak load) and 5.3, appendix C
why: >-
  The hypervisor runs a guest's processors together as far as it can. With more of them than hardware threads, somebody
  waits when all are busy, caches are lost, and a guest that is larger than a NUMA node reaches part of its memory
  through the other one.
not_if: >-
  The guests together fit; the waiting was measured (vm.time-stolen judges it); the guest fits a NUMA node, is too busy
  to, or sees the nodes itself; a control group, zone or logical partition, which share by entitlement.
note: >-
  Most physical hosts promise more processors than they have, and most guests are idle: only what is measured tells. The
  paper's loss was at peak load of all guests, so it is the most that is claimed.
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
        O.MAX_BUSY_PCT,
        O.PENALTY_PCT
    FROM TUNE.HOST_GUEST AS G
    INNER JOIN TUNE.HOST_PROCESSOR AS P ON G.HOST_NAME = P.HOST_NAME
    CROSS JOIN TUNE.O_VM_VCPU_OVERCOMMIT AS O
    WHERE G.VCPUS > 0
),
SIZED AS (
    -- what the hypervisor may give, or what fits a NUMA node
    SELECT
        U.*,
        CASE
            WHEN U.OVER_PCT > 0
                THEN CAST(FLOOR(CAST(U.VCPUS * U.HOST_THREADS AS DOUBLE) / NULLIF(U.SUM_VCPUS, 0)) AS BIGINT)
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
                S.NEW_VCPUS BETWEEN 1 AND S.VCPUS - 1
                AND S.CPU_USAGE_TOTAL * S.VCPUS <= S.MAX_BUSY_PCT * S.NEW_VCPUS
                THEN 1
            ELSE 0
        END AS FITS
    FROM SIZED AS S
)
SELECT
    HOST_NAME, VCPUS, CPU_USAGE_TOTAL, SUM_VCPUS, HOST_THREADS, NUMA_CORES, OVER_PCT, FITS,
    CASE WHEN NEW_VCPUS < 1 THEN 1 ELSE NEW_VCPUS END AS NEW_VCPUS,
    CASE WHEN OVER_PCT > 0 THEN PENALTY_PCT * OVER_PCT * HOST_SHARE END AS CLAIM_PROCESSING
FROM JUDGED
WHERE OVER_PCT > 0 OR FITS = 1
