-- rule:      dpf.missing-logical-nodes
-- title:     A partition that holds data is not active
-- area:      dpf
-- lane:      S
-- severity:  high
-- effect:    ON
-- applies:   topology=dpf
-- evidence:  config
-- needs:     member.STATE, database.DB_CONN_TIME, partition_group.DBPARTITIONNUM, cat_tablespace.DBPGNAME
-- source:    000_9a1c354496f94ea4.txt, logical nodes and db2nodes.cfg; IBM documentation of START DATABASE MANAGER
--            and ACTIVATE DATABASE
-- why:       Statements that need rows of the partition fail, and nothing on it is monitored or tuned: memory is
--            tuned by STMM only while all partitions are active.
-- not-if:    No table space for data of users lies on it: a partition for administration or the catalog alone.
-- note:      A partition that was added to a group and owns no bucket yet is told by dpf.partition-map-uneven; one
--            in no group at all may be a coordinator on purpose and is left alone. DEACTIVATE DATABASE stops the
--            database on all partitions, so an activation is not taken back.
SELECT
    'MEMBER' AS OBJECT_TYPE,
    CAST(M.MEMBER AS VARCHAR(20)) AS OBJECT_NAME,
    M.MEMBER,
    CAST(0 AS DOUBLE) AS CLAIMED_PCT,
    CAST(0 AS DOUBLE) AS RECOVER_LOW,
    CAST(0 AS DOUBLE) AS RECOVER_EXPECTED,
    CAST(0 AS DOUBLE) AS RECOVER_HIGH,
    CAST(0.9 AS DOUBLE) AS CONFIDENCE,
    'MEMBER:' || CAST(M.MEMBER AS VARCHAR(20)) || ':STATE' AS TARGET,
    COALESCE(M.STATE, 'not known') AS CURRENT_VALUE,
    'active' AS PROPOSED_VALUE,
    CAST(NULL AS VARCHAR(40)) AS UNIT,
    CAST(0 AS BIGINT) AS MEMORY_DELTA_KB,
    CASE
        WHEN M.STATE = 'STARTED' THEN 'ACTIVATE DATABASE ' || D.DB_NAME
        ELSE 'db2start DBPARTITIONNUM ' || CAST(M.MEMBER AS VARCHAR(20))
    END AS ACTION_TEXT,
    CASE
        WHEN M.STATE = 'STARTED' THEN '-- Nothing to take back: the database is meant to be active on all partitions.'
        ELSE 'db2stop DBPARTITIONNUM ' || CAST(M.MEMBER AS VARCHAR(20))
    END AS UNDO_TEXT,
    'STATE=' || COALESCE(M.STATE, 'not known')
    || '; HOME_HOST=' || COALESCE(M.HOME_HOST, 'not known')
    || '; groups=' || CAST(G.GROUPS_ON_IT AS VARCHAR(20)) AS EVIDENCE,
    'Partition ' || CAST(M.MEMBER AS VARCHAR(20)) || ' on host ' || COALESCE(M.HOME_HOST, 'not known')
    || ' holds data (database partition groups: ' || CAST(G.GROUPS_ON_IT AS VARCHAR(20))
    || '), and the database is not active there (state ' || COALESCE(M.STATE, 'not known') || ').' AS FINDING,
    CAST(0 AS DOUBLE) AS CLAIM_2_PCT,
    CAST(0 AS DOUBLE) AS CLAIM_3_PCT
FROM TUNE.D_MEMBER AS M
INNER JOIN (
    SELECT
        MEMBER,
        COUNT(*) AS GROUPS_ON_IT
    FROM TUNE.GROUP_MEMBER
    WHERE ACTIVE = 0 AND IN_USE IN ('Y', 'D')
    GROUP BY MEMBER
) AS G ON M.MEMBER = G.MEMBER
CROSS JOIN TUNE.RUN_DATABASE AS D
