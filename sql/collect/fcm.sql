-- Buffers of the fast communication manager of every member.
--
-- object: MON_GET_FCM
SELECT
    T.MEMBER,            -- key SMALLINT
    T.BUFF_TOTAL,        -- gauge BIGINT
    T.BUFF_FREE,         -- gauge BIGINT
    T.BUFF_FREE_BOTTOM,  -- gauge BIGINT
    T.BUFF_AUTO_TUNING   -- gauge SMALLINT
FROM TABLE(SYSPROC.MON_GET_FCM(-2)) AS T
