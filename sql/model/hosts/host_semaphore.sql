-- The four numbers of kernel.sem of each host: semaphores per array, in all arrays, operations per call, arrays. A host
-- without a fact of four numbers with single blanks between them has no row.
WITH TEXT AS (
    -- padded, so that every position has a character
    SELECT
        HOST,
        VALUE || ' ' AS VALUE,
        VALUE || '                                                                ' AS PADDED,
        LENGTH('x' || REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(
            REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(
                VALUE, '0', ''), '1', ''), '2', ''), '3', ''), '4', ''), '5', ''), '6', ''), '7', ''), '8', ''),
        '9', ''), ' ', '')) AS OTHER_CHARACTERS
    FROM TUNE.HOST_FACT
    WHERE FACT_KEY = 'sysctl' AND ITEM = 'sem' AND LENGTH(VALUE) <= 50
),
BLANK AS (
    SELECT
        T.HOST,
        T.PADDED,
        CHARACTERS.PLACE AS N,
        COALESCE(LAG(CHARACTERS.PLACE) OVER (PARTITION BY T.HOST ORDER BY CHARACTERS.PLACE), 0) AS BEFORE_N,
        ROW_NUMBER() OVER (PARTITION BY T.HOST ORDER BY CHARACTERS.PLACE) AS WORD
    FROM TEXT AS T
    INNER JOIN TUNE.CHARACTER_PLACE AS CHARACTERS
        ON SUBSTR(T.PADDED, CHARACTERS.PLACE, 1) = ' ' AND CHARACTERS.PLACE <= LENGTH(T.VALUE)
    WHERE T.OTHER_CHARACTERS = 1
),
NUMBERS AS (
    SELECT
        HOST,
        WORD,
        CASE
            WHEN N - BEFORE_N BETWEEN 2 AND 16
                THEN CAST(RTRIM(SUBSTR(PADDED, BEFORE_N + 1, N - BEFORE_N)) AS BIGINT)
        END AS NUM
    FROM BLANK
)
SELECT HOST, SEMMSL, SEMMNS, SEMOPM, SEMMNI
FROM (
    SELECT
        HOST,
        COUNT(*) AS WORDS,
        MAX(CASE WHEN WORD = 1 THEN NUM END) AS SEMMSL,
        MAX(CASE WHEN WORD = 2 THEN NUM END) AS SEMMNS,
        MAX(CASE WHEN WORD = 3 THEN NUM END) AS SEMOPM,
        MAX(CASE WHEN WORD = 4 THEN NUM END) AS SEMMNI
    FROM NUMBERS
    GROUP BY HOST
) AS SPLIT
WHERE WORDS = 4 AND SEMMSL > 0 AND SEMMNS > 0 AND SEMOPM > 0 AND SEMMNI > 0
