-- The time that the chosen recommendations take from each bucket, in percent of database time: the rest that earlier
-- recommendations leave of each claim, multiplied by the part that the change can save. The sum never exceeds the
-- bucket or an object's share of it.
SELECT
    K.RULE,
    K.OBJECT_TYPE,
    K.OBJECT_NAME,
    K.BUCKET,
    K.CLAIM_PCT,
    CASE K.POSITION WHEN 1 THEN H.AFTER_1_PCT WHEN 2 THEN H.AFTER_2_PCT ELSE H.AFTER_3_PCT END AS BENEFIT_AFTER
FROM TUNE.CHOSEN AS H
INNER JOIN TUNE.CANDIDATE AS C ON H.ID = C.ID
INNER JOIN TUNE.CLAIM AS K ON C.RULE = K.RULE AND C.OBJECT_TYPE = K.OBJECT_TYPE AND C.OBJECT_NAME = K.OBJECT_NAME
WHERE C.LANE = 'P' AND C.DONOR = 0
