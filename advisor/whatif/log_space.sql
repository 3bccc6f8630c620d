-- Log space per member, in bytes: the primary files, primary and secondary files together (NULL if logging is infinite),
-- and the free space of the file system (NULL if unknown).
SELECT
    C.MEMBER,
    4096 * C.FILE_PAGES * C.PRIMARIES AS PRIMARY_BYTES,
    CASE WHEN C.SECONDARIES >= 0 THEN 4096 * C.FILE_PAGES * (C.PRIMARIES + C.SECONDARIES) END AS MOST_BYTES,
    L.FREE_BYTES
FROM (
    SELECT
        MEMBER,
        MAX(CASE WHEN NAME = 'logfilsiz' THEN NUM END) AS FILE_PAGES,
        MAX(CASE WHEN NAME = 'logprimary' THEN NUM END) AS PRIMARIES,
        MAX(CASE WHEN NAME = 'logsecond' THEN NUM END) AS SECONDARIES
    FROM TUNE.CONFIG
    WHERE SCOPE = 'DB' AND NAME IN ('logfilsiz', 'logprimary', 'logsecond')
    GROUP BY MEMBER
) AS C
LEFT JOIN TUNE.LOG_SPACE AS L ON C.MEMBER = L.MEMBER
WHERE C.FILE_PAGES IS NOT NULL AND C.PRIMARIES IS NOT NULL
ORDER BY C.MEMBER
