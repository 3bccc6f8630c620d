-- The file system of each member's log, if its size and free space are known, in bytes: from a listing of file systems,
-- or otherwise from the storage path above it. PLACE is that path, or the log's own. A storage path on another device
-- than the log does not count.
WITH LISTED AS (
    SELECT
        HOST,
        FACT_KEY,
        MAX(CASE WHEN ITEM = 'fs_total_mb' THEN NUM END) AS TOTAL_MB,
        MAX(CASE WHEN ITEM = 'fs_free_mb' THEN NUM END) AS FREE_MB
    FROM TUNE.HOST_FACT
    WHERE FACT_KEY LIKE 'path:%' AND ITEM IN ('fs_total_mb', 'fs_free_mb')
    GROUP BY HOST, FACT_KEY
),
FOUND (MEMBER, LOGPATH, PLACE, IS_LISTED, TOTAL_BYTES, FREE_BYTES) AS (
    SELECT
        C.MEMBER,
        C.VALUE,
        SUBSTR(L.FACT_KEY, 6),
        1,
        1048576 * L.TOTAL_MB,
        1048576 * L.FREE_MB
    FROM TUNE.CONFIG AS C
    INNER JOIN LISTED AS L ON L.FACT_KEY = 'path:' || C.VALUE
    LEFT JOIN TUNE.HOST AS H ON C.MEMBER = H.MEMBER
    WHERE C.SCOPE = 'DB' AND C.NAME = 'logpath' AND COALESCE(H.HOST_NAME, L.HOST) = L.HOST
    UNION ALL
    SELECT
        C.MEMBER,
        C.VALUE,
        S.DB_STORAGE_PATH,
        0,
        CAST(S.FS_TOTAL_SIZE AS DOUBLE),
        CAST(S.FS_TOTAL_SIZE AS DOUBLE) - S.FS_USED_SIZE
    FROM TUNE.CONFIG AS C
    INNER JOIN TUNE.STORAGE_PLACE AS S
        ON
            C.MEMBER = S.MEMBER AND LENGTH(S.DB_STORAGE_PATH) > 1
            AND SUBSTR(C.VALUE, 1, LENGTH(S.DB_STORAGE_PATH)) = S.DB_STORAGE_PATH
            AND SUBSTR(C.VALUE, LENGTH(S.DB_STORAGE_PATH) + 1, 1) IN ('/', '\')
    LEFT JOIN TUNE.LOG_DEVICE AS V ON C.MEMBER = V.MEMBER
    WHERE C.SCOPE = 'DB' AND C.NAME = 'logpath' AND COALESCE(V.DEVICE, S.DEVICE, '') = COALESCE(S.DEVICE, V.DEVICE, '')
),
NEAREST AS (
    SELECT
        FOUND.*,
        ROW_NUMBER() OVER (PARTITION BY MEMBER ORDER BY IS_LISTED DESC, LENGTH(PLACE) DESC, PLACE) AS RANKING
    FROM FOUND
    WHERE TOTAL_BYTES > 0 AND FREE_BYTES IS NOT NULL
)
SELECT
    MEMBER,
    LOGPATH,
    PLACE,
    IS_LISTED,
    TOTAL_BYTES,
    FREE_BYTES
FROM NEAREST
WHERE RANKING = 1
