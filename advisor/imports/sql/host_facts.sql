-- The free space of the file systems in which settings let Db2 write, as facts of their host, as Db2 names it.
INSERT INTO O_hostfact (SNAP_ID, HOST, FACT_KEY, ITEM, VALUE)
SELECT :end, COALESCE((SELECT HOST_NAME FROM F_system WHERE HOST_NAME IS NOT NULL ORDER BY ROWID DESC LIMIT 1), :host),
    'path:' || PATH, ITEM, VALUE FROM (
    SELECT PATH, 'fs_total_mb' AS ITEM, TOTAL_SIZE / 1048576 AS VALUE FROM ABOVE WHERE IS_SET
    UNION ALL SELECT PATH, 'fs_free_mb', (TOTAL_SIZE - USED_SIZE) / 1048576 FROM ABOVE WHERE IS_SET
)
WHERE VALUE IS NOT NULL AND NOT EXISTS (SELECT 1 FROM O_hostfact);
