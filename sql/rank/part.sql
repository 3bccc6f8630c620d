-- The findings as parts of recommendations: a recommendation is what one rule says of one object, and N = 1 is the
-- part that speaks for it, the one that claims most; PARTS is how many there are.
SELECT
    F.*,
    ROW_NUMBER() OVER (
        PARTITION BY F.RULE, F.OBJECT_TYPE, F.OBJECT_NAME
        ORDER BY
            COALESCE(F.CLAIMED_PCT, 0) DESC, COALESCE(F.MEMBER, -1),
            COALESCE(F.TARGET, ''), COALESCE(F.ACTION_TEXT, '')
    ) AS N,
    COUNT(*) OVER (PARTITION BY F.RULE, F.OBJECT_TYPE, F.OBJECT_NAME) AS PARTS
FROM TUNE.FINDING AS F
