-- Table spaces by contents: A any data, L large, T system temporary, U user temporary. Pages in bytes.
SELECT
    T.TBSPACE,
    RTRIM(T.DATATYPE) AS DATATYPE,
    T.PAGESIZE
FROM SYSCAT.TABLESPACES AS T
ORDER BY T.TBSPACE
