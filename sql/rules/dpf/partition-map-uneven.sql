-- rule:      dpf.partition-map-uneven
-- title:     The distribution map does not spread rows evenly over the partitions
-- area:      dpf
-- lane:      P
-- effect:    OB
-- risk:      medium
-- applies:   topology=dpf; quiet=yes
-- evidence:  load
-- claims:    POOL_READ, PREFETCH_WAIT
-- after:     dpf.missing-logical-nodes
-- needs:     partition_map.BUCKETS, partition_group.IN_USE, cat_tablespace.DBPGNAME, workload.POOL_READ_TIME
-- threshold: max_gap = 1 -- [doc] a uniform map gives every partition the same number of buckets, give or take one
-- threshold: host_tolerance = 1.1 -- [prop] hosts that differ by more may carry weights on purpose
-- source:    000_9a1c354496f94ea4.txt, "Localizing the data"; IBM documentation of REDISTRIBUTE DATABASE PARTITION
--            GROUP
-- why:       Every table of the group puts as many rows on a partition as the map gives it buckets, and a scan
--            takes as long as the largest part. A partition that was added (IN_USE A or T) owns no bucket, and
--            so does nothing, before the group is redistributed.
-- not-if:    The hosts of the partitions differ in processors or memory per member: the map may be weighted on purpose.
-- note:      That a map comes from a documented file of weights on equal hosts cannot be seen. Partitions that wait
--            to be dropped (IN_USE D) are left out.
WITH PER_GROUP AS (
    SELECT
        G.DBPGNAME,
        COUNT(*) AS PARTITIONS,
        SUM(G.BUCKETS) AS BUCKETS,
        MAX(G.BUCKETS) AS MAX_BUCKETS,
        MIN(G.BUCKETS) AS MIN_BUCKETS,
        MIN(CASE WHEN G.IN_USE = 'Y' THEN G.BUCKETS END) AS MIN_OLD_BUCKETS,
        SUM(CASE WHEN G.IN_USE = 'Y' THEN 0 ELSE 1 END) AS ADDED,
        SUM(CASE WHEN G.IN_USE = 'T' THEN 1 ELSE 0 END) AS BARE,
        MAX(CAST(H.CPU_ONLINE AS DOUBLE) / NULLIF(H.MEMBERS, 0)) AS MAX_CPUS,
        MIN(CAST(H.CPU_ONLINE AS DOUBLE) / NULLIF(H.MEMBERS, 0)) AS MIN_CPUS,
        MAX(H.MEMBER_MEMORY_KB) AS MAX_KB,
        MIN(H.MEMBER_MEMORY_KB) AS MIN_KB
    FROM TUNE.GROUP_MEMBER AS G
    LEFT JOIN TUNE.HOST AS H ON G.MEMBER = H.MEMBER
    WHERE G.IN_USE IN ('Y', 'A', 'T') AND G.BUCKETS IS NOT NULL
    GROUP BY G.DBPGNAME
),
SHARE AS (
    SELECT
        DBPGNAME,
        SUM(SHARE_PCT) AS SHARE_PCT,
        SUM(PREFETCH_WAIT_PCT) AS PREFETCH_WAIT_PCT
    FROM TUNE.TABLESPACE
    GROUP BY DBPGNAME
),
UNEVEN AS (
    SELECT
        P.*,
        COALESCE(S.SHARE_PCT, 0) AS SHARE_PCT,
        COALESCE(S.PREFETCH_WAIT_PCT, 0) AS PREFETCH_WAIT_PCT,
        1 - CAST(P.BUCKETS AS DOUBLE) / NULLIF(P.PARTITIONS * P.MAX_BUCKETS, 0) AS LOST_PART,
        '"' || REPLACE(P.DBPGNAME, '"', '""') || '"' AS QUOTED,
        -- numbered, since a group's name may hold what a file's may not
        D.DB_NAME || '_' || CAST(ROW_NUMBER() OVER (ORDER BY P.DBPGNAME) AS VARCHAR(20)) || '.map' AS MAP_FILE,
        D.DB_NAME
    FROM PER_GROUP AS P
    CROSS JOIN TUNE.O_DPF_PARTITION_MAP_UNEVEN AS O
    CROSS JOIN TUNE.RUN_DATABASE AS D
    LEFT JOIN SHARE AS S ON P.DBPGNAME = S.DBPGNAME
    WHERE
        P.PARTITIONS >= 2
        AND P.MAX_BUCKETS - P.MIN_BUCKETS > O.MAX_GAP
        AND (
            P.MAX_BUCKETS - P.MIN_OLD_BUCKETS <= O.MAX_GAP
            OR (
                COALESCE(P.MAX_CPUS, 1) <= O.HOST_TOLERANCE * COALESCE(P.MIN_CPUS, 1)
                AND COALESCE(P.MAX_KB, 1) <= O.HOST_TOLERANCE * COALESCE(P.MIN_KB, 1)
            )
        )
)
SELECT
    'PARTITIONGROUP' AS OBJECT_TYPE,
    U.DBPGNAME AS OBJECT_NAME,
    CAST(NULL AS SMALLINT) AS MEMBER,
    U.LOST_PART * (U.SHARE_PCT + U.PREFETCH_WAIT_PCT) AS CLAIMED_PCT,
    CAST(0.5 AS DOUBLE) AS RECOVER_LOW,
    CAST(0.8 AS DOUBLE) AS RECOVER_EXPECTED,
    CAST(1 AS DOUBLE) AS RECOVER_HIGH,
    CAST(0.6 AS DOUBLE) AS CONFIDENCE,
    'PARTITIONGROUP:' || U.DBPGNAME || ':MAP' AS TARGET,
    CAST(U.MIN_BUCKETS AS VARCHAR(20)) || ' to ' || CAST(U.MAX_BUCKETS AS VARCHAR(20)) AS CURRENT_VALUE,
    'UNIFORM' AS PROPOSED_VALUE,
    'buckets' AS UNIT,
    CAST(0 AS BIGINT) AS MEMORY_DELTA_KB,
    '-- On the catalog partition, save the map for the way back: db2gpmap -d ' || U.DB_NAME
    || ' -m ' || U.MAP_FILE || ' -g ' || U.QUOTED || CHR(10)
    || CASE
        WHEN U.BARE > 0
            THEN '-- First give the added partitions containers in each table space of the group:'
                || ' ALTER TABLESPACE with ADD and ON DBPARTITIONNUM.' || CHR(10)
        ELSE ''
    END
    || 'REDISTRIBUTE DATABASE PARTITION GROUP ' || U.QUOTED || ' UNIFORM' AS ACTION_TEXT,
    'REDISTRIBUTE DATABASE PARTITION GROUP ' || U.QUOTED || ' USING TARGETMAP ' || U.MAP_FILE AS UNDO_TEXT,
    'partitions=' || CAST(U.PARTITIONS AS VARCHAR(20))
    || '; buckets_max=' || CAST(U.MAX_BUCKETS AS VARCHAR(20))
    || '; buckets_min=' || CAST(U.MIN_BUCKETS AS VARCHAR(20))
    || '; partitions_added=' || CAST(U.ADDED AS VARCHAR(20))
    || '; group_reads_pct='
    || CAST(CAST(ROUND(U.SHARE_PCT + U.PREFETCH_WAIT_PCT, 2) AS DECIMAL(9, 2)) AS VARCHAR(20)) AS EVIDENCE,
    'The map gives its partitions between ' || CAST(U.MIN_BUCKETS AS VARCHAR(20)) || ' and '
    || CAST(U.MAX_BUCKETS AS VARCHAR(20)) || ' buckets of ' || CAST(U.BUCKETS AS VARCHAR(20)) || ': '
    || CAST(CAST(ROUND(100 * U.LOST_PART) AS BIGINT) AS VARCHAR(20))
    || ' % of each scan is waiting for the fullest.'
    || CASE
        WHEN U.ADDED > 0
            THEN ' ' || CAST(U.ADDED AS VARCHAR(20)) || ' of ' || CAST(U.PARTITIONS AS VARCHAR(20))
                || ' partitions were added and never given rows.'
        ELSE ''
    END AS FINDING,
    U.LOST_PART * U.PREFETCH_WAIT_PCT AS CLAIM_2_PCT,
    CAST(0 AS DOUBLE) AS CLAIM_3_PCT
FROM UNEVEN AS U
