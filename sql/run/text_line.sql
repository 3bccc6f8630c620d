-- The paragraphs of TUNE.TEXT_PART in lines of at most 78 bytes, in the order of PART, PLACE, LINE_NO and N. A line
-- breaks at the last blank that fits, or within a longer word. A command continues on the next line after a backslash,
-- which the command line processor and a shell read as a continuation.
WITH CUT (EXPLAINS, PART, PLACE, LINE_NO, RANK, GAP, LABEL, IS_COMMAND, SAID, N, FIRST_AT, LAST_AT) AS (
    SELECT
        T.EXPLAINS,
        T.PART,
        T.PLACE,
        T.LINE_NO,
        T.RANK,
        T.GAP,
        T.LABEL,
        T.IS_COMMAND,
        T.SAID,
        CAST(0 AS INTEGER),
        CAST(1 AS INTEGER),
        CAST(0 AS INTEGER)
    FROM TUNE.TEXT_PART AS T
    UNION ALL
    SELECT
        C.EXPLAINS,
        C.PART,
        C.PLACE,
        C.LINE_NO,
        C.RANK,
        C.GAP,
        C.LABEL,
        C.IS_COMMAND,
        C.SAID,
        CAST(C.N + 1 AS INTEGER),
        CAST(C.LAST_AT + 1 AS INTEGER),
        CAST(
            C.LAST_AT + CASE
                WHEN LENGTH(C.SAID) - C.LAST_AT <= 77 - LENGTH(C.LABEL) THEN LENGTH(C.SAID) - C.LAST_AT
                ELSE COALESCE(
                    NULLIF(LOCATE_IN_STRING(SUBSTR(C.SAID, C.LAST_AT + 1, 77 - LENGTH(C.LABEL)), ' ', -1), 0),
                    LENGTH(RTRIM(SUBSTRING(SUBSTR(C.SAID, C.LAST_AT + 1), 1, 77 - LENGTH(C.LABEL), OCTETS)))
                )
            END AS INTEGER
        )
    FROM CUT AS C
    WHERE C.LAST_AT < LENGTH(C.SAID) AND C.N < 100
)
SELECT
    EXPLAINS,
    PART,
    PLACE,
    LINE_NO,
    N,
    RANK,
    CAST(
        CASE
            WHEN N = 0 THEN ' '
            ELSE
                CASE N WHEN 1 THEN LABEL ELSE SUBSTR('                    ', 1, LENGTH(LABEL)) END
                || CASE
                    WHEN IS_COMMAND = 0 THEN RTRIM(SUBSTR(SAID, FIRST_AT, LAST_AT - FIRST_AT + 1))
                    ELSE SUBSTR(SAID, FIRST_AT, LAST_AT - FIRST_AT + 1)
                        || CASE WHEN LAST_AT < LENGTH(SAID) THEN '\' ELSE '' END
                END
        END AS VARCHAR(78)
    ) AS TEXT
FROM CUT
WHERE N > 0 OR GAP = 1
