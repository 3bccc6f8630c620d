-- The findings as parts of recommendations: a recommendation groups one rule's findings about one object. N = 1 is the
-- main part, which claims most; ONE_MEMBER is 1 if all parts are about one member, or none. The commands stay with the
-- findings.
SELECT
    F.RULE, F.OBJECT_TYPE, F.OBJECT_NAME, F.MEMBER, F.CLAIMED_PCT, F.RECOVER_LOW, F.RECOVER_EXPECTED, F.RECOVER_HIGH,
    F.CONFIDENCE, F.TARGET, F.CURRENT_VALUE, F.PROPOSED_VALUE, F.UNIT, F.MEMORY_DELTA_KB, F.EVIDENCE, F.FINDING,
    F.CLAIM_2_PCT, F.CLAIM_3_PCT,
    ROW_NUMBER() OVER (
        PARTITION BY F.RULE, F.OBJECT_TYPE, F.OBJECT_NAME
        ORDER BY
            COALESCE(F.CLAIMED_PCT, 0) DESC, COALESCE(F.MEMBER, -1),
            CASE WHEN F.TARGET IS NULL THEN 1 ELSE 0 END, F.STEP, F.PLACE, F.TARGET,
            CASE WHEN F.PROPOSED_VALUE IS NULL THEN 0 ELSE 1 END, F.PROPOSED_VALUE, F.FINDING,
            F.EVIDENCE
    ) AS N,
    CASE
        WHEN
            MIN(COALESCE(F.MEMBER, -1)) OVER (PARTITION BY F.RULE, F.OBJECT_TYPE, F.OBJECT_NAME)
            = MAX(COALESCE(F.MEMBER, -1)) OVER (PARTITION BY F.RULE, F.OBJECT_TYPE, F.OBJECT_NAME)
            THEN 1
        ELSE 0
    END AS ONE_MEMBER
FROM TUNE.FINDING AS F
