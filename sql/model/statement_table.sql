-- Which tables a statement reads, as far as that can be told without its plan, one row each: user tables that were read in
-- the interval and whose name is a word of its text (NAMED 1); where there is no text, tables that were scanned and of
-- which at least half as many rows were read as the statement reads (NAMED 0). SURE is 1 where it is the only such table
-- of which that many were read. NO_LEADING_COLUMN is 1 where the text is complete and no index of the table begins with a
-- word of it: then none can have led to its rows. PLACE counts from the table of which most rows were read.
WITH LEADING AS (
    SELECT DISTINCT
        TABSCHEMA,
        TABNAME,
        UPPER(SUBSTR(COLNAMES, 2, CASE
            WHEN PLUS_AT = 0 AND MINUS_AT = 0 THEN LENGTH(COLNAMES) - 1
            WHEN PLUS_AT = 0 THEN MINUS_AT - 1
            WHEN MINUS_AT = 0 THEN PLUS_AT - 1
            ELSE LEAST(PLUS_AT, MINUS_AT) - 1
        END)) AS COLUMN_NAME
    FROM (
        SELECT
            TABSCHEMA,
            TABNAME,
            COLNAMES,
            0 AS PLUS_AT,
            0 AS MINUS_AT
        FROM TUNE.L_INDEX
    ) AS I
)
SELECT * FROM LEADING
