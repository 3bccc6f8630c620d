-- The definition of every table space. PREFETCHSIZE is in pages of the table space, -1 is AUTOMATIC; OVERHEAD and
-- TRANSFERRATE are milliseconds, -1 inherits.
--
-- object: SYSCAT.TABLESPACES
SELECT
    T.TBSPACE,                            -- key VARCHAR(128)
    T.TBSPACEID,                          -- gauge INTEGER
    RTRIM(T.TBSPACETYPE) AS TBSPACETYPE,  -- gauge VARCHAR(1)
    RTRIM(T.DATATYPE) AS DATATYPE,        -- gauge VARCHAR(1)
    T.EXTENTSIZE,                         -- gauge INTEGER
    T.PREFETCHSIZE,                       -- gauge INTEGER
    T.OVERHEAD,                           -- gauge DOUBLE
    T.TRANSFERRATE,                       -- gauge DOUBLE
    T.PAGESIZE,                           -- gauge INTEGER
    T.DBPGNAME,                           -- gauge VARCHAR(128)
    T.BUFFERPOOLID                        -- gauge INTEGER
FROM SYSCAT.TABLESPACES AS T
