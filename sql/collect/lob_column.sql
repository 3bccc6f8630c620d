-- The LOB and long columns of user tables. They bypass the buffer pool except values that fit into INLINE_LENGTH bytes
-- of the row. PCTINLINED is the percentage of inlined values at the last RUNSTATS, -1 without statistics. XML is left
-- out: it goes through the buffer pool. Columns of a distinct type are recognized by LOGGED, which only LOBs have.
--
-- object: SYSCAT.COLUMNS
SELECT
    T.TABSCHEMA,      -- key VARCHAR(128)
    T.TABNAME,        -- key VARCHAR(128)
    T.COLNAME,        -- key VARCHAR(128)
    T.TYPENAME,       -- gauge VARCHAR(128)
    T.INLINE_LENGTH,  -- gauge INTEGER
    T.PCTINLINED      -- gauge SMALLINT
FROM SYSCAT.COLUMNS AS T
WHERE
    T.TABSCHEMA NOT LIKE 'SYS%'
    AND (
        T.TYPENAME IN ('BLOB', 'CLOB', 'DBCLOB', 'LONG VARCHAR', 'LONG VARGRAPHIC')
        OR (T.TYPESCHEMA <> 'SYSIBM' AND T.LOGGED IN ('Y', 'N'))
    )
