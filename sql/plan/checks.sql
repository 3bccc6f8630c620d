-- The checks of a script: rows of EXPECTED whose setting has another value.

-- name: bufferpool_blocks
-- How many pages of a buffer pool are reserved for blocks?
SELECT
    E.VALUE AS EXPECTED,
    CAST(P.NUMBLOCKPAGES AS VARCHAR(20)) AS FOUND,
    'NUMBLOCKPAGES of ' || E.NAME AS WHAT,
    E.MEMBER
FROM EXPECTED AS E
LEFT JOIN SYSCAT.BUFFERPOOLS AS P ON E.NAME = P.BPNAME

-- name: bufferpool_size
-- How many pages does the definition of a buffer pool have, in general or on the one member that is requested?
SELECT
    E.VALUE AS EXPECTED,
    CASE COALESCE(X.NPAGES, P.NPAGES)
        WHEN -2 THEN 'AUTOMATIC'
        ELSE CAST(COALESCE(X.NPAGES, P.NPAGES) AS VARCHAR(20))
    END AS FOUND,
    'size of ' || E.NAME AS WHAT,
    E.MEMBER
FROM EXPECTED AS E
LEFT JOIN SYSCAT.BUFFERPOOLS AS P ON E.NAME = P.BPNAME
LEFT JOIN SYSCAT.BUFFERPOOLDBPARTITIONS AS X ON P.BUFFERPOOLID = X.BUFFERPOOLID AND E.MEMBER = X.DBPARTITIONNUM

-- name: bufferpool_there
-- Does a buffer pool of this name exist?
SELECT
    E.VALUE AS EXPECTED,
    CASE WHEN P.BPNAME IS NULL THEN 'missing' ELSE 'there' END AS FOUND,
    'buffer pool ' || E.NAME AS WHAT,
    E.MEMBER
FROM EXPECTED AS E
LEFT JOIN SYSCAT.BUFFERPOOLS AS P ON E.NAME = P.BPNAME

-- name: dbcfg
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

-- name: dbmcfg
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

-- name: log_path
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

-- name: table_compression
-- Are the rows of a table compressed? The kind (YES ADAPTIVE, YES STATIC) does not matter.
SELECT
    CASE WHEN E.VALUE LIKE 'YES%' THEN 'YES' ELSE E.VALUE END AS EXPECTED,
    CASE WHEN T.COMPRESSION IN ('R', 'B') THEN 'YES' WHEN T.TABNAME IS NOT NULL THEN 'NO' END AS FOUND,
    'row compression of ' || E.NAME AS WHAT,
    E.MEMBER
FROM EXPECTED AS E
LEFT JOIN SYSCAT.TABLES AS T ON E.NAME = RTRIM(T.TABSCHEMA) || '.' || T.TABNAME

-- name: tablespace_bufferpool
-- Which buffer pool does a table space use?
SELECT E.VALUE AS EXPECTED, P.BPNAME AS FOUND, 'buffer pool of ' || E.NAME AS WHAT, E.MEMBER
FROM EXPECTED AS E
LEFT JOIN SYSCAT.TABLESPACES AS T ON E.NAME = T.TBSPACE
LEFT JOIN SYSCAT.BUFFERPOOLS AS P ON T.BUFFERPOOLID = P.BUFFERPOOLID

-- name: tablespace_prefetch
-- How many pages does a table space prefetch?
SELECT
    E.VALUE AS EXPECTED,
    CASE T.PREFETCHSIZE WHEN -1 THEN 'AUTOMATIC' ELSE CAST(T.PREFETCHSIZE AS VARCHAR(20)) END AS FOUND,
    'PREFETCHSIZE of ' || E.NAME AS WHAT,
    E.MEMBER
FROM EXPECTED AS E
LEFT JOIN SYSCAT.TABLESPACES AS T ON E.NAME = T.TBSPACE

-- name: tablespace_there
-- Does a table space of this name exist?
SELECT
    E.VALUE AS EXPECTED,
    CASE WHEN T.TBSPACE IS NULL THEN 'missing' ELSE 'there' END AS FOUND,
    'table space ' || E.NAME AS WHAT,
    E.MEMBER
FROM EXPECTED AS E
LEFT JOIN SYSCAT.TABLESPACES AS T ON E.NAME = T.TBSPACE
