-- The recommendations that the platform does not let anyone carry out, one row each, and why: it refuses one of their
-- settings, or all of their steps.
SELECT RULE, OBJECT_TYPE, OBJECT_NAME, CAST(MIN(REFUSAL) AS VARCHAR(150)) AS REFUSAL
FROM TUNE.STEP_WAY
GROUP BY RULE, OBJECT_TYPE, OBJECT_NAME
HAVING MAX(CASE WHEN WAY = 'never' AND SETTING_KIND IS NOT NULL AND NEW_TEXT IS NOT NULL THEN 1 ELSE 0 END) = 1
    OR MIN(CASE WHEN WAY = 'never' THEN 1 WHEN SETTING_KIND IS NULL OR NEW_TEXT IS NOT NULL THEN 0 END) = 1
