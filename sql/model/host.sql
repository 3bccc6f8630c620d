-- The host of every member, one row per member: memory in MB, processors, the number of members on it, and one member's
-- part of its memory in KB. HOST_SHARE is the part of the database's members that run there. If all members share one
-- host, a member that is defined but not started counts too: its memory is not free.
SELECT
    MACHINE.MEMBER,
    MACHINE.HOST_NAME,
    MACHINE.CPU_TOTAL,
    MACHINE.CPU_ONLINE,
    MACHINE.CPU_HMT_DEGREE,
    MACHINE.CPU_CORES_PER_SOCKET,
    MACHINE.CPU_USAGE_TOTAL,
    MACHINE.MEMORY_TOTAL,
    MACHINE.MEMORY_FREE,
    MACHINE.SWAP_PAGES_IN,
    MACHINE.SWAP_PAGES_OUT,
    N.MEMBERS,
    N.HOST_SHARE,
    CAST(FLOOR(1024 * CAST(MACHINE.MEMORY_TOTAL AS DOUBLE) / NULLIF(N.MEMBERS, 0)) AS BIGINT) AS MEMBER_MEMORY_KB,
    CAST(FLOOR(1024 * CAST(MACHINE.MEMORY_FREE AS DOUBLE) / NULLIF(N.MEMBERS, 0)) AS BIGINT) AS MEMBER_FREE_KB
FROM TUNE.D_SYSTEM AS MACHINE
INNER JOIN (
    SELECT
        A.HOST_NAME,
        CAST(A.ACTIVE AS DOUBLE) / NULLIF(SUM(A.ACTIVE) OVER (), 0) AS HOST_SHARE,
        CASE WHEN COUNT(*) OVER () = 1 THEN GREATEST(A.ACTIVE, D.DEFINED) ELSE A.ACTIVE END AS MEMBERS
    FROM (
        SELECT
            HOST_NAME,
            COUNT(*) AS ACTIVE
        FROM TUNE.D_SYSTEM
        GROUP BY HOST_NAME
    ) AS A
    CROSS JOIN (
        SELECT COUNT(*) AS DEFINED
        FROM TUNE.D_MEMBER
    ) AS D
) AS N ON MACHINE.HOST_NAME = N.HOST_NAME
