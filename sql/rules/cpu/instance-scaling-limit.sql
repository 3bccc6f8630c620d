-- rule:      cpu.instance-scaling-limit
-- title:     One instance cannot use the whole machine
-- area:      cpu
-- lane:      P
-- effect:    OB
-- risk:      high
-- applies:   topology=single; not=managed
-- evidence:  load
-- claims:    LATCH, PROCESSING
-- needs:     system.CPU_ONLINE, system.CPU_USAGE_TOTAL, system.CPU_CORES_PER_SOCKET, workload.TOTAL_CPU_TIME,
--            workload.TOTAL_EXTENDED_LATCH_WAIT_TIME
-- threshold: min_sockets = 4 -- [seed 004] the machine on which one instance stopped at two
-- threshold: min_cores = 32 -- [seed 004] its cores
-- threshold: max_cpu_pct = 40 -- [prop] the paper's instance stopped at 20 %; above 40 % it still uses the machine
-- threshold: sessions_per_core = 2 -- [prop] enough work is there: active sessions to each core
-- threshold: max_other_pct = 30 -- [prop] percent of database time in disk, log and lock waits: then those are it
-- threshold: min_latch_pct = 10 -- [prop] percent of database time that waits for latches
-- threshold: min_unexplained_pct = 30 -- [prop] percent of it that is neither a known wait nor processor time
-- threshold: max_claim_pct = 50 -- [prop] the most that is claimed, whatever the share of those two
-- source:    004_131ea73468d225e1.txt: one instance used 20 % of four sockets; bound to one socket 1.22 times its
--            throughput, two, three and four bound instances 2.51, 2.96 and 3.68 times
-- why:       All agents of an instance share its latches and its memory. Beyond some sockets they wait for each
--            other and for memory that hangs on another socket, while processors idle. Instances that are each
--            bound to one socket share neither.
-- not-if:    Fewer than 4 sockets and 32 cores, or what Db2 sees of them makes no sense (a virtual machine); a zone or
--            a processor set binds it already; more than 40 % busy, or too few sessions; disks, log or locks explain
--            the waits; neither latches nor unexplained time stand out; a managed database.
-- note:      Splitting one database over instances is a project: low confidence, high risk, and text for a person.
--            Where it cannot be split, partitions (dpf) or pureScale are the way. The paper prints the pools of three
--            zones only; the fourth is alike. Whether its figures are against the unbound or the bound instance it
--            does not say: only the unbound one gives plausible steps. One hot latch of an index looks the same: see
--            first which latch it is (MON_GET_EXTENDED_LATCH_WAIT).
WITH MACHINE AS (
    SELECT
        P.HOST_NAME,
        P.SOCKETS,
        P.CORES,
        P.CPU_USAGE_TOTAL,
        T.ACTIVE_SESSIONS,
        T.LATCH_PCT,
        GREATEST(0, B.PCT - COALESCE(T.CPU_PCT, 0)) AS UNEXPLAINED_PCT,
        T.POOL_READ_PCT + T.POOL_WRITE_PCT + T.PREFETCH_WAIT_PCT + COALESCE(T.DIRECT_PCT, 0)
        + T.LOG_DISK_PCT + T.LOG_BUFFER_PCT + T.LOCK_PCT AS OTHER_PCT,
        CAST(FLOOR(CAST(P.CPU_ONLINE AS DOUBLE) / NULLIF(P.SOCKETS, 0)) AS BIGINT) AS SOCKET_CPUS,
        O.MAX_CLAIM_PCT,
        D.INSTANCE_NAME,
        D.PLATFORM
    FROM TUNE.HOST_PROCESSOR AS P
    CROSS JOIN TUNE.DATABASE_TIME AS T
    INNER JOIN TUNE.TIME_BUCKET AS B ON B.BUCKET = 'PROCESSING'
    CROSS JOIN TUNE.RUN_DATABASE AS D
    CROSS JOIN TUNE.O_CPU_INSTANCE_SCALING_LIMIT AS O
    WHERE
        P.SOCKETS >= 2 AND P.CORES > P.SOCKETS
        AND (P.SOCKETS >= O.MIN_SOCKETS OR P.CORES >= O.MIN_CORES)
        AND COALESCE(P.TYPE, 'none') = 'none' AND P.PSET_CPUS IS NULL
        AND P.CPU_USAGE_TOTAL <= O.MAX_CPU_PCT
        AND T.ACTIVE_SESSIONS >= O.SESSIONS_PER_CORE * P.CORES
        AND T.POOL_READ_PCT + T.POOL_WRITE_PCT + T.PREFETCH_WAIT_PCT + COALESCE(T.DIRECT_PCT, 0)
        + T.LOG_DISK_PCT + T.LOG_BUFFER_PCT + T.LOCK_PCT < O.MAX_OTHER_PCT
        AND (T.LATCH_PCT >= O.MIN_LATCH_PCT OR B.PCT - COALESCE(T.CPU_PCT, 0) >= O.MIN_UNEXPLAINED_PCT)
),
STEP (N) AS (
    SELECT 0 AS N FROM TUNE.RUN_DATABASE
    UNION ALL SELECT 1 FROM TUNE.RUN_DATABASE
    UNION ALL SELECT 2 FROM TUNE.RUN_DATABASE
    UNION ALL SELECT 3 FROM TUNE.RUN_DATABASE
    UNION ALL SELECT 4 FROM TUNE.RUN_DATABASE
    UNION ALL SELECT 5 FROM TUNE.RUN_DATABASE
    UNION ALL SELECT 6 FROM TUNE.RUN_DATABASE
    UNION ALL SELECT 7 FROM TUNE.RUN_DATABASE
    UNION ALL SELECT 8 FROM TUNE.RUN_DATABASE
),
PLAN AS (
    SELECT
        M.*,
        S.N,
        CAST(S.N AS VARCHAR(20)) AS NUMBER_TEXT,
        'zone' || CAST(S.N AS VARCHAR(20)) AS ZONE_NAME,
        LEAST(M.LATCH_PCT, M.MAX_CLAIM_PCT) AS LATCH_CLAIM,
        LEAST(M.LATCH_PCT + M.UNEXPLAINED_PCT, M.MAX_CLAIM_PCT) AS WHOLE_CLAIM
    FROM MACHINE AS M
    INNER JOIN STEP AS S ON M.SOCKETS >= S.N
)
SELECT
    'INSTANCE' AS OBJECT_TYPE,
    P.INSTANCE_NAME AS OBJECT_NAME,
    CAST(NULL AS SMALLINT) AS MEMBER,
    P.WHOLE_CLAIM AS CLAIMED_PCT,
    CAST(0.18 AS DOUBLE) AS RECOVER_LOW,
    CAST(0.6 AS DOUBLE) AS RECOVER_EXPECTED,
    CASE P.SOCKETS WHEN 2 THEN CAST(0.6 AS DOUBLE) WHEN 3 THEN CAST(0.66 AS DOUBLE) ELSE CAST(0.73 AS DOUBLE) END
        AS RECOVER_HIGH,
    CAST(0.3 AS DOUBLE) AS CONFIDENCE,
    'INSTANCE:' || P.INSTANCE_NAME || ':SPLIT' AS TARGET,
    '1' AS CURRENT_VALUE,
    CAST(P.SOCKETS AS VARCHAR(20)) AS PROPOSED_VALUE,
    'instances' AS UNIT,
    CAST(0 AS BIGINT) AS MEMORY_DELTA_KB,
    CASE
        WHEN P.N = 0
            THEN '-- First bind this instance to one socket (' || CAST(P.SOCKET_CPUS AS VARCHAR(20))
                || ' processors) and measure: that alone gave 1.22 times the throughput.' || CHR(10)
                || '-- Then, if the database can be split, run ' || CAST(P.SOCKETS AS VARCHAR(20))
                || ' instances, each bound to one socket with its own data and log file systems: 2 gave 2.51, 3 gave'
                || ' 2.96 and 4 gave 3.68 times the throughput of the one that is not bound.'
        WHEN P.PLATFORM = 'Solaris'
            THEN '-- poolcfg -c ''create pset pset_' || P.ZONE_NAME || ' (uint pset.min = '
                || CAST(P.SOCKET_CPUS AS VARCHAR(20)) || '; uint pset.max = ' || CAST(P.SOCKET_CPUS AS VARCHAR(20))
                || ')''' || CHR(10) || '-- poolcfg -c ''create pool pool_' || P.ZONE_NAME || '''' || CHR(10)
                || '-- poolcfg -c ''associate pool pool_' || P.ZONE_NAME || ' (pset pset_' || P.ZONE_NAME || ')'''
                || CHR(10)
                || '-- zonecfg -z ' || P.ZONE_NAME || ', then: create; set zonepath=/zones/' || P.ZONE_NAME
                || '; set autoboot=true; set pool=pool_' || P.ZONE_NAME || '; add inherit-pkg-dir; set dir=/opt; end;'
                || ' add net; set address=<address>; set physical=<interface>; end;'
                || ' add fs; set dir=/data' || P.NUMBER_TEXT || '; set special=/data' || P.NUMBER_TEXT
                || '; set type=lofs; add options [forcedirectio]; end;'
                || ' add fs; set dir=/log' || P.NUMBER_TEXT || '; set special=/log' || P.NUMBER_TEXT
                || '; set type=lofs; add options [forcedirectio]; end; verify; commit; exit' || CHR(10)
                || '-- run the instance in ' || P.ZONE_NAME || ' in the fixed-priority scheduling class (FX)'
        WHEN P.PLATFORM = 'Linux'
            THEN '-- instance ' || P.NUMBER_TEXT || ': numactl --cpunodebind=' || CAST(P.N - 1 AS VARCHAR(20))
                || ' --membind=' || CAST(P.N - 1 AS VARCHAR(20)) || ' db2start, or a control group with cpuset'
        ELSE '-- instance ' || P.NUMBER_TEXT || ': bind it to the processors and the memory of socket ' || P.NUMBER_TEXT
    END AS ACTION_TEXT,
    CASE
        WHEN P.N = 0 THEN '-- merge the databases into one instance again and take its binding away'
        ELSE ''
    END AS UNDO_TEXT,
    'sockets=' || CAST(P.SOCKETS AS VARCHAR(20))
    || '; cores=' || CAST(P.CORES AS VARCHAR(20))
    || '; CPU_USAGE_TOTAL=' || CAST(P.CPU_USAGE_TOTAL AS VARCHAR(20))
    || '; active_sessions=' || CAST(CAST(ROUND(P.ACTIVE_SESSIONS, 1) AS DECIMAL(15, 1)) AS VARCHAR(20))
    || '; TOTAL_EXTENDED_LATCH_WAIT_TIME_pct='
    || CAST(CAST(ROUND(P.LATCH_PCT, 2) AS DECIMAL(9, 2)) AS VARCHAR(20))
    || '; unexplained_pct=' || CAST(CAST(ROUND(P.UNEXPLAINED_PCT, 2) AS DECIMAL(9, 2)) AS VARCHAR(20))
    || '; disk_log_lock_pct=' || CAST(CAST(ROUND(P.OTHER_PCT, 2) AS DECIMAL(9, 2)) AS VARCHAR(20)) AS EVIDENCE,
    CAST(CAST(ROUND(P.ACTIVE_SESSIONS, 0) AS BIGINT) AS VARCHAR(20)) || ' active sessions keep '
    || CAST(P.CORES AS VARCHAR(20)) || ' cores of ' || CAST(P.SOCKETS AS VARCHAR(20)) || ' sockets only '
    || CAST(P.CPU_USAGE_TOTAL AS VARCHAR(20)) || ' % busy; '
    || CAST(CAST(ROUND(P.LATCH_PCT, 2) AS DECIMAL(9, 2)) AS VARCHAR(20)) || ' % of the time waits for latches, '
    || CAST(CAST(ROUND(P.UNEXPLAINED_PCT, 2) AS DECIMAL(9, 2)) AS VARCHAR(20)) || ' % is not explained.' AS FINDING,
    P.WHOLE_CLAIM - P.LATCH_CLAIM AS CLAIM_2_PCT,
    CAST(0 AS DOUBLE) AS CLAIM_3_PCT
FROM PLAN AS P
