-- What the recommendations that are given take from each time bucket, in percent of database time: of what they claim,
-- that which is left after those above them, and of that the part that they can take back. It adds up to no more than
-- there is, in the bucket and in what falls to an object.
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
