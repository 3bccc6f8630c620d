-- The candidates for the list, in narrow rows: ID numbers them as they would be ranked if each were the only one.
-- Of manual steps for equal severity, those for reported events come first, by what fails and then the latest.
-- CLAIMED_PCT is the time that it is about. FACTOR turns a benefit into a score. FLOOR_PCT is the least benefit that is
-- shown, if the rule sets it. NEED_KB is the memory that a candidate takes on each member, GIVES_KB the memory that it
-- frees for others: a donor, or a command that takes effect immediately on all members. While a host lacks memory,
-- nothing is freed for others.
SELECT
    ROW_NUMBER() OVER (
        ORDER BY
            SCORED.LANE_ORDER,
            CASE WHEN SCORED.LANE IN ('S', 'C') THEN SCORED.SEVERITY ELSE 0 END,
            ROUND(SCORED.SORT_SCORE, 6) DESC,
            SCORED.BY_HAND, SCORED.EASE DESC,
            CASE WHEN REPORTED.RULE IS NULL THEN 1 ELSE 0 END, REPORTED.PLACE,
            SCORED.RULE, SCORED.OBJECT_TYPE, SCORED.OBJECT_NAME
    ) AS ID,
    SCORED.RULE,
    SCORED.OBJECT_TYPE,
    SCORED.OBJECT_NAME,
    SCORED.LANE,
    SCORED.LANE_ORDER,
    CASE WHEN SCORED.LANE IN ('S', 'C') THEN SCORED.SEVERITY ELSE 0 END AS SEVERITY,
    SCORED.CLAIMED_PCT,
    SCORED.BENEFIT,
    SCORED.FACTOR,
    CASE WHEN SCORED.LANE = 'P' AND SCORED.DONOR = 0 THEN SITE.FLOOR_PCT END AS FLOOR_PCT,
    SCORED.EXCLUSIVE,
    SCORED.DONOR,
    CASE WHEN SCORED.DONOR = 0 AND SCORED.MEMORY_DELTA_KB > 0 THEN SCORED.MEMORY_DELTA_KB ELSE 0 END AS NEED_KB,
    CASE
        WHEN SCORED.MEMORY_DELTA_KB >= 0 OR BUDGET.WITHHELD = 1 THEN 0
        WHEN SCORED.DONOR = 1 OR (SCORED.BY_HAND = 0 AND SCORED.EFFECT = 'ON' AND SCORED.MEMBER IS NULL)
            THEN -SCORED.MEMORY_DELTA_KB
        ELSE 0
    END AS GIVES_KB
FROM TUNE.RECOMMENDATION_SCORE AS SCORED
CROSS JOIN TUNE.O_SITE AS SITE
CROSS JOIN TUNE.MEMORY_BUDGET AS BUDGET
LEFT JOIN TUNE.EVENT_RANK AS REPORTED ON SCORED.RULE = REPORTED.RULE
WHERE SCORED.LEFT_OUT IS NULL
