-- What is a parameter of the database set to, on every member or on the one that is asked for? A value that waits for
-- the next activation counts: it is what was set last.
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
