-- The recommendations with an accepted risk, each with its best acceptance: one in force before an expired one. A
-- pattern is the name of an object, or its beginning and an asterisk; what is accepted of a table is accepted of its
-- indexes. The day that counts is the end of the interval; EXPIRED is 1 if it is after the last day of the acceptance.
WITH MATCHED AS (
    SELECT
        PART.RULE,
        PART.OBJECT_TYPE,
        PART.OBJECT_NAME,
        ACCEPTED.REASON,
        ACCEPTED.ACCEPTED_BY,
        ACCEPTED.UNTIL_DATE,
        CASE WHEN ACCEPTED.UNTIL_DATE < RUN.END_DATE THEN 1 ELSE 0 END AS EXPIRED,
        ACCEPTED.OBJECT_PATTERN
    FROM TUNE.RECOMMENDATION_PART AS PART
    INNER JOIN TUNE.ACCEPTED AS ACCEPTED ON PART.RULE = ACCEPTED.RULE
    INNER JOIN TUNE.OBJECT_PLACE AS LOCATION
        ON
            PART.OBJECT_TYPE = LOCATION.OBJECT_TYPE AND PART.OBJECT_NAME = LOCATION.OBJECT_NAME
            AND LOCATION.IN_TYPE IN (LOCATION.OBJECT_TYPE, 'TABLE')
    CROSS JOIN TUNE.RUN_SNAPSHOT AS RUN
    WHERE
        PART.N = 1
        AND (
            ACCEPTED.OBJECT_PATTERN IN ('*', LOCATION.IN_NAME)
            OR (
                SUBSTR(ACCEPTED.OBJECT_PATTERN, LENGTH(ACCEPTED.OBJECT_PATTERN), 1) = '*'
                AND SUBSTR(LOCATION.IN_NAME, 1, LENGTH(ACCEPTED.OBJECT_PATTERN) - 1)
                = SUBSTR(ACCEPTED.OBJECT_PATTERN, 1, LENGTH(ACCEPTED.OBJECT_PATTERN) - 1)
            )
        )
),
ORDERED AS (
    SELECT
        MATCHED.*,
        ROW_NUMBER() OVER (
            PARTITION BY RULE, OBJECT_TYPE, OBJECT_NAME
            ORDER BY EXPIRED, LENGTH(OBJECT_PATTERN) DESC, OBJECT_PATTERN
        ) AS N
    FROM MATCHED
)
SELECT RULE, OBJECT_TYPE, OBJECT_NAME, REASON, ACCEPTED_BY, UNTIL_DATE, EXPIRED
FROM ORDERED
WHERE N = 1
