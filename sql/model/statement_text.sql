-- The texts of the statements that matter (TUNE.STATEMENT: the first ten by time, processor time, reads or spills, or
-- one percent of database time), where they were collected: STMT_TEXT is its first 4,000 bytes, TEXT_CUT 1 where there
-- is more, SHORT_TEXT its beginning on one line. WORDS is all of it in capitals with a blank for each sign that ends a
-- word and around the whole, so that a word is found by the blanks on both its sides. AGGREGATES is 1 where it groups,
-- counts or adds up: then few rows of many say nothing of how they are found.
WITH SHOWN AS (
    SELECT
        S.STATEMENT,
        MAX(L.STMT_TEXT) AS STMT_TEXT,
        MAX(L.STMT_TEXT_LENGTH) AS STMT_TEXT_LENGTH
    FROM TUNE.STATEMENT AS S
    INNER JOIN TUNE.L_STATEMENT AS L ON S.STATEMENT = COALESCE(L.STMT_KEY, L.EXECUTABLE_ID)
    WHERE
        L.STMT_TEXT IS NOT NULL
        AND (
            S.TIME_PLACE <= 10 OR S.CPU_PLACE <= 10 OR S.READS_PLACE <= 10 OR S.SPILLS_PLACE <= 10 OR S.DBT_PCT >= 1
        )
    GROUP BY S.STATEMENT
),
SPACED AS (
    SELECT
        SHOWN.*,
        REPLACE(REPLACE(REPLACE(STMT_TEXT, CHR(10), ' '), CHR(13), ' '), CHR(9), ' ') AS SPACED_TEXT
    FROM SHOWN
),
PARTED AS (
    SELECT
        SPACED.*,
        ' ' || REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(
            REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(
                UPPER(SPACED_TEXT), ',', ' '), '(', ' '), ')', ' '), '"', ' '), '.', ' '), ';', ' '
        ), '=', ' '), '<', ' '), '>', ' '), '|', ' ') || ' ' AS WORDS
    FROM SPACED
)
SELECT
    STATEMENT,
    STMT_TEXT,
    CASE
        WHEN LENGTH(SPACED_TEXT) <= 200 THEN SPACED_TEXT
        ELSE RTRIM(SUBSTR(SPACED_TEXT, 1, 197)) || '...'
    END AS SHORT_TEXT,
    CASE WHEN STMT_TEXT_LENGTH > 4000 THEN 1 ELSE 0 END AS TEXT_CUT,
    WORDS,
    CASE
        WHEN
            REPLACE(WORDS, ' GROUP BY ', '?') <> WORDS OR REPLACE(WORDS, ' COUNT ', '?') <> WORDS
            OR REPLACE(WORDS, ' SUM ', '?') <> WORDS OR REPLACE(WORDS, ' MAX ', '?') <> WORDS
            OR REPLACE(WORDS, ' MIN ', '?') <> WORDS OR REPLACE(WORDS, ' AVG ', '?') <> WORDS
            OR REPLACE(WORDS, ' COUNT_BIG ', '?') <> WORDS OR REPLACE(WORDS, ' LISTAGG ', '?') <> WORDS
            OR REPLACE(WORDS, ' DISTINCT ', '?') <> WORDS OR REPLACE(WORDS, ' OVER ', '?') <> WORDS
            THEN 1
        ELSE 0
    END AS AGGREGATES
FROM PARTED
