-- The candidates that may exclude each other: they claim database time, share a key, or need or free memory. They are
-- chosen one by one (NEXT_CHOICE); every other candidate is on the list. PLACE counts the contenders of one rule. The
-- first 100 are considered, so a rule with ten thousand findings does not slow a run.
SELECT
    C.ID,
    C.LANE_ORDER,
    C.SEVERITY,
    C.FACTOR,
    C.FLOOR_PCT,
    C.DONOR,
    C.NEED_KB,
    ROW_NUMBER() OVER (PARTITION BY C.RULE ORDER BY C.ID) AS PLACE
FROM TUNE.CANDIDATE AS C
LEFT JOIN (SELECT DISTINCT ID FROM TUNE.CANDIDATE_ACCOUNT) AS A ON C.ID = A.ID
LEFT JOIN (SELECT DISTINCT ID FROM TUNE.CANDIDATE_KEY) AS K ON C.ID = K.ID
WHERE A.ID IS NOT NULL OR K.ID IS NOT NULL OR C.NEED_KB > 0 OR C.DONOR = 1
