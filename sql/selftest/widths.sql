-- How many columns each table and view of schema TUNE has, and how many bytes their types may take.
SELECT
    T.TABNAME,
    COUNT(*) AS COLUMN_COUNT,
    SUM(CAST(T.LENGTH AS BIGINT)) AS BYTES
FROM SYSCAT.COLUMNS AS T
WHERE T.TABSCHEMA = 'TUNE'
GROUP BY T.TABNAME
ORDER BY T.TABNAME
