-- The operators of access plans that db2exfmt prints, from texts only: no statement reads them. ROWS_ACTUAL needs
-- section actuals. TABLE_ROWS is the number of rows of the table that the operator reads, SPILLED_PAGES the pages
-- that a sort is expected to spill. IN_LOOP is 1 below the inner side of a nested-loop join. TOTAL_COST is the
-- statement's, in timerons. Rows with OPERATOR_TYPE NO_STATISTICS are tables and indexes that the optimizer reported
-- without any.
--
-- object: TUNE.S_PLAN_OPERATOR
SELECT
    T.EXPLAIN_TIME,    -- key VARCHAR(26)
    T.SECTION,         -- key INTEGER
    T.OPERATOR_ID,     -- key INTEGER
    T.OPERATOR_TYPE,   -- gauge VARCHAR(16)
    T.ROWS_ESTIMATED,  -- gauge DOUBLE
    T.ROWS_ACTUAL,     -- gauge DOUBLE
    T.TABSCHEMA,       -- gauge VARCHAR(128)
    T.TABNAME,         -- gauge VARCHAR(128)
    T.INDNAME,         -- gauge VARCHAR(128)
    T.TABLE_ROWS,      -- gauge DOUBLE
    T.SPILLED_PAGES,   -- gauge DOUBLE
    T.IN_LOOP,         -- gauge SMALLINT
    T.TOTAL_COST,      -- gauge DOUBLE
    T.STMT_TEXT        -- gauge VARCHAR(300)
FROM TUNE.S_PLAN_OPERATOR AS T
