-- How often the group buffer pool of pureScale was full, per member; no rows without pureScale.
--
-- object: MON_GET_GROUP_BUFFERPOOL
SELECT
    T.MEMBER,       -- key SMALLINT
    T.NUM_GBP_FULL  -- counter BIGINT
FROM TABLE(SYSPROC.MON_GET_GROUP_BUFFERPOOL(-2)) AS T
