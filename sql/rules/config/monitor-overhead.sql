-- rule:      config.monitor-overhead
-- title:     Monitoring, auditing or diagnostics cost time
-- area:      config
-- lane:      P/H
-- effect:    ON
-- applies:   not=managed
-- evidence:  load
-- claims:    MONITORING
-- needs:     dbmcfg.VALUE
-- threshold: min_wait_pct = 1 -- [prop] percent of database time in one of these waits
-- source:    002_e991ec30bbd9209f.txt, appendices (all switches OFF, DIAGLEVEL 3); IBM documentation of dft_monswitches
--            (r0000297), health_mon (r0006023)
-- why:       Agents wait while records of an event monitor, of the audit log or of db2diag.log are written. The
--            switches of the snapshot monitor make every agent keep counts that the MON_GET functions do not need.
-- not-if:    Less than 1 % of the time is waited for each; the switches and the health monitor are off and the
--            diagnostic level is 3 or less, or will be; a managed database.
-- note:      Who reads snapshots cannot be seen: the switches are a hint without a claim. Which event monitor it is
--            must be looked up. Buffered audit records are lost in a crash, so AUDIT_BUF_SZ is for a person to decide.
--            The change takes effect at once only after ATTACH to the instance, else with the next db2start.
--            DFT_MON_TIMESTAMP is on by default and left alone.
WITH WAITS AS (
    SELECT
        100 * CAST(SUM(COALESCE(X.EVMON_WAIT_TIME, 0)) AS DOUBLE) / NULLIF(MAX(T.DBT_MS), 0) AS EVMON_PCT,
        100 * CAST(SUM(COALESCE(X.DIAGLOG_WRITE_WAIT_TIME, 0)) AS DOUBLE) / NULLIF(MAX(T.DBT_MS), 0) AS DIAGLOG_PCT,
        100 * CAST(SUM(COALESCE(X.AUDIT_FILE_WRITE_WAIT_TIME, 0) + COALESCE(X.AUDIT_SUBSYSTEM_WAIT_TIME, 0)) AS DOUBLE)
        / NULLIF(MAX(T.DBT_MS), 0) AS AUDIT_PCT
    FROM TUNE.D_WORKLOAD AS X
    CROSS JOIN TUNE.DATABASE_TIME AS T
),
SETTING AS (
    SELECT
        UPPER(NAME) AS NAME,
        VALUE,
        CASE NAME WHEN 'diaglevel' THEN '3' ELSE 'OFF' END AS RESET_VALUE
    FROM TUNE.CONFIG
    WHERE
        SCOPE = 'DBM' AND PENDING = 0
        AND (
            (
                NAME IN (
                    'dft_mon_bufpool', 'dft_mon_lock', 'dft_mon_sort', 'dft_mon_stmt', 'dft_mon_table', 'dft_mon_uow',
                    'health_mon'
                )
                AND VALUE IN ('ON', 'YES')
            )
            OR (NAME = 'diaglevel' AND NUM = 4)
        )
),
FOUND (OBJECT_TYPE, CLAIMED_PCT, TARGET, CURRENT_VALUE, PROPOSED_VALUE, ACTION_TEXT, UNDO_TEXT, FINDING) AS (
    SELECT
        'DATABASE' AS OBJECT_TYPE,
        CASE WHEN W.EVMON_PCT >= O.MIN_WAIT_PCT THEN W.EVMON_PCT ELSE 0 END
        + CASE WHEN W.DIAGLOG_PCT >= O.MIN_WAIT_PCT THEN W.DIAGLOG_PCT ELSE 0 END
        + CASE WHEN W.AUDIT_PCT >= O.MIN_WAIT_PCT THEN W.AUDIT_PCT ELSE 0 END AS CLAIMED_PCT,
        CAST(NULL AS VARCHAR(400)) AS TARGET,
        CAST(NULL AS VARCHAR(1024)) AS CURRENT_VALUE,
        CAST(NULL AS VARCHAR(1024)) AS PROPOSED_VALUE,
        SUBSTR(
            CASE
                WHEN W.EVMON_PCT >= O.MIN_WAIT_PCT
                    THEN CHR(10) || '-- see which event monitors are active: SELECT EVMONNAME FROM SYSCAT.EVENTMONITORS'
                        || ' WHERE EVENT_MON_STATE(EVMONNAME) = 1; switch off what nobody reads: SET EVENT MONITOR'
                        || ' <name> STATE 0, or collect less with it'
                ELSE ''
            END
            || CASE
                WHEN W.DIAGLOG_PCT >= O.MIN_WAIT_PCT
                    THEN CHR(10) || '-- see what fills db2diag.log, and lay DIAGPATH on a fast file system of its own'
                ELSE ''
            END
            || CASE
                WHEN W.AUDIT_PCT >= O.MIN_WAIT_PCT
                    THEN CHR(10) || '-- audit fewer categories, or let audit records be buffered (AUDIT_BUF_SZ above 0)'
                ELSE ''
            END, 2
        ) AS ACTION_TEXT,
        '-- switch on again what was switched off' AS UNDO_TEXT,
        'Agents waited for event monitors '
        || CAST(CAST(ROUND(COALESCE(W.EVMON_PCT, 0), 2) AS DECIMAL(9, 2)) AS VARCHAR(20))
        || ' % of database time, for db2diag.log '
        || CAST(CAST(ROUND(COALESCE(W.DIAGLOG_PCT, 0), 2) AS DECIMAL(9, 2)) AS VARCHAR(20))
        || ' %, for the audit log '
        || CAST(CAST(ROUND(COALESCE(W.AUDIT_PCT, 0), 2) AS DECIMAL(9, 2)) AS VARCHAR(20)) || ' %.' AS FINDING
    FROM WAITS AS W
    CROSS JOIN TUNE.O_CONFIG_MONITOR_OVERHEAD AS O
    WHERE
        W.EVMON_PCT >= O.MIN_WAIT_PCT OR W.DIAGLOG_PCT >= O.MIN_WAIT_PCT OR W.AUDIT_PCT >= O.MIN_WAIT_PCT
    UNION ALL
    SELECT
        'INSTANCE',
        CAST(0 AS DOUBLE),
        'DBMCFG:' || S.NAME,
        S.VALUE,
        S.RESET_VALUE,
        'UPDATE DBM CFG USING ' || S.NAME || ' ' || S.RESET_VALUE,
        'UPDATE DBM CFG USING ' || S.NAME || ' ' || S.VALUE,
        CAST(COUNT(*) OVER () AS VARCHAR(20))
        || ' of the switches of the snapshot monitor (DFT_MON_*), HEALTH_MON and DIAGLEVEL 4 are on. The MON_GET'
        || ' functions need none of them; leave on what a tool of yours reads.'
    FROM SETTING AS S
)
SELECT
    F.OBJECT_TYPE,
    CASE F.OBJECT_TYPE WHEN 'DATABASE' THEN D.DB_NAME ELSE D.INSTANCE_NAME END AS OBJECT_NAME,
    CAST(NULL AS SMALLINT) AS MEMBER,
    F.CLAIMED_PCT,
    CAST(0.5 AS DOUBLE) AS RECOVER_LOW,
    CAST(0.8 AS DOUBLE) AS RECOVER_EXPECTED,
    CAST(0.95 AS DOUBLE) AS RECOVER_HIGH,
    CASE F.OBJECT_TYPE WHEN 'DATABASE' THEN CAST(0.9 AS DOUBLE) ELSE CAST(0.3 AS DOUBLE) END AS CONFIDENCE,
    F.TARGET,
    F.CURRENT_VALUE,
    F.PROPOSED_VALUE,
    CAST(NULL AS VARCHAR(40)) AS UNIT,
    CAST(0 AS BIGINT) AS MEMORY_DELTA_KB,
    F.ACTION_TEXT,
    F.UNDO_TEXT,
    'EVMON_WAIT_TIME_pct=' || CAST(CAST(ROUND(COALESCE(W.EVMON_PCT, 0), 2) AS DECIMAL(9, 2)) AS VARCHAR(20))
    || '; DIAGLOG_WRITE_WAIT_TIME_pct='
    || CAST(CAST(ROUND(COALESCE(W.DIAGLOG_PCT, 0), 2) AS DECIMAL(9, 2)) AS VARCHAR(20))
    || '; AUDIT_WAIT_TIME_pct=' || CAST(CAST(ROUND(COALESCE(W.AUDIT_PCT, 0), 2) AS DECIMAL(9, 2)) AS VARCHAR(20))
        AS EVIDENCE,
    F.FINDING,
    CAST(0 AS DOUBLE) AS CLAIM_2_PCT,
    CAST(0 AS DOUBLE) AS CLAIM_3_PCT
FROM FOUND AS F
CROSS JOIN WAITS AS W
CROSS JOIN TUNE.RUN_DATABASE AS D
