-- Size, table spaces, organization, compression and state of every user table, and the age of its statistics in hours.
-- A table without statistics gets the table's own age.
--
-- object: SYSCAT.TABLES
SELECT
    T.TABSCHEMA,                                -- key VARCHAR(128)
    T.TABNAME,                                  -- key VARCHAR(128)
    T.CARD,                                     -- gauge BIGINT
    T.NPAGES,                                   -- gauge BIGINT
    T.FPAGES,                                   -- gauge BIGINT
    T.OVERFLOW,                                 -- gauge BIGINT
    T.ACTIVE_BLOCKS,                            -- gauge BIGINT
    T.AVGROWSIZE,                               -- gauge SMALLINT
    T.TBSPACE,                                  -- gauge VARCHAR(128)
    T.INDEX_TBSPACE,                            -- gauge VARCHAR(128)
    T.LONG_TBSPACE,                             -- gauge VARCHAR(128)
    RTRIM(T.TABLEORG) AS TABLEORG,              -- gauge VARCHAR(1)
    RTRIM(T.PARTITION_MODE) AS PARTITION_MODE,  -- gauge VARCHAR(1)
    RTRIM(T.CLUSTERED) AS CLUSTERED,            -- gauge VARCHAR(1)
    RTRIM(T.COMPRESSION) AS COMPRESSION,        -- gauge VARCHAR(1)
    RTRIM(T.VOLATILE) AS VOLATILE,              -- gauge VARCHAR(1)
    RTRIM(T.STATUS) AS STATUS,                  -- gauge VARCHAR(1)
    RTRIM(T.ACCESS_MODE) AS ACCESS_MODE,        -- gauge VARCHAR(1)
    CASE WHEN T.STATISTICS_PROFILE IS NULL THEN 0 ELSE 1 END AS STATS_PROFILE, -- gauge SMALLINT
    (DAYS(CURRENT TIMESTAMP) - DAYS(COALESCE(T.STATS_TIME, T.CREATE_TIME))) * 24
    + HOUR(CURRENT TIMESTAMP) - HOUR(COALESCE(T.STATS_TIME, T.CREATE_TIME)) AS STATS_AGE_H -- gauge BIGINT
FROM SYSCAT.TABLES AS T
WHERE T.TYPE = 'T' AND T.TABSCHEMA NOT LIKE 'SYS%'
