-- The containers of every table space on every member in one row: their number (CONTAINERS), the number with a known
-- device and of devices (KNOWN, DEVICES), the smallest and largest in pages, the highest stripe set, the most
-- containers of one stripe set (WIDEST_SET), the number that are not files (RAW), whether one is named as automatic
-- storage names them (NAMED_BY_DB2), and their arrays. ROTATIONAL is 1 if one of them is a spinning disk, 0 if all are
-- known to be flash. IMPAIRED is 1 if an array rebuilds or lacks a disk. UNIFORM is 1 if strip and data disks are known
-- for all of them and equal; the strip of a volume that is cut from a pool of disks is meaningless.
SELECT
    C.TBSP_NAME,
    C.MEMBER,
    COUNT(*) AS CONTAINERS,
    COUNT(C.DEVICE) AS KNOWN,
    COALESCE(MAX(D.DEVICES), 0) AS DEVICES,
    MIN(C.TOTAL_PAGES) AS LEAST_PAGES,
    MAX(C.TOTAL_PAGES) AS MOST_PAGES,
    MAX(C.STRIPE_SET) AS STRIPE_SET,
    MAX(W.CONTAINERS) AS WIDEST_SET,
    SUM(CASE WHEN C.CONTAINER_TYPE LIKE 'FILE%' THEN 0 ELSE 1 END) AS RAW,
    MAX(CASE WHEN C.CONTAINER_NAME LIKE '%/T_______/C_______.___' THEN 1 ELSE 0 END) AS NAMED_BY_DB2,
    MAX(C.STRIP_KB) AS STRIP_KB,
    MAX(C.DATA_DISKS) AS DATA_DISKS,
    CASE
        WHEN MAX(C.ROTATIONAL) = 1 OR COUNT(C.ROTATIONAL) = COUNT(*) THEN MAX(C.ROTATIONAL)
    END AS ROTATIONAL,
    MAX(C.IMPAIRED) AS IMPAIRED,
    CASE
        WHEN
            MAX(C.POOLED) = 0
            AND COUNT(C.STRIP_KB) = COUNT(*)
            AND COUNT(C.DATA_DISKS) = COUNT(*)
            AND MIN(C.STRIP_KB) = MAX(C.STRIP_KB)
            AND MIN(C.DATA_DISKS) = MAX(C.DATA_DISKS)
            THEN 1
        ELSE 0
    END AS UNIFORM
FROM TUNE.CONTAINER AS C
LEFT JOIN (
    SELECT TBSP_NAME, MEMBER, COUNT(DISTINCT DEVICE) AS DEVICES
    FROM TUNE.CONTAINER
    WHERE DEVICE IS NOT NULL
    GROUP BY TBSP_NAME, MEMBER
) AS D ON C.TBSP_NAME = D.TBSP_NAME AND C.MEMBER = D.MEMBER
LEFT JOIN (
    SELECT TBSP_NAME, MEMBER, COALESCE(STRIPE_SET, 0) AS STRIPE_SET, COUNT(*) AS CONTAINERS
    FROM TUNE.CONTAINER
    GROUP BY TBSP_NAME, MEMBER, COALESCE(STRIPE_SET, 0)
) AS W ON C.TBSP_NAME = W.TBSP_NAME AND C.MEMBER = W.MEMBER AND COALESCE(C.STRIPE_SET, 0) = W.STRIPE_SET
GROUP BY C.TBSP_NAME, C.MEMBER
