-- What CALL TUNE.ADVISE() and CALL TUNE.EXPLAIN() say in words about the run of this session, a row for each paragraph
-- in the order of PART, PLACE and LINE_NO. EXPLAINS is 1 for what EXPLAIN says of one recommendation, RANK is NULL
-- where a paragraph is about none. GAP is 1 where a blank line comes before; LABEL stands before the first line, all
-- others begin as far to the right; IS_COMMAND is 1 for what is typed, of which no blank may be lost. Characters that
-- steer a terminal become blanks, and of a command that holds one stands where to read it.
WITH ITEM AS (
    SELECT
        A.RANK,
        A.RULE,
        A.OBJECT_TYPE,
        A.OBJECT_NAME,
        A.LANE,
        A.LOW_TEXT,
        A.BENEFIT_TEXT,
        A.HIGH_TEXT,
        A.CONFIDENCE_WORD,
        A.FINDING,
        L.NAME AS LANE_NAME,
        S.CONSEQUENCE,
        S.NAME AS SEVERITY_NAME,
        T.TITLE,
        CASE WHEN A.LANE = 'C' THEN T.LOOK_AT END AS LOOK_AT,
        E.MEANING,
        P.STEP,
        CASE
            WHEN A.LANE = 'H' THEN 0
            WHEN A.LANE <> 'C' THEN 1
            WHEN ROW_NUMBER() OVER (PARTITION BY A.RULE ORDER BY A.RANK) = 1 THEN 1
            ELSE 0
        END AS IN_FULL
    FROM TUNE.RECOMMENDATION AS A
    INNER JOIN TUNE.PLAN AS P ON A.RANK = P.POSITION
    INNER JOIN TUNE.LANE AS L ON A.LANE = L.LANE
    INNER JOIN TUNE.RULE AS R ON A.RULE = R.RULE
    INNER JOIN TUNE.SEVERITY AS S ON R.SEVERITY = S.SEVERITY
    INNER JOIN TUNE.RULE_TEXT AS T ON A.RULE = T.RULE
    INNER JOIN TUNE.EFFECT AS E ON R.EFFECT = E.EFFECT
),
DONE AS (
    SELECT
        I.RANK,
        I.IN_FULL,
        C.ACTION_TEXT,
        C.UNDO_TEXT,
        ROW_NUMBER() OVER (
            PARTITION BY I.RANK
            ORDER BY COALESCE(C.MEMBER, -1), C.STEP, COALESCE(C.TARGET, '-')
        ) AS COMMAND_NO
    FROM ITEM AS I
    INNER JOIN TUNE.COMMAND AS C
        ON I.RULE = C.RULE AND I.OBJECT_TYPE = C.OBJECT_TYPE AND I.OBJECT_NAME = C.OBJECT_NAME
),
STEP_TEXT (EXPLAINS, RANK, LINE_NO, LABEL, SAID) AS (
    SELECT 0, RANK, 1000 + COMMAND_NO, '      do    ', ACTION_TEXT FROM DONE WHERE IN_FULL = 1
    UNION ALL
    SELECT 0, RANK, 5000 + COMMAND_NO, '      undo  ', UNDO_TEXT FROM DONE WHERE IN_FULL = 1
    UNION ALL
    SELECT 1, RANK, 1000 + COMMAND_NO, 'do             ', ACTION_TEXT FROM DONE
    UNION ALL
    SELECT 1, RANK, 5000 + COMMAND_NO, 'undo           ', UNDO_TEXT FROM DONE
),
MISSED (PART, MOST, SAID, RULE) AS (
    SELECT 5, 8, CAST(REASON AS VARCHAR(1000)), RULE FROM TUNE.NOT_RUN
    UNION ALL
    SELECT 6, 3, CAST(QUESTION AS VARCHAR(1000)), RULE FROM TUNE.QUESTION
),
COUNTED AS (
    SELECT
        PART,
        MOST,
        SAID,
        COUNT(DISTINCT RULE) AS RULES,
        ROW_NUMBER() OVER (PARTITION BY PART ORDER BY COUNT(DISTINCT RULE) DESC, SAID) AS PLACE
    FROM MISSED
    GROUP BY PART, MOST, SAID
),
PART (EXPLAINS, PART, PLACE, LINE_NO, RANK, GAP, LABEL, IS_COMMAND, SAID) AS (
    SELECT
        0, 1, 0, 1, CAST(NULL AS INTEGER), 0, '', 0,
        'Tuning advice for ' || S.DB_NAME || COALESCE(' on ' || S.HOST_NAME, '')
        || COALESCE(' (instance ' || S.INSTANCE_NAME || ')', '') || ', ' || S.TOPOLOGY
    FROM TUNE.SUMMARY AS S
    UNION ALL
    SELECT
        0, 1, 0, 2, NULL, 0, 'Interval   ', 0,
        COALESCE(CAST(CAST(S.SECONDS AS DECIMAL(15, 0)) AS VARCHAR(20)) || ' s', 'of unknown length')
        || CASE
            WHEN S.SOURCE = 'DELTA' THEN ' between two snapshots'
            ELSE ' since activation: averages hide the peaks'
        END
        || COALESCE('; not usable: ' || S.REASON, '')
    FROM TUNE.SUMMARY AS S
    UNION ALL
    SELECT
        0, 1, 0, 3, NULL, 0, 'Load       ', 0,
        CAST(CAST(FLOOR(S.ACTIVE_SESSIONS) AS BIGINT) AS VARCHAR(20)) || '.'
        || CAST(CAST(FLOOR(10 * (S.ACTIVE_SESSIONS - FLOOR(S.ACTIVE_SESSIONS))) AS BIGINT) AS VARCHAR(20))
        || ' active sessions on average' || CASE WHEN S.CLASS_KNOWN = 1 THEN ', workload ' || S.CLASS ELSE '' END
    FROM TUNE.SUMMARY AS S
    WHERE S.ACTIVE_SESSIONS IS NOT NULL
    UNION ALL
    SELECT 0, 1, 0, 4, NULL, 0, '', 0, S.SAYS
    FROM TUNE.SILENCE AS S
    UNION ALL
    SELECT 0, 2, 0, 1, NULL, 1, '', 0, 'Where the time goes: percent of database time, and what of it is claimed below'
    FROM TUNE.TIME_SPENT AS T
    WHERE T.POSITION = 1 AND T.PCT >= 1
    UNION ALL
    SELECT
        0, 2, T.POSITION, 3, NULL, 0,
        SUBSTR('      ' || T.PCT_TEXT, LENGTH(T.PCT_TEXT) + 1, 6)
        || SUBSTR('       ' || T.CLAIMED_TEXT, LENGTH(T.CLAIMED_TEXT) + 1, 7) || '   ', 0,
        T.TITLE || COALESCE(': ' || T.CAUSES, '')
    FROM (
        SELECT
            S.POSITION,
            S.TITLE,
            S.CAUSES,
            CAST(CAST(ROUND(10 * S.PCT, 0) AS BIGINT) / 10 AS VARCHAR(20)) || '.'
            || CAST(MOD(CAST(ROUND(10 * S.PCT, 0) AS BIGINT), 10) AS VARCHAR(20)) AS PCT_TEXT,
            CAST(CAST(ROUND(10 * S.CLAIMED_PCT, 0) AS BIGINT) / 10 AS VARCHAR(20)) || '.'
            || CAST(MOD(CAST(ROUND(10 * S.CLAIMED_PCT, 0) AS BIGINT), 10) AS VARCHAR(20)) AS CLAIMED_TEXT
        FROM TUNE.TIME_SPENT AS S
        WHERE S.PCT >= 1
    ) AS T
    UNION ALL
    SELECT 0, 2, T.POSITION, 4, NULL, 0, '           see  ', 1, T.LOOK_AT
    FROM TUNE.TIME_SPENT AS T
    WHERE T.PCT >= 1 AND T.LOOK_AT IS NOT NULL
    UNION ALL
    SELECT
        0, 3, I.RANK AS PLACE, 2, I.RANK, I.IN_FULL,
        SUBSTR('    ' || CAST(I.RANK AS VARCHAR(11)), LENGTH(CAST(I.RANK AS VARCHAR(11))) + 1, 4) || '  ', 0,
        I.TITLE || ': ' || I.OBJECT_TYPE || ' ' || I.OBJECT_NAME || ' [' || I.RULE || ']'
    FROM ITEM AS I
    UNION ALL
    SELECT
        0, 3, I.RANK AS PLACE, 3, I.RANK, 0, '      ', 0,
        CASE I.LANE
            WHEN 'P'
                THEN
                    I.BENEFIT_TEXT || ' % of database time (' || I.LOW_TEXT || ' to ' || I.HIGH_TEXT || '), confidence '
                    || I.CONFIDENCE_WORD
            WHEN 'C' THEN I.LANE_NAME || ': ' || I.CONSEQUENCE
            ELSE I.LANE_NAME || ': ' || I.SEVERITY_NAME
        END
        || '; ' || I.MEANING || '; step ' || CAST(I.STEP AS VARCHAR(11))
    FROM ITEM AS I
    WHERE I.IN_FULL = 1
    UNION ALL
    SELECT 0, 3, I.RANK AS PLACE, 4, I.RANK, 0, '      ', 0, I.FINDING
    FROM ITEM AS I
    WHERE I.IN_FULL = 1
    UNION ALL
    SELECT
        X.EXPLAINS, 3, X.RANK AS PLACE, X.LINE_NO, X.RANK, 0, X.LABEL,
        CASE WHEN X.SAID LIKE '-- %' THEN 0 ELSE 1 END,
        CASE WHEN X.SAID LIKE '-- %' THEN 'by hand: ' || SUBSTR(X.SAID, 4) ELSE X.SAID END
    FROM STEP_TEXT AS X
    WHERE X.SAID IS NOT NULL
    UNION ALL
    SELECT 0, 3, I.RANK AS PLACE, 90000, I.RANK, 0, '      see   ', 0, I.LOOK_AT
    FROM ITEM AS I
    WHERE I.IN_FULL = 1 AND I.LOOK_AT IS NOT NULL
    UNION ALL
    SELECT 0, 4, 0, 1, NULL, 1, '', 0, 'Top statements'
    FROM TUNE.TOP_STATEMENT AS T
    WHERE T.TIME_PLACE = 1 AND (T.SHORT_TEXT IS NOT NULL OR T.TIME_PCT >= 0.05)
    UNION ALL
    SELECT
        0, 4, T.TIME_PLACE, 3, NULL, 0, '      ', 0,
        CAST(CAST(ROUND(T.TIME_PCT, 0) AS BIGINT) AS VARCHAR(20)) || ' % of the time of statements, '
        || CAST(T.EXECUTIONS AS VARCHAR(20)) || ' executions: '
        || COALESCE(CAST(T.SHORT_TEXT AS VARCHAR(200)), 'statement ' || T.STATEMENT)
    FROM TUNE.TOP_STATEMENT AS T
    WHERE T.TIME_PLACE <= 5 AND (T.SHORT_TEXT IS NOT NULL OR T.TIME_PCT >= 0.05)
    UNION ALL
    SELECT
        0, C.PART, 0, 1, NULL, 1, '', 0,
        CASE C.PART WHEN 5 THEN 'Could not run, and why' ELSE 'Questions' END
    FROM COUNTED AS C
    WHERE C.PLACE = 1
    UNION ALL
    SELECT
        0, C.PART, C.PLACE, 3, NULL, 0, '      ', 0,
        C.SAID || ' (' || CAST(C.RULES AS VARCHAR(11)) || CASE C.RULES WHEN 1 THEN ' rule)' ELSE ' rules)' END
    FROM COUNTED AS C
    WHERE C.PLACE <= C.MOST
    UNION ALL
    SELECT
        0, 7, 0, 1, NULL, 1, '', 0,
        'Why, when not, and who says so: CALL TUNE.EXPLAIN(' || CAST(R.RUN_ID AS VARCHAR(11))
        || ', rank). Everything for programs: CALL TUNE.REPORT(' || CAST(R.RUN_ID AS VARCHAR(11)) || ').'
    FROM (SELECT COALESCE(TUNE.THIS_RUN, MAX(N.RUN_ID)) AS RUN_ID FROM TUNE.RUN AS N) AS R -- noqa: RF01
    UNION ALL
    SELECT
        1, 1, E.RANK AS PLACE, ROW_NUMBER() OVER (PARTITION BY E.RANK ORDER BY E.LINE_NO, E.EXPLANATION), E.RANK, 0,
        SUBSTR(E.TOPIC || '               ', 1, 15), 0, E.EXPLANATION
    FROM TUNE.EXPLANATION AS E
    WHERE E.EXPLANATION IS NOT NULL
),
HARMLESS AS (
    SELECT
        P.*,
        REPLACE(REPLACE(REPLACE(P.SAID, CHR(10), ' '), CHR(13), ' '), CHR(27), ' ') AS SHOWN
    FROM PART AS P
)
SELECT
    EXPLAINS,
    PART,
    PLACE,
    LINE_NO,
    RANK,
    GAP,
    CAST(LABEL AS VARCHAR(20)) AS LABEL,
    IS_COMMAND,
    CAST(
        CASE
            WHEN IS_COMMAND = 1 AND SHOWN <> SAID
                THEN 'a name in it cannot be shown here: SELECT ACTION_TEXT, UNDO_TEXT FROM TUNE.COMMAND'
            ELSE SHOWN
        END AS VARCHAR(2700)
    ) AS SAID
FROM HARMLESS
