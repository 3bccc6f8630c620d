-- What is a parameter of the instance set to? A value that waits for the next start counts: it is what was set last.
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
