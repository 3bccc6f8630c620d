-- Committed and used memory of every memory set of every member, in KB.
--
-- object: MON_GET_MEMORY_SET
SELECT
    T.MEMBER,                -- key SMALLINT
    T.MEMORY_SET_TYPE,       -- key VARCHAR(32)
    COALESCE(T.DB_NAME, '-') AS DB_NAME, -- key VARCHAR(128)
    T.MEMORY_SET_COMMITTED,  -- gauge BIGINT
    T.MEMORY_SET_USED,       -- gauge BIGINT
    T.MEMORY_SET_USED_HWM    -- hwm BIGINT
FROM TABLE(SYSPROC.MON_GET_MEMORY_SET(NULL, NULL, -2)) AS T
