-- The settings and texts of the findings (TUNE.SETTING_TEXT) with what each needs and how the platform does it:
--
-- NEEDS: of a setting by its kind and name, of a text as its rule says, otherwise by its words; NULL: only SQL
-- STEPS_NEED: what the rule says; if the platform does not offer it, it offers none of the rule's steps
-- WAY: as in TUNE.WAY: command, manual, request or never; a setting that is not in the list of its platform is a
--   request, and so is one of a single member
-- REMARK: the words before a step for a person; NULL for a command
-- REFUSAL: the reason if the platform does not allow it
WITH WORDED AS (
    SELECT
        WRITING.*,
        (
            SELECT MIN(N.PLACE)
            FROM TUNE.STEP_NEED AS N
            WHERE WRITING.SETTING_KIND IS NULL AND INSTR(WRITING.ACTION_TEXT, N.WORDS) > 0
        ) AS NEED_PLACE
    FROM TUNE.SETTING_TEXT AS WRITING
),
NEEDED AS (
    SELECT
        W.RULE, W.OBJECT_TYPE, W.OBJECT_NAME, W.MEMBER, W.STEP, W.PLACE, W.SETTING_KIND, W.SETTING_NAME,
        W.SETTING_OBJECT, W.SETTING_MEMBER, W.TARGET, W.HOLDS_CONTROL, W.RUNS_ON, W.LISTED,
        CAST(W.ACTION_TEXT AS VARCHAR(2500)) AS ACTION_TEXT,
        CAST(W.UNDO_TEXT AS VARCHAR(2500)) AS UNDO_TEXT,
        W.OF_ONE_MEMBER, W.STATEMENT_TEXT, W.NEW_TEXT, W.OLD_TEXT, W.BEFORE_TEXT AS HOST_BEFORE_TEXT,
        CASE
            WHEN W.SETTING_KIND IS NOT NULL THEN W.NEEDS
            ELSE COALESCE(HEADER.STEPS_NEED, N.NEEDS)
        END AS NEEDS,
        HEADER.STEPS_NEED
    FROM WORDED AS W
    INNER JOIN TUNE.RULE AS HEADER ON W.RULE = HEADER.RULE
    LEFT JOIN TUNE.STEP_NEED AS N ON W.NEED_PLACE = N.PLACE
),
GIVEN AS (
    SELECT
        N.*,
        CASE
            WHEN OF_RULE.WAY = 'never' THEN 'never'
            WHEN WAYS.WAY IN ('command', 'listed') AND N.OF_ONE_MEMBER = 1 THEN 'request'
            WHEN WAYS.WAY = 'listed' AND N.SETTING_KIND IS NULL THEN 'manual'
            WHEN WAYS.WAY = 'listed' AND N.LISTED = 0 THEN 'request'
            WHEN WAYS.WAY = 'listed' OR WAYS.WAY IS NULL THEN 'command'
            WHEN WAYS.WAY = 'command' AND N.SETTING_KIND IS NULL THEN 'manual'
            ELSE WAYS.WAY
        END AS WAY,
        CASE WHEN WAYS.WAY IS NULL THEN N.HOST_BEFORE_TEXT END AS BEFORE_TEXT,
        WAYS.REMARK,
        PLATFORMS.NAME AS PLATFORM_NAME,
        PLATFORMS.PROVIDER
    FROM NEEDED AS N
    LEFT JOIN TUNE.WAY AS WAYS ON N.RUNS_ON = WAYS.RUNS_ON AND N.NEEDS = WAYS.NEEDS
    LEFT JOIN TUNE.WAY AS OF_RULE ON N.RUNS_ON = OF_RULE.RUNS_ON AND N.STEPS_NEED = OF_RULE.NEEDS
    LEFT JOIN TUNE.PLATFORM AS PLATFORMS ON N.RUNS_ON = PLATFORMS.RUNS_ON
)
SELECT
    GIVEN.*,
    CASE
        WHEN WAY = 'request' THEN 'Ask ' || COALESCE(PROVIDER, 'the provider') || ' for'
        WHEN WAY = 'manual' THEN COALESCE(REMARK, 'In the way of ' || PLATFORM_NAME)
    END AS REMARK_TEXT,
    CASE
        WHEN WAY = 'never'
            THEN PLATFORM_NAME || ' does not offer it: ' || COALESCE(SETTING_NAME, 'a step that needs ' || CASE NEEDS
                WHEN 'host' THEN 'the host' WHEN 'storage' THEN 'its storage' WHEN 'logpath' THEN 'its log paths'
                WHEN 'archive' THEN 'its log archive' WHEN 'hadr' THEN 'HADR' ELSE NEEDS
            END)
    END AS REFUSAL
FROM GIVEN
