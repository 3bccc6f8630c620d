-- How much memory a member may still be given, in KB: what its host has free, less a reserve of 5 % of the
-- host's memory (15 % on a virtual machine), divided over the members there; the tightest host rules.
-- NULL where free memory is not known: rules that ask for much of it say that they need it.
SELECT
    MIN(
        CASE
            WHEN H.MEMORY_FREE IS NOT NULL AND H.MEMORY_TOTAL IS NOT NULL THEN GREATEST(0, CAST(FLOOR(
                (
                    1024 * CAST(H.MEMORY_FREE AS DOUBLE)
                    - 1024 * CAST(H.MEMORY_TOTAL AS DOUBLE) * CASE WHEN V.HOST IS NULL THEN 0.05 ELSE 0.15 END
                ) / CAST(NULLIF(H.MEMBERS, 0) AS DOUBLE)
            ) AS BIGINT))
        END
    ) AS BUDGET_KB,
    MIN(H.MEMBER_MEMORY_KB) AS MEMBER_MEMORY_KB
FROM TUNE.HOST AS H
LEFT JOIN (
    SELECT DISTINCT HOST FROM TUNE.D_HOSTFACT
    WHERE FACT_KEY = 'virtual' AND ITEM = 'type' AND VALUE <> 'none'
) AS V ON H.HOST_NAME = V.HOST
