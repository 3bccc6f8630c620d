-- Members on which a buffer pool has a size of its own, in pages of the pool.
--
-- object: SYSCAT.BUFFERPOOLDBPARTITIONS
SELECT
    T.BUFFERPOOLID,    -- key INTEGER
    T.DBPARTITIONNUM,  -- key SMALLINT
    T.NPAGES           -- gauge INTEGER
FROM SYSCAT.BUFFERPOOLDBPARTITIONS AS T
