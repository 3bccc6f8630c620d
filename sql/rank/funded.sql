-- The recommendations that are given: those that need no memory, those whose memory is there, and the
-- donors that are needed for it.
SELECT *
FROM TUNE.CONTENDER
WHERE
    (DONOR = 1 AND NEEDED_KB > COALESCE(BUDGET_KB, NEEDED_KB))
    OR (
        DONOR = 0
        AND (MEMORY_DELTA_KB <= 0 OR BUDGET_KB IS NULL OR RUNNING_KB <= BUDGET_KB + FREED_KB)
    )
