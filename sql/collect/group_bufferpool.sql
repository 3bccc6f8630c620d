-- How often each member found no room in the group buffer pool of pureScale; no rows elsewhere.
--
-- object: MON_GET_GROUP_BUFFERPOOL
SELECT
    T.MEMBER,       -- key SMALLINT
    T.NUM_GBP_FULL  -- counter BIGINT
FROM TABLE(SYSPROC.MON_GET_GROUP_BUFFERPOOL(-2)) AS T
