-- Who wins where several recommendations want the same: one target (the first setting that they would change), or
-- one exclusion group on one object (remedies of which only one makes sense). The best score wins; an
-- urgent lane wins over score. One row per loser, with the winner.
WITH CONTEST AS (
    SELECT
        S.*,
        'group ' || S.EXCLUSIVE || ' ' || S.OBJECT_TYPE || ' ' || S.OBJECT_NAME AS PRIZE
    FROM TUNE.SCORED AS S
    WHERE S.EXCLUSIVE IS NOT NULL
    UNION ALL
    SELECT
        S.*,
        'target ' || F.TARGET AS PRIZE
    FROM TUNE.SCORED AS S
    INNER JOIN (
        SELECT DISTINCT RULE, OBJECT_TYPE, OBJECT_NAME, TARGET
        FROM (
            SELECT
                RULE,
                OBJECT_TYPE,
                OBJECT_NAME,
                TARGET,
                STEP,
                MIN(STEP) OVER (PARTITION BY RULE, OBJECT_TYPE, OBJECT_NAME) AS FIRST_STEP
            FROM TUNE.FINDING
            WHERE TARGET IS NOT NULL
        ) AS T
        WHERE STEP = FIRST_STEP
    ) AS F ON S.RULE = F.RULE AND S.OBJECT_TYPE = F.OBJECT_TYPE AND S.OBJECT_NAME = F.OBJECT_NAME
),
PLACED AS (
    SELECT
        C.RULE,
        C.OBJECT_TYPE,
        C.OBJECT_NAME,
        C.PRIZE,
        ROW_NUMBER() OVER (
            PARTITION BY C.PRIZE
            ORDER BY C.LANE_ORDER, C.SORT_SCORE DESC, C.EASE DESC, C.RULE, C.OBJECT_TYPE, C.OBJECT_NAME
        ) AS PLACE
    FROM CONTEST AS C
    LEFT JOIN TUNE.DOMINATED AS D
        ON C.RULE = D.RULE AND C.OBJECT_TYPE = D.OBJECT_TYPE AND C.OBJECT_NAME = D.OBJECT_NAME
    WHERE D.RULE IS NULL AND C.LEFT_OUT IS NULL
)
SELECT
    L.RULE,
    L.OBJECT_TYPE,
    L.OBJECT_NAME,
    MIN(V.RULE) AS BY_RULE
FROM PLACED AS L
INNER JOIN PLACED AS V ON L.PRIZE = V.PRIZE AND V.PLACE = 1
WHERE L.PLACE > 1
GROUP BY L.RULE, L.OBJECT_TYPE, L.OBJECT_NAME
