-- The number of agents that each member took from its idle pool, and the number that it created because the pool was
-- empty, since db2start. Also its coordinating agents, now and at most.
--
-- object: MON_GET_INSTANCE
-- reset:  restart
SELECT
    T.MEMBER,                     -- key SMALLINT
    T.AGENTS_FROM_POOL,           -- counter BIGINT
    T.AGENTS_CREATED_EMPTY_POOL,  -- counter BIGINT
    T.NUM_COORD_AGENTS,           -- gauge BIGINT
    T.COORD_AGENTS_TOP            -- hwm BIGINT
FROM TABLE(SYSPROC.MON_GET_INSTANCE(-2)) AS T
