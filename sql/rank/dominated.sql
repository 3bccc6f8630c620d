-- Recommendations that yield to another one because it names the cause: what a rule yields to is in its
-- header. Scope 'object' needs the same object, 'any' needs the other rule to have fired at all;
-- LARGER yields only when the other promises more.
SELECT
    S.RULE,
    S.OBJECT_TYPE,
    S.OBJECT_NAME,
    MIN(O.RULE) AS BY_RULE
FROM TUNE.SCORED AS S
INNER JOIN TUNE.RULE_RELATION AS Y ON S.RULE = Y.RULE
INNER JOIN TUNE.SCORED AS O ON Y.OTHER = O.RULE
WHERE
    O.LEFT_OUT IS NULL
    AND (Y.SCOPE = 'any' OR (O.OBJECT_TYPE = S.OBJECT_TYPE AND O.OBJECT_NAME = S.OBJECT_NAME))
    AND (Y.LARGER = 0 OR O.BENEFIT > S.BENEFIT)
GROUP BY S.RULE, S.OBJECT_TYPE, S.OBJECT_NAME
