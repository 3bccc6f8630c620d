-- Every collected user index with its catalog data, one row over all members: SCANS and READS (logical reads of pages)
-- of the interval, UNUSED_D and AGE_D in days (NEVER_USED 1 if no query ever used it), and ROWS_CHANGED of its table.
-- DROPPABLE is 1 if only speed depends on it: it is not unique, no constraint needs it, it serves no foreign key, and
-- it is a plain index of columns that does not place rows.
WITH WHOLE AS (
    SELECT
        TABSCHEMA,
        TABNAME,
        IID,
        SUM(INDEX_SCANS) AS SCANS,
        SUM(OBJECT_INDEX_L_READS) AS READS
    FROM TUNE.D_INDEX
    GROUP BY TABSCHEMA, TABNAME, IID
),
CATALOG AS (
    SELECT
        TABSCHEMA,
        TABNAME,
        IID,
        MAX(INDSCHEMA) AS INDSCHEMA,
        MAX(INDNAME) AS INDNAME,
        MAX(COLNAMES) AS COLNAMES,
        MAX(COLCOUNT) AS COLCOUNT,
        MAX(UNIQUE_COLCOUNT) AS UNIQUE_COLCOUNT,
        MAX(UNIQUERULE) AS UNIQUERULE,
        MAX(INDEXTYPE) AS INDEXTYPE,
        MAX(SYSTEM_REQUIRED) AS SYSTEM_REQUIRED,
        MAX(PLAIN_KEY) AS PLAIN_KEY,
        MAX(FK_KEYS) AS FK_KEYS,
        MAX(NLEAF) AS NLEAF,
        MIN(UNUSED_D) AS UNUSED_D,
        MIN(AGE_D) AS AGE_D
    FROM TUNE.L_INDEX
    WHERE COLNAMES IS NOT NULL AND INDSCHEMA IS NOT NULL
    GROUP BY TABSCHEMA, TABNAME, IID
)
SELECT
    C.TABSCHEMA,
    C.TABNAME,
    C.IID,
    C.INDSCHEMA,
    C.INDNAME,
    C.COLNAMES,
    C.COLCOUNT,
    C.UNIQUERULE,
    C.NLEAF,
    C.UNUSED_D,
    C.AGE_D,
    -- the catalog's date is the first day of the year 1
    CASE WHEN C.UNUSED_D > 400000 THEN 1 ELSE 0 END AS NEVER_USED,
    COALESCE(W.SCANS, 0) AS SCANS,
    COALESCE(W.READS, 0) AS READS,
    COALESCE(USED.ROWS_CHANGED, 0) AS ROWS_CHANGED,
    CASE
        WHEN
            C.UNIQUERULE = 'D' AND C.SYSTEM_REQUIRED = 0 AND C.FK_KEYS = 0 AND C.PLAIN_KEY = 1 AND C.INDEXTYPE = 'REG'
            AND LENGTH(C.COLNAMES) < 600 -- the catalog cuts longer lists
            THEN 1
        ELSE 0
    END AS DROPPABLE,
    -- an index that can replace another one: a plain key with all of its columns in order
    CASE
        WHEN
            C.PLAIN_KEY = 1 AND C.INDEXTYPE IN ('REG', 'CLUS')
            AND (C.UNIQUE_COLCOUNT = -1 OR C.UNIQUE_COLCOUNT = C.COLCOUNT)
            THEN 1
        ELSE 0
    END AS ORDERED,
    '"' || REPLACE(C.INDSCHEMA, '"', '""') || '"."' || REPLACE(C.INDNAME, '"', '""') || '"' AS QUOTED,
    '"' || REPLACE(C.TABSCHEMA, '"', '""') || '"."' || REPLACE(C.TABNAME, '"', '""') || '"' AS QUOTED_TABLE
FROM CATALOG AS C
LEFT JOIN WHOLE AS W ON C.TABSCHEMA = W.TABSCHEMA AND C.TABNAME = W.TABNAME AND C.IID = W.IID
LEFT JOIN TUNE.TABLE_USE AS USED ON C.TABSCHEMA = USED.TABSCHEMA AND C.TABNAME = USED.TABNAME
WHERE C.TABSCHEMA NOT LIKE 'SYS%'
