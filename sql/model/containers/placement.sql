-- The device of each path, from the host facts: containers, log paths, free mounts. KIND is container or path, NAME the
-- path as Db2 writes it.
SELECT
    HOST,
    CASE WHEN FACT_KEY LIKE 'container:%' THEN 'container' ELSE 'path' END AS KIND,
    CASE WHEN FACT_KEY LIKE 'container:%' THEN SUBSTR(FACT_KEY, 11) ELSE SUBSTR(FACT_KEY, 6) END AS NAME,
    VALUE AS DEVICE
FROM TUNE.D_HOSTFACT
WHERE ITEM = 'device' AND (FACT_KEY LIKE 'container:%' OR FACT_KEY LIKE 'path:%')
