-- The patterns of the site option 'protected', one row each: names of objects that get no advice, or their beginning
-- and an asterisk. The option holds them in one text, separated by semicolons.
WITH LIST AS (
    SELECT CAST(';' || VALUE || ';' AS VARCHAR(300)) AS PATTERNS
    FROM TUNE.OPTION
    WHERE RULE = 'site' AND NAME = 'protected' AND VALUE IS NOT NULL
),
ENTRY AS (
    SELECT
        L.PATTERNS,
        C.PLACE + 1 AS FIRST_PLACE,
        LEAD(C.PLACE) OVER (ORDER BY C.PLACE) AS END_PLACE
    FROM LIST AS L
    INNER JOIN TUNE.CHARACTER_PLACE AS C ON SUBSTR(L.PATTERNS, C.PLACE, 1) = ';'
)
SELECT DISTINCT
    CAST(SUBSTR(PATTERNS, FIRST_PLACE, COALESCE(END_PLACE, FIRST_PLACE) - FIRST_PLACE) AS VARCHAR(300)) AS PATTERN
FROM ENTRY
WHERE END_PLACE > FIRST_PLACE
