-- The recommendations whose risk somebody accepted, each with the acceptance that names it best. A pattern is the
-- name of an object, or its beginning and an asterisk.
WITH MATCHED AS (
    SELECT
        P.RULE,
        P.OBJECT_TYPE,
        P.OBJECT_NAME,
        A.REASON,
        A.ACCEPTED_BY,
        A.UNTIL_DATE,
        ROW_NUMBER() OVER (
            PARTITION BY P.RULE, P.OBJECT_TYPE, P.OBJECT_NAME
            ORDER BY LENGTH(A.OBJECT_PATTERN) DESC, A.OBJECT_PATTERN
        ) AS N
    FROM TUNE.PART AS P
    INNER JOIN TUNE.ACCEPTED AS A ON P.RULE = A.RULE
    WHERE
        P.N = 1
        AND (A.UNTIL_DATE IS NULL OR A.UNTIL_DATE >= CURRENT_DATE)
        AND (
            A.OBJECT_PATTERN IN ('*', P.OBJECT_NAME)
            OR (
                SUBSTR(A.OBJECT_PATTERN, LENGTH(A.OBJECT_PATTERN), 1) = '*'
                AND SUBSTR(P.OBJECT_NAME, 1, LENGTH(A.OBJECT_PATTERN) - 1)
                = SUBSTR(A.OBJECT_PATTERN, 1, LENGTH(A.OBJECT_PATTERN) - 1)
            )
        )
)
SELECT
    RULE,
    OBJECT_TYPE,
    OBJECT_NAME,
    REASON,
    ACCEPTED_BY,
    UNTIL_DATE
FROM MATCHED
WHERE N = 1
