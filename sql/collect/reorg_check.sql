-- The tables and indexes that REORGCHK lists, from texts only: no statement reads them. INDNAME is '-' in the row of a
-- table. FLAGS is its column REORG: an asterisk for each formula outside of its bounds, F1 to F3 of a table and F4 to
-- F8 of an index. F2 is the used part of the data pages in percent.
--
-- object: TUNE.S_REORG_CHECK
SELECT
    T.TABSCHEMA,        -- key VARCHAR(128)
    T.TABNAME,          -- key VARCHAR(128)
    T.INDNAME,          -- key VARCHAR(128)
    T.FLAGS,            -- gauge VARCHAR(5)
    T.CARD,             -- gauge BIGINT
    T.OVERFLOW,         -- gauge BIGINT
    T.NPAGES,           -- gauge BIGINT
    T.FPAGES,           -- gauge BIGINT
    T.F2,               -- gauge BIGINT
    T.NLEAF,            -- gauge BIGINT
    T.NUM_EMPTY_LEAFS,  -- gauge BIGINT
    T.NUMRIDS_DELETED,  -- gauge BIGINT
    T.INDCARD           -- gauge BIGINT
FROM TUNE.S_REORG_CHECK AS T
