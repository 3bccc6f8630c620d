-- The benefit of each recommendation after those above it: in the order of the list each takes its claim
-- from what is left in a time bucket, so the benefits add up to no more than the bucket.
WITH GIVEN AS (
    SELECT
        S.RULE,
        S.OBJECT_TYPE,
        S.OBJECT_NAME,
        S.ORDER_SCORE,
        S.EASE,
        K.BUCKET,
        K.BUCKET_PCT,
        K.RECOVER_EXPECTED,
        K.CLAIM_PCT
    FROM TUNE.FUNDED AS S
    INNER JOIN TUNE.CLAIM AS K ON S.RULE = K.RULE AND S.OBJECT_TYPE = K.OBJECT_TYPE AND S.OBJECT_NAME = K.OBJECT_NAME
    WHERE S.LANE = 'P'
),
TAKEN AS (
    SELECT
        GIVEN.*,
        COALESCE(SUM(CLAIM_PCT * RECOVER_EXPECTED) OVER (
            PARTITION BY BUCKET
            ORDER BY ORDER_SCORE DESC, EASE DESC, RULE, OBJECT_TYPE, OBJECT_NAME
            ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
        ), 0) AS TAKEN_PCT
    FROM GIVEN
)
SELECT
    RULE,
    OBJECT_TYPE,
    OBJECT_NAME,
    SUM(LEAST(CLAIM_PCT, GREATEST(0, BUCKET_PCT - TAKEN_PCT)) * RECOVER_EXPECTED) AS BENEFIT_AFTER
FROM TAKEN
GROUP BY RULE, OBJECT_TYPE, OBJECT_NAME
