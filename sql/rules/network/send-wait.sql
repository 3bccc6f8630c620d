/*---
rule: network.send-wait
title: Sessions wait on sending results to clients
lane: performance
takes_effect: new connections
judged_by: load
needs: [workload.TCPIP_SEND_WAIT_TIME, workload.TCPIP_SENDS_TOTAL, workload.TCPIP_SEND_VOLUME, workload.ROWS_RETURNED,
  workload.SELECT_SQL_STMTS]
object: DATABASE
claims: {CLIENT_SEND: {events: SAVED_SENDS, cost_ms: SEND_MS}}
recover: [LOW, EXPECTED, HIGH]
confidence: CONFIDENCE
thresholds:
  min_rows: {default: 20, from: own, why: rows per SELECT; this many fit in one block}
  max_rows_per_send: {default: 2, from: own, why: little more than one row per message}
  max_send_kb:
    default: 8
    from: own
    why: a larger message contains one long row, such as LOBs, and no block holds two
  large_rows: {default: 1000, from: own, why: rows per SELECT; no user reads this many}
  min_mb_per_s: {default: 10, from: own, why: a tenth of the capacity of a 1 Gbit network}
actions:
  - manual: >-
      Find the applications: SELECT APPLICATION_NAME, CLIENT_HOSTNAME, TCPIP_SEND_WAIT_TIME, TCPIP_SENDS_TOTAL,
      TCPIP_SEND_VOLUME, ROWS_RETURNED, SELECT_SQL_STMTS FROM TABLE(MON_GET_CONNECTION(NULL, -2)) AS T ORDER BY
      TCPIP_SEND_WAIT_TIME DESC
  - when: SINGLE = 1
    manual: >-
      Use cursors with row blocking: FOR READ ONLY in the SELECT, BLOCKING ALL when binding the package, no sensitive
      scrollable cursor, no unnecessary LOB columns.
  - when: SINGLE = 0
    manual: >-
      Fetch less: aggregate and filter in the SELECT, select only the columns needed, FETCH FIRST if the first page is
      enough. Send large results in larger blocks: FetchBufferSize of the driver (64 KB by default, up to 10 MB),
      RQRIOBLK 65535 on clients with embedded SQL.
finding:
  - Sessions waited {SEND_PCT:1} % of database time for the network to accept {SENDS} messages of {SEND_KB:1} KB.
  - choose:
      - {when: SINGLE = 1, text: 'A SELECT returns {ROWS_PER_SELECT} rows; a message carries {ROWS_PER_SEND:1}.'}
      - A SELECT returns {ROWS_PER_SELECT} rows; all together send {MB_PER_S:1} MB per second.
evidence: [TCPIP_SEND_WAIT_TIME_pct=SEND_PCT:2, TCPIP_SENDS_TOTAL=SENDS, kb_per_send=SEND_KB:1, ms_per_send=SEND_MS:2,
  rows_per_select=ROWS_PER_SELECT, rows_per_send=ROWS_PER_SEND:1, mb_per_s=MB_PER_S:1]
references:
  - >-
    IBM documentation of row blocking (t0005281, c0021362), FetchBufferSize (r0057455), rqrioblk (r0000270) and
    tcpip_send_wait_time
why: >-
  Until the network accepts a message, the session keeps its agent, locks and cursor. One message per row costs one
  round trip each; very large results fill every buffer on the way.
not_if: >-
  Sending takes less than 10 % of the time; a SELECT returns few rows; long rows fill the messages; each message carries
  many rows at less than 10 MB per second (the client is distant or slow).
note: >-
  If statements that return many rows return half of all rows, their rows per SELECT count, not the mean over all
  statements. Messages that answer other statements do not count as avoidable. Results of local applications (IPC) use
  no network.
---*/
WITH SENT AS (
    SELECT
        SUM(TCPIP_SENDS_TOTAL) AS SENDS,
        SUM(TCPIP_SEND_WAIT_TIME) AS WAIT_MS,
        SUM(TCPIP_SEND_VOLUME) AS VOLUME
    FROM TUNE.D_WORKLOAD
),
LARGE AS (
    -- small statements must not hide extracts: the statements that return many rows
    SELECT
        SUM(X.ROWS_RETURNED) AS ROWS_RETURNED,
        SUM(X.EXECUTIONS) AS EXECUTIONS
    FROM TUNE.STATEMENT AS X
    CROSS JOIN TUNE.O_NETWORK_SEND_WAIT AS O
    WHERE X.ROWS_RETURNED >= O.LARGE_ROWS * X.EXECUTIONS
),
MEASURED AS (
    SELECT
        S.SENDS,
        CAST(S.WAIT_MS AS DOUBLE) / NULLIF(S.SENDS, 0) AS SEND_MS,
        CAST(S.VOLUME AS DOUBLE) / NULLIF(1024 * S.SENDS, 0) AS SEND_KB,
        CAST(S.VOLUME AS DOUBLE) / NULLIF(1048576 * T.SECONDS, 0) AS MB_PER_S,
        100 * CAST(S.WAIT_MS AS DOUBLE) / NULLIF(T.DBT_MS, 0) AS SEND_PCT,
        CASE
            WHEN L.ROWS_RETURNED >= CONST.MAIN_PART * T.ROWS_RETURNED
                THEN CAST(L.ROWS_RETURNED AS DOUBLE) / NULLIF(L.EXECUTIONS, 0)
            ELSE CAST(T.ROWS_RETURNED AS DOUBLE) / NULLIF(T.SELECT_SQL_STMTS, 0)
        END AS ROWS_PER_SELECT,
        CAST(T.ROWS_RETURNED AS DOUBLE) / NULLIF(S.SENDS, 0) AS ROWS_PER_SEND,
        S.SENDS - T.SELECT_SQL_STMTS - T.UID_SQL_STMTS - T.TOTAL_APP_COMMITS
        - COALESCE(CAST(S.VOLUME AS DOUBLE) / NULLIF(1024 * 64, 0), 0) AS SINGLE_SENDS,
        CASE
            WHEN T.ROWS_RETURNED <= O.MAX_ROWS_PER_SEND * S.SENDS AND S.VOLUME <= 1024 * O.MAX_SEND_KB * S.SENDS THEN 1
            ELSE 0
        END AS SINGLE,
        SITE.MAJOR_PCT,
        O.MIN_ROWS,
        O.LARGE_ROWS,
        O.MIN_MB_PER_S
    FROM SENT AS S
    CROSS JOIN LARGE AS L
    CROSS JOIN TUNE.CONSTANT AS CONST
    CROSS JOIN TUNE.DATABASE_TIME AS T
    CROSS JOIN TUNE.O_NETWORK_SEND_WAIT AS O
    CROSS JOIN TUNE.O_SITE AS SITE
)
SELECT
    SINGLE,
    CASE WHEN SINGLE = 1 THEN SINGLE_SENDS ELSE SENDS END AS SAVED_SENDS,
    SEND_MS,
    SENDS,
    SEND_KB,
    MB_PER_S,
    SEND_PCT,
    ROWS_PER_SELECT,
    ROWS_PER_SEND,
    CASE WHEN SINGLE = 1 THEN 0.3 ELSE 0.1 END AS LOW,
    CASE WHEN SINGLE = 1 THEN 0.6 ELSE 0.3 END AS EXPECTED,
    CASE WHEN SINGLE = 1 THEN 0.9 ELSE 0.6 END AS HIGH,
    CASE WHEN SINGLE = 1 THEN 0.6 ELSE 0.3 END AS CONFIDENCE
FROM MEASURED
WHERE
    SEND_PCT >= MAJOR_PCT
    AND (
        (SINGLE = 1 AND ROWS_PER_SELECT >= MIN_ROWS AND SINGLE_SENDS > 0)
        OR (SINGLE = 0 AND ROWS_PER_SELECT >= LARGE_ROWS AND MB_PER_S >= MIN_MB_PER_S)
    )
