-- What the log may take of its file system, in bytes by member: the primary files, and with the secondary ones (NULL
-- where logging is infinite), and what is free there, where that is known.
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
