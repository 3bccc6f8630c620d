-- The candidates that may exclude each other: they claim database time, share a key, or need or free memory. They are
-- chosen one by one (NEXT_CHOICE); every other candidate is on the list, and FREED_KB is the memory that all of these
-- free. PLACE counts the contenders of one rule. Only the first ones are considered (BEYOND = 0), so a rule with ten
-- thousand findings does not slow a run.
WITH SPLIT AS (
    SELECT
        CANDIDATE.*,
        CASE
            WHEN A.ID IS NOT NULL OR K.ID IS NOT NULL OR CANDIDATE.NEED_KB > 0 OR CANDIDATE.DONOR = 1 THEN 1
            ELSE 0
        END AS CONTENDS
    FROM TUNE.CANDIDATE AS CANDIDATE
    LEFT JOIN (SELECT DISTINCT ID FROM TUNE.CANDIDATE_ACCOUNT) AS A ON CANDIDATE.ID = A.ID
    LEFT JOIN (SELECT DISTINCT ID FROM TUNE.CANDIDATE_KEY) AS K ON CANDIDATE.ID = K.ID
)
SELECT
    S.ID,
    S.LANE_ORDER,
    S.SEVERITY,
    S.FACTOR,
    S.FLOOR_PCT,
    S.DONOR,
    S.NEED_KB,
    S.GIVES_KB,
    F.FREED_KB,
    ROW_NUMBER() OVER (PARTITION BY S.RULE ORDER BY S.ID) AS PLACE,
    CASE WHEN ROW_NUMBER() OVER (PARTITION BY S.RULE ORDER BY S.ID) > CONST.MOST_CONTENDERS THEN 1 ELSE 0 END AS BEYOND
FROM SPLIT AS S
CROSS JOIN TUNE.CONSTANT AS CONST
CROSS JOIN (SELECT COALESCE(SUM(GIVES_KB), 0) AS FREED_KB FROM SPLIT WHERE CONTENDS = 0) AS F
WHERE S.CONTENDS = 1
