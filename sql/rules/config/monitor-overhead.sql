/*---
rule: config.monitor-overhead
title: Monitoring, auditing or diagnostics cost time
lane: performance
takes_effect: immediately
judged_by: structure
needs: [dbmcfg.VALUE]
object: '{OBJECT_TYPE:text} {OBJECT_NAME:text}'
claims: {MONITORING: {events: RECORDS, cost_ms: RECORD_MS}}
recover: [0.5, 0.8, 0.95]
confidence: CONFIDENCE
actions:
  - set: {kind: DBMCFG, name: '{SETTING_NAME:text}', from: '{VALUE:text}', to: '{RESET_VALUE:text}'}
  - when: OBJECT_TYPE = 'DATABASE'
    undo: {manual: Switch on again the features that were switched off.}
  - when: OBJECT_TYPE = 'DATABASE' AND EVMON_COSTS = 1
    manual: >-
      Choose the event monitors that nobody reads, and run the commands that this prints for them: SELECT 'SET EVENT
      MONITOR "' CONCAT EVMONNAME CONCAT '" STATE 0' FROM SYSCAT.EVENTMONITORS WHERE EVENT_MON_STATE(EVMONNAME) = 1. Or
      collect less.
  - when: OBJECT_TYPE = 'DATABASE' AND DIAGLOG_COSTS = 1 AND DIAGLEVEL = 4
    manual: 'First run UPDATE DBM CFG USING DIAGLEVEL 3: level 4 also records normal events.'
  - when: OBJECT_TYPE = 'DATABASE' AND DIAGLOG_COSTS = 1
    manual: Find which messages fill db2diag.log, and move DIAGPATH to a separate fast file system.
  - when: OBJECT_TYPE = 'DATABASE' AND AUDIT_COSTS = 1
    manual: Audit fewer categories, or buffer audit records (AUDIT_BUF_SZ above 0).
finding:
  - choose:
      - when: OBJECT_TYPE = 'DATABASE'
        text: >-
          Agents waited {EVMON_PCT:1} % of database time for event monitors, {DIAGLOG_PCT:1} % for db2diag.log and
          {AUDIT_PCT:1} % for the audit log.
      - >-
        {SWITCHES} of the snapshot monitor switches (DFT_MON_*), HEALTH_MON and DIAGLEVEL 4 are on. The MON_GET
        functions need none of them; keep those that your tools use.
evidence: [EVMON_WAIT_TIME_pct=EVMON_PCT:2, DIAGLOG_WRITE_WAIT_TIME_pct=DIAGLOG_PCT:2, AUDIT_WAIT_TIME_pct=AUDIT_PCT:2]
references:
  - vmware-netapp, appendices (all switches OFF, DIAGLEVEL 3)
  - IBM documentation of dft_monswitches (r0000297), health_mon (r0006023)
why: >-
  Agents wait while event monitors, the audit log or db2diag.log write records. With snapshot monitor switches on, every
  agent keeps counts that the MON_GET functions do not need.
not_if: >-
  Each of these waits takes less than 1 % of the time; the switches and the health monitor are off and the diagnostic
  level is 3 or less, or will be.
note: >-
  Readers of snapshots are not visible, so the switches are a hint without a claim. The rule does not know which event
  monitor causes the wait. A crash loses buffered audit records, so AUDIT_BUF_SZ is a manual decision. The change takes
  effect immediately only after ATTACH to the instance, otherwise at the next db2start. DFT_MON_TIMESTAMP is on by
  default and not reported.
---*/
WITH WAITS AS (
    SELECT
        X.*,
        COALESCE(100 * CAST(X.EVMON_MS AS DOUBLE) / NULLIF(T.DBT_MS, 0), 0) AS EVMON_PCT,
        COALESCE(100 * CAST(X.DIAGLOG_MS AS DOUBLE) / NULLIF(T.DBT_MS, 0), 0) AS DIAGLOG_PCT,
        COALESCE(100 * CAST(X.AUDIT_MS AS DOUBLE) / NULLIF(T.DBT_MS, 0), 0) AS AUDIT_PCT
    FROM (
        SELECT
            SUM(EVMON_WAIT_TIME) AS EVMON_MS,
            COALESCE(SUM(EVMON_WAITS_TOTAL), 0) AS EVMON_WAITS,
            SUM(DIAGLOG_WRITE_WAIT_TIME) AS DIAGLOG_MS,
            COALESCE(SUM(DIAGLOG_WRITES_TOTAL), 0) AS DIAGLOG_WRITES,
            COALESCE(SUM(AUDIT_FILE_WRITES_TOTAL + AUDIT_SUBSYSTEM_WAITS_TOTAL), 0) AS AUDIT_WAITS,
            SUM(COALESCE(AUDIT_FILE_WRITE_WAIT_TIME, 0) + COALESCE(AUDIT_SUBSYSTEM_WAIT_TIME, 0)) AS AUDIT_MS
        FROM TUNE.D_WORKLOAD
    ) AS X
    CROSS JOIN TUNE.DATABASE_TIME AS T
),
JUDGED AS (
    SELECT
        W.*,
        CASE WHEN W.EVMON_PCT >= SITE.TRACE_PCT THEN 1 ELSE 0 END AS EVMON_COSTS,
        CASE WHEN W.DIAGLOG_PCT >= SITE.TRACE_PCT THEN 1 ELSE 0 END AS DIAGLOG_COSTS,
        CASE WHEN W.AUDIT_PCT >= SITE.TRACE_PCT THEN 1 ELSE 0 END AS AUDIT_COSTS
    FROM WAITS AS W
    CROSS JOIN TUNE.O_SITE AS SITE
),
WAITED AS (
    -- a level that does not count them: one for all
    SELECT
        JUDGED.*,
        GREATEST(1, EVMON_COSTS * EVMON_WAITS + DIAGLOG_COSTS * DIAGLOG_WRITES + AUDIT_COSTS * AUDIT_WAITS) AS RECORDS,
        EVMON_COSTS * COALESCE(EVMON_MS, 0) + DIAGLOG_COSTS * COALESCE(DIAGLOG_MS, 0)
        + AUDIT_COSTS * COALESCE(AUDIT_MS, 0) AS RECORDS_MS
    FROM JUDGED
),
FOUND (OBJECT_TYPE, SETTING_NAME, VALUE, RESET_VALUE) AS (
    SELECT
        'DATABASE' AS OBJECT_TYPE,
        CAST(NULL AS VARCHAR(128)) AS SETTING_NAME,
        CAST(NULL AS VARCHAR(1024)) AS VALUE,
        CAST(NULL AS VARCHAR(1024)) AS RESET_VALUE
    FROM JUDGED
    WHERE
        (EVMON_COSTS = 1 OR DIAGLOG_COSTS = 1 OR AUDIT_COSTS = 1)
        AND NOT EXISTS (SELECT 1 FROM TUNE.NO_LOAD)
    UNION ALL
    SELECT
        'INSTANCE',
        UPPER(NAME),
        VALUE,
        CASE NAME WHEN 'diaglevel' THEN '3' ELSE 'OFF' END
    FROM TUNE.SETTING
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
)
SELECT
    F.OBJECT_TYPE,
    CASE F.OBJECT_TYPE WHEN 'DATABASE' THEN D.DB_NAME ELSE D.INSTANCE_NAME END AS OBJECT_NAME,
    F.SETTING_NAME,
    F.VALUE,
    F.RESET_VALUE,
    COUNT(F.SETTING_NAME) OVER () AS SWITCHES,
    J.EVMON_PCT,
    J.DIAGLOG_PCT,
    J.AUDIT_PCT,
    J.EVMON_COSTS,
    J.DIAGLOG_COSTS,
    J.AUDIT_COSTS,
    (SELECT MAX(NUM) FROM TUNE.SETTING WHERE SCOPE = 'DBM' AND NAME = 'diaglevel') AS DIAGLEVEL,
    CASE F.OBJECT_TYPE WHEN 'DATABASE' THEN 0.9 ELSE 0.3 END AS CONFIDENCE,
    CASE WHEN F.OBJECT_TYPE = 'DATABASE' THEN J.RECORDS END AS RECORDS,
    CAST(J.RECORDS_MS AS DOUBLE) / NULLIF(J.RECORDS, 0) AS RECORD_MS
FROM FOUND AS F
CROSS JOIN WAITED AS J
CROSS JOIN TUNE.RUN_DATABASE AS D
