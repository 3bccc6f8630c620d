-- The problems that a text reports (source event), with the cause and first step of their message, one row per message
-- and object: OCCURRENCES counts all records, other columns are those of the last one. PLACE is their order within a
-- CLASS: the most specific message, then the latest. MESSAGES is their number in the class. HANDLE is the application
-- in the record or, for a full log, the one that held it. FIRST_STEP names the object only if it may be a table space:
-- not the numbers of an object (pool:5;obj:10;type:0), a path, a file or a table.
WITH COUNTED AS (
    SELECT
        HAPPENED.*,
        SUM(HAPPENED.OCCURRENCES) OVER (PARTITION BY HAPPENED.CODE, HAPPENED.OBJECT_NAME) AS TIMES,
        ROW_NUMBER() OVER (
            PARTITION BY HAPPENED.CODE, HAPPENED.OBJECT_NAME
            ORDER BY HAPPENED.LAST_TIME DESC NULLS LAST, HAPPENED.EVENT_ID
        ) AS PLACE
    FROM TUNE.D_EVENT AS HAPPENED
)
SELECT
    EXPLAINED.CLASS,
    LATEST.CODE,
    EXPLAINED.CAUSE,
    CAST(
        REPLACE(
            CASE
                WHEN
                    LATEST.OBJECT_NAME IS NULL
                    OR INSTR(LATEST.OBJECT_NAME, ':') > 0
                    OR INSTR(LATEST.OBJECT_NAME, '/') > 0
                    OR INSTR(LATEST.OBJECT_NAME, '.') > 0
                    THEN REPLACE(EXPLAINED.FIRST_STEP, '<table space>', 'with its name and')
                ELSE
                    REPLACE(
                        EXPLAINED.FIRST_STEP, '<table space>', '"' || REPLACE(LATEST.OBJECT_NAME, '"', '""') || '"'
                    )
            END,
            '<database>', WORD.NAME
        ) AS VARCHAR(1000)
    ) AS FIRST_STEP,
    LATEST.TIMES AS OCCURRENCES,
    LATEST.LAST_TIME,
    LATEST.MEMBER,
    LATEST.APPLICATION_HANDLE AS HANDLE,
    LATEST.APPLICATION_ID,
    LATEST.OBJECT_NAME,
    LATEST.FUNCTION_NAME,
    LATEST.MESSAGE,
    COUNT(*) OVER (PARTITION BY EXPLAINED.CLASS) AS MESSAGES,
    ROW_NUMBER() OVER (
        PARTITION BY EXPLAINED.CLASS ORDER BY EXPLAINED.PLACE, LATEST.LAST_TIME DESC NULLS LAST, LATEST.EVENT_ID
    ) AS PLACE
FROM COUNTED AS LATEST
INNER JOIN TUNE.MESSAGE AS EXPLAINED ON LATEST.CODE = EXPLAINED.CODE
CROSS JOIN TUNE.DATABASE_WORD AS WORD
WHERE LATEST.PLACE = 1
