-- The recommendations that are given: those that need no memory, those whose memory is there, and the
-- donors that are needed for it.
SELECT *
FROM TUNE.CONTENDER
WHERE
    (DONOR = 1 AND PAYS_FOR IS NOT NULL)
    OR (
        DONOR = 0
        AND (MEMORY_DELTA_KB <= 0 OR SUPPLY_KB IS NULL OR (DEMAND_KB > 0 AND RUNNING_KB <= SUPPLY_KB))
    )
