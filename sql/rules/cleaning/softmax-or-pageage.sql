-- rule:      cleaning.softmax-or-pageage
-- title:     The recovery window drives page cleaning
-- area:      cleaning
-- lane:      P
-- effect:    RA
-- risk:      medium
-- applies:   not=managed,purescale
-- evidence:  config
-- claims:    POOL_WRITE, LOG_DISK
-- after:     log.space-sizing
-- needs:     dbcfg.VALUE
-- threshold: max_softmax = 100 -- [doc] one log file, the former default
-- threshold: new_softmax = 300 -- [doc] three log files, the manual's example; 002 used 1000
-- threshold: gap_part = 0.6 -- [prop] the part of the calls of the page cleaners that the log gap made
-- threshold: min_triggers = 50 -- [prop] fewer calls say nothing about their cause
-- threshold: min_writes_per_s = 200 -- [prop] below it cleaning is no load
-- threshold: log_part = 0.2 -- [prop] of the waits for the log, what bursts of writes cost
-- source:    002_e991ec30bbd9209f.txt, appendices A (SOFTMAX 100) and B (1000); IBM documentation of softmax (r0000242)
--            and page_age_trgt_mcr (r0061025)
-- why:       With SOFTMAX the page cleaners write whatever is older than so many percent of a log file, in bursts as
--            the log fills. From 10.5 SOFTMAX 0 hands the window to PAGE_AGE_TRGT_MCR, in seconds: new databases are
--            made so, upgraded ones keep SOFTMAX, which is deprecated.
-- not-if:    SOFTMAX is 0; members differ or another value waits. Before 10.5 also: not transaction processing, more
--            than one log file, another cause calls the cleaners, few pages are written, proactive page cleaning.
-- note:      Crash recovery may take longer: the finding says how much log it reads now. Who promised a recovery time
--            that this would break should accept the finding. PAGE_AGE_TRGT_MCR keeps its value, so only SOFTMAX is
--            set. From 10.5 any value but 0 is at least housekeeping; time is claimed only where load shows it.
WITH CHANGE AS (
    SELECT
        C.*,
        D.DB_NAME,
        CASE WHEN D.DB2_LEVEL >= 10050000 THEN 0 ELSE CAST(FLOOR(O.NEW_SOFTMAX) AS BIGINT) END AS NEW_SOFTMAX,
        CASE
            WHEN
                W.USABLE = 1
                AND K.CLASS = 'OLTP'
                AND C.ALTERNATE = 0
                AND C.SOFTMAX <= O.MAX_SOFTMAX
                AND C.TRIGGERS >= O.MIN_TRIGGERS
                AND C.LOG_GAP_PART >= O.GAP_PART
                AND C.WRITES >= O.MIN_WRITES_PER_S * T.SECONDS
                THEN K.P_OLTP
            ELSE 0
        END AS SHOWN,
        COALESCE(T.POOL_WRITE_PCT, 0) AS POOL_WRITE_PCT,
        O.LOG_PART * COALESCE(T.LOG_DISK_PCT, 0) AS LOG_PCT,
        -- a log file is LOGFILSIZ pages of 4 KB
        CAST(ROUND(C.SOFTMAX * L.NUM * 4 / CAST(102400 AS DOUBLE), 0) AS BIGINT) AS WINDOW_MB
    FROM TUNE.PAGE_CLEANING AS C
    CROSS JOIN TUNE.RUN_DATABASE AS D
    CROSS JOIN TUNE.RUN_WINDOW AS W
    CROSS JOIN TUNE.DATABASE_TIME AS T
    CROSS JOIN TUNE.WORKLOAD_CLASS AS K
    CROSS JOIN TUNE.O_CLEANING_SOFTMAX_OR_PAGEAGE AS O
    CROSS JOIN (SELECT MAX(NUM) AS NUM FROM TUNE.CONFIG WHERE SCOPE = 'DB' AND NAME = 'logfilsiz') AS L
    WHERE C.SOFTMAX >= 1
)
SELECT
    'DATABASE' AS OBJECT_TYPE,
    C.DB_NAME AS OBJECT_NAME,
    CAST(NULL AS SMALLINT) AS MEMBER,
    (C.POOL_WRITE_PCT + C.LOG_PCT) * C.SHOWN AS CLAIMED_PCT,
    CAST(0.1 AS DOUBLE) AS RECOVER_LOW,
    CAST(0.2 AS DOUBLE) AS RECOVER_EXPECTED,
    CAST(0.4 AS DOUBLE) AS RECOVER_HIGH,
    CAST(0.6 AS DOUBLE) AS CONFIDENCE,
    'DBCFG:SOFTMAX' AS TARGET,
    CAST(C.SOFTMAX AS VARCHAR(20)) AS CURRENT_VALUE,
    CAST(C.NEW_SOFTMAX AS VARCHAR(20)) AS PROPOSED_VALUE,
    'percent of a log file' AS UNIT,
    CAST(0 AS BIGINT) AS MEMORY_DELTA_KB,
    'UPDATE DB CFG FOR ' || C.DB_NAME || ' USING SOFTMAX ' || CAST(C.NEW_SOFTMAX AS VARCHAR(20)) AS ACTION_TEXT,
    'UPDATE DB CFG FOR ' || C.DB_NAME || ' USING SOFTMAX ' || CAST(C.SOFTMAX AS VARCHAR(20)) AS UNDO_TEXT,
    'SOFTMAX=' || CAST(C.SOFTMAX AS VARCHAR(20))
    || COALESCE('; PAGE_AGE_TRGT_MCR=' || CAST(C.PAGE_AGE_TRGT_MCR AS VARCHAR(20)), '')
    || '; POOL_LSN_GAP_CLNS=' || CAST(COALESCE(C.LOG_GAPS, 0) AS VARCHAR(20))
    || '; all_triggers=' || CAST(COALESCE(C.TRIGGERS, 0) AS VARCHAR(20))
    || '; pages_written=' || CAST(COALESCE(C.WRITES, 0) AS VARCHAR(20)) AS EVIDENCE,
    'SOFTMAX ' || CAST(C.SOFTMAX AS VARCHAR(20)) || ' makes page cleaners write what is older than '
    || COALESCE(CAST(C.WINDOW_MB AS VARCHAR(20)) || ' MB of log', CAST(C.SOFTMAX AS VARCHAR(20)) || ' % of a log file')
    || CASE
        WHEN C.SHOWN > 0
            THEN ': this called them ' || CAST(C.LOG_GAPS AS VARCHAR(20)) || ' of '
            || CAST(C.TRIGGERS AS VARCHAR(20)) || ' times.'
        ELSE ''
    END
    || CASE
        WHEN C.NEW_SOFTMAX > 0 THEN ''
        ELSE CASE WHEN C.SHOWN > 0 THEN ' It' ELSE '; it' END
            || ' is deprecated; with 0, PAGE_AGE_TRGT_MCR'
            || COALESCE(' (' || CAST(C.PAGE_AGE_TRGT_MCR AS VARCHAR(20)) || ' s)', '') || ' takes its place.'
    END AS FINDING,
    C.LOG_PCT * C.SHOWN AS CLAIM_2_PCT,
    CAST(0 AS DOUBLE) AS CLAIM_3_PCT
FROM CHANGE AS C
WHERE C.NEW_SOFTMAX = 0 OR C.SHOWN > 0
