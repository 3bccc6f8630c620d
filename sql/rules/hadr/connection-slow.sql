/*---
rule: hadr.connection-slow
title: HADR standby answers slowly
lane: condition
severity: medium
takes_effect: immediately
applies: {from: '10.1'}
steps_need: hadr
judged_by: config
needs: [hadr.HADR_CONNECT_STATUS, hadr.HADR_SYNCMODE, hadr.LOG_HADR_WAIT_TIME, hadr.LOG_HADR_WAITS_TOTAL]
object: DATABASE
confidence: 0.6
defers_to:
  - {rule: log.hadr-wait, within: object}
  - {rule: hadr.standby-away, within: object}
thresholds:
  min_waits: {default: 1000, from: own, why: fewer waits may be those of one outage}
  slow_ms: {default: 10, from: own, why: 'each commit waits this long; a network in a region takes 1 to 3 ms'}
  stuck_ms: {default: 5000, from: own, why: 'no log write should wait this long; all commits wait with it'}
  missed_pct: {default: 1, from: own, why: a reliable network loses no heartbeats}
  min_missed: {default: 20, from: own, why: fewer may be those of one restart}
actions:
  - when: STUCK = 1
    manual: >-
      Run db2pd -db {DB_NAME:shell} -hadr again. If LOG_HADR_WAIT_CUR still grows, check the network and the standby
      {STANDBY_MEMBER_HOST:text|host}. HADR_PEER_WINDOW and HADR_TIMEOUT decide how long commits wait.
  - manual: >-
      Measure the network to {STANDBY_MEMBER_HOST:text|the standby}: round trip, lost packets, bandwidth. Check the log
      disk of the standby, on which SYNC and NEARSYNC depend.
finding:
  - when: SLOW = 1
    text: >-
      The log waits {WAIT_MS:1} ms on average for the standby on {STANDBY_MEMBER_HOST:text|an unknown host}
      ({HADR_SYNCMODE:text}): {WAITS} waits since the start of the database.
  - when: STUCK = 1
    text: >-
      The current log write has waited {CUR_S} seconds for the standby on {STANDBY_MEMBER_HOST:text|an unknown host}:
      commits wait now.
  - when: LOST = 1
    text: '{MISSED} of {EXPECTED} heartbeats of the standby on {STANDBY_MEMBER_HOST:text|an unknown host} were missed.'
evidence: [STANDBY_ID, HADR_SYNCMODE:text, 'LOG_HADR_WAIT_TIME=WAIT_TIME?', 'LOG_HADR_WAITS_TOTAL=WAITS?',
  'wait_ms=WAIT_MS:2?', 'LOG_HADR_WAIT_CUR=CUR_MS?', 'HEARTBEAT_MISSED=MISSED?', 'HEARTBEAT_EXPECTED=EXPECTED?']
query: >-
  SELECT STANDBY_ID, HADR_SYNCMODE, LOG_HADR_WAIT_CUR, LOG_HADR_WAIT_TIME, LOG_HADR_WAITS_TOTAL, HEARTBEAT_MISSED,
  HEARTBEAT_EXPECTED FROM TABLE(MON_GET_HADR(-2)); db2pd -db <database> -hadr
references:
  - IBM documentation of MON_GET_HADR (r0059275) and of hadr_syncmode (r0011445)
  - 'IBM, Monitoring HADR (db2-hadr-wiki): LOG_HADR_WAIT_ACCUMULATED and LOG_HADR_WAIT_COUNT'
why: >-
  In SYNC, NEARSYNC and ASYNC the logger waits for the standby or the network before a commit returns. A slow or
  unreliable connection slows every commit; missed heartbeats precede a disconnection.
not_if: >-
  A wait takes less than 10 ms on average, or there are fewer than 1,000; no log write waits for 5 seconds; less than a
  hundredth of the heartbeats or fewer than 20 were missed; the mode is SUPERASYNC, which waits for nothing
  (heartbeats count); the standby is not connected (hadr.standby-away); this is the standby.
note: >-
  The counts start with the database, so they may contain an outage that is over. Compare two outputs.
---*/
WITH STREAM AS (
    SELECT
        H.STANDBY_ID,
        H.LOG_STREAM_ID,
        H.PRIMARY_MEMBER,
        H.STANDBY_MEMBER_HOST,
        H.HADR_SYNCMODE,
        H.LOG_HADR_WAIT_TIME AS WAIT_TIME,
        H.LOG_HADR_WAITS_TOTAL AS WAITS,
        H.LOG_HADR_WAIT_CUR AS CUR_MS,
        H.HEARTBEAT_MISSED AS MISSED,
        H.HEARTBEAT_EXPECTED AS EXPECTED,
        H.LOG_HADR_WAIT_TIME / CAST(NULLIF(H.LOG_HADR_WAITS_TOTAL, 0) AS DOUBLE) AS WAIT_MS,
        100 * H.HEARTBEAT_MISSED / CAST(NULLIF(H.HEARTBEAT_EXPECTED, 0) AS DOUBLE) AS MISSED_PCT
    FROM TUNE.D_HADR AS H
    WHERE H.HADR_ROLE = 'PRIMARY' AND H.HADR_CONNECT_STATUS IN ('CONNECTED', 'CONGESTED')
),
JUDGED AS (
    SELECT
        S.*,
        CASE
            WHEN S.HADR_SYNCMODE <> 'SUPERASYNC' AND S.WAITS >= O.MIN_WAITS AND S.WAIT_MS >= O.SLOW_MS THEN 1
            ELSE 0
        END AS SLOW,
        CASE WHEN S.HADR_SYNCMODE <> 'SUPERASYNC' AND S.CUR_MS >= O.STUCK_MS THEN 1 ELSE 0 END AS STUCK,
        CASE WHEN S.MISSED >= O.MIN_MISSED AND S.MISSED_PCT >= O.MISSED_PCT THEN 1 ELSE 0 END AS LOST
    FROM STREAM AS S
    CROSS JOIN TUNE.O_HADR_CONNECTION_SLOW AS O
),
WORST AS (
    SELECT
        JUDGED.*,
        ROW_NUMBER() OVER (
            ORDER BY STUCK DESC, SLOW DESC, WAIT_MS DESC, MISSED_PCT DESC, STANDBY_ID, LOG_STREAM_ID, PRIMARY_MEMBER
        ) AS PLACE
    FROM JUDGED
    WHERE SLOW = 1 OR STUCK = 1 OR LOST = 1
)
SELECT
    W.STANDBY_ID,
    W.STANDBY_MEMBER_HOST,
    W.HADR_SYNCMODE,
    W.WAIT_TIME,
    W.WAITS,
    W.WAIT_MS,
    W.CUR_MS,
    FLOOR(W.CUR_MS / CAST(1000 AS DOUBLE)) AS CUR_S,
    W.MISSED,
    W.EXPECTED,
    W.SLOW,
    W.STUCK,
    W.LOST,
    D.DB_NAME
FROM WORST AS W
CROSS JOIN TUNE.RUN_DATABASE AS D
WHERE W.PLACE = 1
