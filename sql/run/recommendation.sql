-- The recommendations of this session's run, one row each, with the common parts of their texts: benefits in percent of
-- database time with one decimal, and the confidence in a word. The figures are built from whole numbers: Db2 truncates
-- a decimal made of a DOUBLE, and one below 1 may lose its 0.
WITH ROUNDED AS (
    SELECT
        A.*,
        CAST(ROUND(10 * A.BENEFIT_LOW, 0) AS BIGINT) AS LOW_10,
        CAST(ROUND(10 * A.BENEFIT, 0) AS BIGINT) AS BENEFIT_10,
        CAST(ROUND(10 * A.BENEFIT_HIGH, 0) AS BIGINT) AS HIGH_10
    FROM TUNE.ADVICE AS A
    WHERE A.POSITION IS NOT NULL
)
SELECT
    POSITION AS RANK,
    RULE,
    OBJECT_TYPE,
    OBJECT_NAME,
    LANE,
    CAST(LOW_10 / 10 AS VARCHAR(20)) || '.' || CAST(MOD(LOW_10, 10) AS VARCHAR(20)) AS LOW_TEXT,
    CAST(BENEFIT_10 / 10 AS VARCHAR(20)) || '.' || CAST(MOD(BENEFIT_10, 10) AS VARCHAR(20)) AS BENEFIT_TEXT,
    CAST(HIGH_10 / 10 AS VARCHAR(20)) || '.' || CAST(MOD(HIGH_10, 10) AS VARCHAR(20)) AS HIGH_TEXT,
    CASE WHEN CONFIDENCE >= 0.8 THEN 'high' WHEN CONFIDENCE >= 0.5 THEN 'medium' ELSE 'low' END AS CONFIDENCE_WORD,
    EVIDENCE,
    FINDING,
    ACCEPTED_REASON,
    ACCEPTED_BY,
    ACCEPTED_UNTIL,
    ACCEPTED_EXPIRED
FROM ROUNDED
