-- rule:      cpu.smt-off
-- title:     Processors run with less than they have
-- area:      cpu
-- lane:      P
-- effect:    HR
-- risk:      medium
-- applies:   not=managed
-- evidence:  load
-- claims:    PROCESSING
-- asks:      host.channels_uneven
-- needs:     host.threads_per_core, workload.TOTAL_CPU_TIME, system.CPU_USAGE_TOTAL
-- threshold: min_cpu_pct = 40 -- [prop] a host that is less busy does not need more threads or a higher clock
-- threshold: windows_limit = 32 -- [seed 000] logical processors that the Windows of those levels could use
-- source:    000_9a1c354496f94ea4.txt, "Hyper-Threading" (up to 13 % on the 8-way);
--            002_e991ec30bbd9209f.txt, section 5.1
-- why:       A core with two threads works on one while the other waits for memory, which databases do much of the
--            time. A frequency governor that saves power keeps the clock low between short bursts of work.
-- not-if:    The host is a virtual machine or a zone, or less than 40 % busy; the cores have one thread only, or both
--            are on, the governor is performance or not known, and no memory channels are known to be uneven; a
--            Windows before 9.7 that would see more than 32 processors; a managed database.
-- note:      The 13 % are those of one analysis load on a Xeon of 2004: expected is 5 %, low confidence. A licence by
--            thread may forbid it. Turbo mode and hardware prefetchers are set in the same menu; no fact tells them.
--            What uneven memory channels cost is not measured: alone they are housekeeping.
WITH FOUND AS (
    SELECT
        P.HOST_NAME,
        P.CORES,
        P.CPU_USAGE_TOTAL,
        P.THREADS_PER_CORE,
        P.GOVERNOR,
        CASE
            WHEN
                P.THREADS_PER_CORE = 1 AND P.SMT_CAPABLE = 1
                AND NOT (D.PLATFORM = 'Windows' AND D.DB2_LEVEL < 9070000 AND 2 * P.CORES > O.WINDOWS_LIMIT)
                THEN 1
            ELSE 0
        END AS THREADS_OFF,
        CASE WHEN P.GOVERNOR <> 'performance' THEN 1 ELSE 0 END AS CLOCK_LOW,
        CASE WHEN M.NUM = 1 THEN 1 ELSE 0 END AS UNEVEN
    FROM TUNE.HOST_PROCESSOR AS P
    CROSS JOIN TUNE.RUN_DATABASE AS D
    CROSS JOIN TUNE.O_CPU_SMT_OFF AS O
    LEFT JOIN TUNE.HOST_FACT AS M
        ON P.HOST_NAME = M.HOST AND M.FACT_KEY = 'memory' AND M.ITEM = 'channels_uneven'
    WHERE COALESCE(P.TYPE, 'none') = 'none' AND P.CPU_USAGE_TOTAL >= O.MIN_CPU_PCT
)
SELECT
    'HOST' AS OBJECT_TYPE,
    F.HOST_NAME AS OBJECT_NAME,
    CAST(NULL AS SMALLINT) AS MEMBER,
    CASE WHEN F.THREADS_OFF = 1 OR F.CLOCK_LOW = 1 THEN T.CPU_PCT ELSE 0 END AS CLAIMED_PCT,
    CAST(0.02 AS DOUBLE) AS RECOVER_LOW,
    CAST(0.05 AS DOUBLE) AS RECOVER_EXPECTED,
    CAST(0.11 AS DOUBLE) AS RECOVER_HIGH,
    CAST(0.3 AS DOUBLE) AS CONFIDENCE,
    'HOST:' || F.HOST_NAME || ':CPU' AS TARGET,
    CAST(F.THREADS_PER_CORE AS VARCHAR(20)) || ' threads, ' || COALESCE(F.GOVERNOR, 'governor not known')
        AS CURRENT_VALUE,
    CASE WHEN F.THREADS_OFF = 1 THEN 'all threads' WHEN F.CLOCK_LOW = 1 THEN 'performance' END AS PROPOSED_VALUE,
    CAST(NULL AS VARCHAR(40)) AS UNIT,
    CAST(0 AS BIGINT) AS MEMORY_DELTA_KB,
    SUBSTR(
        CASE
            WHEN F.THREADS_OFF = 1
                THEN CHR(10) || '-- switch on simultaneous multithreading (Hyper-Threading) in the firmware of '
                    || F.HOST_NAME || ', if the licence allows'
            ELSE ''
        END
        || CASE WHEN F.CLOCK_LOW = 1 THEN CHR(10) || 'cpupower frequency-set -g performance' ELSE '' END
        || CASE
            WHEN F.UNEVEN = 1
                THEN CHR(10) || '-- fill the memory channels of ' || F.HOST_NAME
                    || ' with modules of one kind and number'
            ELSE ''
        END, 2
    ) AS ACTION_TEXT,
    SUBSTR(
        CASE WHEN F.THREADS_OFF = 1 THEN CHR(10) || '-- switch it off again in the firmware' ELSE '' END
        || CASE WHEN F.CLOCK_LOW = 1 THEN CHR(10) || 'cpupower frequency-set -g ' || F.GOVERNOR ELSE '' END
        || CASE WHEN F.UNEVEN = 1 THEN CHR(10) || '-- put the memory modules back' ELSE '' END, 2
    ) AS UNDO_TEXT,
    'threads_per_core=' || CAST(F.THREADS_PER_CORE AS VARCHAR(20))
    || '; cores=' || COALESCE(CAST(F.CORES AS VARCHAR(20)), 'not known')
    || '; governor=' || COALESCE(F.GOVERNOR, 'not known')
    || CASE WHEN F.UNEVEN = 1 THEN '; channels_uneven=1' ELSE '' END
    || '; CPU_USAGE_TOTAL=' || CAST(F.CPU_USAGE_TOTAL AS VARCHAR(20)) AS EVIDENCE,
    'The processors of host ' || F.HOST_NAME || ' are ' || CAST(F.CPU_USAGE_TOTAL AS VARCHAR(20)) || ' % busy'
    || CASE WHEN F.THREADS_OFF = 1 THEN ', their second threads are off' ELSE '' END
    || CASE WHEN F.CLOCK_LOW = 1 THEN ', their clock is governed by ' || F.GOVERNOR ELSE '' END
    || CASE WHEN F.UNEVEN = 1 THEN ', the channels of their memory are filled unevenly' ELSE '' END || '.' AS FINDING,
    CAST(0 AS DOUBLE) AS CLAIM_2_PCT,
    CAST(0 AS DOUBLE) AS CLAIM_3_PCT
FROM FOUND AS F
CROSS JOIN TUNE.DATABASE_TIME AS T
WHERE T.CPU_PCT > 0 AND (F.THREADS_OFF = 1 OR F.CLOCK_LOW = 1 OR F.UNEVEN = 1)
