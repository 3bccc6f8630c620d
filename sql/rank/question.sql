-- The questions about unknown host facts, one for each fact that a rule lacked, whether it could not run or judged
-- less. Rules about another topology or level ask nothing. Rules that lack a whole source, or an interval with load,
-- ask nothing either: an answer would not make them run.
WITH LACKED AS (
    SELECT
        RULE,
        ITEM
    FROM TUNE.RULE_NEED
    WHERE SOURCE = 'host'
    UNION ALL
    SELECT
        RULE,
        ITEM
    FROM TUNE.RULE_ASK
)
SELECT
    N.RULE,
    ASKED.QUESTION
FROM LACKED AS N
INNER JOIN TUNE.FACT_QUESTION AS ASKED ON N.ITEM = ASKED.ITEM
LEFT JOIN (SELECT DISTINCT ITEM FROM TUNE.HOST_FACT) AS F ON N.ITEM = F.ITEM
LEFT JOIN (SELECT DISTINCT RULE FROM TUNE.GATE WHERE KIND = 'not applicable') AS G ON N.RULE = G.RULE
LEFT JOIN (
    SELECT DISTINCT NEED.RULE
    FROM TUNE.RULE_NEED AS NEED
    INNER JOIN TUNE.NOT_COLLECTED AS MISSING ON NEED.SOURCE = MISSING.SOURCE
) AS L ON N.RULE = L.RULE
INNER JOIN TUNE.RULE AS HEADER ON N.RULE = HEADER.RULE
CROSS JOIN (SELECT COUNT(*) AS REASONS FROM TUNE.NO_LOAD) AS U
WHERE F.ITEM IS NULL AND G.RULE IS NULL AND L.RULE IS NULL AND (HEADER.JUDGED_BY <> 'load' OR U.REASONS = 0)
