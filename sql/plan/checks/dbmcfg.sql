-- What is the value of an instance parameter? A value that is pending until the next start counts: it was set last.
SELECT
    E.VALUE AS EXPECTED,
    CASE
        WHEN C.DEFERRED_VALUE_FLAGS IN ('AUTOMATIC', 'COMPUTED') THEN C.DEFERRED_VALUE_FLAGS
        ELSE C.DEFERRED_VALUE
    END AS FOUND,
    E.NAME AS WHAT,
    E.MEMBER
FROM EXPECTED AS E
LEFT JOIN SYSIBMADM.DBMCFG AS C ON UPPER(E.NAME) = UPPER(C.NAME)
