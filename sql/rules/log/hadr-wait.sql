-- rule:      log.hadr-wait
-- title:     Commits wait for the HADR standby
-- area:      log
-- lane:      P
-- effect:    RA
-- risk:      high
-- applies:   not=managed
-- evidence:  load
-- claims:    LOG_DISK
-- needs:     transaction_log.LOG_HADR_WAIT_TIME, transaction_log.LOG_WRITE_TIME, dbcfg.VALUE,
--            workload.LOG_DISK_WAIT_TIME
-- threshold: min_log_pct = 5 -- [prop] a smaller share of database time does not justify touching availability
-- threshold: min_part = 0.5 -- [prop] from half of the logger's time on, the standby is the cause
-- source:    IBM's db2mon (LOG_HADR_WAIT_TIME beside LOG_WRITE_TIME); IBM documentation of hadr_syncmode (r0011445)
-- why:       In SYNC and NEARSYNC a commit waits until the standby has the log records; in ASYNC until the
--            network took them. The round trip, or a standby that reads too slowly, becomes commit time.
-- not-if:    HADR_SYNCMODE is SUPERASYNC, which waits for nothing; another mode waits already.
-- note:      LOG_HADR_WAIT_TIME is taken to be the logger's own time (no manual says so), so it is put in relation
--            to the logger's other work (LOG_WRITE_TIME) and that part applied to what agents waited
--            (LOG_DISK_WAIT_TIME); the catalogue divides the one by the other, which mixes one thread with many.
--            HADR parameters change only while HADR is stopped, and a weaker mode can lose transactions: text
--            for a person.
WITH WAITED AS (
    SELECT
        CAST(SUM(LOG_HADR_WAIT_TIME) AS DOUBLE) AS HADR_MS,
        CAST(SUM(LOG_HADR_WAIT_TIME) + SUM(LOG_WRITE_TIME) AS DOUBLE) AS LOGGER_MS
    FROM TUNE.LOG
),
MODE AS (
    SELECT
        MIN(VALUE) AS SYNCMODE,
        MAX(PENDING) AS PENDING
    FROM TUNE.CONFIG
    WHERE SCOPE = 'DB' AND NAME = 'hadr_syncmode'
)
SELECT
    'DATABASE' AS OBJECT_TYPE,
    D.DB_NAME AS OBJECT_NAME,
    CAST(NULL AS SMALLINT) AS MEMBER,
    T.LOG_DISK_PCT * W.HADR_MS / CAST(NULLIF(W.LOGGER_MS, 0) AS DOUBLE) AS CLAIMED_PCT,
    CAST(0.2 AS DOUBLE) AS RECOVER_LOW,
    CAST(0.4 AS DOUBLE) AS RECOVER_EXPECTED,
    CAST(0.8 AS DOUBLE) AS RECOVER_HIGH,
    CAST(0.6 AS DOUBLE) AS CONFIDENCE,
    CASE M.SYNCMODE WHEN 'SYNC' THEN 'DBCFG:HADR_SYNCMODE' END AS TARGET,
    CASE M.SYNCMODE WHEN 'SYNC' THEN M.SYNCMODE END AS CURRENT_VALUE,
    CASE M.SYNCMODE WHEN 'SYNC' THEN 'NEARSYNC' END AS PROPOSED_VALUE,
    CASE M.SYNCMODE WHEN 'SYNC' THEN 'mode' END AS UNIT,
    CAST(0 AS BIGINT) AS MEMORY_DELTA_KB,
    CASE
        WHEN M.SYNCMODE = 'SYNC'
            THEN '-- if a failure of both sites at once may lose transactions: stop HADR, on both sites'
                || ' UPDATE DB CFG FOR ' || D.DB_NAME || ' USING HADR_SYNCMODE NEARSYNC, start HADR' || CHR(10)
        ELSE ''
    END
    || '-- look at the network to the standby and at the speed of its log replay; consider larger'
    || ' DB2_HADR_SOSNDBUF and DB2_HADR_SORCVBUF on both sites and HADR_SPOOL_LIMIT on the standby' AS ACTION_TEXT,
    '-- put back what was changed'
    || CASE
        WHEN M.SYNCMODE = 'SYNC'
            THEN ': stop HADR, on both sites UPDATE DB CFG FOR ' || D.DB_NAME || ' USING HADR_SYNCMODE SYNC, start HADR'
        ELSE ''
    END AS UNDO_TEXT,
    'HADR_SYNCMODE=' || M.SYNCMODE
    || '; hadr_part_pct='
    || CAST(CAST(ROUND(100 * W.HADR_MS / CAST(NULLIF(W.LOGGER_MS, 0) AS DOUBLE), 2) AS DECIMAL(9, 2)) AS VARCHAR(20))
    || '; LOG_DISK_WAIT_TIME_pct=' || CAST(CAST(ROUND(T.LOG_DISK_PCT, 2) AS DECIMAL(9, 2)) AS VARCHAR(20)) AS EVIDENCE,
    'The logger spends '
    || CAST(CAST(ROUND(100 * W.HADR_MS / CAST(NULLIF(W.LOGGER_MS, 0) AS DOUBLE), 2) AS DECIMAL(9, 2)) AS VARCHAR(20))
    || ' % of its time waiting for the standby (' || M.SYNCMODE || '); commits wait for the log for '
    || CAST(CAST(ROUND(T.LOG_DISK_PCT, 2) AS DECIMAL(9, 2)) AS VARCHAR(20)) || ' % of database time.' AS FINDING,
    CAST(0 AS DOUBLE) AS CLAIM_2_PCT,
    CAST(0 AS DOUBLE) AS CLAIM_3_PCT
FROM WAITED AS W
CROSS JOIN MODE AS M
CROSS JOIN TUNE.DATABASE_TIME AS T
CROSS JOIN TUNE.RUN_DATABASE AS D
CROSS JOIN TUNE.O_LOG_HADR_WAIT AS O
WHERE
    T.LOG_DISK_PCT >= O.MIN_LOG_PCT
    AND W.HADR_MS >= O.MIN_PART * W.LOGGER_MS
    AND W.HADR_MS > 0
    AND M.SYNCMODE IN ('SYNC', 'NEARSYNC', 'ASYNC')
    AND M.PENDING = 0
