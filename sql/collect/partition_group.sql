-- The partitions of each database partition group, and whether the distribution map uses them (IN_USE Y, A, D, T).
--
-- object: SYSCAT.DBPARTITIONGROUPDEF
SELECT
    T.DBPGNAME,                 -- key VARCHAR(128)
    T.DBPARTITIONNUM,           -- key SMALLINT
    RTRIM(T.IN_USE) AS IN_USE   -- gauge VARCHAR(1)
FROM SYSCAT.DBPARTITIONGROUPDEF AS T
