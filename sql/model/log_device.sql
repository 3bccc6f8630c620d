-- The device of each member's log, if the host facts name it, and whether it also holds data of the same host
-- (DATA_TOO), with its properties: whether it spins, is cut from a pool, and the number of its disks that hold data.
SELECT
    L.MEMBER,
    L.DEVICE,
    L.DATA_TOO,
    V.ROTATIONAL,
    V.POOLED,
    V.DATA_DISKS
FROM (
    SELECT
        C.MEMBER,
        H.HOST_NAME,
        L.DEVICE,
        MAX(CASE WHEN K.DEVICE IS NULL THEN 0 ELSE 1 END) AS DATA_TOO
    FROM TUNE.CONFIG AS C
    INNER JOIN TUNE.PLACEMENT AS L ON C.VALUE = L.NAME AND L.KIND = 'path'
    INNER JOIN TUNE.HOST AS H ON C.MEMBER = H.MEMBER AND L.HOST = H.HOST_NAME
    LEFT JOIN TUNE.PLACEMENT AS K ON L.DEVICE = K.DEVICE AND H.HOST_NAME = K.HOST AND K.KIND = 'container'
    WHERE C.SCOPE = 'DB' AND C.NAME = 'logpath'
    GROUP BY C.MEMBER, H.HOST_NAME, L.DEVICE
) AS L
LEFT JOIN TUNE.DEVICE AS V ON L.HOST_NAME = V.HOST AND L.DEVICE = V.DEVICE
