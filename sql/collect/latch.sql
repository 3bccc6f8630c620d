-- The latches inside Db2 that sessions waited for, per member; times are milliseconds. The names are as in the
-- diagnostic log.
--
-- object: MON_GET_EXTENDED_LATCH_WAIT
-- reset:  restart
SELECT
    T.LATCH_NAME,                     -- key VARCHAR(256)
    T.MEMBER,                         -- key SMALLINT
    T.TOTAL_EXTENDED_LATCH_WAITS,     -- counter BIGINT
    T.TOTAL_EXTENDED_LATCH_WAIT_TIME  -- counter BIGINT
FROM TABLE(SYSPROC.MON_GET_EXTENDED_LATCH_WAIT(-2)) AS T
WHERE T.TOTAL_EXTENDED_LATCH_WAIT_TIME > 0
