-- rule:      workload.classify
-- title:     The declared kind of workload is not the one that was measured
-- area:      workload
-- lane:      H
-- effect:    ON
-- evidence:  load
-- needs:     workload.ROWS_RETURNED, workload.SELECT_SQL_STMTS, workload.ACT_COMPLETED_TOTAL
-- threshold: min_distance = 0.6 -- [prop] one class declared, and the features lean clearly to the other
-- source:    000_9a1c354496f94ea4.txt (analysis), 001_518820f6be7b57c0.txt (transaction processing); published features
--            of Db2 workloads, see the view WORKLOAD_CLASS
-- why:       Whether a change helps depends on the kind of work: the same table space wants a prefetch size of 0 for
--            transaction processing and extent x containers for analysis. A declared class settles that question
--            for every rule, so a wrong one makes all advice wrong.
-- not-if:    No class is declared: then the measured one holds; MIXED is declared; the measurement agrees, or leans
--            less than 0.6 of the way to the other side; parts of the interval disagree.
-- note:      The catalogue has this as a gate without a finding: the gate is the view, this is its check. One interval
--            can be a batch window of a transaction system, so it only asks to look.
SELECT
    'DATABASE' AS OBJECT_TYPE,
    D.DB_NAME AS OBJECT_NAME,
    CAST(NULL AS SMALLINT) AS MEMBER,
    CAST(0 AS DOUBLE) AS CLAIMED_PCT,
    CAST(0 AS DOUBLE) AS RECOVER_LOW,
    CAST(0 AS DOUBLE) AS RECOVER_EXPECTED,
    CAST(0 AS DOUBLE) AS RECOVER_HIGH,
    CAST(0.6 AS DOUBLE) AS CONFIDENCE,
    'OPTION:site:workload' AS TARGET,
    K.DECLARED AS CURRENT_VALUE,
    CAST(NULL AS VARCHAR(20)) AS PROPOSED_VALUE,
    CAST(NULL AS VARCHAR(20)) AS UNIT,
    CAST(0 AS BIGINT) AS MEMORY_DELTA_KB,
    '-- Compare another hour of the day. If it looks the same, take back the site option workload = ' || K.DECLARED
    || ' and let the measurements decide.' AS ACTION_TEXT,
    '-- Declare workload = ' || K.DECLARED || ' again.' AS UNDO_TEXT,
    'declared=' || K.DECLARED
    || '; measured_p_bi=' || CAST(CAST(ROUND(K.MEASURED_P_BI, 2) AS DECIMAL(9, 2)) AS VARCHAR(20))
    || '; rows_per_select='
    || COALESCE(CAST(CAST(ROUND(K.ROWS_PER_SELECT, 1) AS DECIMAL(15, 1)) AS VARCHAR(20)), 'unknown')
    || '; ms_per_activity='
    || COALESCE(CAST(CAST(ROUND(K.MS_PER_ACTIVITY, 1) AS DECIMAL(15, 1)) AS VARCHAR(20)), 'unknown')
    || '; prefetched_part=' || COALESCE(CAST(CAST(ROUND(K.ASYNC_PART, 2) AS DECIMAL(9, 2)) AS VARCHAR(20)), 'unknown')
        AS EVIDENCE,
    'The site declares ' || K.DECLARED || ', but what was measured looks like '
    || CASE WHEN K.DECLARED = 'BI' THEN 'transaction processing' ELSE 'analysis' END || ': '
    || COALESCE(CAST(CAST(ROUND(K.ROWS_PER_SELECT, 1) AS DECIMAL(15, 1)) AS VARCHAR(20)), 'an unknown number of')
    || ' rows per SELECT, '
    || COALESCE(CAST(CAST(ROUND(K.MS_PER_ACTIVITY, 1) AS DECIMAL(15, 1)) AS VARCHAR(20)), 'an unknown number of')
    || ' ms per activity.' AS FINDING,
    CAST(0 AS DOUBLE) AS CLAIM_2_PCT,
    CAST(0 AS DOUBLE) AS CLAIM_3_PCT
FROM TUNE.WORKLOAD_CLASS AS K
CROSS JOIN TUNE.RUN_DATABASE AS D
CROSS JOIN TUNE.O_WORKLOAD_CLASSIFY AS O
WHERE
    K.WINDOWS_DISAGREE = 0
    AND (
        (K.DECLARED = 'BI' AND 1 - K.MEASURED_P_BI >= O.MIN_DISTANCE)
        OR (K.DECLARED = 'OLTP' AND K.MEASURED_P_BI >= O.MIN_DISTANCE)
    )
