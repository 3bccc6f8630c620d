/*---
rule: log.hadr-wait
title: Commits wait for the HADR standby
lane: performance
takes_effect: database reactivation
risk: high
steps_need: hadr
judged_by: load
needs: [transaction_log.LOG_HADR_WAIT_TIME, transaction_log.LOG_WRITE_TIME, dbcfg.VALUE, workload.LOG_DISK_WAIT_TIME]
object: DATABASE
claims: {LOG_DISK: {events: WAITS, cost_ms: STANDBY_MS}}
recover: [0.2, 0.4, 0.8]
confidence: 0.6
actions:
  - when: SYNCMODE = 'SYNC'
    set: {kind: DBCFG, name: HADR_SYNCMODE, from: '{SYNCMODE:text}', to: NEARSYNC, unit: mode}
  - when: SYNCMODE = 'SYNC'
    manual: >-
      If losing transactions is acceptable when both sites fail at once: stop HADR, run UPDATE DB CFG FOR
      {DB_NAME:alias} USING HADR_SYNCMODE NEARSYNC on both sites, start HADR.
  - manual: >-
      Check the network to the standby and the speed of its log replay. Consider larger DB2_HADR_SOSNDBUF and
      DB2_HADR_SORCVBUF on both sites, and HADR_SPOOL_LIMIT on the standby.
    undo:
      manual: >-
        Restore the old values[: stop HADR, run UPDATE DB CFG FOR {DB_NAME:alias} USING HADR_SYNCMODE
        {STRICT_MODE:text} on both sites, start HADR].
finding: >-
  The logger spends {HADR_PCT:1} % of its time waiting for the standby ({SYNCMODE:text})[, most on member {MEMBER}].
  Commits wait {LOG_DISK_PCT:1} % of database time for the log.
evidence: [HADR_SYNCMODE=SYNCMODE:text, hadr_part_pct=HADR_PCT:2, LOG_DISK_WAIT_TIME_pct=LOG_DISK_PCT:2]
references:
  - IBM's db2mon (LOG_HADR_WAIT_TIME next to LOG_WRITE_TIME)
  - IBM documentation of hadr_syncmode (r0011445)
why: >-
  In SYNC and NEARSYNC a commit waits until the standby has the log records; in ASYNC, until the network has accepted
  them. The round trip, or a slow standby, becomes commit time.
not_if: HADR_SYNCMODE is SUPERASYNC, which never waits; another mode is pending.
note: >-
  LOG_HADR_WAIT_TIME is assumed to be the logger's time (no manual defines it). Its ratio to the logger's other work
  (LOG_WRITE_TIME) is applied to the agents' waits (LOG_DISK_WAIT_TIME). Dividing one by the other would mix one thread
  with many. HADR parameters change only while HADR is stopped, and a weaker mode can lose transactions: manual steps.
---*/
WITH STREAM AS (
    SELECT
        L.*,
        COUNT(*) OVER () AS MEMBERS,
        ROW_NUMBER() OVER (
            ORDER BY CASE WHEN L.HADR_PART >= CONST.MAIN_PART THEN L.LOG_DISK_WAIT_TIME END DESC NULLS LAST, L.MEMBER
        ) AS PLACE
    FROM TUNE.LOG AS L
    CROSS JOIN TUNE.CONSTANT AS CONST
),
WAITED AS (
    -- the streams that wait mainly for the standby: a sum over all would hide one
    SELECT
        SUM(S.WAITS) AS WAITS,
        CAST(SUM(S.LOG_DISK_WAIT_TIME) AS DOUBLE) / NULLIF(SUM(S.WAITS), 0) AS WAIT_MS,
        CAST(SUM(S.LOG_HADR_WAIT_TIME) AS DOUBLE) AS HADR_MS,
        CAST(SUM(S.LOG_HADR_WAIT_TIME) + SUM(S.LOG_WRITE_TIME) AS DOUBLE) AS LOGGER_MS,
        MAX(CASE WHEN S.PLACE = 1 AND S.MEMBERS > 1 THEN S.MEMBER END) AS MEMBER,
        -- in relation to an average member
        MAX(S.MEMBERS * S.LOG_DISK_WAIT_TIME) AS WORST_MS
    FROM STREAM AS S
    CROSS JOIN TUNE.CONSTANT AS CONST
    WHERE S.HADR_PART >= CONST.MAIN_PART
)
SELECT
    D.DB_NAME,
    S.VALUE AS SYNCMODE,
    CASE WHEN S.VALUE = 'SYNC' THEN S.VALUE END AS STRICT_MODE,
    T.LOG_DISK_PCT,
    W.MEMBER,
    100 * W.HADR_MS / CAST(NULLIF(W.LOGGER_MS, 0) AS DOUBLE) AS HADR_PCT,
    W.WAITS,
    W.WAIT_MS * W.HADR_MS / CAST(NULLIF(W.LOGGER_MS, 0) AS DOUBLE) AS STANDBY_MS
FROM WAITED AS W
INNER JOIN TUNE.SETTING AS S ON S.SCOPE = 'DB' AND S.NAME = 'hadr_syncmode' AND S.PENDING = 0
CROSS JOIN TUNE.DATABASE_TIME AS T
CROSS JOIN TUNE.RUN_DATABASE AS D
CROSS JOIN TUNE.O_SITE AS SITE
WHERE
    100 * W.WORST_MS >= SITE.HIGH_PCT * T.DBT_MS
    AND W.HADR_MS > 0
    AND S.VALUE IN ('SYNC', 'NEARSYNC', 'ASYNC')
