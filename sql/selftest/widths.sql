-- The number of columns of each table and view of schema TUNE, and the most bytes of their types.
SELECT
    T.TABNAME,
    COUNT(*) AS COLUMN_COUNT,
    SUM(CAST(T.LENGTH AS BIGINT)) AS BYTES
FROM SYSCAT.COLUMNS AS T
WHERE T.TABSCHEMA = 'TUNE'
GROUP BY T.TABNAME
ORDER BY T.TABNAME
