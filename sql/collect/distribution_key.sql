-- The columns of every distribution key and the number of values of each.
--
-- object: SYSCAT.COLUMNS
SELECT
    T.TABSCHEMA,   -- key VARCHAR(128)
    T.TABNAME,     -- key VARCHAR(128)
    T.COLNAME,     -- key VARCHAR(128)
    T.PARTKEYSEQ,  -- gauge SMALLINT
    T.COLCARD      -- gauge BIGINT
FROM SYSCAT.COLUMNS AS T
WHERE T.PARTKEYSEQ > 0
