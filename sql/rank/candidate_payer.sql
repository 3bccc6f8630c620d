-- Which donors could free memory for which candidate: those that share no key with it, nor with a donor before them, so
-- that all of one candidate can be given together.
WITH APART AS (
    SELECT
        C.ID,
        D.ID AS OTHER_ID
    FROM TUNE.CANDIDATE AS D
    INNER JOIN TUNE.CANDIDATE_KEY AS K ON D.ID = K.ID
    INNER JOIN TUNE.CANDIDATE_KEY AS H ON K.KEY_NO = H.KEY_NO
    INNER JOIN TUNE.CANDIDATE AS C ON H.ID = C.ID
    WHERE D.DONOR = 1 AND C.ID <> D.ID AND (C.DONOR = 0 OR C.ID > D.ID)
),
DONOR AS (
    SELECT
        D.ID,
        D.GIVES_KB
    FROM TUNE.CANDIDATE AS D
    LEFT JOIN APART AS A ON D.ID = A.ID
    WHERE D.GIVES_KB > 0 AND A.ID IS NULL
)
SELECT
    C.ID,
    D.ID AS DONOR_ID,
    D.GIVES_KB
FROM TUNE.CANDIDATE AS C
CROSS JOIN DONOR AS D
LEFT JOIN (SELECT DISTINCT ID, OTHER_ID FROM APART) AS A ON C.ID = A.ID AND D.ID = A.OTHER_ID
WHERE C.NEED_KB > 0 AND A.ID IS NULL
