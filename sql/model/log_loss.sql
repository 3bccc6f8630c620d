-- The members that would lose the log together with data: both are on one device that is known not to be redundant, no
-- mirror of the log is elsewhere, and no standby receives it. Transactions committed since the last archived log file
-- would then be lost. A device of unknown redundancy is not listed, and with circular logging no device is.
SELECT
    L.MEMBER,
    L.DEVICE,
    T.RAID_LEVEL,
    P.VALUE AS LOGPATH,
    A.VALUE AS LOGARCHMETH1
FROM TUNE.LOG_DEVICE AS L
INNER JOIN TUNE.HOST AS H ON L.MEMBER = H.MEMBER
INNER JOIN TUNE.DATA_DEVICE AS T ON H.HOST_NAME = T.HOST AND L.DEVICE = T.DEVICE
INNER JOIN TUNE.CONFIG AS P ON L.MEMBER = P.MEMBER AND P.SCOPE = 'DB' AND P.NAME = 'logpath'
INNER JOIN TUNE.SETTING AS A ON A.SCOPE = 'DB' AND A.NAME = 'logarchmeth1' AND A.FIXED = 1
LEFT JOIN TUNE.CONFIG AS M ON L.MEMBER = M.MEMBER AND M.SCOPE = 'DB' AND M.NAME = 'mirrorlogpath'
LEFT JOIN TUNE.CONFIG AS N ON L.MEMBER = N.MEMBER AND N.SCOPE = 'DB' AND N.NAME = 'newlogpath'
LEFT JOIN TUNE.PLACEMENT AS V ON H.HOST_NAME = V.HOST AND V.KIND = 'path' AND M.VALUE = V.NAME
LEFT JOIN TUNE.SETTING AS R ON R.SCOPE = 'DB' AND R.NAME = 'hadr_db_role'
WHERE
    L.DATA_TOO = 1
    AND T.POOLED = 0
    AND T.RAID_LEVEL IN ('0', 'RAID0', 'NONE', 'JBOD')
    AND A.VALUE <> 'OFF'
    AND (LENGTH('x' || COALESCE(M.VALUE, '') || COALESCE(M.NEXT_VALUE, '')) = 1 OR V.DEVICE = L.DEVICE)
    AND LENGTH('x' || COALESCE(N.VALUE, '') || COALESCE(N.NEXT_VALUE, '')) = 1
    AND COALESCE(R.VALUE, 'STANDARD') = 'STANDARD'
