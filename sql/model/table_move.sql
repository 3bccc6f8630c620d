-- What it takes to put the contents of a table space into a new one, a row for each table that has data, indexes or
-- LOBs there (one with NULL where no table is known): WAY is how it moves (online, offline before 9.7, unknown without
-- a table), and DATA_SPACE, INDEX_SPACE and LONG_SPACE are where it lies now. PARTITION_GROUP, STORAGE and
-- STORAGE_GROUP are for the clauses of CREATE TABLESPACE that keep these, NULL where there is nothing to say.
-- POOL_PART is how many pages of its buffer pool the table space takes, by logical reads and at most half. MOVE_NUMBER
-- counts the tables of a table space, MOVES is how many there are. Range-partitioned tables have their table spaces by
-- partition and are not here.
WITH STORED AS (
    SELECT
        TABSCHEMA,
        TABNAME,
        TBSPACE AS DATA_SPACE,
        COALESCE(INDEX_TBSPACE, TBSPACE) AS INDEX_SPACE,
        COALESCE(LONG_TBSPACE, TBSPACE) AS LONG_SPACE
    FROM TUNE.D_CAT_TABLE
),
-- a table once for each table space that it uses: a join on either of three columns would compare every pair
HELD (TBSP_NAME, TABSCHEMA, TABNAME, DATA_SPACE, INDEX_SPACE, LONG_SPACE) AS (
    SELECT DATA_SPACE, STORED.* FROM STORED
    UNION ALL
    SELECT INDEX_SPACE, STORED.* FROM STORED WHERE INDEX_SPACE <> DATA_SPACE
    UNION ALL
    SELECT LONG_SPACE, STORED.* FROM STORED WHERE LONG_SPACE <> DATA_SPACE AND LONG_SPACE <> INDEX_SPACE
)
SELECT
    T.TBSP_NAME,
    K.TABSCHEMA,
    K.TABNAME,
    K.DATA_SPACE,
    K.INDEX_SPACE,
    K.LONG_SPACE,
    CASE WHEN K.TABNAME IS NULL THEN 'unknown' WHEN D.DB2_LEVEL < 9070000 THEN 'offline' ELSE 'online' END AS WAY,
    CASE WHEN T.DBPGNAME <> 'IBMDEFAULTGROUP' THEN T.DBPGNAME END AS PARTITION_GROUP,
    CASE WHEN T.TBSP_USING_AUTO_STORAGE = 1 THEN ' MANAGED BY AUTOMATIC STORAGE' END AS STORAGE,
    CASE WHEN T.TBSP_USING_AUTO_STORAGE = 1 AND D.DB2_LEVEL >= 10010000 THEN T.STORAGE_GROUP_NAME END AS STORAGE_GROUP,
    T.TBSP_PAGE_SIZE,
    B.BP_NAME,
    B.AUTOMATIC AS POOL_AUTOMATIC,
    B.BP_CUR_BUFFSZ AS POOL_PAGES,
    COALESCE(B.NPAGES, B.BP_CUR_BUFFSZ) AS POOL_SIZE,
    CAST(FLOOR(
        LEAST(0.5, COALESCE(CAST(T.LOGICAL_READS AS DOUBLE) / NULLIF(B.LOGICAL_READS, 0), 0)) * B.BP_CUR_BUFFSZ
    ) AS BIGINT) AS POOL_PART,
    ROW_NUMBER() OVER (PARTITION BY T.TBSP_NAME ORDER BY K.TABSCHEMA, K.TABNAME) AS MOVE_NUMBER,
    COUNT(*) OVER (PARTITION BY T.TBSP_NAME) AS MOVES
FROM TUNE.TABLESPACE AS T
CROSS JOIN TUNE.RUN_DATABASE AS D
LEFT JOIN TUNE.BUFFERPOOL AS B ON T.BPNAME = B.BP_NAME
LEFT JOIN HELD AS K ON T.TBSP_NAME = K.TBSP_NAME
