-- The installations in the database: the newest row is in use.
SELECT
    T.VERSION,
    T.INSTALLED_AT,
    T.INSTALLED_BY
FROM TUNE.VERSION AS T
ORDER BY T.INSTALLED_AT DESC
