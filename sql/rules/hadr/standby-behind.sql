/*---
rule: hadr.standby-behind
title: HADR standby is behind its primary
lane: safety
severity: high
takes_effect: immediately
applies: {from: '10.1'}
steps_need: hadr
judged_by: config
needs: [hadr.HADR_CONNECT_STATUS, hadr.HADR_LOG_GAP]
object: DATABASE
confidence: 0.6
defers_to:
  - {rule: hadr.standby-away, within: object}
thresholds:
  min_lag_s:
    default: 600
    from: own
    why: delay of replay on the standby; a takeover takes as long, or longer
  min_lag_mb: {default: 1, from: own, why: 'still to replay: with less, the times are too old to compare'}
  min_gap_mb:
    default: 1024
    from: own
    why: 'log that is not on the standby, or not replayed: more than a burst leaves'
  spool_pct: {default: 80, from: own, why: part of the spool in use; commits on the primary wait when it is full}
actions:
  - when: SENT_LATE = 1
    manual: >-
      Check the network to {STANDBY_MEMBER_HOST:text|the standby}: compare its bandwidth with the log volume
      (DB2_HADR_SOSNDBUF and DB2_HADR_SORCVBUF on both sites).
  - when: SENT_LATE = 0
    manual: >-
      Check {STANDBY_MEMBER_HOST:text|the standby}: its disks, processors, and queries there.
  - {when: SPOOL_FULL = 1, manual: 'On the standby, set the disk space for spooled log with HADR_SPOOL_LIMIT.'}
finding:
  - choose:
      - when: SENT_LATE = 1
        text: >-
          {LOG_GAP_MB} MB of log have not reached the standby on {STANDBY_MEMBER_HOST:text|an unknown host}
          ({HADR_STATE:text}): a takeover by force loses them.
      - >-
        The standby on {STANDBY_MEMBER_HOST:text|an unknown host} still has to replay {REPLAY_GAP_MB} MB of log[, the
        last {LAG_MIN} minutes].
  - {when: SPOOL_FULL = 1, text: 'Its spool is {SPOOL_PCT} % full; when it is full, commits on the primary wait.'}
evidence: [STANDBY_ID, HADR_STATE:text, HADR_LOG_GAP_mb=LOG_GAP_MB, STANDBY_RECV_REPLAY_GAP_mb=REPLAY_GAP_MB,
  'replay_lag_min=LAG_MIN?', 'STANDBY_SPOOL_PERCENT=SPOOL_PCT?']
query: >-
  SELECT STANDBY_ID, HADR_STATE, HADR_LOG_GAP, STANDBY_RECV_REPLAY_GAP, PRIMARY_LOG_TIME, STANDBY_REPLAY_LOG_TIME,
  STANDBY_SPOOL_PERCENT FROM TABLE(MON_GET_HADR(-2))
references:
  - IBM documentation of MON_GET_HADR (r0059275) and hadr_spool_limit
  - '"HADR standby database states" (c0011748)'
why: >-
  Log that is not on the standby is lost with the primary. Log that is not replayed delays connections after a takeover.
not_if: >-
  Both gaps are below a gigabyte, replay is less than ten minutes (without HADR_REPLAY_DELAY) or a megabyte late, and
  the spool has room; the standby is in SUPERASYNC or auxiliary and only its replay is judged by time; this is the
  standby; it is not connected (hadr.standby-away).
note: >-
  One snapshot shows the distance, not its trend: check twice. The times come from the log, so an idle primary causes no
  lag. The standby's times are as old as its last heartbeat, so after idle time a primary that writes again makes it
  look late. The finding names the standby furthest behind.
---*/
WITH GAP AS (
    SELECT
        H.STANDBY_ID,
        H.STANDBY_MEMBER_HOST,
        H.HADR_STATE,
        COALESCE(H.HADR_LOG_GAP, 0) / CAST(1048576 AS DOUBLE) AS LOG_GAP_MB,
        COALESCE(H.STANDBY_RECV_REPLAY_GAP, 0) / CAST(1048576 AS DOUBLE) AS REPLAY_GAP_MB,
        H.REPLAY_LAG_S - COALESCE(H.STANDBY_REPLAY_DELAY, 0) / CAST(1000 AS DOUBLE) AS LAG_S,
        -- a delayed replay fills the spool on purpose
        CASE WHEN COALESCE(H.STANDBY_REPLAY_DELAY, 0) = 0 AND H.STANDBY_SPOOL_LIMIT > 0 THEN H.STANDBY_SPOOL_PERCENT END
            AS SPOOL_PCT,
        COALESCE(H.STANDBY_REPLAY_DELAY, 0) AS REPLAY_DELAY,
        H.LOG_STREAM_ID,
        H.PRIMARY_MEMBER
    FROM TUNE.D_HADR AS H
    WHERE H.HADR_ROLE = 'PRIMARY' AND H.HADR_CONNECT_STATUS = 'CONNECTED'
),
JUDGED AS (
    SELECT
        G.*,
        CASE WHEN G.LOG_GAP_MB >= O.MIN_GAP_MB THEN 1 ELSE 0 END AS SENT_LATE,
        CASE
            WHEN G.LAG_S >= O.MIN_LAG_S AND G.REPLAY_GAP_MB >= O.MIN_LAG_MB THEN 1
            WHEN G.REPLAY_DELAY = 0 AND G.REPLAY_GAP_MB >= O.MIN_GAP_MB THEN 1
            ELSE 0
        END AS REPLAYED_LATE,
        CASE WHEN G.SPOOL_PCT >= O.SPOOL_PCT THEN 1 ELSE 0 END AS SPOOL_FULL
    FROM GAP AS G
    CROSS JOIN TUNE.O_HADR_STANDBY_BEHIND AS O
),
WORST AS (
    SELECT
        JUDGED.*,
        ROW_NUMBER() OVER (
            ORDER BY LOG_GAP_MB + REPLAY_GAP_MB DESC, STANDBY_ID, LOG_STREAM_ID, PRIMARY_MEMBER
        ) AS PLACE
    FROM JUDGED
    WHERE SENT_LATE = 1 OR REPLAYED_LATE = 1 OR SPOOL_FULL = 1
)
SELECT
    STANDBY_ID,
    STANDBY_MEMBER_HOST,
    HADR_STATE,
    LOG_GAP_MB,
    REPLAY_GAP_MB,
    FLOOR(LAG_S / CAST(60 AS DOUBLE)) AS LAG_MIN,
    SPOOL_PCT,
    SENT_LATE,
    SPOOL_FULL
FROM WORST
WHERE PLACE = 1
