-- Every member that holds its part of tables that are spread over several partitions, one row each: these do every
-- large statement together, and it ends with the slowest. HOLDS_CATALOG is 1 on the partition of the catalog. CPUS and
-- MEMORY_TOTAL (MB) are those of its host, HOST_MEMBERS is how many members share that; 0 where it is not known.
SELECT
    G.MEMBER,
    G.HOLDS_CATALOG,
    COALESCE(H.CPU_ONLINE, 0) AS CPUS,
    COALESCE(H.MEMORY_TOTAL, 0) AS MEMORY_TOTAL,
    COALESCE(H.MEMBERS, 0) AS HOST_MEMBERS
FROM (
    SELECT
        MEMBER,
        MAX(HOLDS_CATALOG) AS HOLDS_CATALOG
    FROM TUNE.GROUP_MEMBER
    WHERE PARTITIONS >= 2 AND PART > 0
    GROUP BY MEMBER
) AS G
LEFT JOIN TUNE.HOST AS H ON G.MEMBER = H.MEMBER
