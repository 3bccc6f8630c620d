/*---
rule: cpu.instance-scaling-limit
title: One instance cannot use the whole machine
lane: performance
takes_effect: object rebuilt or moved
risk: high
applies: {topology: single}
steps_need: host
judged_by: load
needs: [system.CPU_ONLINE, system.CPU_USAGE_TOTAL, system.CPU_CORES_PER_SOCKET, workload.TOTAL_CPU_TIME,
  workload.TOTAL_EXTENDED_LATCH_WAIT_TIME]
object: INSTANCE
claims: {LATCH: {at_most_pct: 18}, PROCESSING: {at_most_pct: 18}}
recover: [0, 0.5, 1]
confidence: 0.3
after: [lock.latch-contention]
thresholds:
  min_sockets: {default: 4, from: x4470, why: sockets of the machine on which one instance stopped at two}
  min_cores: {default: 32, from: x4470, why: its cores; both are required}
  sessions_per_core: {default: 2, from: own, why: 'active sessions per core: enough work exists'}
  max_claim_pct: {default: 18, from: x4470, why: 1.22 times the throughput is 18 % less time}
  min_splits_per_s: {default: 3, from: own, why: leaf splits of one index; with fewer its last page is not hot}
actions:
  - when: ZONE = 0
    set: {name: SPLIT, from: '1', to: '{SOCKETS}', unit: instances}
  - when: ZONE = 0
    manual: >-
      First find the latches with most waits (MON_GET_EXTENDED_LATCH_WAIT). Remove the cause of a single hot latch
      instead of binding.
  - when: ZONE = 0
    manual: >-
      Then bind this instance to {BOUND_SOCKETS} of {SOCKETS} sockets ({BOUND_CPUS} processors) and measure: binding
      alone gave 1.22 times the throughput.
    undo: {manual: Merge the databases into one instance again and remove its binding.}
  - when: ZONE = 0
    manual: >-
      Only then, if the database can be split, run {SOCKETS} instances, each bound to one socket with separate data and
      log file systems. 2 gave 2.51, 3 gave 2.96 and 4 gave 3.68 times the throughput of one unbound instance.
  - when: ZONE > 0 AND PLATFORM = 'Solaris'
    manual: poolcfg -c 'create pset pset_zone{ZONE} (uint pset.min = {SOCKET_CPUS}; uint pset.max = {SOCKET_CPUS})'
  - {when: ZONE > 0 AND PLATFORM = 'Solaris', manual: 'poolcfg -c ''create pool pool_zone{ZONE}'''}
  - when: ZONE > 0 AND PLATFORM = 'Solaris'
    manual: poolcfg -c 'associate pool pool_zone{ZONE} (pset pset_zone{ZONE})'
  - when: ZONE = 1 AND PLATFORM = 'Solaris'
    manual: Choose an IP address and a network interface for each zone, and enter them after address= and physical=.
  - when: ZONE > 0 AND PLATFORM = 'Solaris'
    manual: >-
      zonecfg -z zone{ZONE}, then: create; set zonepath=/zones/zone{ZONE}; set autoboot=true; set pool=pool_zone{ZONE};
      add inherit-pkg-dir; set dir=/opt; end; add net; set address=; set physical=; end; add fs; set
      dir=/data{ZONE}; set special=/data{ZONE}; set type=lofs; add options [[forcedirectio]]; end; add fs; set
      dir=/log{ZONE}; set special=/log{ZONE}; set type=lofs; add options [[forcedirectio]]; end; verify; commit; exit
  - when: ZONE > 0 AND PLATFORM = 'Solaris'
    manual: Run the instance in zone{ZONE} in the fixed-priority scheduling class (FX).
  - when: ZONE > 0 AND PLATFORM = 'Linux'
    manual: >-
      Start instance {ZONE} with numactl --cpunodebind={NODE} --membind={NODE} db2start, or use a control group with
      cpuset.
  - when: ZONE > 0 AND PLATFORM NOT IN ('Solaris', 'Linux')
    manual: 'Bind instance {ZONE} to the processors and memory of socket {ZONE}.'
finding: >-
  {ACTIVE_SESSIONS} active sessions keep {CORES} cores of {SOCKETS} sockets only {CPU_USAGE_TOTAL} % busy. {LATCH_PCT:1}
  % of the time is latch waits, {UNEXPLAINED_PCT:1} % is unexplained.
evidence: [sockets=SOCKETS, cores=CORES, CPU_USAGE_TOTAL, active_sessions=ACTIVE_SESSIONS:1,
  TOTAL_EXTENDED_LATCH_WAIT_TIME_pct=LATCH_PCT:2, unexplained_pct=UNEXPLAINED_PCT:2, disk_log_lock_pct=OTHER_PCT:2]
references:
  - 'x4470: one instance used 20 % of four sockets'
  - bound to one socket 1.22 times its throughput, two, three and four bound instances 2.51, 2.96 and 3.68 times
why: >-
  All agents of an instance share its latches and its memory. Across several sockets they wait for each other and for
  memory of other sockets, while processors idle. Instances bound to one socket each share neither.
not_if: >-
  Fewer than 4 sockets or 32 cores, or an implausible topology (a virtual machine); a zone or processor set already
  binds it; more than 40 % busy, or too few sessions; disk, log or lock waits are the cause; neither latch waits nor
  unexplained time are high; one latch has half of the waits, or an index splits at its end continuously, so that its
  last page is the likely latch (lock.latch-contention names it).
note: >-
  Splitting a database over instances is a project: low confidence, high risk, manual steps. If it cannot be split, use
  partitions (dpf) or pureScale. The paper prints the pools of only three zones; the fourth is assumed to be alike. It
  does not state whether its figures compare with the unbound or the bound instance; only the unbound one gives
  plausible steps. The claim contains the gain of binding only.
---*/
WITH HOT AS (
    -- an index with growing keys, and the latch of most waits
    SELECT
        SUM(CASE WHEN S.SPLITS >= CONST.END_SPLIT_PART * (S.SPLITS + S.OTHER_SPLITS) THEN 1 ELSE 0 END) AS INDEXES,
        MAX(CASE WHEN L.LATCH_PART >= CONST.MAIN_PART THEN 1 ELSE 0 END) AS LATCHES
    FROM TUNE.RUN_WINDOW AS W
    CROSS JOIN TUNE.O_CPU_INSTANCE_SCALING_LIMIT AS O
    CROSS JOIN TUNE.CONSTANT AS CONST
    CROSS JOIN (
        SELECT MAX(CAST(N.WAIT_MS AS DOUBLE) / NULLIF(N.ALL_MS, 0)) AS LATCH_PART
        FROM (
            SELECT
                SUM(TOTAL_EXTENDED_LATCH_WAIT_TIME) AS WAIT_MS,
                SUM(SUM(TOTAL_EXTENDED_LATCH_WAIT_TIME)) OVER () AS ALL_MS
            FROM TUNE.D_LATCH
            GROUP BY LATCH_NAME
        ) AS N
    ) AS L
    LEFT JOIN (
        SELECT
            SUM(BOUNDARY_LEAF_NODE_SPLITS) AS SPLITS,
            SUM(NONBOUNDARY_LEAF_NODE_SPLITS) AS OTHER_SPLITS
        FROM TUNE.D_INDEX
        GROUP BY TABSCHEMA, TABNAME, IID
    ) AS S ON S.SPLITS >= O.MIN_SPLITS_PER_S * W.SECONDS
),
MACHINE AS (
    SELECT
        P.SOCKETS,
        CAST(CEIL(ROUND(P.CPU_USAGE_TOTAL * P.SOCKETS / CAST(NULLIF(SITE.CEILING_CPU_PCT, 0) AS DOUBLE), 6)) AS BIGINT)
            AS BOUND_SOCKETS,
        P.CORES,
        P.CPU_USAGE_TOTAL,
        CAST(FLOOR(CAST(P.CPU_ONLINE AS DOUBLE) / NULLIF(P.SOCKETS, 0)) AS BIGINT) AS SOCKET_CPUS,
        T.ACTIVE_SESSIONS,
        T.LATCH_PCT,
        GREATEST(0, COALESCE(B.PCT - COALESCE(T.CPU_PCT, 0), 0)) AS UNEXPLAINED_PCT,
        T.POOL_READ_PCT + T.POOL_WRITE_PCT + T.PREFETCH_WAIT_PCT + COALESCE(T.DIRECT_PCT, 0)
        + T.LOG_DISK_PCT + T.LOG_BUFFER_PCT + T.LOCK_PCT AS OTHER_PCT
    FROM TUNE.HOST_PROCESSOR AS P
    CROSS JOIN TUNE.DATABASE_TIME AS T
    CROSS JOIN TUNE.O_SITE AS SITE
    CROSS JOIN HOT AS H
    INNER JOIN TUNE.TIME_BUCKET AS B ON B.BUCKET = 'PROCESSING'
    WHERE
        COALESCE(H.INDEXES, 0) = 0 AND COALESCE(H.LATCHES, 0) = 0
        AND P.SOCKETS >= 2 AND P.CORES > P.SOCKETS AND COALESCE(P.TYPE, 'none') = 'none' AND P.PSET_CPUS IS NULL
)
SELECT
    M.*,
    D.PLATFORM,
    Z.ZONE,
    Z.ZONE - 1 AS NODE,
    M.BOUND_SOCKETS * M.SOCKET_CPUS AS BOUND_CPUS,
    LEAST(M.LATCH_PCT, O.MAX_CLAIM_PCT) AS CLAIM_LATCH,
    LEAST(M.LATCH_PCT + M.UNEXPLAINED_PCT, O.MAX_CLAIM_PCT) - LEAST(M.LATCH_PCT, O.MAX_CLAIM_PCT) AS CLAIM_PROCESSING
FROM MACHINE AS M
CROSS JOIN TUNE.RUN_DATABASE AS D
CROSS JOIN TUNE.O_CPU_INSTANCE_SCALING_LIMIT AS O
CROSS JOIN TUNE.O_SITE AS SITE
-- the instance as it is, and a zone for each socket
INNER JOIN (VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8)) AS Z (ZONE) ON M.SOCKETS >= Z.ZONE
WHERE
    M.SOCKETS >= O.MIN_SOCKETS
    AND M.CORES >= O.MIN_CORES
    AND M.BOUND_SOCKETS < M.SOCKETS
    AND M.CPU_USAGE_TOTAL <= SITE.IDLE_CPU_PCT
    AND M.ACTIVE_SESSIONS >= O.SESSIONS_PER_CORE * M.CORES
    AND M.OTHER_PCT < SITE.DOMINANT_PCT
    AND (M.LATCH_PCT >= SITE.MAJOR_PCT OR M.UNEXPLAINED_PCT >= SITE.DOMINANT_PCT)
