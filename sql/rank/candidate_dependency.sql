-- The candidates whose choice depends on an earlier choice: a candidate defers to the other one, or, FOR_MEMORY, a
-- donor that could pay for it does.
SELECT
    ID,
    OTHER_ID,
    0 AS FOR_MEMORY
FROM TUNE.CANDIDATE_DEFERRAL
UNION ALL
SELECT DISTINCT
    PAYER.ID,
    DEFERRAL.OTHER_ID,
    1 AS FOR_MEMORY
FROM TUNE.CANDIDATE_DONOR AS PAYER
INNER JOIN TUNE.CANDIDATE_DEFERRAL AS DEFERRAL ON PAYER.DONOR_ID = DEFERRAL.ID
