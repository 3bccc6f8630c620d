-- The recommendations with an accepted risk, each with its best acceptance: one in force before an expired one. A
-- pattern is the name of an object, or its beginning and an asterisk. The day that counts is the end of the interval;
-- EXPIRED is 1 if it is after the last day of the acceptance.
WITH MATCHED AS (
    SELECT
        P.RULE,
        P.OBJECT_TYPE,
        P.OBJECT_NAME,
        A.REASON,
        A.ACCEPTED_BY,
        A.UNTIL_DATE,
        CASE WHEN A.UNTIL_DATE < W.END_DATE THEN 1 ELSE 0 END AS EXPIRED,
        A.OBJECT_PATTERN
    FROM TUNE.RECOMMENDATION_PART AS P
    INNER JOIN TUNE.ACCEPTED AS A ON P.RULE = A.RULE
    CROSS JOIN TUNE.RUN_SNAPSHOT AS W
    WHERE
        P.N = 1
        AND (
            A.OBJECT_PATTERN IN ('*', P.OBJECT_NAME)
            OR (
                SUBSTR(A.OBJECT_PATTERN, LENGTH(A.OBJECT_PATTERN), 1) = '*'
                AND SUBSTR(P.OBJECT_NAME, 1, LENGTH(A.OBJECT_PATTERN) - 1)
                = SUBSTR(A.OBJECT_PATTERN, 1, LENGTH(A.OBJECT_PATTERN) - 1)
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
SELECT
    RULE,
    OBJECT_TYPE,
    OBJECT_NAME,
    REASON,
    ACCEPTED_BY,
    UNTIL_DATE,
    EXPIRED
FROM ORDERED
WHERE N = 1
