-- The findings as parts of recommendations: a recommendation is what one rule says of one object, and N = 1 is the
-- part that speaks for it, the one that claims most; PARTS is how many there are. The commands stay with the findings.
SELECT
    F.RULE, F.OBJECT_TYPE, F.OBJECT_NAME, F.MEMBER, F.CLAIMED_PCT, F.RECOVER_LOW, F.RECOVER_EXPECTED, F.RECOVER_HIGH,
    F.CONFIDENCE, F.TARGET, F.CURRENT_VALUE, F.PROPOSED_VALUE, F.UNIT, F.MEMORY_DELTA_KB, F.EVIDENCE, F.FINDING,
    F.CLAIM_2_PCT, F.CLAIM_3_PCT,
    ROW_NUMBER() OVER (
        PARTITION BY F.RULE, F.OBJECT_TYPE, F.OBJECT_NAME
        ORDER BY
            COALESCE(F.CLAIMED_PCT, 0) DESC, COALESCE(F.MEMBER, -1),
            COALESCE(F.TARGET, '-'), COALESCE(F.PROPOSED_VALUE, '-'), F.FINDING
    ) AS N,
    COUNT(*) OVER (PARTITION BY F.RULE, F.OBJECT_TYPE, F.OBJECT_NAME) AS PARTS
FROM TUNE.FINDING AS F
