/*---
rule: dpf.partition-map-uneven
title: Distribution map spreads rows unevenly
lane: performance
lane_without_claim: condition
severity: low
takes_effect: object rebuilt or moved
risk: high
applies: {topology: dpf, quiet: true}
judged_by: structure
needs: [partition_map.BUCKETS, partition_group.IN_USE, cat_tablespace.DBPGNAME]
object: PARTITIONGROUP {DBPGNAME:text}
claims: {FCM: {events: RECV_WAITS, cost_ms: SPARED_MS}}
recover: [0.5, 0.8, 1]
confidence: 0.6
after: [dpf.missing-logical-nodes]
thresholds:
  host_tolerance: {default: 1.1, from: own, why: hosts that differ by more may be weighted on purpose}
actions:
  - set: {name: MAP, from: '{MIN_BUCKETS} to {MAX_BUCKETS}', to: UNIFORM, unit: buckets}
  - manual: >-
      Plan an outage: tables of the group cannot be used during redistribution, which writes log and needs room for the
      rows on their new partitions. Take a backup before, and another after if it was not rollforward recoverable.
  - manual: >-
      On the catalog partition, save the map for the undo: db2gpmap -d {DB_NAME:shell} -m {MAP_FILE:shell} -g
      {DBPGNAME:shell}
  - when: BARE > 0
    manual: >-
      First give the added partitions containers in each table space of the group: ALTER TABLESPACE with ADD and ON
      DBPARTITIONNUM.
  - command: REDISTRIBUTE DATABASE PARTITION GROUP {DBPGNAME:name} UNIFORM
    undo:
      command: REDISTRIBUTE DATABASE PARTITION GROUP {DBPGNAME:name} USING TARGETMAP {MAP_FILE:path}
finding:
  - >-
    The map gives its partitions between {MIN_BUCKETS} and {MAX_BUCKETS} of {BUCKETS} buckets. {WAITING_PCT} % of each
    scan is spent waiting for the fullest partition.
  - {when: ADDED > 0, text: '{ADDED} of {PARTITIONS} partitions were added and never received rows.'}
evidence: [partitions=PARTITIONS, buckets_max=MAX_BUCKETS, buckets_min=MIN_BUCKETS, partitions_added=ADDED,
  group_reads_pct=READS_PCT:2]
query: SELECT DBPGNAME, DBPARTITIONNUM, IN_USE FROM SYSCAT.DBPARTITIONGROUPDEF; db2gpmap -d <database> -g <object>
references:
  - x445, "Localizing the data"
  - IBM documentation of REDISTRIBUTE DATABASE PARTITION GROUP
why: >-
  The map's buckets determine the rows of each table per partition, and a scan takes as long as the largest part. An
  added partition (IN_USE A or T) has no bucket, and so no work, until the group is redistributed.
not_if: The partitions' hosts differ in processors or memory per member, so the map may be weighted on purpose.
note: >-
  The rule cannot see whether a documented weight file made the map on equal hosts. Partitions that are about to be
  dropped (IN_USE D) are ignored. The map file has a number, since a group's name may contain characters that a file
  name cannot.
---*/
WITH PER_GROUP AS (
    SELECT
        G.DBPGNAME,
        COUNT(*) AS PARTITIONS,
        SUM(G.BUCKETS) AS BUCKETS,
        MAX(G.BUCKETS) AS MAX_BUCKETS,
        MIN(G.BUCKETS) AS MIN_BUCKETS,
        MIN(CASE WHEN G.IN_USE = 'Y' THEN G.BUCKETS END) AS MIN_OLD_BUCKETS,
        SUM(CASE WHEN G.IN_USE = 'Y' THEN 0 ELSE 1 END) AS ADDED,
        COUNT(CASE WHEN G.IN_USE = 'T' THEN G.MEMBER END) AS BARE,
        MAX(CAST(H.CPU_ONLINE AS DOUBLE) / NULLIF(H.MEMBERS, 0)) AS MAX_CPUS,
        MIN(CAST(H.CPU_ONLINE AS DOUBLE) / NULLIF(H.MEMBERS, 0)) AS MIN_CPUS,
        MAX(H.MEMBER_MEMORY_KB) AS MAX_KB,
        MIN(H.MEMBER_MEMORY_KB) AS MIN_KB
    FROM TUNE.GROUP_MEMBER AS G
    LEFT JOIN TUNE.HOST AS H ON G.MEMBER = H.MEMBER
    WHERE G.IN_USE IN ('Y', 'A', 'T') AND G.BUCKETS IS NOT NULL
    GROUP BY G.DBPGNAME
),
UNEVEN AS (
    SELECT
        P.*,
        1 - CAST(P.BUCKETS AS DOUBLE) / NULLIF(P.PARTITIONS * P.MAX_BUCKETS, 0) AS WAITING_PART
    FROM PER_GROUP AS P
    CROSS JOIN TUNE.O_DPF_PARTITION_MAP_UNEVEN AS O
    WHERE
        P.PARTITIONS >= 2
        AND P.MAX_BUCKETS - P.MIN_BUCKETS > 1 -- more than a uniform map has
        AND (
            P.MAX_BUCKETS - P.MIN_OLD_BUCKETS <= 1
            OR (
                COALESCE(P.MAX_CPUS, 1) <= O.HOST_TOLERANCE * COALESCE(P.MIN_CPUS, 1)
                AND COALESCE(P.MAX_KB, 1) <= O.HOST_TOLERANCE * COALESCE(P.MIN_KB, 1)
            )
        )
)
SELECT
    U.DBPGNAME, U.PARTITIONS, U.BUCKETS, U.MAX_BUCKETS, U.MIN_BUCKETS, U.ADDED, U.BARE, D.DB_NAME,
    WORD.NAME || '_' || CAST(ROW_NUMBER() OVER (ORDER BY U.DBPGNAME) AS VARCHAR(20)) || '.map' AS MAP_FILE,
    100 * U.WAITING_PART AS WAITING_PCT,
    COALESCE(S.SHARE_PCT + S.PREFETCH_WAIT_PCT, 0) AS READS_PCT,
    GREATEST(1, T.FCM_RECV_WAITS_TOTAL) AS RECV_WAITS,
    -- the waits for rows, this group's part of them, and the part of that which an even map would save
    U.WAITING_PART * COALESCE(S.READ_PART, 0) * T.FCM_RECV_WAIT_TIME
    / CAST(NULLIF(GREATEST(1, T.FCM_RECV_WAITS_TOTAL), 0) AS DOUBLE) AS SPARED_MS
FROM UNEVEN AS U
CROSS JOIN TUNE.RUN_DATABASE AS D
CROSS JOIN TUNE.DATABASE_WORD AS WORD
CROSS JOIN TUNE.DATABASE_TIME AS T
LEFT JOIN (
    SELECT
        A.*,
        CAST(A.SHARE_PCT + A.PREFETCH_WAIT_PCT AS DOUBLE) / NULLIF(SUM(A.SHARE_PCT + A.PREFETCH_WAIT_PCT) OVER (), 0)
            AS READ_PART
    FROM (
        SELECT
            DBPGNAME,
            SUM(SHARE_PCT) AS SHARE_PCT,
            SUM(PREFETCH_WAIT_PCT) AS PREFETCH_WAIT_PCT
        FROM TUNE.TABLESPACE
        GROUP BY DBPGNAME
    ) AS A
) AS S ON U.DBPGNAME = S.DBPGNAME
