/*---
rule: dpf.fcm-wait-high
title: Waits for rows that move between partitions
lane: performance
takes_effect: immediately
applies: {topology: dpf}
judged_by: load
needs: [workload.FCM_TQ_RECV_WAIT_TIME, workload.FCM_TQ_SEND_WAIT_TIME, workload.TQ_TOT_SEND_SPILLS,
  workload.TOTAL_APP_COMMITS, fcm.BUFF_FREE_BOTTOM]
object: '{OBJECT_TYPE:text} {OBJECT_NAME:text}'
claims: {FCM: {events: AVOIDABLE_WAITS, cost_ms: TQ_WAIT_MS}}
recover: [0.1, 0.3, 0.6]
confidence: CONFIDENCE
defers_to:
  - {rule: dpf.row-skew, within: any}
  - {rule: dpf.partition-map-uneven, within: any, only_if_larger: true}
  - {rule: dpf.member-load-skew, within: any}
thresholds:
  min_tq_pct: {default: 20, from: own, why: 'below a fifth of database time, parallel plans normally move rows'}
  min_kb_per_s: {default: 1000, from: own, why: with less than 1 MB per second the wait has another cause}
actions:
  - when: OBJECT_TYPE = 'INSTANCE'
    set: {kind: DBMCFG, name: FCM_NUM_BUFFERS, from: '{FCM_NUM_BUFFERS}', to: AUTOMATIC, unit: buffers}
  - when: OBJECT_TYPE = 'DATABASE'
    manual: >-
      Collocate the large joins: the same database partition group and the same distribution key, with the same types,
      on the join columns.
    undo: {manual: 'Drop the replicated tables, and give moved tables their old distribution key.'}
  - when: OBJECT_TYPE = 'DATABASE'
    manual: >-
      Replicate small dimensions: CREATE TABLE with DATA INITIALLY DEFERRED REFRESH DEFERRED and DISTRIBUTE BY
      REPLICATION in the table space of the fact table.
finding:
  - choose:
      - when: OBJECT_TYPE = 'INSTANCE'
        text: 'All {FCM_NUM_BUFFERS} FCM buffers were in use at times: senders waited for a free one.'
      - >-
        Waits for rows that move between partitions take {TQ_PCT} % of database time[, and {WORST_PCT} % of an average
        member's time on member {ONE_MEMBER}]; {SPILLS} table queues spilled to disk.
evidence:
  - when: OBJECT_TYPE = 'INSTANCE'
    figures: [FCM_NUM_BUFFERS, BUFF_FREE_BOTTOM]
  - FCM_TQ_WAIT_TIME_pct=TQ_PCT:2
  - when: OBJECT_TYPE = 'DATABASE'
    figures: [TQ_TOT_SEND_SPILLS=SPILLS]
references:
  - x445, traffic between nodes
  - IBM documentation of distribution keys, fcm_num_buffers
why: >-
  Joins of tables that are not collocated send rows through table queues, and both sides wait. If FCM buffers run out,
  senders stop until some are free.
not_if: >-
  One member is slow and the others wait for it (the skew rules report it); the buffers are AUTOMATIC, or will be; few
  rows move.
note: >-
  A coordinator that receives waits for the work of its subagents, not for moving rows. So only sends, and receives by
  members that do not coordinate, are counted. Confidence is low unless buffers ran out. The rule cannot see which join
  is not collocated.
---*/
WITH MEMBER_WAIT AS (
    SELECT
        M.*,
        M.FCM_TQ_SEND_WAIT_TIME + CASE WHEN M.TOTAL_APP_COMMITS > 0 THEN 0 ELSE M.FCM_TQ_RECV_WAIT_TIME END AS TQ_MS,
        M.FCM_TQ_SEND_WAITS_TOTAL + CASE WHEN M.TOTAL_APP_COMMITS > 0 THEN 0 ELSE M.FCM_TQ_RECV_WAITS_TOTAL END
            AS TQ_WAITS
    FROM TUNE.MEMBER_TIME AS M
),
WAITED AS (
    SELECT
        SUM(TQ_MS) AS WAITED_MS,
        -- in relation to an average member: a sum over all would hide one
        COUNT(*) * MAX(TQ_MS) AS WORST_MS,
        MAX(CASE WHEN PLACE = 1 THEN MEMBER END) AS WORST_MEMBER,
        GREATEST(1, SUM(TQ_WAITS)) AS TQ_WAITS,
        SUM(FCM_TQ_SEND_VOLUME) AS FCM_TQ_SEND_VOLUME,
        SUM(TQ_TOT_SEND_SPILLS) AS SPILLS,
        SUM(DBT_MS) AS DBT_MS
    FROM (
        SELECT MEMBER_WAIT.*, ROW_NUMBER() OVER (ORDER BY TQ_MS DESC, MEMBER) AS PLACE
        FROM MEMBER_WAIT
    ) AS W
),
MOVED AS (
    SELECT
        A.TQ_WAITS,
        CAST(A.WAITED_MS AS DOUBLE) / NULLIF(A.TQ_WAITS, 0) AS TQ_WAIT_MS,
        LEAST(100, COALESCE(100 * CAST(A.WAITED_MS AS DOUBLE) / NULLIF(A.DBT_MS, 0), 0)) AS TQ_PCT,
        LEAST(100, COALESCE(100 * CAST(A.WORST_MS AS DOUBLE) / NULLIF(A.DBT_MS, 0), 0)) AS WORST_PCT,
        A.WORST_MEMBER,
        A.SPILLS,
        60 * CAST(A.SPILLS AS DOUBLE) / NULLIF(W.SECONDS, 0) AS SPILLS_PER_MIN,
        -- the volume is in bytes; without it the volume is not known to be small
        CAST(A.FCM_TQ_SEND_VOLUME AS DOUBLE) / NULLIF(1024 * W.SECONDS, 0) AS KB_PER_S
    FROM WAITED AS A
    CROSS JOIN TUNE.RUN_WINDOW AS W
),
MEASURED AS (
    SELECT
        M.*,
        S.NUM AS FCM_NUM_BUFFERS,
        F.BUFF_FREE_BOTTOM
    FROM MOVED AS M
    CROSS JOIN (SELECT MIN(BUFF_FREE_BOTTOM) AS BUFF_FREE_BOTTOM FROM TUNE.D_FCM) AS F
    LEFT JOIN TUNE.SETTING AS S ON S.SCOPE = 'DBM' AND S.NAME = 'fcm_num_buffers' AND S.FIXED = 1
),
JUDGED (OBJECT_TYPE, OBJECT_NAME, CONFIDENCE) AS (
    SELECT 'INSTANCE' AS OBJECT_TYPE, INSTANCE_NAME AS OBJECT_NAME, 0.6 AS CONFIDENCE FROM TUNE.RUN_DATABASE
    UNION ALL
    SELECT 'DATABASE', DB_NAME, 0.3 FROM TUNE.RUN_DATABASE
)
SELECT
    J.*,
    M.*,
    CASE WHEN M.WORST_PCT >= O.MIN_TQ_PCT THEN M.TQ_WAITS END AS AVOIDABLE_WAITS,
    CASE WHEN M.TQ_PCT < O.MIN_TQ_PCT AND M.WORST_PCT >= O.MIN_TQ_PCT THEN M.WORST_MEMBER END AS ONE_MEMBER
FROM MEASURED AS M
CROSS JOIN JUDGED AS J
CROSS JOIN TUNE.O_DPF_FCM_WAIT_HIGH AS O
CROSS JOIN TUNE.CONSTANT AS CONST
WHERE
    (J.OBJECT_TYPE = 'INSTANCE' AND M.FCM_NUM_BUFFERS > 0 AND M.BUFF_FREE_BOTTOM = 0)
    OR (
        J.OBJECT_TYPE = 'DATABASE'
        AND COALESCE(M.KB_PER_S, O.MIN_KB_PER_S) >= O.MIN_KB_PER_S
        AND (M.WORST_PCT >= O.MIN_TQ_PCT OR M.SPILLS_PER_MIN >= CONST.PER_MINUTE)
    )
