-- rule:      dpf.member-load-skew
-- title:     One partition has more to do than the others
-- area:      dpf
-- lane:      P
-- effect:    HR
-- risk:      medium
-- applies:   topology=dpf
-- evidence:  load
-- claims:    FCM
-- yields:    dpf.row-skew@any, dpf.partition-map-uneven@any+larger
-- needs:     partition_group.DBPARTITIONNUM, cat_tablespace.DBPGNAME, workload.TOTAL_CPU_TIME, workload.ROWS_READ,
--            workload.POOL_READ_TIME, workload.FCM_RECV_WAIT_TIME
-- threshold: min_skew = 1.25 -- [prop] below a quarter above the average, members differ by chance
-- threshold: min_read_pct = 5 -- [prop] with less time in reads, uneven reads do not matter
-- threshold: funnel = 0.8 -- [prop] with this part of all commits, one member coordinates the work of all
-- source:    000_9a1c354496f94ea4.txt, "Balancing the hardware" and the scaling from 8 to 32 partitions
-- why:       A statement that runs on all partitions ends with the slowest; the others wait for its rows, which
--            their FCM receive waits show. Of that time 1 - average / largest is lost.
-- not-if:    The members are even, or nobody waits for the busy one. Members without tables that are spread over
--            partitions (catalog, coordinator) are not compared.
-- note:      A diagnosis: the command belongs to the rule that finds the cause. That the same member is ahead in
--            several intervals is not asked for, since one run sees one interval.
WITH WORK AS (
    SELECT
        M.MEMBER,
        M.TOTAL_CPU_TIME,
        M.ROWS_READ,
        M.POOL_READ_TIME,
        M.TOTAL_APP_COMMITS,
        COUNT(*) OVER () AS N,
        AVG(CAST(M.TOTAL_CPU_TIME AS DOUBLE)) OVER () AS AVG_CPU,
        AVG(CAST(M.ROWS_READ AS DOUBLE)) OVER () AS AVG_ROWS,
        AVG(CAST(M.POOL_READ_TIME AS DOUBLE)) OVER () AS AVG_READ
    FROM TUNE.MEMBER_TIME AS M
    INNER JOIN (
        SELECT DISTINCT MEMBER FROM TUNE.GROUP_MEMBER WHERE PARTITIONS >= 2 AND PART > 0
    ) AS G ON M.MEMBER = G.MEMBER
),
RATIO AS (
    SELECT
        W.MEMBER,
        W.N,
        COALESCE(CAST(W.TOTAL_CPU_TIME AS DOUBLE) / NULLIF(W.AVG_CPU, 0), 1) AS CPU_RATIO,
        COALESCE(CAST(W.ROWS_READ AS DOUBLE) / NULLIF(W.AVG_ROWS, 0), 1) AS ROWS_RATIO,
        CASE
            WHEN T.POOL_READ_PCT >= O.MIN_READ_PCT
                THEN COALESCE(CAST(W.POOL_READ_TIME AS DOUBLE) / NULLIF(W.AVG_READ, 0), 1)
            ELSE 1
        END AS READ_RATIO,
        CASE WHEN W.TOTAL_APP_COMMITS >= O.FUNNEL * T.TOTAL_APP_COMMITS THEN 1 ELSE 0 END AS COORDINATES
    FROM WORK AS W
    CROSS JOIN TUNE.DATABASE_TIME AS T
    CROSS JOIN TUNE.O_DPF_MEMBER_LOAD_SKEW AS O
    WHERE W.N >= 2
),
BUSIEST AS (
    SELECT
        R.*,
        GREATEST(R.CPU_RATIO, R.ROWS_RATIO, R.READ_RATIO) AS SKEW,
        ROW_NUMBER() OVER (ORDER BY GREATEST(R.CPU_RATIO, R.ROWS_RATIO, R.READ_RATIO) DESC, R.MEMBER) AS PLACE
    FROM RATIO AS R
),
CLAIM AS (
    SELECT
        B.*,
        O.MIN_SKEW,
        LEAST(
            COALESCE(100 * CAST(W.FCM_RECV_WAIT_TIME AS DOUBLE) / NULLIF(T.DBT_MS, 0), 0),
            100 * (1 - CAST(1 AS DOUBLE) / NULLIF(B.SKEW, 0))
        ) AS CLAIMED_PCT
    FROM BUSIEST AS B
    INNER JOIN (
        SELECT
            X.MEMBER,
            SUM(Y.FCM_RECV_WAIT_TIME) AS FCM_RECV_WAIT_TIME
        FROM TUNE.MEMBER_TIME AS X
        INNER JOIN TUNE.MEMBER_TIME AS Y ON X.MEMBER <> Y.MEMBER
        GROUP BY X.MEMBER
    ) AS W ON B.MEMBER = W.MEMBER
    CROSS JOIN TUNE.DATABASE_TIME AS T
    CROSS JOIN TUNE.O_DPF_MEMBER_LOAD_SKEW AS O
    WHERE B.PLACE = 1 AND B.SKEW >= O.MIN_SKEW
)
SELECT
    'MEMBER' AS OBJECT_TYPE,
    CAST(C.MEMBER AS VARCHAR(20)) AS OBJECT_NAME,
    C.MEMBER,
    C.CLAIMED_PCT,
    CAST(0.3 AS DOUBLE) AS RECOVER_LOW,
    CAST(0.6 AS DOUBLE) AS RECOVER_EXPECTED,
    CAST(0.9 AS DOUBLE) AS RECOVER_HIGH,
    CAST(0.6 AS DOUBLE) AS CONFIDENCE,
    CAST(NULL AS VARCHAR(400)) AS TARGET,
    CAST(CAST(ROUND(C.SKEW, 2) AS DECIMAL(9, 2)) AS VARCHAR(20)) AS CURRENT_VALUE,
    '1' AS PROPOSED_VALUE,
    'times the average' AS UNIT,
    CAST(0 AS BIGINT) AS MEMORY_DELTA_KB,
    CASE
        WHEN C.ROWS_RATIO >= C.MIN_SKEW
            THEN '-- Find the tables of which member ' || CAST(C.MEMBER AS VARCHAR(20))
                || ' reads more rows than the others (ROWS_READ of MON_GET_TABLE per member): tables that lie on it'
                || ' alone, or whose rows asked for all have one value of the distribution key.'
        WHEN C.READ_RATIO >= C.MIN_SKEW
            THEN '-- Compare the storage of member ' || CAST(C.MEMBER AS VARCHAR(20))
                || ' with that of the others: it reads as many rows and waits longer for them'
                || ' (devices, paths, cache, other users of its arrays).'
        WHEN C.COORDINATES = 1
            THEN '-- Spread the connections over the members: nearly all work is coordinated by member '
                || CAST(C.MEMBER AS VARCHAR(20)) || ', which also holds data.'
        ELSE '-- Look for what else uses the processors of member ' || CAST(C.MEMBER AS VARCHAR(20))
            || ': other programs, fewer or slower processors, routines that run only there.'
    END AS ACTION_TEXT,
    '-- Nothing to take back: a diagnosis changes nothing.' AS UNDO_TEXT,
    'TOTAL_CPU_TIME_ratio=' || CAST(CAST(ROUND(C.CPU_RATIO, 2) AS DECIMAL(9, 2)) AS VARCHAR(20))
    || '; ROWS_READ_ratio=' || CAST(CAST(ROUND(C.ROWS_RATIO, 2) AS DECIMAL(9, 2)) AS VARCHAR(20))
    || '; POOL_READ_TIME_ratio=' || CAST(CAST(ROUND(C.READ_RATIO, 2) AS DECIMAL(9, 2)) AS VARCHAR(20))
    || '; members=' || CAST(C.N AS VARCHAR(20))
    || '; coordinates=' || CAST(C.COORDINATES AS VARCHAR(20)) AS EVIDENCE,
    'Member ' || CAST(C.MEMBER AS VARCHAR(20)) || ' does '
    || CAST(CAST(ROUND(C.SKEW, 2) AS DECIMAL(9, 2)) AS VARCHAR(20))
    || CASE
        WHEN C.ROWS_RATIO >= C.MIN_SKEW THEN ' times the average work of a member (rows read '
        WHEN C.READ_RATIO >= C.MIN_SKEW THEN ' times the average waiting for reads (rows read '
        ELSE ' times the average processor time (rows read '
    END
    || CAST(CAST(ROUND(C.ROWS_RATIO, 2) AS DECIMAL(9, 2)) AS VARCHAR(20))
    || ' times), and the others wait for it.' AS FINDING,
    CAST(0 AS DOUBLE) AS CLAIM_2_PCT,
    CAST(0 AS DOUBLE) AS CLAIM_3_PCT
FROM CLAIM AS C
WHERE C.CLAIMED_PCT > 0
