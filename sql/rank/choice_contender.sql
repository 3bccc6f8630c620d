-- The candidates that may exclude each other: they claim database time, share a key, or need or free memory. They are
-- chosen one by one (NEXT_CHOICE); every other candidate is on the list. PLACE counts the contenders of one rule. The
-- first 100 are considered, so a rule with ten thousand findings does not slow a run.
SELECT
    CANDIDATE.ID,
    CANDIDATE.LANE_ORDER,
    CANDIDATE.SEVERITY,
    CANDIDATE.FACTOR,
    CANDIDATE.FLOOR_PCT,
    CANDIDATE.DONOR,
    CANDIDATE.NEED_KB,
    ROW_NUMBER() OVER (PARTITION BY CANDIDATE.RULE ORDER BY CANDIDATE.ID) AS PLACE
FROM TUNE.CANDIDATE AS CANDIDATE
LEFT JOIN (SELECT DISTINCT ID FROM TUNE.CANDIDATE_ACCOUNT) AS A ON CANDIDATE.ID = A.ID
LEFT JOIN (SELECT DISTINCT ID FROM TUNE.CANDIDATE_KEY) AS K ON CANDIDATE.ID = K.ID
WHERE A.ID IS NOT NULL OR K.ID IS NOT NULL OR CANDIDATE.NEED_KB > 0 OR CANDIDATE.DONOR = 1
