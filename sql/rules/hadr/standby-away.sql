/*---
rule: hadr.standby-away
title: HADR standby does not receive the log
lane: safety
severity: high
takes_effect: immediately
applies: {from: '10.1'}
steps_need: hadr
judged_by: config
needs: [hadr.HADR_CONNECT_STATUS, hadr.HADR_STATE, hadr.CONNECT_STATUS_S]
object: DATABASE
confidence: 0.9
thresholds:
  min_away_s: {default: 300, from: own, why: 'a shorter gap is a restart of the standby or a network problem'}
actions:
  - when: CONGESTED = 1
    manual: >-
      On the standby, {STANDBY_MEMBER_HOST:text|its host}: check STANDBY_RECV_BUF_PERCENT and STANDBY_SPOOL_PERCENT of
      db2pd -db {DB_NAME:shell} -hadr. Near 100, replay is too slow: check disks, processors and queries there.
      HADR_SPOOL_LIMIT lets it spool more. Otherwise check the network.
  - when: CONGESTED = 0
    manual: >-
      On the standby, {STANDBY_MEMBER_HOST:text|its host}: run db2pd -db {DB_NAME:shell} -hadr, and read db2diag. If it
      is stopped: START HADR ON DATABASE {DB_NAME:alias} AS STANDBY. If it needs log files that are no longer archived,
      rebuild it from a backup.
finding:
  - choose:
      - when: CONGESTED = 1
        text: >-
          The connection to the standby on {STANDBY_MEMBER_HOST:text|an unknown host} has been congested for {AWAY_MIN}
          minutes. The standby takes the log too slowly, and commits on the primary wait[; its spool is {SPOOL_PCT} %
          full].
      - >-
        The standby on {STANDBY_MEMBER_HOST:text|an unknown host} has not been connected for {AWAY_MIN} minutes: new
        commits exist only on this server.
evidence: [STANDBY_ID, HADR_STATE:text, HADR_CONNECT_STATUS:text, minutes=AWAY_MIN, 'HADR_SYNCMODE:text?',
  'STANDBY_SPOOL_PERCENT=SPOOL_PCT?']
query: >-
  db2pd -db <database> -hadr; SELECT STANDBY_ID, HADR_STATE, HADR_CONNECT_STATUS, HADR_CONNECT_STATUS_TIME, HADR_LOG_GAP
  FROM TABLE(MON_GET_HADR(-2))
references:
  - >-
    IBM documentation of MON_GET_HADR (r0059275), "HADR standby database states" (c0011748) and HADR monitoring in
    pureScale (c0061082)
why: >-
  Without the log, a takeover loses all later commits. To reconnect, the standby needs the log files of that time, so
  they must remain in the log path or archive.
not_if: >-
  Every log stream is connected, by its member or another (assisted remote catchup); the gap is shorter than five
  minutes; this is the standby, whose primary reports more; no HADR.
note: A standby stopped on purpose looks the same. The finding names the standby that has been away longest.
---*/
WITH AWAY AS (
    SELECT
        H.STANDBY_ID,
        H.STANDBY_MEMBER_HOST,
        H.HADR_STATE,
        H.HADR_CONNECT_STATUS,
        H.HADR_SYNCMODE,
        CASE WHEN H.HADR_CONNECT_STATUS = 'CONGESTED' THEN 1 ELSE 0 END AS CONGESTED,
        H.STANDBY_SPOOL_PERCENT AS SPOOL_PCT,
        FLOOR(H.CONNECT_STATUS_S / CAST(60 AS DOUBLE)) AS AWAY_MIN,
        ROW_NUMBER() OVER (
            ORDER BY H.CONNECT_STATUS_S DESC, H.STANDBY_ID, H.LOG_STREAM_ID, H.PRIMARY_MEMBER
        ) AS PLACE
    FROM TUNE.D_HADR AS H
    CROSS JOIN TUNE.O_HADR_STANDBY_AWAY AS O
    WHERE
        H.HADR_ROLE = 'PRIMARY'
        AND H.HADR_CONNECT_STATUS IN ('DISCONNECTED', 'CONGESTED')
        AND H.CONNECT_STATUS_S >= O.MIN_AWAY_S
        -- in pureScale, another member may send the log of a member that is down
        AND NOT EXISTS (
            SELECT 1
            FROM TUNE.D_HADR AS E
            WHERE
                E.STANDBY_ID = H.STANDBY_ID AND E.LOG_STREAM_ID = H.LOG_STREAM_ID
                AND E.PRIMARY_MEMBER <> H.PRIMARY_MEMBER AND E.HADR_CONNECT_STATUS = 'CONNECTED'
        )
)
SELECT
    A.STANDBY_ID,
    A.STANDBY_MEMBER_HOST,
    A.HADR_STATE,
    A.HADR_CONNECT_STATUS,
    A.HADR_SYNCMODE,
    A.CONGESTED,
    A.SPOOL_PCT,
    A.AWAY_MIN,
    D.DB_NAME
FROM AWAY AS A
CROSS JOIN TUNE.RUN_DATABASE AS D
WHERE A.PLACE = 1
