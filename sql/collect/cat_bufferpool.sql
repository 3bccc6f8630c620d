-- The definition of every buffer pool. NPAGES is in pages of the pool; -1 takes BUFFPAGE, -2 is AUTOMATIC.
--
-- object: SYSCAT.BUFFERPOOLS
SELECT
    T.BPNAME,         -- key VARCHAR(128)
    T.BUFFERPOOLID,   -- gauge INTEGER
    T.NPAGES,         -- gauge INTEGER
    T.PAGESIZE,       -- gauge INTEGER
    T.NUMBLOCKPAGES,  -- gauge INTEGER
    T.BLOCKSIZE       -- gauge INTEGER
FROM SYSCAT.BUFFERPOOLS AS T
