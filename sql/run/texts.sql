-- The text of CALL TUNE.ADVISE() and CALL TUNE.EXPLAIN(): its paragraphs, and their lines.

-- name: text_part
-- The text of CALL TUNE.ADVISE() and CALL TUNE.EXPLAIN() about the run of this session: one row per paragraph, in the
-- order of PART, PLACE and LINE_NO. Part 1 is the summary. EXPLAINS is 1 for the text of EXPLAIN about one
-- recommendation; RANK is NULL for a paragraph about none; LINE_NO is 1 for a heading. GAP is 1 if a blank line comes
-- first; LABEL starts the first line and indents the others; IS_COMMAND is 1 for a command, which keeps its blanks.
-- Characters that control a terminal become blanks; a command that contains one is replaced by where to read it.
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
        L.HEADING,
        R.SEVERITY,
        E.SHORT,
        CASE
            WHEN A.OBJECT_TYPE IN ('DATABASE', 'INSTANCE') THEN T.TITLE
            ELSE T.TITLE || ': ' || A.OBJECT_NAME
        END AS WHAT,
        ROW_NUMBER() OVER (PARTITION BY A.LANE ORDER BY A.RANK) AS IN_LANE,
        COUNT(*) OVER (PARTITION BY A.LANE, A.RULE) AS OF_RULE,
        ROW_NUMBER() OVER (PARTITION BY A.LANE, A.RULE ORDER BY A.RANK) AS RULE_PLACE,
        CASE
            WHEN A.LANE IN ('S', 'C') AND R.SEVERITY <= 2 THEN 'urgent'
            WHEN A.LANE = 'H' THEN 'housekeeping'
            WHEN A.LANE = 'P' THEN 'performance'
            ELSE 'other'
        END AS KIND,
        S.CONSEQUENCE,
        S.NAME AS SEVERITY_NAME,
        T.TITLE,
        E.MEANING,
        P.STEP,
        CASE
            WHEN A.LANE = 'H' THEN 0
            WHEN A.LANE <> 'C' THEN 1
            WHEN ROW_NUMBER() OVER (PARTITION BY A.LANE, A.RULE ORDER BY A.RANK) = 1 THEN 1
            ELSE 0
        END AS IN_FULL
    FROM TUNE.RECOMMENDATION AS A
    INNER JOIN TUNE.PLAN AS P ON A.RANK = P.POSITION
    INNER JOIN TUNE.LANE AS L ON A.LANE = L.LANE
    INNER JOIN TUNE.RULE AS R ON A.RULE = R.RULE
    INNER JOIN TUNE.SEVERITY AS S ON R.SEVERITY = S.SEVERITY
    INNER JOIN TUNE.RULE_TEXT AS T ON A.RULE = T.RULE
    INNER JOIN TUNE.EFFECT AS E ON A.EFFECT = E.EFFECT
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
    SELECT 0, RANK, 6000 - COMMAND_NO, '      undo  ', UNDO_TEXT FROM DONE WHERE IN_FULL = 1
    UNION ALL
    SELECT 1, RANK, 1000 + COMMAND_NO, 'do             ', ACTION_TEXT FROM DONE
    UNION ALL
    SELECT 1, RANK, 6000 - COMMAND_NO, 'undo           ', UNDO_TEXT FROM DONE
),
MISSED (PART, MOST, SAID, RULE) AS (
    SELECT 5, 8, CAST(REASON AS VARCHAR(1000)), RULE FROM TUNE.NOT_RUN
    UNION ALL
    SELECT 6, 3, CAST(QUESTION AS VARCHAR(1000)), RULE FROM TUNE.QUESTION
),
LISTED AS (
    SELECT
        I.*,
        ROW_NUMBER() OVER (ORDER BY I.RANK) AS LINE_PLACE,
        CASE I.LANE WHEN 'P' THEN I.BENEFIT_TEXT || ' %' WHEN 'Q' THEN '' ELSE I.SEVERITY_NAME END AS BENEFIT,
        CASE
            WHEN I.LANE = 'C' AND I.OF_RULE > 1 THEN ' and ' || CAST(I.OF_RULE - 1 AS VARCHAR(11)) || ' more' ELSE ''
        END AS OTHERS,
        CASE WHEN D.MANUAL = 1 THEN 'manual' ELSE I.SHORT END AS TAKES_EFFECT
    FROM ITEM AS I
    INNER JOIN (
        SELECT RANK, MIN(CASE WHEN ACTION_TEXT LIKE '-- %' THEN 1 ELSE 0 END) AS MANUAL FROM DONE GROUP BY RANK
    ) AS D ON I.RANK = D.RANK
    WHERE I.IN_FULL = 1
),
TOTAL AS (
    SELECT
        CAST(ROUND(10 * SUM(A.BENEFIT_AFTER), 0) AS BIGINT) AS EXPECTED_10,
        CAST(ROUND(SUM(A.BENEFIT_AFTER * A.BENEFIT_LOW / A.BENEFIT), 0) AS BIGINT) AS LOW,
        CAST(ROUND(SUM(A.BENEFIT_AFTER * A.BENEFIT_HIGH / A.BENEFIT), 0) AS BIGINT) AS HIGH
    FROM TUNE.ADVICE AS A
    WHERE A.POSITION IS NOT NULL AND A.LANE = 'P' AND A.BENEFIT > 0
),
KIND_TEXT AS (
    SELECT
        MAX(CASE WHEN K.KIND = 'urgent' THEN K.SAID || 'urgent problem' || K.S ELSE '' END)
        || MAX(CASE WHEN K.KIND = 'performance' THEN K.SAID || 'performance change' || K.S ELSE '' END)
        || MAX(CASE WHEN K.KIND = 'other' THEN K.SAID || 'problem' || K.S || ' without a measured cost' ELSE '' END)
        || MAX(CASE WHEN K.KIND = 'housekeeping' THEN K.SAID || 'housekeeping change' || K.S ELSE '' END) AS SAID,
        COUNT(CASE WHEN K.KIND <> 'housekeeping' THEN 1 END) AS PROBLEMS
    FROM (
        SELECT
            KIND,
            ', ' || CAST(COUNT(*) AS VARCHAR(11)) || ' ' AS SAID,
            CASE COUNT(*) WHEN 1 THEN '' ELSE 's' END AS S
        FROM ITEM
        GROUP BY KIND
    ) AS K
),
THIS_RUN (ID) AS (SELECT CAST(COALESCE(TUNE.THIS_RUN, MAX(R.RUN_ID)) AS VARCHAR(11)) FROM TUNE.RUN AS R), -- noqa: RF01
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
        'Tuning advice for ' || S.DB_NAME || CASE WHEN S.HOST_NAME IS NULL THEN '' ELSE ' on ' || S.HOST_NAME END
        || CASE WHEN S.INSTANCE_NAME IS NULL THEN '' ELSE ' (instance ' || S.INSTANCE_NAME || ')' END
        || ', ' || S.TOPOLOGY
    FROM TUNE.SUMMARY AS S
    UNION ALL
    SELECT
        0, 1, 0, 2, NULL, 0, 'Interval    ', 0,
        CASE
            WHEN S.SECONDS IS NULL THEN 'of unknown length'
            ELSE CAST(CAST(S.SECONDS AS DECIMAL(15, 0)) AS VARCHAR(20)) || ' s'
        END
        || CASE
            WHEN S.SOURCE = 'DELTA' THEN ' between two snapshots'
            ELSE ' since activation: averages hide the peaks'
        END
        || CASE
            WHEN S.QUIET_S IS NULL THEN ''
            ELSE
                '; the last ' || CAST(CAST(S.QUIET_S AS DECIMAL(15, 0)) AS VARCHAR(20))
                || ' s had too little load to judge'
        END
        || CASE WHEN S.REASON IS NULL THEN '' ELSE '; not usable: ' || S.REASON END
    FROM TUNE.SUMMARY AS S
    UNION ALL
    SELECT
        0, 1, 0, 3, NULL, 0, 'Load        ', 0,
        CAST(CAST(FLOOR(S.ACTIVE_SESSIONS) AS BIGINT) AS VARCHAR(20)) || '.'
        || CAST(CAST(FLOOR(10 * (S.ACTIVE_SESSIONS - FLOOR(S.ACTIVE_SESSIONS))) AS BIGINT) AS VARCHAR(20))
        || ' active sessions on average' || CASE WHEN S.CLASS_KNOWN = 1 THEN ', workload ' || S.CLASS ELSE '' END
    FROM TUNE.SUMMARY AS S
    WHERE S.ACTIVE_SESSIONS IS NOT NULL
    UNION ALL
    SELECT 0, 1, 0, 4, NULL, 0, '', 0, S.SAYS
    FROM TUNE.SILENCE AS S
    UNION ALL
    SELECT
        0, 1, 0, 5, NULL, 0, 'Verdict     ', 0,
        CASE WHEN K.PROBLEMS = 0 THEN 'No problem found, only ' ELSE '' END || SUBSTR(K.SAID, 3) || '.'
    FROM KIND_TEXT AS K
    WHERE LENGTH(K.SAID) > 2
    UNION ALL
    SELECT
        0, 1, 0, 5 + L.RANK, L.RANK, 0, 'Urgent      ', 0,
        L.WHAT || L.OTHERS || '; ' || L.CONSEQUENCE || ' (rank ' || CAST(L.RANK AS VARCHAR(11)) || ')'
    FROM LISTED AS L
    WHERE L.LANE IN ('S', 'C') AND L.SEVERITY <= 2
    UNION ALL
    SELECT 0, 1, L.RANK AS PLACE, 1, L.RANK, CASE L.LINE_PLACE WHEN 1 THEN 1 ELSE 0 END, '', 0, L.HEADING
    FROM LISTED AS L
    WHERE L.IN_LANE = 1
    UNION ALL
    SELECT
        0, 1, L.RANK AS PLACE, 2, L.RANK, 0,
        SUBSTR('    ' || CAST(L.RANK AS VARCHAR(11)), LENGTH(CAST(L.RANK AS VARCHAR(11))) + 1, 4)
        || SUBSTR('          ' || L.BENEFIT, LENGTH(L.BENEFIT) + 1, 10) || '  ', 0,
        SUBSTR(L.TAKES_EFFECT || '                ', 1, 16) || '  '
        || CASE
            WHEN LENGTH(L.WHAT || L.OTHERS) <= 42 THEN L.WHAT
            ELSE RTRIM(SUBSTRING(L.WHAT, 1, 39 - COALESCE(LENGTH(L.OTHERS), 0), OCTETS)) || '...'
        END
        || L.OTHERS
    FROM LISTED AS L
    UNION ALL
    SELECT
        0, 1, 100000, 2, NULL, 1, 'Total       ', 0,
        CAST(T.EXPECTED_10 / 10 AS VARCHAR(20)) || '.' || CAST(MOD(T.EXPECTED_10, 10) AS VARCHAR(20))
        || ' % of database time (' || CAST(T.LOW AS VARCHAR(20)) || ' to '
        || CAST(CASE WHEN T.HIGH > 100 THEN 100 ELSE T.HIGH END AS VARCHAR(20)) || ' %) with all performance changes'
    FROM TOTAL AS T
    WHERE T.EXPECTED_10 IS NOT NULL
    UNION ALL
    SELECT
        0, 1, 100000, 3, NULL, 0, 'Not checked ', 0,
        CAST(N.RULES AS VARCHAR(11)) || CASE N.RULES WHEN 1 THEN ' rule needs' ELSE ' rules need' END
        || ' more evidence; listed at the end'
    FROM (SELECT COUNT(DISTINCT RULE) AS RULES FROM MISSED) AS N
    WHERE N.RULES > 0
    UNION ALL
    SELECT
        0, 1, 100000, 4, NULL, 0, 'Next        ', 1,
        'CALL TUNE.EXPLAIN(' || R.ID || ', rank)   evidence, reasons and sources'
    FROM THIS_RUN AS R
    UNION ALL
    SELECT
        0, 1, 100000, 5, NULL, 0, '            ', 1,
        'CALL TUNE.REPORT(' || R.ID || ')          everything, for programs'
    FROM THIS_RUN AS R
    UNION ALL
    SELECT 0, 2, 0, 1, NULL, 1, '', 0, 'Where the time goes: percent of database time, then the part claimed below'
    FROM TUNE.TIME_SPENT AS T
    WHERE T.POSITION = 1 AND T.PCT >= 1
    UNION ALL
    SELECT
        0, 2, T.POSITION, 3, NULL, 0,
        SUBSTR('      ' || T.PCT_TEXT, LENGTH(T.PCT_TEXT) + 1, 6)
        || SUBSTR('       ' || T.CLAIMED_TEXT, LENGTH(T.CLAIMED_TEXT) + 1, 7) || '   ', 0,
        T.TITLE || CASE WHEN T.CAUSES IS NULL THEN '' ELSE ': ' || T.CAUSES END
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
    SELECT
        0, 2, 1000, 2, NULL, 0, 'Look at     ', 1,
        'SELECT LOOK_AT FROM TUNE.TIME_LIST WHERE RUN_ID = ' || R.ID
    FROM THIS_RUN AS R
    WHERE EXISTS (SELECT 1 FROM TUNE.TIME_SPENT AS T WHERE T.PCT >= 1 AND T.LOOK_AT IS NOT NULL)
    UNION ALL
    SELECT
        0, 3, I.RANK AS PLACE, 2, I.RANK, I.IN_FULL,
        SUBSTR('    ' || CAST(I.RANK AS VARCHAR(11)), LENGTH(CAST(I.RANK AS VARCHAR(11))) + 1, 4) || '  ', 0,
        I.TITLE || ': ' || I.OBJECT_TYPE || ' ' || I.OBJECT_NAME || ' [' || I.RULE || ']'
        || CASE
            WHEN I.RULE_PLACE = 3 AND I.LANE IN ('C', 'H') AND I.OF_RULE > 3
                THEN ' and ' || CAST(I.OF_RULE - 3 AS VARCHAR(11)) || ' more'
            ELSE ''
        END
    FROM ITEM AS I
    WHERE I.RULE_PLACE <= 3 OR I.LANE NOT IN ('C', 'H')
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
        CASE WHEN X.SAID LIKE '-- %' THEN 'manual: ' || SUBSTR(X.SAID, 4) ELSE X.SAID END
    FROM STEP_TEXT AS X
    WHERE X.SAID IS NOT NULL
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
        CASE C.PART WHEN 5 THEN 'Not checked: evidence is missing' ELSE 'Questions' END
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
        1, 1, E.RANK AS PLACE, ROW_NUMBER() OVER (PARTITION BY E.RANK ORDER BY E.LINE_NO, E.EXPLANATION), E.RANK, 0,
        SUBSTR(E.TOPIC || '               ', 1, 15), CASE E.TOPIC WHEN 'look at' THEN 1 ELSE 0 END, E.EXPLANATION
    FROM TUNE.EXPLANATION AS E
    WHERE E.EXPLANATION IS NOT NULL
),
HARMLESS AS (
    SELECT P.*, REPLACE(REPLACE(REPLACE(P.SAID, CHR(10), ' '), CHR(13), ' '), CHR(27), ' ') AS SHOWN
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
                THEN 'it contains a name that cannot be shown here: SELECT ACTION_TEXT, UNDO_TEXT FROM TUNE.COMMAND'
            ELSE SHOWN
        END AS VARCHAR(2700)
    ) AS SAID
