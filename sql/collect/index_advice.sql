-- The indexes that db2advis recommends (ACTION CREATE) or found unused by its statements (DROP), from texts only: no
-- statement reads them. COLNAMES has the key as in SYSCAT.INDEXES, KEY_TEXT and INCLUDE_TEXT as in CREATE INDEX,
-- INDEXTYPE (REG or CLUS) and PCTFREE as in SYSCAT.INDEXES.
-- COST_BEFORE and COST_AFTER are the timerons of its whole workload, without and with all recommendations.
--
-- object: TUNE.S_INDEX_ADVICE
SELECT
    T.INDSCHEMA,       -- key VARCHAR(128)
    T.INDNAME,         -- key VARCHAR(128)
    T.ACTION,          -- gauge VARCHAR(6)
    T.TABSCHEMA,       -- gauge VARCHAR(128)
    T.TABNAME,         -- gauge VARCHAR(128)
    T.COLNAMES,        -- gauge VARCHAR(640)
    T.KEY_TEXT,        -- gauge VARCHAR(1500)
    T.INCLUDE_TEXT,    -- gauge VARCHAR(520)
    T.UNIQUERULE,      -- gauge VARCHAR(1)
    T.INDEXTYPE,       -- gauge VARCHAR(4)
    T.PCTFREE,         -- gauge SMALLINT
    T.SIZE_MB,         -- gauge DOUBLE
    T.COST_BEFORE,     -- gauge DOUBLE
    T.COST_AFTER       -- gauge DOUBLE
FROM TUNE.S_INDEX_ADVICE AS T
