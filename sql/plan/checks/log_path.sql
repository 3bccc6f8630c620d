-- Where does a member write its log after the next activation? Db2 appends its own directories to a given path: a path
-- below it counts as that path.
SELECT
    E.VALUE AS EXPECTED,
    CASE WHEN LOCATE(E.VALUE, P.PATH) = 1 THEN E.VALUE ELSE P.PATH END AS FOUND,
    E.NAME AS WHAT,
    P.MEMBER
FROM EXPECTED AS E
LEFT JOIN (
    SELECT
        C.MEMBER,
        COALESCE(
            NULLIF(MAX(CASE UPPER(C.NAME) WHEN 'NEWLOGPATH' THEN C.DEFERRED_VALUE END), ''),
            MAX(CASE UPPER(C.NAME) WHEN 'LOGPATH' THEN C.DEFERRED_VALUE END)
        ) AS PATH
    FROM TABLE(SYSPROC.DB_GET_CFG(-2)) AS C
    WHERE UPPER(C.NAME) IN ('NEWLOGPATH', 'LOGPATH')
    GROUP BY C.MEMBER
) AS P ON P.MEMBER = COALESCE(E.MEMBER, P.MEMBER)
