-- The packages that are not valid and need attention. N is rebound when it is called next; X is inoperative because a
-- function that it calls was dropped. The 20 of each kind that were used last, and the number of all (PACKAGES).
-- USED_DAYS and BOUND_DAYS are days since one of its statements ran and since it was bound; a package that never ran
-- has more than 700,000.
--
-- object: SYSCAT.PACKAGES
WITH RANKED AS (
    SELECT
        T.VALID,
        T.PKGSCHEMA,
        T.PKGNAME,
        T.PKGVERSION,
        T.LASTUSED,
        T.LAST_BIND_TIME,
        COUNT(*) OVER (PARTITION BY T.VALID) AS IN_KIND,
        ROW_NUMBER() OVER (
            PARTITION BY T.VALID ORDER BY T.LASTUSED DESC, T.PKGSCHEMA, T.PKGNAME, T.PKGVERSION
        ) AS BY_USE
    FROM SYSCAT.PACKAGES AS T
    WHERE T.VALID IN ('N', 'X')
)
SELECT
    RTRIM(T.VALID) AS VALID,                                         -- key VARCHAR(1)
    BY_USE AS PLACE,                                                 -- key BIGINT
    IN_KIND AS PACKAGES,                                             -- gauge BIGINT
    T.PKGSCHEMA,                                                     -- gauge VARCHAR(128)
    T.PKGNAME,                                                       -- gauge VARCHAR(128)
    T.PKGVERSION,                                                    -- gauge VARCHAR(64)
    DAYS(CURRENT TIMESTAMP) - DAYS(T.LASTUSED) AS USED_DAYS,         -- gauge BIGINT
    DAYS(CURRENT TIMESTAMP) - DAYS(T.LAST_BIND_TIME) AS BOUND_DAYS   -- gauge BIGINT
FROM RANKED AS T
WHERE BY_USE <= 20