FROM HARMLESS

-- name: text_line
-- The paragraphs of TUNE.TEXT_PART in lines of at most 78 bytes, in the order of PART, PLACE, LINE_NO and N. A line
-- breaks at the last blank that fits, or within a longer word. A command continues on the next line after a backslash,
-- which the command line processor and a shell read as a continuation.
WITH CUT (EXPLAINS, PART, PLACE, LINE_NO, RANK, GAP, LABEL, ROOM, IS_COMMAND, SAID, N, FIRST_AT, LAST_AT) AS (
    SELECT
        T.EXPLAINS,
        T.PART,
        T.PLACE,
        T.LINE_NO,
        T.RANK,
        T.GAP,
        T.LABEL,
        CAST(77 - COALESCE(LENGTH(T.LABEL), 0) AS INTEGER),
        T.IS_COMMAND,
        T.SAID,
        CAST(0 AS INTEGER),
        CAST(1 AS INTEGER),
        CAST(0 AS INTEGER)
    FROM TUNE.TEXT_PART AS T
    UNION ALL
    SELECT
        C.EXPLAINS,
        C.PART,
        C.PLACE,
        C.LINE_NO,
        C.RANK,
        C.GAP,
        C.LABEL,
        C.ROOM,
        C.IS_COMMAND,
        C.SAID,
        CAST(C.N + 1 AS INTEGER),
        CAST(C.LAST_AT + 1 AS INTEGER),
        CAST(
            C.LAST_AT + CASE
                WHEN LENGTH(C.SAID) - C.LAST_AT <= C.ROOM THEN LENGTH(C.SAID) - C.LAST_AT
                ELSE COALESCE(
                    NULLIF(LOCATE_IN_STRING(SUBSTR(C.SAID, C.LAST_AT + 1, C.ROOM), ' ', -1), 0),
                    LENGTH(RTRIM(SUBSTRING(SUBSTR(C.SAID, C.LAST_AT + 1), 1, C.ROOM, OCTETS))),
                    C.ROOM
                )
            END AS INTEGER
        )
    FROM CUT AS C
    WHERE C.LAST_AT < LENGTH(C.SAID) AND C.N < 100
)
SELECT
    EXPLAINS,
    PART,
    PLACE,
    LINE_NO,
    N,
    RANK,
    CAST(
        CASE
            WHEN N = 0 THEN ' '
            ELSE
                CASE N WHEN 1 THEN LABEL ELSE SUBSTR('                    ', 1, 77 - ROOM) END
                || CASE
                    WHEN IS_COMMAND = 0 THEN RTRIM(SUBSTR(SAID, FIRST_AT, LAST_AT - FIRST_AT + 1))
                    ELSE SUBSTR(SAID, FIRST_AT, LAST_AT - FIRST_AT + 1)
                        || CASE WHEN LAST_AT < LENGTH(SAID) THEN '\' ELSE '' END
                END
        END AS VARCHAR(78)
    ) AS TEXT
FROM CUT
WHERE N > 0 OR GAP = 1
