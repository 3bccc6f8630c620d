-- The candidates for the list, in narrow rows: ID numbers them as they would be ranked if each were the only one.
-- FACTOR turns a benefit into a score; FLOOR_PCT is the least benefit that is shown, if the rule sets it. NEED_KB is
-- the memory that a candidate takes on each member, GIVES_KB the memory that a donor frees.
SELECT
    ROW_NUMBER() OVER (
        ORDER BY
            S.LANE_ORDER, CASE WHEN S.LANE IN ('S', 'C') THEN S.SEVERITY ELSE 0 END, ROUND(S.SORT_SCORE, 6) DESC,
            S.BY_HAND, S.EASE DESC, S.RULE, S.OBJECT_TYPE, S.OBJECT_NAME
    ) AS ID,
    S.RULE,
    S.OBJECT_TYPE,
    S.OBJECT_NAME,
    S.LANE,
    S.LANE_ORDER,
    CASE WHEN S.LANE IN ('S', 'C') THEN S.SEVERITY ELSE 0 END AS SEVERITY,
    S.BENEFIT,
    S.FACTOR,
    CASE WHEN S.LANE = 'P' AND S.DONOR = 0 THEN O.FLOOR_PCT END AS FLOOR_PCT,
    S.EXCLUSIVE,
    S.DONOR,
    CASE WHEN S.DONOR = 0 AND S.MEMORY_DELTA_KB > 0 THEN S.MEMORY_DELTA_KB ELSE 0 END AS NEED_KB,
    CASE WHEN S.DONOR = 1 AND S.MEMORY_DELTA_KB < 0 THEN -S.MEMORY_DELTA_KB ELSE 0 END AS GIVES_KB
FROM TUNE.RECOMMENDATION_SCORE AS S
CROSS JOIN TUNE.O_SITE AS O
WHERE S.LEFT_OUT IS NULL
