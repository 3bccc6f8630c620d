-- Size, place and organization of every user table, from its statistics.
--
-- object: SYSCAT.TABLES
SELECT
    T.TABSCHEMA,                                -- key VARCHAR(128)
    T.TABNAME,                                  -- key VARCHAR(128)
    T.CARD,                                     -- gauge BIGINT
    T.NPAGES,                                   -- gauge BIGINT
    T.AVGROWSIZE,                               -- gauge SMALLINT
    T.TBSPACE,                                  -- gauge VARCHAR(128)
    T.INDEX_TBSPACE,                            -- gauge VARCHAR(128)
    T.LONG_TBSPACE,                             -- gauge VARCHAR(128)
    RTRIM(T.TABLEORG) AS TABLEORG,              -- gauge VARCHAR(1)
    RTRIM(T.PARTITION_MODE) AS PARTITION_MODE   -- gauge VARCHAR(1)
FROM SYSCAT.TABLES AS T
WHERE T.TYPE = 'T' AND T.TABSCHEMA NOT LIKE 'SYS%'
