/*---
rule: network.send-wait
title: Sessions wait until clients have taken their results
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
  min_wait_pct: {default: 10, from: own, why: percent of database time; clients and networks have their pace}
  min_rows: {default: 20, from: own, why: 'rows of a SELECT: so many would fit into one block'}
  max_rows_per_send: {default: 2, from: own, why: hardly more than a row goes with each message}
  max_send_kb:
    default: 8
    from: own
    why: a fuller message is one long row, as with LOBs, which no block holds two of
  large_rows: {default: 1000, from: own, why: rows of a SELECT that nobody looks at one by one}
  min_mb_per_s: {default: 10, from: own, why: a tenth of what a network of 1 Gbit carries}
  block_kb: {default: 64, from: manuals, why: 'FetchBufferSize, the default size of a block of rows (r0057455)'}
actions:
  - manual: >-
      See whose results they are: SELECT APPLICATION_NAME, CLIENT_HOSTNAME, TCPIP_SEND_WAIT_TIME, TCPIP_SENDS_TOTAL,
      TCPIP_SEND_VOLUME, ROWS_RETURNED, SELECT_SQL_STMTS FROM TABLE(MON_GET_CONNECTION(NULL, -2)) AS T ORDER BY
      TCPIP_SEND_WAIT_TIME DESC
    undo: {manual: Nothing is changed by looking.}
  - when: SINGLE = 1
    manual: >-
      Let their cursors fetch blocks of rows: FOR READ ONLY in the SELECT, BLOCKING ALL when its package is bound, no
      scrollable cursor that is sensitive to changes, no LOB among the columns that is not needed.
  - when: SINGLE = 0
    manual: >-
      Let them fetch less: sums and filters in the SELECT instead of the application, the columns that are needed, FETCH
      FIRST where the first page is shown. What must be large goes better in larger blocks: FetchBufferSize of the
      driver (64 KB by default, up to 10 MB), RQRIOBLK 65535 on clients with embedded SQL.
finding:
  - >-
    Sessions waited for {SEND_PCT:1} % of database time until the network had taken what they sent: {SENDS} messages of
    {SEND_KB:1} KB.
  - choose:
      - {when: SINGLE = 1, text: 'A SELECT returns {ROWS_PER_SELECT} rows, and a message carries {ROWS_PER_SEND:1}.'}
      - A SELECT returns {ROWS_PER_SELECT} rows, {MB_PER_S:1} MB a second in all.
evidence: [TCPIP_SEND_WAIT_TIME_pct=SEND_PCT:2, TCPIP_SENDS_TOTAL=SENDS, kb_per_send=SEND_KB:1, ms_per_send=SEND_MS:2,
  rows_per_select=ROWS_PER_SELECT, rows_per_send=ROWS_PER_SEND:1, mb_per_s=MB_PER_S:1]
references:
  - >-
    IBM documentation of row blocking (t0005281, c0021362), FetchBufferSize (r0057455), rqrioblk (r0000270) and
    tcpip_send_wait_time
why: >-
  While a message is not taken by the network the session keeps its agent, locks and cursor. A message for each row
  costs a round trip each; very large results fill every buffer on the way.
not_if: >-
  Sending takes less than 10 % of the time; a SELECT returns few rows; messages are filled by long rows; many rows go
  with each, and they are no 10 MB a second: then it is a client that is far away or slow.
note: >-
  Messages that answer other statements are left out of what can be saved. Results of local applications (IPC) go by no
  network.
---*/
WITH SENT AS (
    SELECT
        SUM(TCPIP_SENDS_TOTAL) AS SENDS,
        SUM(TCPIP_SEND_WAIT_TIME) AS WAIT_MS,
        SUM(TCPIP_SEND_VOLUME) AS VOLUME
    FROM TUNE.D_WORKLOAD
),
MEASURED AS (
    SELECT
        S.SENDS,
        CAST(S.WAIT_MS AS DOUBLE) / NULLIF(S.SENDS, 0) AS SEND_MS,
        CAST(S.VOLUME AS DOUBLE) / NULLIF(1024 * S.SENDS, 0) AS SEND_KB,
        CAST(S.VOLUME AS DOUBLE) / NULLIF(1048576 * T.SECONDS, 0) AS MB_PER_S,
        100 * CAST(S.WAIT_MS AS DOUBLE) / NULLIF(T.DBT_MS, 0) AS SEND_PCT,
        CAST(T.ROWS_RETURNED AS DOUBLE) / NULLIF(T.SELECT_SQL_STMTS, 0) AS ROWS_PER_SELECT,
        CAST(T.ROWS_RETURNED AS DOUBLE) / NULLIF(S.SENDS, 0) AS ROWS_PER_SEND,
        S.SENDS - T.SELECT_SQL_STMTS - T.UID_SQL_STMTS - T.TOTAL_APP_COMMITS
        - COALESCE(CAST(S.VOLUME AS DOUBLE) / NULLIF(1024 * O.BLOCK_KB, 0), 0) AS SINGLE_SENDS,
        CASE
            WHEN T.ROWS_RETURNED <= O.MAX_ROWS_PER_SEND * S.SENDS AND S.VOLUME <= 1024 * O.MAX_SEND_KB * S.SENDS THEN 1
            ELSE 0
        END AS SINGLE,
        O.MIN_WAIT_PCT,
        O.MIN_ROWS,
        O.LARGE_ROWS,
        O.MIN_MB_PER_S
    FROM SENT AS S
    CROSS JOIN TUNE.DATABASE_TIME AS T
    CROSS JOIN TUNE.O_NETWORK_SEND_WAIT AS O
)
SELECT
    SINGLE,
    CASE WHEN SINGLE = 1 THEN GREATEST(0, SINGLE_SENDS) ELSE SENDS END AS SAVED_SENDS,
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
    SEND_PCT >= MIN_WAIT_PCT
    AND (
        (SINGLE = 1 AND ROWS_PER_SELECT >= MIN_ROWS AND SINGLE_SENDS > 0)
        OR (SINGLE = 0 AND ROWS_PER_SELECT >= LARGE_ROWS AND MB_PER_S >= MIN_MB_PER_S)
    )
