-- The obstacles for self-tuning memory, one row per area: SELF_TUNING_MEM itself (switch), pools, sorts, package cache,
-- locks, and private sorts, which it cannot tune until the instance has SHEAPTHRES 0. OLD_VALUE is the area's setting,
-- SHEAPTHRES_SHR for sorts and LOCKLIST for locks; OLD_PART is SORTHEAP and MAXLOCKS, which change with them (NULL if
-- MAXLOCKS is not fixed). Pools keep their sizes if the site has set a cap on them.
WITH STEP (AREA, BP_NAME, OLD_VALUE, OLD_PART) AS (
    SELECT
        'switch' AS AREA,
        CAST(NULL AS VARCHAR(128)) AS BP_NAME,
        SWITCH AS OLD_VALUE,
        CAST(NULL AS VARCHAR(128)) AS OLD_PART
    FROM TUNE.STMM
    WHERE SWITCH = 'OFF'
    UNION ALL
    SELECT
        'package cache',
        CAST(NULL AS VARCHAR(128)),
        SETTING.VALUE,
        CAST(NULL AS VARCHAR(128))
    FROM TUNE.SETTING AS SETTING
    WHERE SETTING.SCOPE = 'DB' AND SETTING.NAME = 'pckcachesz' AND SETTING.FIXED = 1
    UNION ALL
    SELECT
        'locks',
        CAST(NULL AS VARCHAR(128)),
        L.VALUE AS OLD_VALUE,
        M.VALUE AS OLD_PART
    FROM TUNE.SETTING AS L
    LEFT JOIN TUNE.SETTING AS M ON M.SCOPE = 'DB' AND M.NAME = 'maxlocks' AND M.FIXED = 1
    WHERE L.SCOPE = 'DB' AND L.NAME = 'locklist' AND L.FIXED = 1
    UNION ALL
    SELECT
        'sorts',
        CAST(NULL AS VARCHAR(128)),
        A.VALUE AS OLD_VALUE,
        S.VALUE AS OLD_PART
    FROM TUNE.SETTING AS A
    INNER JOIN TUNE.SETTING AS S ON S.SCOPE = 'DB' AND S.NAME = 'sortheap' AND S.FIXED = 1
    LEFT JOIN TUNE.SETTING AS P ON P.SCOPE = 'DBM' AND P.NAME = 'sheapthres'
    LEFT JOIN TUNE.SETTING AS W ON W.SCOPE = 'DB' AND W.NAME = 'wlm_admission_ctrl'
    WHERE
        A.SCOPE = 'DB' AND A.NAME = 'sheapthres_shr' AND A.FIXED = 1
        AND COALESCE(P.NUM, 0) = 0 AND COALESCE(W.VALUE, 'NO') NOT LIKE 'Y%'
    UNION ALL
    SELECT
        'private sorts',
        CAST(NULL AS VARCHAR(128)),
        P.VALUE,
        CAST(NULL AS VARCHAR(128))
    FROM TUNE.SETTING AS P
    INNER JOIN TUNE.SETTING AS S ON S.SCOPE = 'DB' AND S.NAME = 'sortheap' AND S.AUTOMATIC = 1
    WHERE P.SCOPE = 'DBM' AND P.NAME = 'sheapthres' AND P.NUM > 0 AND P.PENDING = 0
    UNION ALL
    SELECT
        'pools',
        SIZED.BP_NAME,
        SIZED.OLD_SIZE,
        CAST(NULL AS VARCHAR(128))
    FROM TUNE.SIZED_POOL AS SIZED
    CROSS JOIN TUNE.O_SITE AS SITE
    WHERE SIZED.SIZEABLE = 1 AND COALESCE(SIZED.NUMBLOCKPAGES, 0) = 0 AND SITE.BUFFERPOOL_CAP_MB IS NULL
)
SELECT
    AREA,
    BP_NAME,
    OLD_VALUE,
    OLD_PART
FROM STEP
