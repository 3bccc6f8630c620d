-- What is the value of a database parameter, on every member or on the one that is requested? A value that is pending
-- until the next activation counts: it was set last.
SELECT
    E.VALUE AS EXPECTED,
    CASE
        WHEN C.DEFERRED_VALUE_FLAGS IN ('AUTOMATIC', 'COMPUTED') THEN C.DEFERRED_VALUE_FLAGS
        ELSE C.DEFERRED_VALUE
    END AS FOUND,
    E.NAME AS WHAT,
    C.MEMBER
FROM EXPECTED AS E
LEFT JOIN TABLE(SYSPROC.DB_GET_CFG(-2)) AS C
    ON UPPER(E.NAME) = UPPER(C.NAME) AND C.MEMBER = COALESCE(E.MEMBER, C.MEMBER)
