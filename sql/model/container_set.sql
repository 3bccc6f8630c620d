-- The containers of every table space on every member in one row: how many there are (C), on how many
-- devices as far as the host told (KNOWN, DEVICES), the smallest and largest in pages, the highest stripe
-- set, how many are no files (RAW), and the arrays that they lie on. UNIFORM is 1 where strip and data
-- disks are known for all of them and the same.
SELECT
    TBSP_NAME,
    MEMBER,
    COUNT(*) AS C,
    COUNT(DEVICE) AS KNOWN,
    COUNT(DISTINCT DEVICE) AS DEVICES,
    MIN(TOTAL_PAGES) AS LEAST_PAGES,
    MAX(TOTAL_PAGES) AS MOST_PAGES,
    MAX(STRIPE_SET) AS STRIPE_SET,
    SUM(CASE WHEN CONTAINER_TYPE LIKE 'FILE%' THEN 0 ELSE 1 END) AS RAW,
    MAX(STRIP_KB) AS STRIP_KB,
    MAX(DATA_DISKS) AS DATA_DISKS,
    MAX(ROTATIONAL) AS ROTATIONAL,
    CASE
        WHEN
            COUNT(STRIP_KB) = COUNT(*) AND COUNT(DATA_DISKS) = COUNT(*)
            AND MIN(STRIP_KB) = MAX(STRIP_KB) AND MIN(DATA_DISKS) = MAX(DATA_DISKS) THEN 1
        ELSE 0
    END AS UNIFORM
FROM TUNE.CONTAINER
GROUP BY TBSP_NAME, MEMBER
