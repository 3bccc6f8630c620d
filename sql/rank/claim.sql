-- The claim of each recommendation on each time bucket, in percent of database time. A claim never exceeds its bucket
-- or its object's share of the bucket. A finding on several members claims once, by its largest part. Findings judged
-- by structure claim only if load can be judged, too.
SELECT
    P.RULE,
    P.OBJECT_TYPE,
    P.OBJECT_NAME,
    K.POSITION,
    K.BUCKET,
    B.PCT AS BUCKET_PCT,
    P.RECOVER_EXPECTED,
    LEAST(
        CASE K.POSITION
            WHEN 1 THEN P.CLAIMED_PCT - COALESCE(P.CLAIM_2_PCT, 0) - COALESCE(P.CLAIM_3_PCT, 0)
            WHEN 2 THEN COALESCE(P.CLAIM_2_PCT, 0)
            ELSE COALESCE(P.CLAIM_3_PCT, 0)
        END, B.PCT, COALESCE(T.PCT, B.PCT)
    ) AS CLAIM_PCT
FROM TUNE.RECOMMENDATION_PART AS P
INNER JOIN TUNE.RULE_CLAIM AS K ON P.RULE = K.RULE
INNER JOIN TUNE.TIME_BUCKET AS B ON K.BUCKET = B.BUCKET
LEFT JOIN TUNE.OBJECT_TIME AS T
    ON P.OBJECT_TYPE = T.OBJECT_TYPE AND P.OBJECT_NAME = T.OBJECT_NAME AND K.BUCKET = T.BUCKET
INNER JOIN TUNE.RULE AS R ON P.RULE = R.RULE
CROSS JOIN (SELECT COUNT(*) AS REASONS FROM TUNE.NO_LOAD) AS N
WHERE P.N = 1 AND P.CLAIMED_PCT > 0 AND (R.JUDGED_BY <> 'structure' OR N.REASONS = 0)
