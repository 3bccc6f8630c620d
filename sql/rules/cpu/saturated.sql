-- rule:       cpu.saturated
-- title:      The processors of the host are the bottleneck
-- area:       cpu
-- lane:       H
-- effect:     HR
-- applies:    not=managed
-- judged-by:  load
-- confidence: 0.6
-- needs:      system.CPU_USAGE_TOTAL, system.CPU_ONLINE, workload.TOTAL_CPU_TIME
-- threshold:  busy_pct = 80 -- [seed 002] what section 5.3 takes for a reasonable ceiling
-- threshold:  alert_pct = 90 -- [seed 002] where section 5.3 raises an alert
-- threshold:  min_own_pct = 20 -- [prop] with less of it used here, this database is not what keeps the host busy
-- object:     HOST {HOST_NAME:text}
-- by-hand:    Do first what saves processor time (indexes, statistics, large pages, less monitoring); put off what
--             costs it (compression, intra-partition parallelism).
-- undo-by-hand: nothing to take back: this changes no setting
-- by-hand:    Then let the workload manager hold back what can wait, or give the host more processors.
-- finding:    when CPU_USAGE_TOTAL >= ALERT_PCT: The processors of host {HOST_NAME:text} are {CPU_USAGE_TOTAL} % busy
--             (too much), {DB2_CPU_PCT:2} % with this database over the interval.
-- finding:    else: The processors of host {HOST_NAME:text} are {CPU_USAGE_TOTAL} % busy (near the ceiling),
--             {DB2_CPU_PCT:2} % with this database over the interval.
-- evidence:   CPU_USAGE_TOTAL, database_cpu_pct=DB2_CPU_PCT:2, CPU_ONLINE, cores=CORES
-- source:     002_e991ec30bbd9209f.txt, section 5.3; 000_9a1c354496f94ea4.txt (no processor near 100 %)
-- why:        When processors are busy, every request waits for them, and other waits get longer than their causes.
--             Advice that saves processor time is worth more then, and advice that costs it is worth less.
-- not-if:     The host is less than 80 % busy, or this database used less than 20 % of its processors; a managed
--             database.
-- note:       Context, not a remedy. The catalogue multiplies the benefit of other rules by it; the ranking knows no
--             such factor, so it is for the reader. CPU_USAGE_TOTAL is a sample: the part that this database used on
--             average over the interval must agree, three intervals are not asked for. Single processors are not seen.
SELECT
    P.HOST_NAME,
    P.CPU_USAGE_TOTAL,
    P.DB2_CPU_PCT,
    P.CPU_ONLINE,
    P.CORES,
    O.ALERT_PCT
FROM TUNE.HOST_PROCESSOR AS P
CROSS JOIN TUNE.O_CPU_SATURATED AS O
WHERE
    P.CPU_USAGE_TOTAL >= O.BUSY_PCT
    AND P.DB2_CPU_PCT >= O.MIN_OWN_PCT
