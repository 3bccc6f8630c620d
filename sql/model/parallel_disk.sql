-- The entries of DB2_PARALLEL_IO in force, one row for each; commas separate them. TBSP is the number of a table space,
-- or * for all without an entry of their own. DISKS is the number of disks that Db2 assumes for each container: 6 if
-- the entry names none, and NULL if it cannot be read.
WITH LIST AS (
    SELECT CAST(',' || REPLACE(REPLACE(UPPER(VALUE), ' ', ''), 'ON', '*') || ',' AS VARCHAR(300)) AS ENTRIES
    FROM TUNE.PARALLEL_IO
    WHERE VALUE IS NOT NULL
),
PLACED AS (
    SELECT
        L.ENTRIES,
        C.PLACE + 1 AS FIRST_PLACE,
        LEAD(C.PLACE) OVER (ORDER BY C.PLACE) AS END_PLACE
    FROM LIST AS L
    INNER JOIN TUNE.CHARACTER_PLACE AS C ON SUBSTR(L.ENTRIES, C.PLACE, 1) = ','
),
ENTRY AS (
    SELECT
        CAST(SUBSTR(ENTRIES, FIRST_PLACE, COALESCE(END_PLACE, FIRST_PLACE) - FIRST_PLACE) AS VARCHAR(300)) AS ENTRY
    FROM PLACED
    WHERE END_PLACE > FIRST_PLACE
)
SELECT
    CASE
        WHEN ENTRY LIKE '%:_' THEN SUBSTR(ENTRY, 1, LENGTH(ENTRY) - 2)
        WHEN ENTRY LIKE '%:__' THEN SUBSTR(ENTRY, 1, LENGTH(ENTRY) - 3)
        ELSE ENTRY
    END AS TBSP,
    CASE
        WHEN ENTRY LIKE '%:_' AND SUBSTR(ENTRY, LENGTH(ENTRY), 1) BETWEEN '1' AND '9'
            THEN CAST(SUBSTR(ENTRY, LENGTH(ENTRY), 1) AS INTEGER)
        WHEN
            ENTRY LIKE '%:__' AND SUBSTR(ENTRY, LENGTH(ENTRY) - 1, 1) BETWEEN '1' AND '9'
            AND SUBSTR(ENTRY, LENGTH(ENTRY), 1) BETWEEN '0' AND '9'
            THEN CAST(SUBSTR(ENTRY, LENGTH(ENTRY) - 1, 2) AS INTEGER)
        WHEN ENTRY NOT LIKE '%:%' THEN 6
    END AS DISKS
FROM ENTRY
