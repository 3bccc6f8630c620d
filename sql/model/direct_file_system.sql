-- Every table space with a container in a file system whose caching Db2 cannot switch off: it does not support direct
-- I/O, or is already mounted for it. A container's file system is the one with the longest path above it.
WITH MOUNTED AS (
    SELECT
        C.TBSP_NAME,
        F.ITEM,
        ',' || LOWER(F.VALUE) || ',' AS VALUE,
        ROW_NUMBER() OVER (
            PARTITION BY C.TBSP_NAME, C.MEMBER, C.CONTAINER_ID, F.ITEM ORDER BY LENGTH(F.FACT_KEY) DESC
        ) AS PLACE
    FROM TUNE.CONTAINER AS C
    INNER JOIN TUNE.HOST AS H ON C.MEMBER = H.MEMBER
    INNER JOIN TUNE.HOST_FACT AS F
        ON H.HOST_NAME = F.HOST AND F.ITEM IN ('fs_type', 'mount_options') AND F.FACT_KEY LIKE 'path:%'
        AND SUBSTR(CAST(C.CONTAINER_NAME || '/' AS VARCHAR(400)), 1, GREATEST(1, LENGTH(F.FACT_KEY) - 4))
        = SUBSTR(F.FACT_KEY, 6) || '/'
)
SELECT DISTINCT TBSP_NAME
FROM MOUNTED
WHERE
    PLACE = 1
    AND (
        (ITEM = 'fs_type' AND VALUE IN (',zfs,', ',nfs,', ',nfs3,', ',nfs4,', ',jfs,', ',tmpfs,'))
        OR (
            ITEM = 'mount_options'
            AND (
                VALUE LIKE '%,forcedirectio,%' OR VALUE LIKE '%,dio,%' OR VALUE LIKE '%,cio,%'
                OR VALUE LIKE '%,convosync=direct,%'
            )
        )
    )
