-- Two runs metric by metric. The standard error of a mean of n events of like times is the mean divided by the square
-- root of n; a change counts from 5 percent and three standard errors on. Where the load differs by more than half,
-- the runs cannot be compared. Shares are made decimals of whole numbers, for Db2 truncates a DOUBLE, and what no type
-- could hold (a thousandfold of next to nothing) ends at the greatest.
WITH PAIR AS (
    SELECT
        B.RUN_ID AS RUN_BEFORE,
        A.RUN_ID AS RUN_AFTER,
        B.METRIC,
        B.UNIT,
        B.LOW_IS_GOOD,
        B.VALUE AS VALUE_BEFORE,
        A.VALUE AS VALUE_AFTER,
        LEAST(COALESCE(B.EVENTS, 0), COALESCE(A.EVENTS, 0)) AS FEWEST,
        SQRT(
            B.VALUE * B.VALUE / NULLIF(CAST(B.EVENTS AS DOUBLE), 0)
            + A.VALUE * A.VALUE / NULLIF(CAST(A.EVENTS AS DOUBLE), 0)
        ) AS STANDARD_ERROR,
        100 * (A.VALUE - B.VALUE) / NULLIF(B.VALUE, 0) AS CHANGE_PCT
    FROM TUNE.M_METRIC AS B
    INNER JOIN TUNE.M_METRIC AS A ON B.METRIC = A.METRIC
),
WORK AS (
    SELECT
        RUN_BEFORE,
        RUN_AFTER,
        VALUE_AFTER / NULLIF(VALUE_BEFORE, 0) AS RATIO
    FROM PAIR
    WHERE LOW_IS_GOOD = 0
)
SELECT
    P.RUN_BEFORE,
    P.RUN_AFTER,
    P.METRIC,
    P.UNIT,
    CAST(CAST(ROUND(1000 * LEAST(P.VALUE_BEFORE, 9E14), 0) AS BIGINT) * 0.001 AS DECIMAL(18, 3)) AS VALUE_BEFORE,
    CAST(CAST(ROUND(1000 * LEAST(P.VALUE_AFTER, 9E14), 0) AS BIGINT) * 0.001 AS DECIMAL(18, 3)) AS VALUE_AFTER,
    CAST(CAST(ROUND(10 * LEAST(P.CHANGE_PCT, 9E7), 0) AS BIGINT) * 0.1 AS DECIMAL(9, 1)) AS CHANGE_PCT,
    CASE
        WHEN P.VALUE_BEFORE IS NULL OR P.VALUE_AFTER IS NULL THEN 'not measured'
        WHEN P.FEWEST < 100 THEN 'too few events'
        WHEN W.RATIO NOT BETWEEN 0.67 AND 1.5 THEN 'not comparable: the load differs'
        WHEN P.LOW_IS_GOOD = 0 THEN 'like load'
        WHEN
            ABS(P.VALUE_AFTER - P.VALUE_BEFORE) < 3 * P.STANDARD_ERROR OR ABS(COALESCE(P.CHANGE_PCT, 0)) < 5
            THEN 'no clear change'
        WHEN P.VALUE_AFTER < P.VALUE_BEFORE THEN 'better'
        ELSE 'worse'
    END AS VERDICT
FROM PAIR AS P
LEFT JOIN WORK AS W ON P.RUN_BEFORE = W.RUN_BEFORE AND P.RUN_AFTER = W.RUN_AFTER
