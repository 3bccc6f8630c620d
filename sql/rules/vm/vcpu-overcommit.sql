-- rule:       vm.vcpu-overcommit
-- title:      More virtual processors than the hardware has threads
-- area:       vm
-- lane:       P
-- effect:     HR
-- applies:    guest=yes; not=managed
-- judged-by:  load
-- claims:     PROCESSING
-- recover:    0.5, 1, 1
-- confidence: 0.6
-- needs:      host.type, host.host_threads, host.sum_vcpus, system.CPU_ONLINE, workload.TOTAL_RQST_TIME
-- threshold:  penalty_pct = 0.13 -- [seed 002] of throughput for each percent of virtual processors too many
-- threshold:  max_stolen_pct = 5 -- [prop] percent of the time that a virtual processor is ready and has to wait
-- threshold:  max_node_pct = 80 -- [seed 002] of a NUMA node's cores may be busy once the guest is made to fit
-- object:     HOST {HOST_NAME:text}
-- set:        VCPUS: {VCPUS} -> {FEWER_VCPUS} (virtual processors)
-- by-hand:    when FEWER_VCPUS > 0 AND OVER_PCT > 0: Give the virtual machine {HOST_NAME:text} {FEWER_VCPUS} virtual
--             processors, now {VCPUS}, and the other guests in proportion; where they need theirs, move a guest to
--             another host.
-- undo-by-hand: Give it {VCPUS} virtual processors again.
-- by-hand:    else when FEWER_VCPUS > 0: Give the virtual machine {HOST_NAME:text} {FEWER_VCPUS} virtual processors,
--             now {VCPUS}.
-- undo-by-hand: Give it {VCPUS} virtual processors again.
-- by-hand:    else: Move a guest to another host, or give {HOST_NAME:text} more processor shares than the others.
-- undo-by-hand: Move the guest back, or set the shares back.
-- finding:    when OVER_PCT > 0: The guests of the physical host have {SUM_VCPUS} virtual processors for {HOST_THREADS}
--             hardware threads, {OVER_PCT} % too many.
-- finding:    else when NODE_VCPUS > 0: The guest has {VCPUS} virtual processors, and a NUMA node {NUMA_CORES} cores,
--             which its load would fit.
-- finding:    else: A virtual processor is ready and has to wait for {STOLEN_PCT:1} % of the time.
-- evidence:   CPU_ONLINE=VCPUS, sum_vcpus=SUM_VCPUS, host_threads=HOST_THREADS, ready_or_steal_pct=STOLEN_PCT:2?,
--             numa_cores=NUMA_CORES?
-- source:     002_e991ec30bbd9209f.txt, sections 4.3 (50 % too many cost 6.5 %) and 5.3, appendix C
-- why:        The hypervisor runs a guest's processors together as far as it can. With more of them than hardware
--             threads, somebody always waits, caches are lost, and a guest that is larger than a NUMA node reaches part
--             of its memory through the other one. Processors that do nothing take timer interrupts all the same.
-- not-if:     The guests together fit, the guest fits a NUMA node or is too busy to, and less than 5 % of the time is
--             stolen; a control group, zone or logical partition, which share by entitlement.
-- note:       The paper's loss is taken as a part of database time (a queue that is always full). Where the hypervisor
--             measured more waiting than that, it counts instead. That processors idle for most of a day cannot be seen
--             in one interval and is not judged.
WITH GUEST AS (
    SELECT
        G.*,
        100 * CAST(GREATEST(0, COALESCE(G.SUM_VCPUS - G.HOST_THREADS, 0)) AS DOUBLE) / NULLIF(G.HOST_THREADS, 0)
            AS OVER_PCT,
        -- what the hypervisor may give, and what fits a NUMA node where the load does
        CASE
            WHEN G.SUM_VCPUS > G.HOST_THREADS
                THEN CAST(FLOOR(CAST(G.VCPUS * G.HOST_THREADS AS DOUBLE) / NULLIF(G.SUM_VCPUS, 0)) AS BIGINT)
        END AS FAIR_VCPUS,
        CASE
            WHEN
                G.VCPUS > G.NUMA_CORES
                AND COALESCE(G.MEMORY_TOTAL, 0) <= COALESCE(G.NUMA_MB, 0)
                AND G.CPU_USAGE_TOTAL * G.VCPUS <= O.MAX_NODE_PCT * G.NUMA_CORES
                THEN G.NUMA_CORES
        END AS NODE_VCPUS
    FROM TUNE.HOST_GUEST AS G
    CROSS JOIN TUNE.O_VM_VCPU_OVERCOMMIT AS O
    WHERE G.HOST_THREADS > 0 AND G.VCPUS > 0
),
SIZED AS (
    SELECT
        U.*,
        LEAST(COALESCE(U.FAIR_VCPUS, U.NODE_VCPUS), COALESCE(U.NODE_VCPUS, U.FAIR_VCPUS)) AS NEW_VCPUS,
        GREATEST(
            CASE WHEN U.STOLEN_PCT >= O.MAX_STOLEN_PCT THEN U.STOLEN_PCT ELSE 0 END,
            COALESCE(O.PENALTY_PCT * U.OVER_PCT, 0)
        ) AS LOSS_PCT
    FROM GUEST AS U
    CROSS JOIN TUNE.O_VM_VCPU_OVERCOMMIT AS O
    WHERE U.OVER_PCT > 0 OR U.STOLEN_PCT >= O.MAX_STOLEN_PCT OR U.NODE_VCPUS > 0
)
SELECT
    HOST_NAME, VCPUS, SUM_VCPUS, HOST_THREADS, NUMA_CORES, NODE_VCPUS, OVER_PCT, STOLEN_PCT,
    CASE WHEN NEW_VCPUS BETWEEN 1 AND VCPUS - 1 THEN NEW_VCPUS END AS FEWER_VCPUS,
    LEAST(100, LOSS_PCT) * HOST_SHARE AS CLAIM_PROCESSING
FROM SIZED
