-- rule:      dpf.fcm-wait-high
-- title:     Time is lost moving rows between partitions
-- area:      dpf
-- lane:      P
-- effect:    ON
-- risk:      low
-- applies:   topology=dpf
-- evidence:  load
-- claims:    FCM
-- yields:    dpf.row-skew@any, dpf.partition-map-uneven@any+larger, dpf.member-load-skew@any
-- needs:     workload.FCM_TQ_RECV_WAIT_TIME, workload.FCM_TQ_SEND_WAIT_TIME, workload.TQ_TOT_SEND_SPILLS,
--            fcm.BUFF_FREE_BOTTOM
-- threshold: min_tq_pct = 20 -- [prop] below, a fifth of database time, rows move as parallel plans need it
-- threshold: min_spills = 1 -- [db2mon] a table queue that spills writes to disk what it should send
-- source:    000_9a1c354496f94ea4.txt, traffic between nodes; IBM documentation of distribution keys, fcm_num_buffers
-- why:       Joins whose tables are not collocated send rows through table queues, and both sides wait. When
--            the buffers of FCM run out, senders stop until some are free.
-- not-if:    One member is behind and the others wait for it (the rules about skew say so); the buffers are
--            AUTOMATIC, or about to be.
-- note:      A coordinator waits for its subagents in the same counters, so on few partitions much of it is
--            normal: confidence is low unless buffers ran out. Which join is not collocated cannot be seen.
WITH MOVED AS (
    SELECT
        LEAST(100, COALESCE(
            100 * CAST(SUM(FCM_TQ_RECV_WAIT_TIME) + SUM(FCM_TQ_SEND_WAIT_TIME) AS DOUBLE) / NULLIF(SUM(DBT_MS), 0), 0
        )) AS TQ_PCT,
        SUM(TQ_TOT_SEND_SPILLS) AS SPILLS
    FROM TUNE.MEMBER_TIME
),
BUFFERS AS (
    SELECT
        C.NUM,
        F.BUFF_FREE_BOTTOM
    FROM TUNE.CONFIG AS C
    CROSS JOIN (SELECT MIN(BUFF_FREE_BOTTOM) AS BUFF_FREE_BOTTOM FROM TUNE.D_FCM) AS F
    WHERE C.SCOPE = 'DBM' AND C.NAME = 'fcm_num_buffers' AND C.AUTOMATIC = 0 AND C.PENDING = 0 AND C.NUM > 0
        AND F.BUFF_FREE_BOTTOM = 0
)
SELECT
    'INSTANCE' AS OBJECT_TYPE,
    D.INSTANCE_NAME AS OBJECT_NAME,
    CAST(NULL AS SMALLINT) AS MEMBER,
    CASE WHEN M.TQ_PCT >= O.MIN_TQ_PCT THEN M.TQ_PCT ELSE 0 END AS CLAIMED_PCT,
    CAST(0.1 AS DOUBLE) AS RECOVER_LOW,
    CAST(0.3 AS DOUBLE) AS RECOVER_EXPECTED,
    CAST(0.6 AS DOUBLE) AS RECOVER_HIGH,
    CAST(0.6 AS DOUBLE) AS CONFIDENCE,
    'DBMCFG:FCM_NUM_BUFFERS' AS TARGET,
    CAST(B.NUM AS VARCHAR(20)) AS CURRENT_VALUE,
    'AUTOMATIC' AS PROPOSED_VALUE,
    'buffers' AS UNIT,
    CAST(0 AS BIGINT) AS MEMORY_DELTA_KB,
    'UPDATE DBM CFG USING FCM_NUM_BUFFERS AUTOMATIC' AS ACTION_TEXT,
    'UPDATE DBM CFG USING FCM_NUM_BUFFERS ' || CAST(B.NUM AS VARCHAR(20)) AS UNDO_TEXT,
    'FCM_NUM_BUFFERS=' || CAST(B.NUM AS VARCHAR(20))
    || '; BUFF_FREE_BOTTOM=' || CAST(B.BUFF_FREE_BOTTOM AS VARCHAR(20))
    || '; FCM_TQ_WAIT_TIME_pct=' || CAST(CAST(ROUND(M.TQ_PCT, 2) AS DECIMAL(9, 2)) AS VARCHAR(20)) AS EVIDENCE,
    'The ' || CAST(B.NUM AS VARCHAR(20)) || ' FCM buffers were all in use at times: senders waited for a free one.'
    AS FINDING,
    CAST(0 AS DOUBLE) AS CLAIM_2_PCT,
    CAST(0 AS DOUBLE) AS CLAIM_3_PCT
FROM BUFFERS AS B
CROSS JOIN MOVED AS M
CROSS JOIN TUNE.O_DPF_FCM_WAIT_HIGH AS O
CROSS JOIN TUNE.RUN_DATABASE AS D
UNION ALL
SELECT
    'DATABASE',
    D.DB_NAME,
    CAST(NULL AS SMALLINT),
    M.TQ_PCT,
    CAST(0.1 AS DOUBLE),
    CAST(0.3 AS DOUBLE),
    CAST(0.6 AS DOUBLE),
    CAST(0.3 AS DOUBLE),
    CAST(NULL AS VARCHAR(400)),
    CAST(CAST(ROUND(M.TQ_PCT, 2) AS DECIMAL(9, 2)) AS VARCHAR(20)),
    CAST(NULL AS VARCHAR(200)),
    'percent of database time',
    CAST(0 AS BIGINT),
    '-- Collocate the large joins: the same database partition group and the same distribution key, type by type, on'
    || ' the columns that join them.' || CHR(10)
    || '-- Replicate small dimensions: CREATE TABLE with DATA INITIALLY DEFERRED REFRESH DEFERRED and DISTRIBUTE BY'
    || ' REPLICATION in the table space of the fact table.',
    '-- Drop the replicated tables again, and give moved tables their old distribution key.',
    'FCM_TQ_WAIT_TIME_pct=' || CAST(CAST(ROUND(M.TQ_PCT, 2) AS DECIMAL(9, 2)) AS VARCHAR(20))
    || '; TQ_TOT_SEND_SPILLS=' || CAST(M.SPILLS AS VARCHAR(20)),
    'Waits for rows that move between partitions are '
    || CAST(CAST(ROUND(M.TQ_PCT) AS BIGINT) AS VARCHAR(20)) || ' % of database time; '
    || CAST(M.SPILLS AS VARCHAR(20)) || ' table queues spilled to disk.',
    CAST(0 AS DOUBLE),
    CAST(0 AS DOUBLE)
FROM MOVED AS M
CROSS JOIN TUNE.O_DPF_FCM_WAIT_HIGH AS O
CROSS JOIN TUNE.RUN_DATABASE AS D
WHERE M.TQ_PCT >= O.MIN_TQ_PCT OR (M.SPILLS >= O.MIN_SPILLS AND M.TQ_PCT > 0)
