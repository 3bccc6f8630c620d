-- rule:      cpu.saturated
-- title:     The processors of the host are the bottleneck
-- area:      cpu
-- lane:      H
-- effect:    HR
-- applies:   not=managed
-- evidence:  load
-- needs:     system.CPU_USAGE_TOTAL, system.CPU_ONLINE, workload.TOTAL_CPU_TIME
-- threshold: busy_pct = 80 -- [seed 002] what section 5.3 takes for a reasonable ceiling
-- threshold: alert_pct = 90 -- [seed 002] where section 5.3 raises an alert
-- threshold: min_own_pct = 20 -- [prop] with less of it used here, this database is not what keeps the host busy
-- source:    002_e991ec30bbd9209f.txt, section 5.3; 000_9a1c354496f94ea4.txt (no processor near 100 %)
-- why:       When processors are busy, every request waits for them, and other waits get longer than their causes.
--            Advice that saves processor time is worth more then, and advice that costs it is worth less.
-- not-if:    The host is less than 80 % busy, or this database used less than 20 % of its processors; a managed
--            database.
-- note:      Context, not a remedy. The catalogue multiplies the benefit of other rules by it; the ranking knows no
--            such factor, so it is for the reader. CPU_USAGE_TOTAL is a sample: the part that this database used on
--            average over the interval must agree, three intervals are not asked for. Single processors are not seen.
SELECT
    'HOST' AS OBJECT_TYPE,
    P.HOST_NAME AS OBJECT_NAME,
    CAST(NULL AS SMALLINT) AS MEMBER,
    CAST(0 AS DOUBLE) AS CLAIMED_PCT,
    CAST(0 AS DOUBLE) AS RECOVER_LOW,
    CAST(0 AS DOUBLE) AS RECOVER_EXPECTED,
    CAST(0 AS DOUBLE) AS RECOVER_HIGH,
    CAST(0.6 AS DOUBLE) AS CONFIDENCE,
    CAST(NULL AS VARCHAR(400)) AS TARGET,
    CAST(NULL AS VARCHAR(1024)) AS CURRENT_VALUE,
    CAST(NULL AS VARCHAR(1024)) AS PROPOSED_VALUE,
    CAST(NULL AS VARCHAR(40)) AS UNIT,
    CAST(0 AS BIGINT) AS MEMORY_DELTA_KB,
    '-- Do first what saves processor time (indexes, statistics, large pages, less monitoring); put off what costs it'
    || ' (compression, intra-partition parallelism).' || CHR(10)
    || '-- Then let the workload manager hold back what can wait, or give the host more processors.' AS ACTION_TEXT,
    '-- nothing to take back: this changes no setting' AS UNDO_TEXT,
    'CPU_USAGE_TOTAL=' || CAST(P.CPU_USAGE_TOTAL AS VARCHAR(20))
    || '; database_cpu_pct=' || CAST(CAST(ROUND(P.DB2_CPU_PCT, 2) AS DECIMAL(9, 2)) AS VARCHAR(20))
    || '; CPU_ONLINE=' || CAST(P.CPU_ONLINE AS VARCHAR(20))
    || '; cores=' || COALESCE(CAST(P.CORES AS VARCHAR(20)), 'not known') AS EVIDENCE,
    'The processors of host ' || P.HOST_NAME || ' are ' || CAST(P.CPU_USAGE_TOTAL AS VARCHAR(20)) || ' % busy ('
    || CASE WHEN P.CPU_USAGE_TOTAL >= O.ALERT_PCT THEN 'too much' ELSE 'near the ceiling' END
    || '), ' || CAST(CAST(ROUND(P.DB2_CPU_PCT, 2) AS DECIMAL(9, 2)) AS VARCHAR(20))
    || ' % with this database over the interval.' AS FINDING,
    CAST(0 AS DOUBLE) AS CLAIM_2_PCT,
    CAST(0 AS DOUBLE) AS CLAIM_3_PCT
FROM TUNE.HOST_PROCESSOR AS P
CROSS JOIN TUNE.O_CPU_SATURATED AS O
WHERE
    P.CPU_USAGE_TOTAL >= O.BUSY_PCT
    AND P.DB2_CPU_PCT >= O.MIN_OWN_PCT
