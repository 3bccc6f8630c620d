-- Which candidate waits until it is known whether another one is given: it yields to that one, or a donor that could
-- pay for it does.
SELECT
    ID,
    OTHER_ID
FROM TUNE.CANDIDATE_YIELD
UNION ALL
SELECT DISTINCT
    P.ID,
    Y.OTHER_ID
FROM TUNE.CANDIDATE_PAYER AS P
INNER JOIN TUNE.CANDIDATE_YIELD AS Y ON P.DONOR_ID = Y.ID
