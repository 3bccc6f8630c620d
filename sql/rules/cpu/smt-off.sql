/*---
rule: cpu.smt-off
title: CPU capacity is disabled (SMT, clock or memory channels)
lane: performance
takes_effect: host change
risk: medium
steps_need: host
judged_by: load
needs: [host.threads_per_core, workload.TOTAL_CPU_TIME, system.CPU_USAGE_TOTAL]
asks: [host.channels_uneven]
object: HOST {HOST_NAME:text}
claims: {PROCESSING: {at_most_pct: 11}}
recover: [0.1, 0.45, 1]
confidence: 0.3
actions:
  - when: THREADS_OFF = 1
    set: {name: SMT, from: 'off', to: 'on'}
  - when: THREADS_OFF = 1
    manual: >-
      Enable simultaneous multithreading (Hyper-Threading) in the firmware of {HOST_NAME:text}, if the licence allows it
      and it is not off for security (mitigations with nosmt).
    undo: {manual: Disable it again in the firmware.}
  - when: CLOCK_LOW = 1
    set: {name: governor, from: '{GOVERNOR:text}', to: performance}
  - {when: CLOCK_LOW = 1, manual: 'Make it permanent with a tuned profile, such as throughput-performance.'}
  - when: UNEVEN = 1
    manual: Fill the memory channels of {HOST_NAME:text} with equal modules in equal numbers.
    undo: {manual: Put the previous memory modules back.}
finding:
  - The processors of host {HOST_NAME:text} are {CPU_USAGE_TOTAL} % busy.
  - {when: THREADS_OFF = 1, text: Their second hardware threads are off.}
  - when: CLOCK_LOW = 1
    text: >-
      Governor {GOVERNOR:text}[ of {FREQUENCY_DRIVER:text}] limits their clock[ (preference {ENERGY_PREFERENCE:text})].
  - {when: UNEVEN = 1, text: Their memory channels are filled unevenly.}
evidence:
  - threads_per_core=THREADS_PER_CORE
  - cores=CORES
  - governor=GOVERNOR:text
  - frequency_driver=FREQUENCY_DRIVER:text?
  - energy_preference=ENERGY_PREFERENCE:text?
  - when: UNEVEN = 1
    figures: [channels_uneven=UNEVEN]
  - CPU_USAGE_TOTAL
references:
  - x445, "Hyper-Threading" (up to 13 % more throughput on the 8-way, 11 % less time)
  - vmware-netapp, section 5.1
  - Linux kernel documentation, "intel_pstate CPU Performance Scaling Driver" and "CPU Performance Scaling"
why: >-
  A core with two threads runs one while the other waits for memory, which happens often in databases. A power-saving
  frequency governor keeps the clock low between short bursts of work.
not_if: >-
  The host is a virtual machine or a zone, or less than 40 % busy; the cores have one thread only, or both are on; the
  clock follows the load; no memory channels are known to be uneven; Windows before 9.7 would see more than 32
  processors.
note: >-
  The 13 % come from one analysis load on a Xeon of 2004: 5 % is expected, with low confidence. A licence per thread may
  forbid it. Turbo mode and hardware prefetchers are in the same menu; no host fact covers them. The cost of a low clock
  and uneven memory channels is not measured: alone they are housekeeping. With acpi-cpufreq, powersave is the lowest
  clock. With intel_pstate and amd-pstate it is the ordinary governor, which follows the load; only the preference
  "power" keeps the clock low.
---*/
WITH JUDGED AS (
    SELECT
        P.HOST_NAME,
        P.CORES,
        P.CPU_USAGE_TOTAL,
        P.THREADS_PER_CORE,
        P.GOVERNOR,
        P.FREQUENCY_DRIVER,
        P.ENERGY_PREFERENCE,
        CASE
            WHEN
                P.THREADS_PER_CORE = 1 AND P.SMT_CAPABLE = 1
                AND NOT (D.PLATFORM = 'Windows' AND D.DB2_LEVEL < 9070000 AND 2 * P.CORES > 32)
                THEN 1
            ELSE 0
        END AS THREADS_OFF,
        CASE
            WHEN
                P.GOVERNOR = 'powersave'
                AND (P.FREQUENCY_DRIVER LIKE 'intel_pstate%' OR P.FREQUENCY_DRIVER LIKE 'amd%pstate%')
                THEN CASE WHEN P.ENERGY_PREFERENCE = 'power' THEN 1 ELSE 0 END
            WHEN P.GOVERNOR = 'powersave' AND P.FREQUENCY_DRIVER IS NOT NULL THEN 1
            WHEN P.GOVERNOR = 'conservative' THEN 1
            ELSE 0
        END AS CLOCK_LOW,
        CASE WHEN M.NUM = 1 THEN 1 ELSE 0 END AS UNEVEN,
        P.HOST_SHARE,
        T.CPU_PCT
    FROM TUNE.HOST_PROCESSOR AS P
    CROSS JOIN TUNE.RUN_DATABASE AS D
    CROSS JOIN TUNE.DATABASE_TIME AS T
    CROSS JOIN TUNE.O_SITE AS SITE
    LEFT JOIN TUNE.HOST_FACT AS M
        ON P.HOST_NAME = M.HOST AND M.FACT_KEY = 'memory' AND M.ITEM = 'channels_uneven'
    WHERE
        COALESCE(P.TYPE, 'none') = 'none' AND P.CPU_LIMIT IS NULL
        AND P.CPU_USAGE_TOTAL >= SITE.IDLE_CPU_PCT AND T.CPU_PCT > 0
)
SELECT
    HOST_NAME, CORES, CPU_USAGE_TOTAL, THREADS_PER_CORE, GOVERNOR, FREQUENCY_DRIVER, ENERGY_PREFERENCE, THREADS_OFF,
    CLOCK_LOW, UNEVEN,
    -- the loss of the paper's 8-way machine without it, as a part of the time on processors
    CASE WHEN THREADS_OFF = 1 THEN 0.11 * CPU_PCT * HOST_SHARE END AS CLAIM_PROCESSING
FROM JUDGED
WHERE THREADS_OFF = 1 OR CLOCK_LOW = 1 OR UNEVEN = 1
