-- The benefit of each recommendation after those above it: in the order of the list each takes its claim
-- from what is left in a time bucket, so the benefits add up to no more than the bucket.
WITH CLAIM AS (
    SELECT
        S.RULE,
        S.OBJECT_TYPE,
        S.OBJECT_NAME,
        S.ORDER_SCORE,
        S.EASE,
        K.BUCKET,
        B.PCT AS BUCKET_PCT,
        F.RECOVER_EXPECTED,
        LEAST(
            CASE K.POSITION
                WHEN 1 THEN F.CLAIMED_PCT - COALESCE(F.CLAIM_2_PCT, 0) - COALESCE(F.CLAIM_3_PCT, 0)
                WHEN 2 THEN COALESCE(F.CLAIM_2_PCT, 0)
                ELSE COALESCE(F.CLAIM_3_PCT, 0)
            END, B.PCT
        ) AS CLAIM_PCT
    FROM TUNE.FUNDED AS S
    INNER JOIN (
        SELECT
            RULE,
            OBJECT_TYPE,
            OBJECT_NAME,
            CLAIMED_PCT,
            CLAIM_2_PCT,
            CLAIM_3_PCT,
            RECOVER_EXPECTED,
            ROW_NUMBER() OVER (
                PARTITION BY RULE, OBJECT_TYPE, OBJECT_NAME
                ORDER BY COALESCE(CLAIMED_PCT, 0) DESC, COALESCE(MEMBER, -1)
            ) AS N
        FROM TUNE.FINDING
    ) AS F ON S.RULE = F.RULE AND S.OBJECT_TYPE = F.OBJECT_TYPE AND S.OBJECT_NAME = F.OBJECT_NAME AND F.N = 1
    INNER JOIN TUNE.RULE_CLAIM AS K ON S.RULE = K.RULE
    INNER JOIN TUNE.TIME_BUCKET AS B ON K.BUCKET = B.BUCKET
    WHERE S.LANE = 'P'
),
TAKEN AS (
    SELECT
        CLAIM.*,
        COALESCE(SUM(CLAIM_PCT * RECOVER_EXPECTED) OVER (
            PARTITION BY BUCKET
            ORDER BY ORDER_SCORE DESC, EASE DESC, RULE, OBJECT_NAME
            ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
        ), 0) AS TAKEN_PCT
    FROM CLAIM
)
SELECT
    RULE,
    OBJECT_TYPE,
    OBJECT_NAME,
    SUM(LEAST(CLAIM_PCT, GREATEST(0, BUCKET_PCT - TAKEN_PCT)) * RECOVER_EXPECTED) AS BENEFIT_AFTER
FROM TAKEN
GROUP BY RULE, OBJECT_TYPE, OBJECT_NAME
