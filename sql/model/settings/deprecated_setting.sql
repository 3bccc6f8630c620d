-- The settings in force that the running level of Db2 deprecates, ignores or has discontinued, one row each. Settings
-- at a default, with a pending value, set by DB2_WORKLOAD, or with values that differ between members are left out.
-- RESET_VALUE is the value that resets it, NULL if a person must do more (for a registry variable the command has no
-- value).
SELECT
    C.SCOPE,
    C.NAME,
    C.VALUE,
    DEPRECATED.SINCE,
    DEPRECATED.STATE,
    DEPRECATED.RESET_VALUE,
    DEPRECATED.REPLACEMENT
FROM (
    SELECT SCOPE, NAME, MIN(VALUE) AS VALUE, MAX(VALUE) AS LAST_VALUE, MAX(PENDING) AS PENDING
    FROM TUNE.CONFIG
    WHERE VALUE IS NOT NULL
    GROUP BY SCOPE, NAME
) AS C
INNER JOIN TUNE.DEPRECATED AS DEPRECATED ON C.SCOPE = DEPRECATED.SCOPE AND C.NAME = DEPRECATED.NAME
INNER JOIN TUNE.LEAST_LEVEL AS LEVELS ON DEPRECATED.SINCE_LEVEL <= LEVELS.LEVEL_NUMBER
LEFT JOIN (
    SELECT DISTINCT REG_VAR_NAME FROM TUNE.D_REGISTRY
    WHERE AGGREGATE_NAME IS NOT NULL
) AS W ON C.SCOPE = 'REG' AND C.NAME = W.REG_VAR_NAME
WHERE
    C.VALUE = C.LAST_VALUE
    AND C.PENDING = 0
    AND W.REG_VAR_NAME IS NULL
    AND (
        DEPRECATED.DEFAULTS IS NULL
        OR REPLACE(' ' || DEPRECATED.DEFAULTS || ' ', ' ' || UPPER(C.VALUE) || ' ', '')
        = ' ' || DEPRECATED.DEFAULTS || ' '
    )
