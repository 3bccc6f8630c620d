-- The members with their own size of a buffer pool, in pages of the pool.
--
-- object: SYSCAT.BUFFERPOOLDBPARTITIONS
SELECT
    T.BUFFERPOOLID,    -- key INTEGER
    T.DBPARTITIONNUM,  -- key SMALLINT
    T.NPAGES           -- gauge INTEGER
FROM SYSCAT.BUFFERPOOLDBPARTITIONS AS T
