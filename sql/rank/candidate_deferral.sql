-- The candidates that defer to another candidate, which names the cause: a rule's header lists the rules that it defers
-- to. The scope decides how near the other one must be: on the same object, in the same buffer pool, on the same host
-- (advice about the whole database is in each), or anywhere. LARGER defers only to a larger benefit. A candidate that
-- claims time does not defer to a condition or housekeeping that claims none.
WITH RELATED AS (
    SELECT
        S.ID,
        S.OBJECT_TYPE,
        S.OBJECT_NAME,
        O.ID AS OTHER_ID,
        O.OBJECT_TYPE AS OTHER_TYPE,
        O.OBJECT_NAME AS OTHER_NAME,
        RELATION.SCOPE
    FROM TUNE.CANDIDATE AS S
    INNER JOIN TUNE.RULE_RELATION AS RELATION ON S.RULE = RELATION.RULE
    INNER JOIN TUNE.CANDIDATE AS O ON RELATION.OTHER = O.RULE
    WHERE
        S.ID <> O.ID
        AND (RELATION.LARGER = 0 OR O.BENEFIT > S.BENEFIT)
        AND (O.BENEFIT > 0 OR S.BENEFIT <= 0 OR O.LANE NOT IN ('C', 'H'))
),
NEAR (ID, OTHER_ID) AS (
    SELECT ID, OTHER_ID
    FROM RELATED
    WHERE
        SCOPE = 'any'
        OR (OBJECT_TYPE = OTHER_TYPE AND OBJECT_NAME = OTHER_NAME)
        OR (SCOPE IN ('pool', 'host') AND OTHER_TYPE IN ('DATABASE', 'INSTANCE'))
        OR (SCOPE IN ('pool', 'host') AND OBJECT_TYPE IN ('DATABASE', 'INSTANCE'))
    UNION ALL
    SELECT R.ID, R.OTHER_ID
    FROM RELATED AS R
    INNER JOIN TUNE.OBJECT_PLACE AS P ON R.OBJECT_TYPE = P.OBJECT_TYPE AND R.OBJECT_NAME = P.OBJECT_NAME
    INNER JOIN TUNE.OBJECT_PLACE AS Q
        ON
            R.OTHER_TYPE = Q.OBJECT_TYPE AND R.OTHER_NAME = Q.OBJECT_NAME
            AND P.IN_TYPE = Q.IN_TYPE AND P.IN_NAME = Q.IN_NAME
    WHERE (R.SCOPE = 'pool' AND P.IN_TYPE = 'BUFFERPOOL') OR (R.SCOPE = 'host' AND P.IN_TYPE = 'HOST')
)
SELECT DISTINCT ID, OTHER_ID
FROM NEAR
