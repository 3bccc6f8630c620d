-- The problems of a CLASS of messages that a text reports, one row per class: the most specific message with its object
-- and first step, and the next message of the class in the columns that end in _2.
--
-- HAS_STEP_2: 1 if the first step of the next message is another one
SELECT
    A.CLASS,
    A.CODE,
    A.CAUSE,
    A.FIRST_STEP,
    A.OCCURRENCES,
    A.LAST_TIME,
    A.MEMBER,
    A.HANDLE,
    A.APPLICATION_ID,
    A.OBJECT_NAME,
    A.FUNCTION_NAME,
    A.MESSAGE,
    A.MESSAGES,
    B.CODE AS CODE_2,
    B.CAUSE AS CAUSE_2,
    B.OBJECT_NAME AS OBJECT_2,
    CASE WHEN B.FIRST_STEP <> A.FIRST_STEP THEN B.FIRST_STEP END AS STEP_2,
    CASE WHEN B.FIRST_STEP <> A.FIRST_STEP THEN 1 ELSE 0 END AS HAS_STEP_2
FROM TUNE.EVENT_REPORT AS A
LEFT JOIN TUNE.EVENT_REPORT AS B ON A.CLASS = B.CLASS AND B.PLACE = 2
WHERE A.PLACE = 1
