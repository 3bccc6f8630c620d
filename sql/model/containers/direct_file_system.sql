-- Every table space with a container in a file system whose caching Db2 cannot switch off: it does not support direct
-- I/O, or is already mounted for it. A container's file system is the one with the longest path above it.
WITH MOUNTED AS (
    SELECT
        CONTAINER.TBSP_NAME,
        FACT.ITEM,
        ',' || LOWER(FACT.VALUE) || ',' AS VALUE,
        ROW_NUMBER() OVER (
            PARTITION BY CONTAINER.TBSP_NAME, CONTAINER.MEMBER, CONTAINER.CONTAINER_ID, FACT.ITEM
            ORDER BY LENGTH(FACT.FACT_KEY) DESC
        ) AS PLACE
    FROM TUNE.CONTAINER AS CONTAINER
    INNER JOIN TUNE.HOST AS HOST ON CONTAINER.MEMBER = HOST.MEMBER
    INNER JOIN TUNE.HOST_FACT AS FACT
        ON HOST.HOST_NAME = FACT.HOST AND FACT.ITEM IN ('fs_type', 'mount_options') AND FACT.FACT_KEY LIKE 'path:%'
        AND SUBSTR(CAST(CONTAINER.CONTAINER_NAME || '/' AS VARCHAR(400)), 1, GREATEST(1, LENGTH(FACT.FACT_KEY) - 4))
        = SUBSTR(FACT.FACT_KEY, 6) || '/'
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
