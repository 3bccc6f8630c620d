-- What is left after dominance and contests, with the memory that it needs, per member. Memory is given out in
-- order of score from what the members have free and what donors (memory parked where it does nothing) would
-- free; what is larger than all of that asks for none. PAYS_FOR is the best score of what fits only because
-- of donors: they come right before it, and where it is NULL nobody needs them.
WITH LEFT_OVER AS (
    SELECT S.*
    FROM TUNE.SCORED AS S
    LEFT JOIN TUNE.DOMINATED AS D
        ON S.RULE = D.RULE AND S.OBJECT_TYPE = D.OBJECT_TYPE AND S.OBJECT_NAME = D.OBJECT_NAME
    LEFT JOIN TUNE.CONTESTED AS C
        ON S.RULE = C.RULE AND S.OBJECT_TYPE = C.OBJECT_TYPE AND S.OBJECT_NAME = C.OBJECT_NAME
    WHERE D.RULE IS NULL AND C.RULE IS NULL AND S.LEFT_OUT IS NULL
),
SUPPLY AS (
    SELECT
        B.BUDGET_KB,
        B.BUDGET_KB + D.DONATED_KB AS SUPPLY_KB
    FROM TUNE.MEMORY_BUDGET AS B
    CROSS JOIN (
        SELECT COALESCE(SUM(CASE WHEN DONOR = 1 THEN -MEMORY_DELTA_KB ELSE 0 END), 0) AS DONATED_KB FROM LEFT_OVER
    ) AS D
),
DEMAND AS (
    SELECT
        L.*,
        S.BUDGET_KB,
        S.SUPPLY_KB,
        CASE
            WHEN L.DONOR = 0 AND L.MEMORY_DELTA_KB > 0 AND L.MEMORY_DELTA_KB <= COALESCE(S.SUPPLY_KB, L.MEMORY_DELTA_KB)
                THEN L.MEMORY_DELTA_KB
            ELSE 0
        END AS DEMAND_KB
    FROM LEFT_OVER AS L
    CROSS JOIN SUPPLY AS S
),
QUEUE AS (
    SELECT
        DEMAND.*,
        SUM(DEMAND_KB) OVER (
            ORDER BY LANE_ORDER, SORT_SCORE DESC, EASE DESC, RULE, OBJECT_TYPE, OBJECT_NAME
            ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
        ) AS RUNNING_KB
    FROM DEMAND
),
PAID AS (
    SELECT MAX(SORT_SCORE) AS PAYS_FOR
    FROM QUEUE
    WHERE DEMAND_KB > 0 AND RUNNING_KB > BUDGET_KB AND RUNNING_KB <= SUPPLY_KB
)
SELECT
    Q.*,
    CASE WHEN Q.DONOR = 1 THEN P.PAYS_FOR + 0.001 ELSE Q.SORT_SCORE END AS ORDER_SCORE,
    P.PAYS_FOR
FROM QUEUE AS Q
CROSS JOIN PAID AS P
