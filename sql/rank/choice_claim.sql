-- The time that the chosen recommendations take from each bucket, in percent of database time: the rest that earlier
-- recommendations leave of each claim, multiplied by the part that the change can save. The sum never exceeds the
-- bucket or an object's share of it.
SELECT
    CLAIM.RULE,
    CLAIM.OBJECT_TYPE,
    CLAIM.OBJECT_NAME,
    CLAIM.BUCKET,
    CLAIM.CLAIM_PCT,
    CASE CLAIM.POSITION WHEN 1 THEN CHOICE.AFTER_1_PCT WHEN 2 THEN CHOICE.AFTER_2_PCT ELSE CHOICE.AFTER_3_PCT END
        AS BENEFIT_AFTER
FROM TUNE.CHOSEN AS CHOICE
INNER JOIN TUNE.CANDIDATE AS CANDIDATE ON CHOICE.ID = CANDIDATE.ID
INNER JOIN TUNE.CLAIM AS CLAIM
    ON
        CANDIDATE.RULE = CLAIM.RULE
        AND CANDIDATE.OBJECT_TYPE = CLAIM.OBJECT_TYPE
        AND CANDIDATE.OBJECT_NAME = CLAIM.OBJECT_NAME
WHERE CANDIDATE.LANE = 'P' AND CANDIDATE.DONOR = 0
