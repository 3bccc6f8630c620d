-- The chosen recommendations in order: prerequisites first, then safety by severity, performance in the order of
-- choice, housekeeping last.
SELECT
    C.ID,
    ROW_NUMBER() OVER (
        ORDER BY C.LANE_ORDER, CASE WHEN C.LANE = 'P' THEN H.CHOICE_NO ELSE 0 END, C.ID
    ) AS POSITION,
    COALESCE(H.AFTER_1_PCT + H.AFTER_2_PCT + H.AFTER_3_PCT, 0) AS BENEFIT_AFTER
FROM TUNE.CANDIDATE AS C
LEFT JOIN TUNE.CHOICE_CONTENDER AS T ON C.ID = T.ID
LEFT JOIN TUNE.CHOSEN AS H ON C.ID = H.ID
WHERE H.ID IS NOT NULL OR T.ID IS NULL
