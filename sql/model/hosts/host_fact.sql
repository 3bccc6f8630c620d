-- Host facts with their number, if the value is one: digits with at most a decimal point.
WITH DIGITS AS (
    SELECT
        HOST,
        FACT_KEY,
        ITEM,
        VALUE,
        LENGTH('x' || REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(
            REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(
                VALUE, '0', ''), '1', ''), '2', ''), '3', ''), '4', ''), '5', ''), '6', ''), '7', ''), '8', ''),
        '9', '')) AS OTHER_CHARACTERS,
        LENGTH('x' || REPLACE(VALUE, '.', '')) AS UNDOTTED
    FROM TUNE.D_HOSTFACT
)
SELECT
    HOST,
    FACT_KEY,
    ITEM,
    VALUE,
    CASE
        WHEN
            LENGTH(VALUE) BETWEEN 1 AND 15
            AND (OTHER_CHARACTERS = 1 OR (OTHER_CHARACTERS = 2 AND UNDOTTED = LENGTH(VALUE) AND UNDOTTED > 1))
            THEN CAST(VALUE AS DOUBLE)
    END AS NUM
FROM DIGITS
