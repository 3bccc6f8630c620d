-- rule:      vm.vcpu-overcommit
-- title:     More virtual processors than the hardware has threads
-- area:      vm
-- lane:      P
-- effect:    HR
-- applies:   guest=yes; not=managed
-- evidence:  load
-- claims:    PROCESSING
-- needs:     host.type, host.host_threads, host.sum_vcpus, system.CPU_ONLINE, workload.TOTAL_RQST_TIME
-- threshold: penalty_pct = 0.13 -- [seed 002] of throughput for each percent of virtual processors too many
-- threshold: max_stolen_pct = 5 -- [prop] percent of the time that a virtual processor is ready and has to wait
-- threshold: max_node_pct = 80 -- [seed 002] of a NUMA node's cores may be busy once the guest is made to fit
-- source:    002_e991ec30bbd9209f.txt, sections 4.3 (50 % too many cost 6.5 %) and 5.3, appendix C
-- why:       The hypervisor runs a guest's processors together as far as it can. With more of them than hardware
--            threads, somebody always waits, caches are lost, and a guest that is larger than a NUMA node reaches
--            part of its memory through the other one. Processors that do nothing take timer interrupts all the same.
-- not-if:    The guests together fit, the guest fits a NUMA node or is too busy to, and less than 5 % of the time is
--            stolen; a control group, zone or logical partition, which share by entitlement.
-- note:      The paper's loss is taken as a part of database time (a queue that is always full). Where the hypervisor
--            measured more waiting than that, it counts instead. That processors idle for most of a day cannot be
--            seen in one interval and is not judged.
WITH GUEST AS (
    SELECT
        G.*,
        100 * CAST(GREATEST(0, G.SUM_VCPUS - G.HOST_THREADS) AS DOUBLE) / NULLIF(G.HOST_THREADS, 0) AS OVER_PCT,
        COALESCE(G.STOLEN_PCT, 0) AS WAIT_PCT,
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
        -- what the hypervisor may give, and never more than what fits a node
        COALESCE(
            LEAST(COALESCE(U.FAIR_VCPUS, U.NODE_VCPUS), COALESCE(U.NODE_VCPUS, U.FAIR_VCPUS)), U.VCPUS
        ) AS NEW_VCPUS,
        CASE
            WHEN U.WAIT_PCT >= O.MAX_STOLEN_PCT THEN GREATEST(U.WAIT_PCT, O.PENALTY_PCT * U.OVER_PCT)
            ELSE O.PENALTY_PCT * U.OVER_PCT
        END AS LOSS_PCT
    FROM GUEST AS U
    CROSS JOIN TUNE.O_VM_VCPU_OVERCOMMIT AS O
    WHERE U.OVER_PCT > 0 OR U.WAIT_PCT >= O.MAX_STOLEN_PCT OR U.NODE_VCPUS > 0
)
SELECT
    'HOST' AS OBJECT_TYPE,
    S.HOST_NAME AS OBJECT_NAME,
    CAST(NULL AS SMALLINT) AS MEMBER,
    LEAST(100, S.LOSS_PCT) * S.HOST_SHARE AS CLAIMED_PCT,
    CAST(0.5 AS DOUBLE) AS RECOVER_LOW,
    CAST(1 AS DOUBLE) AS RECOVER_EXPECTED,
    CAST(1 AS DOUBLE) AS RECOVER_HIGH,
    CAST(0.6 AS DOUBLE) AS CONFIDENCE,
    'HOST:' || S.HOST_NAME || ':VCPUS' AS TARGET,
    CAST(S.VCPUS AS VARCHAR(20)) AS CURRENT_VALUE,
    CASE WHEN S.NEW_VCPUS BETWEEN 1 AND S.VCPUS - 1 THEN CAST(S.NEW_VCPUS AS VARCHAR(20)) END AS PROPOSED_VALUE,
    'virtual processors' AS UNIT,
    CAST(0 AS BIGINT) AS MEMORY_DELTA_KB,
    CASE
        WHEN S.NEW_VCPUS BETWEEN 1 AND S.VCPUS - 1
            THEN '-- Give the virtual machine ' || S.HOST_NAME || ' ' || CAST(S.NEW_VCPUS AS VARCHAR(20))
            || ' virtual processors, now ' || CAST(S.VCPUS AS VARCHAR(20))
            || CASE
                WHEN S.OVER_PCT > 0
                    THEN ', and the other guests in proportion; where they need theirs, move a guest to another host.'
                ELSE '.'
            END
        ELSE
            '-- Move a guest to another host, or give ' || S.HOST_NAME || ' more processor shares than the others.'
    END AS ACTION_TEXT,
    CASE
        WHEN S.NEW_VCPUS BETWEEN 1 AND S.VCPUS - 1
            THEN '-- Give it ' || CAST(S.VCPUS AS VARCHAR(20)) || ' virtual processors again.'
        ELSE '-- Move the guest back, or set the shares back.'
    END AS UNDO_TEXT,
    'CPU_ONLINE=' || CAST(S.VCPUS AS VARCHAR(20))
    || '; sum_vcpus=' || COALESCE(CAST(S.SUM_VCPUS AS VARCHAR(20)), 'not known')
    || '; host_threads=' || CAST(S.HOST_THREADS AS VARCHAR(20))
    || COALESCE('; ready_or_steal_pct=' || CAST(CAST(ROUND(S.STOLEN_PCT, 2) AS DECIMAL(9, 2)) AS VARCHAR(20)), '')
    || COALESCE('; numa_cores=' || CAST(S.NUMA_CORES AS VARCHAR(20)), '') AS EVIDENCE,
    CASE
        WHEN S.OVER_PCT > 0
            THEN 'The guests of the physical host have ' || CAST(S.SUM_VCPUS AS VARCHAR(20))
            || ' virtual processors for ' || CAST(S.HOST_THREADS AS VARCHAR(20)) || ' hardware threads, '
            || CAST(CAST(ROUND(S.OVER_PCT, 0) AS BIGINT) AS VARCHAR(20)) || ' % too many.'
        WHEN S.NODE_VCPUS > 0
            THEN 'The guest has ' || CAST(S.VCPUS AS VARCHAR(20)) || ' virtual processors, and a NUMA node '
            || CAST(S.NUMA_CORES AS VARCHAR(20)) || ' cores, which its load would fit.'
        ELSE
            'A virtual processor is ready and has to wait for '
            || CAST(CAST(ROUND(S.WAIT_PCT, 1) AS DECIMAL(9, 1)) AS VARCHAR(20)) || ' % of the time.'
    END AS FINDING,
    CAST(0 AS DOUBLE) AS CLAIM_2_PCT,
    CAST(0 AS DOUBLE) AS CLAIM_3_PCT
FROM SIZED AS S
