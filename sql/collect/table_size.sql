-- The space that the data of each large table takes on every partition, in KB. Tables below 10 MB
-- on a partition are left out.
--
-- object: ADMIN_GET_TAB_INFO
SELECT
    T.TABSCHEMA,           -- key VARCHAR(128)
    T.TABNAME,             -- key VARCHAR(128)
    T.DBPARTITIONNUM,      -- key SMALLINT
    COALESCE(T.DATA_PARTITION_ID, 0) AS DATA_PARTITION_ID, -- key INTEGER
    T.DATA_OBJECT_P_SIZE   -- gauge BIGINT
FROM TABLE(SYSPROC.ADMIN_GET_TAB_INFO(NULL, NULL)) AS T
WHERE T.DATA_OBJECT_P_SIZE >= 10240
