-- The tables that a statement reads, as far as known without its plan, one row each: user tables that were read in the
-- interval and whose name is a word of its text. For a statement without text: tables that were scanned, with at least
-- half as many rows read as the statement reads. SURE is 1 if it is the only such table with that many rows read.
-- NO_INDEX is 1 if the text is complete and no index of the table begins with a word of it: then no index can have led
-- to its rows; HAS_INDEX is 1 if one does. STALE is 1 if its statistics are old. PLACE counts from the table with the
-- most rows read.
WITH HEAVY AS (
    SELECT
        STMT.STATEMENT,
        STMT.ROWS_READ,
        WORDING.WORDS,
        CASE
            WHEN INSTR(WORDING.WORDS, ' FROM ') > 0 THEN SUBSTR(WORDING.WORDS, INSTR(WORDING.WORDS, ' FROM '))
            ELSE WORDING.WORDS
        END AS BEHIND,
        WORDING.TEXT_CUT
    FROM TUNE.STATEMENT AS STMT
    LEFT JOIN TUNE.STATEMENT_TEXT AS WORDING ON STMT.STATEMENT = WORDING.STATEMENT
    WHERE
        STMT.TIME_PLACE <= 10
        OR STMT.CPU_PLACE <= 10
        OR STMT.READS_PLACE <= 10
        OR STMT.SPILLS_PLACE <= 10
        OR STMT.DBT_PCT >= 1
),
READ_TABLE AS (
    SELECT
        USED.TABSCHEMA,
        USED.TABNAME,
        USED.QUOTED,
        USED.TABLEORG,
        USED.CARD,
        USED.ROWS_READ,
        USED.TABLE_SCANS,
        USED.STALE,
        ' ' || UPPER(USED.TABNAME) || ' ' AS WORD,
        ' ' || UPPER(USED.TABSCHEMA) || '.' || UPPER(USED.TABNAME) || ' ' AS QUALIFIED_WORD
    FROM TUNE.TABLE_USE AS USED
    WHERE USED.ROWS_READ > 0
),
MEANT AS (
    SELECT
        H.STATEMENT,
        H.BEHIND,
        H.TEXT_CUT,
        H.ROWS_READ AS STATEMENT_ROWS,
        R.TABSCHEMA,
        R.TABNAME,
        R.QUOTED,
        R.TABLEORG,
        R.CARD,
        R.ROWS_READ,
        R.TABLE_SCANS,
        R.STALE,
        CASE WHEN REPLACE(H.WORDS, R.QUALIFIED_WORD, '?') <> H.WORDS THEN 1 ELSE 0 END AS QUALIFIED
    FROM HEAVY AS H
    INNER JOIN READ_TABLE AS R
        ON
            REPLACE(H.WORDS, R.WORD, '?') <> H.WORDS OR REPLACE(H.WORDS, R.QUALIFIED_WORD, '?') <> H.WORDS
            OR (H.WORDS IS NULL AND R.TABLE_SCANS > 0 AND 2 * R.ROWS_READ >= H.ROWS_READ)
),
CHOSEN AS (
    -- of tables with the same name only those of the text's schema, if the text names one
    SELECT
        M.*,
        MAX(M.QUALIFIED) OVER (PARTITION BY M.STATEMENT, M.TABNAME) AS SCHEMA_KNOWN,
        CASE WHEN 2 * M.ROWS_READ >= M.STATEMENT_ROWS THEN 1 ELSE 0 END AS MUCH_READ
    FROM MEANT AS M
),
REACHABLE AS (
    SELECT
        C.STATEMENT,
        C.TABSCHEMA,
        C.TABNAME,
        COUNT(INDEXES.IID) AS INDEXES,
        COUNT(INDEXES.FIRST_COLUMN) AS KNOWN,
        SUM(
            CASE
                WHEN INDEXES.FIRST_COLUMN IS NULL THEN 0
                WHEN
                    REPLACE(C.BEHIND, ' ' || UPPER(INDEXES.FIRST_COLUMN) || ' ', '?') <> C.BEHIND
                    OR REPLACE(C.BEHIND, '.' || UPPER(INDEXES.FIRST_COLUMN) || ' ', '?') <> C.BEHIND
                    THEN 1
                ELSE 0
            END
        ) AS USABLE
    FROM CHOSEN AS C
    INNER JOIN TUNE.L_INDEX AS INDEXES ON C.TABSCHEMA = INDEXES.TABSCHEMA AND C.TABNAME = INDEXES.TABNAME
    WHERE C.TEXT_CUT = 0
    GROUP BY C.STATEMENT, C.TABSCHEMA, C.TABNAME
)
SELECT
    C.STATEMENT,
    C.TABSCHEMA,
    C.TABNAME,
    C.QUOTED,
    C.TABLEORG,
    C.CARD,
    C.ROWS_READ,
    C.TABLE_SCANS,
    C.STALE,
    C.MUCH_READ,
    CASE WHEN C.MUCH_READ = 1 AND SUM(C.MUCH_READ) OVER (PARTITION BY C.STATEMENT) = 1 THEN 1 ELSE 0 END AS SURE,
    CASE WHEN L.INDEXES = L.KNOWN AND L.USABLE = 0 THEN 1 ELSE 0 END AS NO_INDEX,
    CASE WHEN L.USABLE > 0 THEN 1 ELSE 0 END AS HAS_INDEX,
    ROW_NUMBER() OVER (PARTITION BY C.STATEMENT ORDER BY C.ROWS_READ DESC, C.QUOTED) AS PLACE
FROM CHOSEN AS C
LEFT JOIN REACHABLE AS L ON C.STATEMENT = L.STATEMENT AND C.TABSCHEMA = L.TABSCHEMA AND C.TABNAME = L.TABNAME
WHERE C.SCHEMA_KNOWN = C.QUALIFIED
