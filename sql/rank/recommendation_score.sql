-- Every recommendation with its benefit and score. A recommendation groups one rule's findings about one object; its
-- findings on several members are its parts. The texts stay with the main part, so that sorted rows are narrow.
--
-- MEMBER: the member, if the findings are about one
-- CLAIMED_PCT: sum of the claims, percent of database time
-- BENEFIT_LOW, BENEFIT, BENEFIT_HIGH: part of it that is recovered, percent of database time, as if the change were the
--   only one; a donor is worth what its memory is worth to others
-- BY_HAND: 1 if the action is manual, without a command
-- EFFECT: when the change takes effect: the greatest interruption of its steps
-- CONFIDENCE: between 0 and 1; of a manual action a symptom's at most; low for rates without a known database time
-- EASE: ease of the change, between 0 and 1; of a manual action a quarter at most, so that it never outranks a command
--   of the same benefit; of new disks less, so that what keeps the disks busy comes first
-- FACTOR: the score without the benefit
-- SCORE: benefit x confidence x ease
-- SORT_SCORE: SCORE, or 0.7 of it for a change with high risk, which so must clearly beat a safer one
-- LEFT_OUT: the reason why a finding is not ranked and nothing defers to it: its object is protected, the platform does
--   not let anyone carry it out, its risk is accepted (and the acceptance has not expired), or it is performance advice
--   with too small a benefit
WITH CLAIM_SUM AS (
    SELECT RULE, OBJECT_TYPE, OBJECT_NAME, SUM(CLAIM_PCT) AS CLAIMED_PCT
    FROM TUNE.CLAIM
    GROUP BY RULE, OBJECT_TYPE, OBJECT_NAME
),
DONE AS (
    SELECT
        COMMAND.RULE,
        COMMAND.OBJECT_TYPE,
        COMMAND.OBJECT_NAME,
        MIN(CASE WHEN SUBSTR(COMMAND.ACTION_TEXT, 1, 3) = '-- ' THEN 1 ELSE 0 END) AS BY_HAND,
        MAX(E.PLACE) AS EFFECT_PLACE
    FROM TUNE.COMMAND AS COMMAND
    INNER JOIN TUNE.RULE AS HEADER ON COMMAND.RULE = HEADER.RULE
    LEFT JOIN TUNE.RULE_STEP AS OWN_STEP ON COMMAND.RULE = OWN_STEP.RULE AND COMMAND.STEP = OWN_STEP.STEP
    INNER JOIN TUNE.EFFECT AS E ON COALESCE(OWN_STEP.EFFECT, HEADER.EFFECT) = E.EFFECT
    WHERE COMMAND.ACTION_TEXT IS NOT NULL
    GROUP BY COMMAND.RULE, COMMAND.OBJECT_TYPE, COMMAND.OBJECT_NAME
),
BENEFIT AS (
    SELECT
        PART.RULE,
        PART.OBJECT_TYPE,
        PART.OBJECT_NAME,
        CASE WHEN PART.ONE_MEMBER = 1 THEN PART.MEMBER END AS MEMBER,
        CASE
            -- a setting that is wrong by itself, and that hardly costs time now
            WHEN
                HEADER.JUDGED_BY IN ('config', 'structure') AND HEADER.LANE = 'P' AND HEADER.LANE_UNCLAIMED = 'H'
                AND C.CLAIMED_PCT * PART.RECOVER_EXPECTED < SITE.FLOOR_PCT
                THEN 'H'
            WHEN COALESCE(C.CLAIMED_PCT, 0) > 0 THEN HEADER.LANE
            WHEN HEADER.LANE = 'P' AND JUDGED.RULE IS NOT NULL THEN 'C'
            ELSE HEADER.LANE_UNCLAIMED
        END AS LANE,
        COALESCE(C.CLAIMED_PCT, 0) AS CLAIMED_PCT,
        COALESCE(C.CLAIMED_PCT * PART.RECOVER_LOW, 0) AS BENEFIT_LOW,
        COALESCE(C.CLAIMED_PCT * PART.RECOVER_EXPECTED, 0) AS BENEFIT,
        LEAST(100, COALESCE(C.CLAIMED_PCT * PART.RECOVER_HIGH, 0)) AS BENEFIT_HIGH,
        COALESCE(D.BY_HAND, 1) AS BY_HAND,
        EFFECTS.EFFECT,
        LEAST(
            PART.CONFIDENCE, SPAN.CONFIDENCE_CAP, CASE WHEN D.BY_HAND = 0 THEN 1 ELSE CONST.MANUAL_CONFIDENCE END,
            CASE
                WHEN HEADER.LANE = 'P' AND JUDGED.RULE IS NOT NULL THEN CONST.UNTIMED_CONFIDENCE
                ELSE 1
            END
        ) AS CONFIDENCE,
        LEAST(EFFECTS.EASE, CASE
            WHEN D.BY_HAND = 0 THEN 1
            WHEN HEADER.STEPS_NEED = 'disks' THEN CONST.DISKS_EASE
            ELSE CONST.MANUAL_EASE
        END) AS EASE,
        HEADER.EXCLUSIVE,
        HEADER.DONOR,
        CASE WHEN HEADER.RISK = 'high' THEN CONST.HIGH_RISK_FACTOR ELSE 1 END AS RISK_FACTOR,
        HEADER.SEVERITY,
        COALESCE(PART.MEMORY_DELTA_KB, 0) AS MEMORY_DELTA_KB
    FROM TUNE.RECOMMENDATION_PART AS PART
    INNER JOIN TUNE.RULE AS HEADER ON PART.RULE = HEADER.RULE
    CROSS JOIN TUNE.RUN_WINDOW AS SPAN
    CROSS JOIN TUNE.CONSTANT AS CONST
    LEFT JOIN TUNE.JUDGED_TIME AS JUDGED
        ON PART.RULE = JUDGED.RULE AND JUDGED.JUDGED_BY = 'rates' AND JUDGED.DBT_MS IS NULL
    CROSS JOIN TUNE.O_SITE AS SITE
    LEFT JOIN CLAIM_SUM AS C
        ON PART.RULE = C.RULE AND PART.OBJECT_TYPE = C.OBJECT_TYPE AND PART.OBJECT_NAME = C.OBJECT_NAME
    LEFT JOIN DONE AS D
        ON PART.RULE = D.RULE AND PART.OBJECT_TYPE = D.OBJECT_TYPE AND PART.OBJECT_NAME = D.OBJECT_NAME
    INNER JOIN TUNE.EFFECT AS OWN ON HEADER.EFFECT = OWN.EFFECT
    INNER JOIN TUNE.EFFECT AS EFFECTS ON COALESCE(D.EFFECT_PLACE, OWN.PLACE) = EFFECTS.PLACE
    WHERE PART.N = 1
),
SPARED AS (
    -- A finding about an index is also one about its table. One about the whole database is protected by its full name
    -- only: objects' names begin like the database's.
    SELECT DISTINCT LOCATION.OBJECT_TYPE, LOCATION.OBJECT_NAME
    FROM TUNE.OBJECT_PLACE AS LOCATION
    INNER JOIN TUNE.PROTECTED AS PROTECTED
        ON
            LOCATION.IN_NAME = PROTECTED.PATTERN
            OR (
                LOCATION.OBJECT_TYPE NOT IN ('DATABASE', 'INSTANCE', 'HOST', 'MEMBER')
                AND SUBSTR(PROTECTED.PATTERN, LENGTH(PROTECTED.PATTERN), 1) = '*'
                AND SUBSTR(LOCATION.IN_NAME, 1, LENGTH(PROTECTED.PATTERN) - 1)
                = SUBSTR(PROTECTED.PATTERN, 1, LENGTH(PROTECTED.PATTERN) - 1)
            )
    WHERE LOCATION.IN_TYPE IN (LOCATION.OBJECT_TYPE, 'TABLE')
)
SELECT
    BENEFIT.*,
    CONFIDENCE * EASE * RISK_FACTOR AS FACTOR,
    BENEFIT * CONFIDENCE * EASE AS SCORE,
    BENEFIT * CONFIDENCE * EASE * RISK_FACTOR AS SORT_SCORE,
    LANES.LANE_ORDER,
    CASE
        WHEN S.OBJECT_NAME IS NOT NULL THEN 'protected'
        WHEN REFUSING.REFUSAL IS NOT NULL THEN REFUSING.REFUSAL
        WHEN ACCEPTANCE.EXPIRED = 0 THEN 'accepted'
        WHEN BENEFIT.LANE = 'P' AND DONOR = 0 AND BENEFIT < SITE.FLOOR_PCT THEN 'benefit below the floor'
    END AS LEFT_OUT
FROM BENEFIT
INNER JOIN TUNE.LANE AS LANES ON BENEFIT.LANE = LANES.LANE
LEFT JOIN TUNE.ACCEPTANCE AS ACCEPTANCE
    ON
        BENEFIT.RULE = ACCEPTANCE.RULE
        AND BENEFIT.OBJECT_TYPE = ACCEPTANCE.OBJECT_TYPE
        AND BENEFIT.OBJECT_NAME = ACCEPTANCE.OBJECT_NAME
LEFT JOIN TUNE.REFUSED AS REFUSING
    ON
        BENEFIT.RULE = REFUSING.RULE
        AND BENEFIT.OBJECT_TYPE = REFUSING.OBJECT_TYPE
        AND BENEFIT.OBJECT_NAME = REFUSING.OBJECT_NAME
LEFT JOIN SPARED AS S ON BENEFIT.OBJECT_TYPE = S.OBJECT_TYPE AND BENEFIT.OBJECT_NAME = S.OBJECT_NAME
CROSS JOIN TUNE.O_SITE AS SITE
