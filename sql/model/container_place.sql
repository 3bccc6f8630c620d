-- The number of locations of a table space that has more than eight containers in one stripe set on a member, one row
-- each: devices, otherwise file systems, otherwise the folders of the files; a raw device is one location. So many
-- containers are seldom on as many disks.
WITH MANY AS (
    SELECT
        C.TBSP_NAME,
        C.MEMBER,
        C.CONTAINER_ID,
        C.CONTAINER_NAME,
        COALESCE(C.DEVICE, C.FS_ID, CASE WHEN C.CONTAINER_TYPE LIKE 'DISK%' THEN C.CONTAINER_NAME END) AS KNOWN_PLACE
    FROM TUNE.CONTAINER AS C
    INNER JOIN TUNE.CONTAINER_SET AS S ON C.TBSP_NAME = S.TBSP_NAME AND C.MEMBER = S.MEMBER AND S.WIDEST_SET > 8
),
FOLDER AS (
    SELECT
        M.TBSP_NAME,
        M.MEMBER,
        M.CONTAINER_ID,
        MAX(P.PLACE) AS LAST_SLASH
    FROM MANY AS M
    INNER JOIN TUNE.CHARACTER_PLACE AS P ON SUBSTR(M.CONTAINER_NAME, P.PLACE, 1) IN ('/', '\')
    WHERE M.KNOWN_PLACE IS NULL
    GROUP BY M.TBSP_NAME, M.MEMBER, M.CONTAINER_ID
)
SELECT
    TBSP_NAME,
    MAX(PLACES) AS PLACES
FROM (
    SELECT
        M.TBSP_NAME,
        M.MEMBER,
        COUNT(DISTINCT COALESCE(
            M.KNOWN_PLACE, CASE WHEN F.LAST_SLASH > 1 THEN SUBSTR(M.CONTAINER_NAME, 1, F.LAST_SLASH) END,
            M.CONTAINER_NAME
        )) AS PLACES
    FROM MANY AS M
    LEFT JOIN FOLDER AS F
        ON M.TBSP_NAME = F.TBSP_NAME AND M.MEMBER = F.MEMBER AND M.CONTAINER_ID = F.CONTAINER_ID
    GROUP BY M.TBSP_NAME, M.MEMBER
) AS P
GROUP BY TBSP_NAME
