-- The candidates that defer to another candidate, which names the cause: a rule's header lists the rules that it defers
-- to. The scope decides how near the other one must be: on the same object, in the same buffer pool, on the same host
-- (advice about the whole database is in each), or anywhere. The other one must recover more, or be about as much of
-- database time, or urgent: a crumb never hides a loaf. LARGER defers only to what recovers more, so that two that
-- defer to each other do not both vanish.
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
    CROSS JOIN TUNE.CONSTANT AS CONST
    WHERE
        S.ID <> O.ID
        AND (
            O.BENEFIT > S.BENEFIT
            OR (
                RELATION.LARGER = 0
                AND (O.CLAIMED_PCT >= CONST.AS_MUCH_PART * S.CLAIMED_PCT OR O.LANE NOT IN ('P', 'C', 'H'))
            )
        )
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
