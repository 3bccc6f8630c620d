-- The candidates whose choice depends on an earlier choice: a candidate defers to the other one, or, FOR_MEMORY, a
-- donor that could pay for it does.
SELECT
    ID,
    OTHER_ID,
    0 AS FOR_MEMORY
FROM TUNE.CANDIDATE_DEFERRAL
UNION ALL
SELECT DISTINCT
    P.ID,
    Y.OTHER_ID,
    1 AS FOR_MEMORY
FROM TUNE.CANDIDATE_DONOR AS P
INNER JOIN TUNE.CANDIDATE_DEFERRAL AS Y ON P.DONOR_ID = Y.ID
