-- The collected texts of important statements (TUNE.STATEMENT: the first ten by time, processor time, reads or spills,
-- or one percent of database time). SHORT_TEXT is the beginning on one line. WORDS are the first 4,000 bytes in
-- capitals, with blanks around the whole and a blank for each character that ends a word, except the point: a word is
-- found by the blanks on both its sides. TEXT_CUT is 1 if there is more, or may be because the length is unknown.
-- SEARCHES is 0 if the complete text has no predicate, so that no index can find its rows. AGGREGATES is 1 if it
-- groups, counts or adds up: then few rows of many do not show how they are found.
WITH SHOWN AS (
    SELECT
        STMT.STATEMENT,
        MAX(LASTSTMT.STMT_TEXT) AS STMT_TEXT,
        MAX(LASTSTMT.STMT_TEXT_LENGTH) AS STMT_TEXT_LENGTH
    FROM TUNE.STATEMENT AS STMT
    INNER JOIN TUNE.L_STATEMENT AS LASTSTMT ON STMT.STATEMENT = COALESCE(LASTSTMT.STMT_KEY, LASTSTMT.EXECUTABLE_ID)
    WHERE
        LASTSTMT.STMT_TEXT IS NOT NULL
        AND (
            STMT.TIME_PLACE <= 10
            OR STMT.CPU_PLACE <= 10
            OR STMT.READS_PLACE <= 10
            OR STMT.SPILLS_PLACE <= 10
            OR STMT.DBT_PCT >= 1
        )
    GROUP BY STMT.STATEMENT
),
SPACED AS (
    SELECT
        STATEMENT,
        STMT_TEXT_LENGTH,
        REPLACE(REPLACE(REPLACE(STMT_TEXT, CHR(10), ' '), CHR(13), ' '), CHR(9), ' ') AS ONE_LINE
    FROM SHOWN
),
PARTED AS (
    SELECT
        STATEMENT,
        STMT_TEXT_LENGTH,
        ONE_LINE,
        CAST(
            ' ' || REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(
                REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(
                    UPPER(ONE_LINE), ',', ' '), '(', ' '), ')', ' '), '"', ' '), ';', ' '
            ), '=', ' '), '<', ' '), '>', ' '), '|', ' '), ' .', '.'), '. ', '.') || ' ' AS VARCHAR(4002)
        ) AS WORDS
    FROM SPACED
)
SELECT
    STATEMENT,
    CAST(
        CASE WHEN LENGTH(ONE_LINE) <= 200 THEN ONE_LINE ELSE RTRIM(SUBSTR(ONE_LINE, 1, 197)) || '...' END
        AS VARCHAR(200)
    ) AS SHORT_TEXT,
    CASE WHEN STMT_TEXT_LENGTH <= 4000 THEN 0 ELSE 1 END AS TEXT_CUT,
    WORDS,
    CASE
        WHEN STMT_TEXT_LENGTH <= 4000 AND REPLACE(WORDS, ' WHERE ', '?') = WORDS AND REPLACE(WORDS, ' ON ', '?') = WORDS
            THEN 0
        ELSE 1
    END AS SEARCHES,
    CASE
        WHEN
            REPLACE(WORDS, ' GROUP ', '?') <> WORDS OR REPLACE(WORDS, ' COUNT ', '?') <> WORDS
            OR REPLACE(WORDS, ' SUM ', '?') <> WORDS OR REPLACE(WORDS, ' MAX ', '?') <> WORDS
            OR REPLACE(WORDS, ' MIN ', '?') <> WORDS OR REPLACE(WORDS, ' AVG ', '?') <> WORDS
            OR REPLACE(WORDS, ' COUNT_BIG ', '?') <> WORDS OR REPLACE(WORDS, ' LISTAGG ', '?') <> WORDS
            OR REPLACE(WORDS, ' DISTINCT ', '?') <> WORDS OR REPLACE(WORDS, ' OVER ', '?') <> WORDS
            THEN 1
        ELSE 0
    END AS AGGREGATES
FROM PARTED
