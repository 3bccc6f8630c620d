-- Every member that shares the work of the others, one row each. Under DPF these are the members with a part of tables
-- that are spread over several partitions: they run every large statement together, and it ends with the slowest. In a
-- pureScale cluster all active members share it. HOLDS_CATALOG is 1 on the catalog partition. CPUS and MEMORY_TOTAL
-- (MB) belong to its host, HOST_MEMBERS is the number of members on that; 0 if unknown.
WITH SHARING (MEMBER, HOLDS_CATALOG) AS (
    SELECT MEMBER, MAX(HOLDS_CATALOG) AS HOLDS_CATALOG
    FROM TUNE.GROUP_MEMBER
    WHERE PARTITIONS >= 2 AND PART > 0
    GROUP BY MEMBER
    UNION ALL
    SELECT STATE.MEMBER, 0
    FROM TUNE.L_DATABASE AS STATE
    INNER JOIN TUNE.RUN_DATABASE AS DB ON DB.TOPOLOGY = 'purescale'
)
SELECT
    G.MEMBER,
    G.HOLDS_CATALOG,
    COALESCE(HOST.CPU_ONLINE, 0) AS CPUS,
    COALESCE(HOST.MEMORY_TOTAL, 0) AS MEMORY_TOTAL,
    COALESCE(HOST.MEMBERS, 0) AS HOST_MEMBERS
FROM SHARING AS G
LEFT JOIN TUNE.HOST AS HOST ON G.MEMBER = HOST.MEMBER
