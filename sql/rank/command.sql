-- The actions, one row per command or text for a person, in the order of STEP: the settings of the findings with the
-- command that changes them and the command that undoes it, and the texts of rules. Settings of one line of a rule's
-- header (STEP, with PLACE from 1) make one command for each object and member. A single setting (PLACE 0) makes one
-- for each TARGET. A setting without a command has no row: other lines of its rule describe the action. Texts that may
-- be empty are measured after an x: an empty text is NULL on a database with varchar2_compat. If a name or value holds
-- a control character, a line for a person replaces the command and its undo. The undo resets all settings of the
-- command; if one of the old values is unknown, there is no undo. A command that must precede an immediate change
-- (BEFORE_TEXT) has the step of the first change and no target, so that it comes before it. As the undo of step 1000 it
-- comes first in the undo. A step that the platform leaves to a person or to its provider is a line for a person, with
-- the platform's remark before it (TUNE.STEP_WAY); one that it does not allow is left out.
-- If one command of a recommendation is left to a person, all are: the others may depend on it.
WITH NUMBERED AS (
    SELECT
        S.*,
        DENSE_RANK() OVER (
            ORDER BY RULE, OBJECT_TYPE, OBJECT_NAME, MEMBER, STEP, SETTING_MEMBER, APART
        ) AS COMMAND_NO
    FROM (
        SELECT
            RULE,
            OBJECT_TYPE,
            OBJECT_NAME,
            MEMBER,
            STEP,
            CASE WHEN PLACE < 1 THEN 1 ELSE PLACE END AS PLACE,
            SETTING_MEMBER,
            TARGET,
            CASE WHEN PLACE = 0 OR LENGTH('x' || STATEMENT_TEXT) = 1 THEN TARGET ELSE SETTING_OBJECT END AS APART,
            STATEMENT_TEXT,
            REMARK_TEXT,
            NEW_TEXT,
            CASE WHEN NEW_TEXT IS NOT NULL THEN OLD_TEXT END AS OLD_TEXT,
            BEFORE_TEXT,
            HOLDS_CONTROL
        FROM TUNE.STEP_WAY
        WHERE SETTING_KIND IS NOT NULL AND WAY <> 'never'
    ) AS S
),
PIECE AS (
    SELECT
        COMMAND_NO,
        PLACE,
        MAX(' ' || NEW_TEXT) AS NEW_TEXT,
        MAX(CASE WHEN LENGTH('x' || RTRIM(OLD_TEXT)) > 1 THEN ' ' || OLD_TEXT END) AS OLD_TEXT
    FROM NUMBERED
    GROUP BY COMMAND_NO, PLACE
),
COMMAND AS (
    SELECT
        COMMAND_NO,
        RULE,
        OBJECT_TYPE,
        OBJECT_NAME,
        MEMBER,
        STEP,
        MIN(TARGET) AS TARGET,
        COALESCE(MIN(STATEMENT_TEXT), '') AS STATEMENT_TEXT,
        MIN(REMARK_TEXT) AS REMARK_TEXT,
        MIN(BEFORE_TEXT) AS BEFORE_TEXT,
        SUM(CASE WHEN NEW_TEXT IS NULL THEN 0 ELSE 1 END) AS NEW_SETTINGS,
        SUM(CASE WHEN OLD_TEXT IS NULL THEN 0 ELSE 1 END) AS OLD_SETTINGS,
        MAX(HOLDS_CONTROL) AS HOLDS_CONTROL
    FROM NUMBERED
    GROUP BY COMMAND_NO, RULE, OBJECT_TYPE, OBJECT_NAME, MEMBER, STEP
),
TOGETHER AS (
    SELECT
        C.*,
        COALESCE(A.NEW_TEXT, '') || COALESCE(B.NEW_TEXT, '') || COALESCE(D.NEW_TEXT, '') AS NEW_TEXT,
        COALESCE(A.OLD_TEXT, '') || COALESCE(B.OLD_TEXT, '') || COALESCE(D.OLD_TEXT, '') AS OLD_TEXT
    FROM COMMAND AS C
    LEFT JOIN PIECE AS A ON C.COMMAND_NO = A.COMMAND_NO AND A.PLACE = 1
    LEFT JOIN PIECE AS B ON C.COMMAND_NO = B.COMMAND_NO AND B.PLACE = 2
    LEFT JOIN PIECE AS D ON C.COMMAND_NO = D.COMMAND_NO AND D.PLACE = 3
),
WRITTEN (
    RULE, OBJECT_TYPE, OBJECT_NAME, MEMBER, STEP, TARGET, ACTION_TEXT, UNDO_TEXT, REMARK_TEXT, BEFORE_TEXT,
    HOLDS_CONTROL
) AS (
    SELECT
        RULE,
        OBJECT_TYPE,
        OBJECT_NAME,
        MEMBER,
        STEP,
        TARGET,
        CAST(CASE
            WHEN NEW_SETTINGS = 0 THEN NULL
            WHEN LENGTH('x' || STATEMENT_TEXT) = 1 THEN SUBSTR(NEW_TEXT, 2)
            ELSE STATEMENT_TEXT || NEW_TEXT
        END AS VARCHAR(2500)),
        CAST(CASE
            WHEN OLD_SETTINGS < NEW_SETTINGS OR LENGTH('x' || OLD_TEXT) = 1 THEN NULL
            WHEN LENGTH('x' || STATEMENT_TEXT) = 1 THEN SUBSTR(OLD_TEXT, 2)
            ELSE STATEMENT_TEXT || OLD_TEXT
        END AS VARCHAR(2500)),
        REMARK_TEXT,
        BEFORE_TEXT,
        HOLDS_CONTROL
    FROM TOGETHER
    WHERE NEW_SETTINGS > 0 OR HOLDS_CONTROL = 1
),
PRECEDED AS (
    SELECT
        W.RULE,
        W.OBJECT_TYPE,
        W.OBJECT_NAME,
        CAST(NULLIF(MIN(COALESCE(W.MEMBER, -1)), -1) AS SMALLINT) AS FIRST_MEMBER,
        MAX(W.MEMBER) AS LAST_MEMBER,
        MIN(W.STEP) AS FIRST_STEP,
        MIN(W.BEFORE_TEXT) AS BEFORE_TEXT,
        MAX(CASE WHEN W.UNDO_TEXT IS NULL THEN 0 ELSE 1 END) AS UNDONE
    FROM WRITTEN AS W
    INNER JOIN TUNE.RULE AS HEADER ON W.RULE = HEADER.RULE
    WHERE HEADER.EFFECT = 'ON' AND W.BEFORE_TEXT IS NOT NULL AND W.HOLDS_CONTROL = 0
    GROUP BY W.RULE, W.OBJECT_TYPE, W.OBJECT_NAME
),
DONE (RULE, OBJECT_TYPE, OBJECT_NAME, MEMBER, STEP, TARGET, ACTION_TEXT, UNDO_TEXT, REMARK_TEXT, HOLDS_CONTROL) AS (
    SELECT
        RULE,
        OBJECT_TYPE,
        OBJECT_NAME,
        MEMBER,
        STEP,
        TARGET,
        ACTION_TEXT,
        UNDO_TEXT,
        REMARK_TEXT,
        HOLDS_CONTROL
    FROM WRITTEN
    UNION ALL
    SELECT
        RULE,
        OBJECT_TYPE,
        OBJECT_NAME,
        FIRST_MEMBER,
        FIRST_STEP,
        CAST(NULL AS VARCHAR(400)),
        BEFORE_TEXT,
        CAST(NULL AS VARCHAR(2500)),
        CAST(NULL AS VARCHAR(200)),
        0
    FROM PRECEDED
    UNION ALL
    SELECT
        RULE,
        OBJECT_TYPE,
        OBJECT_NAME,
        LAST_MEMBER,
        1000,
        CAST(NULL AS VARCHAR(400)),
        CAST(NULL AS VARCHAR(2500)),
        BEFORE_TEXT,
        CAST(NULL AS VARCHAR(200)),
        0
    FROM PRECEDED
    WHERE UNDONE = 1
    UNION ALL
    SELECT
        RULE,
        OBJECT_TYPE,
        OBJECT_NAME,
        MEMBER,
        STEP,
        CAST(NULL AS VARCHAR(400)),
        ACTION_TEXT,
        UNDO_TEXT,
        REMARK_TEXT,
        HOLDS_CONTROL
    FROM TUNE.STEP_WAY
    WHERE SETTING_KIND IS NULL AND WAY <> 'never' AND (ACTION_TEXT IS NOT NULL OR UNDO_TEXT IS NOT NULL)
),
PERSON AS (
    SELECT DISTINCT RULE, OBJECT_TYPE, OBJECT_NAME
    FROM TUNE.STEP_WAY
    WHERE
        WAY <> 'command'
        AND ((SETTING_KIND IS NOT NULL AND NEW_TEXT IS NOT NULL) OR SUBSTR(ACTION_TEXT, 1, 3) <> '-- ')
),
BARE AS (
    SELECT
        D.*,
        CASE
            WHEN D.REMARK_TEXT IS NOT NULL THEN '-- ' || D.REMARK_TEXT || ': '
            WHEN P.RULE IS NOT NULL THEN '-- '
        END AS MARK,
        CASE WHEN SUBSTR(D.ACTION_TEXT, 1, 3) = '-- ' THEN SUBSTR(D.ACTION_TEXT, 4) ELSE D.ACTION_TEXT END
            AS BARE_ACTION,
        CASE WHEN SUBSTR(D.UNDO_TEXT, 1, 3) = '-- ' THEN SUBSTR(D.UNDO_TEXT, 4) ELSE D.UNDO_TEXT END AS BARE_UNDO
    FROM DONE AS D
    LEFT JOIN PERSON AS P
        ON D.RULE = P.RULE AND D.OBJECT_TYPE = P.OBJECT_TYPE AND D.OBJECT_NAME = P.OBJECT_NAME
)
SELECT
    RULE,
    OBJECT_TYPE,
    OBJECT_NAME,
    MEMBER,
    STEP,
    TARGET,
    CAST(CASE
        WHEN HOLDS_CONTROL = 0 AND MARK IS NOT NULL THEN MARK || BARE_ACTION
        WHEN HOLDS_CONTROL = 0 THEN ACTION_TEXT
        ELSE '-- A name or value here holds a control character, so no command is given. Write this step manually.'
    END AS VARCHAR(2500)) AS ACTION_TEXT,
    CAST(CASE
        WHEN HOLDS_CONTROL = 0 AND MARK IS NOT NULL THEN MARK || BARE_UNDO
        WHEN HOLDS_CONTROL = 0 THEN UNDO_TEXT
    END AS VARCHAR(2500)) AS UNDO_TEXT
FROM BARE
